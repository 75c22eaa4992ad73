// Logs an exception with its stack. Exceptions are bugs, and the client gets the problem `internal` without details.
import type { Log } from "./env.ts";

export const logBug = ({ log }: { readonly log: Log }, request_id: string, error: unknown): void =>
  log.error({ msg: "bug", request_id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
