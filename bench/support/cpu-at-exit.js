// Imported before a program (`node --import`): reports its time and its processor time when it ends.
import { writeSync } from "node:fs";
import { cpuMs } from "./cpu-ms.js";

process.on("exit", () => writeSync(1, `\n${JSON.stringify({ ms: performance.now(), cpu_ms: cpuMs() })}\n`));
