// What SQLite throws, sorted: the file is busy, the store is down, or we have a bug (and then it stays thrown).
import type { ThreadRef } from "../../schema/ids.ts";
import { type Failed, fail } from "../../schema/problem.ts";

/** Primary result codes, https://www.sqlite.org/rescode.html. */
const BUSY_CODES = new Set([
  5, // BUSY: another connection writes
  6, // LOCKED
  15, // PROTOCOL: the race to recover the write-ahead log was lost
]);
const UNAVAILABLE_CODES = new Set([
  3, // PERM
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  22, // NOLFS
  26, // NOTADB
]);

export type StoreFailure = { readonly busy: true } | { readonly busy: false; readonly reason: string };

/** Null for everything else: a constraint or a syntax error is a bug, not a state of the store. */
export function storeFailure(thrown: unknown): StoreFailure | null {
  if (!(thrown instanceof Error) || !("code" in thrown)) return null;
  // Calls after close: a request that is late at shutdown, not a bug.
  if (thrown.code === "ERR_INVALID_STATE") return { busy: false, reason: "it is closed" };
  if (thrown.code !== "ERR_SQLITE_ERROR" || !("errcode" in thrown)) return null;
  const primary = Number(thrown.errcode) & 0xff;
  if (BUSY_CODES.has(primary)) return { busy: true };
  return UNAVAILABLE_CODES.has(primary) ? { busy: false, reason: thrown.message } : null;
}

/** After all our own tries a caller's next one should not come at once. */
const RETRY_AFTER_S = 2;

export const unavailable = (reason: string): Failed =>
  fail("store_unavailable", `The data file does not take this now: ${reason}.`, { retry_after_s: RETRY_AFTER_S });

export const notFound = (at: ThreadRef): Failed => fail("thread_not_found", `There is no thread ${at.thread}.`);
