// Structured logs, one JSON line each. Whatever looks like a secret is cut out of the finished line, wherever it was in it.
import pino, { type DestinationStream } from "pino";
import type { Log } from "../http/env.ts";

const CUT = "[redacted]";
/** Keys and tickets of ours, what follows Bearer or Basic, and the usual form of providers' keys. */
const SECRETS = /pawl_[A-Za-z0-9_-]{22,}|tkt_[0-9a-z]{26,}|\b(?:Bearer|Basic)\s+[^\s"\\]+|\bsk-[A-Za-z0-9_-]{16,}/gi;

/** `known`: values that are secret whatever they look like, such as the keys of providers. */
export function createLog(level: string, known: readonly string[] = [], destination?: DestinationStream): Log {
  const written = known.filter((secret) => secret.length >= 8).map((secret) => JSON.stringify(secret).slice(1, -1));
  const redact = (line: string): string =>
    written.reduce((text, secret) => text.replaceAll(secret, CUT), line).replace(SECRETS, CUT);
  const logger = pino(
    {
      level,
      base: null,
      redact: { paths: ["authorization", "*.authorization", "api_key", "*.api_key"], censor: CUT },
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
