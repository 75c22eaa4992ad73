// Writes structured logs, one JSON line each. Anything that looks like a secret is removed from the finished line.
import pino, { type DestinationStream } from "pino";
import type { Log } from "../../http/env.ts";
import { createLineRedactor } from "../shared/redact-line.ts";

const REDACTED = "[redacted]";

/** `known`: values that are secret whatever they look like, such as the keys of providers. */
export function createLog(level: string, secrets: readonly string[] = [], destination?: DestinationStream): Log {
  const redact = createLineRedactor(secrets);
  const logger = pino(
    {
      level,
      base: null,
      redact: { paths: ["authorization", "*.authorization", "api_key", "*.api_key"], censor: REDACTED },
      hooks: { streamWrite: redact },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
  return {
    info: ({ msg, ...rest }) => logger.info(rest, msg),
    warn: ({ msg, ...rest }) => logger.warn(rest, msg),
    error: ({ msg, ...rest }) => logger.error(rest, msg),
  };
}
