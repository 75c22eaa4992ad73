// Run as a separate process: imports the Lambda bundle and passes it its first event, as a new instance does. Arguments: the
// bundle and the event.
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { cpuMs, printTimes } from "./cpu-ms.js";

const [bundle, event] = process.argv.slice(2);
process.env.LAMBDA_TASK_ROOT = dirname(bundle);
const started = performance.now();
const { handler } = await import(pathToFileURL(bundle).href);
const imported = performance.now();
const cpuOfImport = cpuMs();
const context = { getRemainingTimeInMillis: () => 60_000 };
const { statusCode } = await handler(JSON.parse(event), context);
if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
if (process.env.PAWL_BENCH_EVENT_ONLY) printTimes(performance.now() - imported, cpuMs() - cpuOfImport);
printTimes(performance.now() - started);
