// Classifies SQLite errors: the file is busy, or the store is unavailable. Any other error is a bug and is rethrown.
import type { ThreadRef } from "../../schema/ids.ts";
import { type Failed, fail } from "../../schema/problem.ts";

/** The primary result codes of https://www.sqlite.org/rescode.html. */
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

/** Null for an error that is a bug and not a state of the store, such as a syntax error. */
export function storeFailure(thrown: unknown): StoreFailure | null {
  if (!(thrown instanceof Error) || !("code" in thrown)) return null;
  // A call after close is a late request during shutdown, not a bug.
  if (thrown.code === "ERR_INVALID_STATE") return { busy: false, reason: "it is closed" };
  if (thrown.code !== "ERR_SQLITE_ERROR" || !("errcode" in thrown)) return null;
  const primary = Number(thrown.errcode) & 0xff;
  if (BUSY_CODES.has(primary)) return { busy: true };
  return UNAVAILABLE_CODES.has(primary) ? { busy: false, reason: thrown.message } : null;
}

/** All retries of the store have failed, so callers should wait before they retry. */
const RETRY_AFTER_S = 2;

export const unavailable = (reason: string): Failed =>
  fail("store_unavailable", `The data file is unavailable: ${reason}.`, { retry_after_s: RETRY_AFTER_S });

export const notFound = (at: ThreadRef): Failed => fail("thread_not_found", `Thread ${at.thread} does not exist.`);
