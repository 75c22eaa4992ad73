// Run as a separate process: starts the server like `npm start`, and reports its processor time when it is asked.
import { enableCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { cpuMs } from "./cpu-ms.js";

process.on("message", () => process.send(cpuMs()));
enableCompileCache();
await import(pathToFileURL(process.env.PAWL_BENCH_ENTRY).href);
