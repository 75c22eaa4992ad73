// Writes structured logs as JSON lines. Anything that looks like a secret is redacted in the finished line.
import { writeSync } from "node:fs";
import type { Log, LogLine } from "../../http/env.ts";
import { REDACTED } from "../../tools/redaction/redact.ts";
import { createLineRedactor } from "../shared/redact-line.ts";

const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Number.POSITIVE_INFINITY };
type Level = keyof typeof LEVELS;

const SECRET_FIELDS = ["authorization", "api_key"];

/** `secrets` are values that are always redacted, such as the keys of providers. */
export function createLog(level: Level, secrets: readonly string[] = [], destination = standardOutput): Log {
  const redact = createLineRedactor(secrets);
  const writer = (name: Level) => (line: LogLine) => {
    if (LEVELS[name] >= LEVELS[level]) destination.write(redact(`${toJson(LEVELS[name], line)}\n`));
  };
  return { info: writer("info"), warn: writer("warn"), error: writer("error") };
}

function toJson(level: number, { msg, ...fields }: LogLine): string {
  const line = { level, time: Date.now(), ...withoutSecrets(fields, 1), msg };
  try {
    return JSON.stringify(line);
  } catch {
    // A field may contain a cycle or a BigInt. The line is then written with only the names of its fields.
    return JSON.stringify({ level, time: line.time, fields: String(Object.keys(fields)), msg });
  }
}

/** Also redacts nested fields, up to this depth. */
function withoutSecrets(fields: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (SECRET_FIELDS.includes(name)) return [name, REDACTED];
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      return [name, isObject && depth > 0 ? withoutSecrets(value as Record<string, unknown>, depth - 1) : value];
    }),
  );
}

const WRITE_RETRY_MS = 5;
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/** Synchronous, so that the last lines before a crash are not lost. */
const standardOutput: { readonly write: (line: string) => void } = {
  write(line) {
    let rest = Buffer.from(line);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(1, rest));
      } catch (thrown) {
        const { code } = thrown as NodeJS.ErrnoException;
        // The reader has closed the pipe, so further lines would be lost.
        if (code === "EPIPE") return;
        if (code !== "EAGAIN") throw thrown;
        // The pipe is full and writing to it does not block, so wait and try again.
        Atomics.wait(sleepCell, 0, 0, WRITE_RETRY_MS);
      }
    }
  },
};
