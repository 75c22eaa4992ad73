// Run as a separate process: imports the file that is named.
import { pathToFileURL } from "node:url";
import { printTimes } from "./cpu-ms.js";

const started = performance.now();
await import(pathToFileURL(process.argv[2]).href);
printTimes(performance.now() - started);
