// What stored bytes mean, remembered by all processes of all histories together. It knows nothing of what happened: other
// bytes are read anew, and nobody can change what was read. Now and then a process has to find out everything for itself.
import { upgradeRecord } from "../../src/migrate/upgrade.ts";
import type { StoredRecord } from "../../src/ports/thread-store.ts";
import type { ThreadId } from "../../src/schema/ids.ts";
import type { Result } from "../../src/schema/problem.ts";
import type { ThreadRecord } from "../../src/schema/record.ts";
import { createRuntimeCache, type RuntimeCache } from "../../src/turn/runtime-cache.ts";

const SHARED_CACHE = createRuntimeCache();

export const cacheFor = (seed: number): RuntimeCache => (seed % 8 === 0 ? createRuntimeCache() : SHARED_CACHE);

export const parseStored = (thread: string, row: StoredRecord): Result<ThreadRecord> =>
  upgradeRecord(row, { cache: SHARED_CACHE.rows, thread: thread as ThreadId, version: row.version });
