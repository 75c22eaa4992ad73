// Counts what SQLite appended to its write-ahead log by reading the log file. Each commit marks its last page, and with
// `synchronous=FULL` each commit is one sync.
import { existsSync, readFileSync } from "node:fs";

export type LogUse = { readonly commits: number; readonly pages: number; readonly bytes: number };

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * Reads everything in the log since it was last restarted. The result is valid as long as no checkpoint restarts it.
 */
export function readLog(path: string): LogUse {
  const log = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : Buffer.alloc(0);
  if (log.length < HEADER_BYTES) return { commits: 0, pages: 0, bytes: 0 };
  const frame = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  const salt = log.readBigUInt64BE(16);
  let [commits, pages] = [0, 0];
  for (let at = HEADER_BYTES; at + frame <= log.length; at += frame) {
    if (log.readBigUInt64BE(at + 8) !== salt) break;
    pages += 1;
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return { commits, pages, bytes: pages * frame };
}

/** Measures what the work appended to the log. */
export async function logUseOf(path: string, work: () => Promise<unknown>): Promise<LogUse> {
  const before = readLog(path);
  await work();
  const after = readLog(path);
  return {
    commits: after.commits - before.commits,
    pages: after.pages - before.pages,
    bytes: after.bytes - before.bytes,
  };
}
