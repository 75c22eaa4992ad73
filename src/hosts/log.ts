// Structured logs. Secrets are cut out before a line is written.
import pino from "pino";
import type { Log } from "../http/env.ts";

export function createLog(level: string): Log {
  const logger = pino({
    level,
    base: null,
    redact: { paths: ["authorization", "*.authorization", "api_key", "*.api_key"], censor: "[redacted]" },
  });
  return {
    info: ({ msg, ...rest }) => logger.info(rest, msg),
    warn: ({ msg, ...rest }) => logger.warn(rest, msg),
    error: ({ msg, ...rest }) => logger.error(rest, msg),
  };
}
