// Writes JSON lines to the console, from which the platform collects logs. Secrets in them are redacted.
import type { Log, LogLine } from "../../http/env.ts";
import { createLineRedactor } from "../shared/redact-line.ts";

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

export function createConsoleLog(level: string, known: readonly string[]): Log {
  const redact = createLineRedactor(known);
  const write = (name: "info" | "warn" | "error", line: LogLine): void => {
    if (LEVELS.indexOf(name) >= LEVELS.indexOf(level)) console[name](redact(JSON.stringify({ level: name, ...line })));
  };
  return {
    info: (line) => write("info", line),
    warn: (line) => write("warn", line),
    error: (line) => write("error", line),
  };
}
