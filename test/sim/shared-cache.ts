// A cache of parsed stored text, shared by all processes of all histories. It depends on the bytes only and its values
// are
// immutable. Sometimes a process runs without it.
import { upgradeRecord } from "../../src/migrate/upgrade.ts";
import type { StoredRecord } from "../../src/ports/thread-store.ts";
import type { ThreadId } from "../../src/schema/ids.ts";
import type { Result } from "../../src/schema/problem.ts";
import type { ThreadRecord } from "../../src/schema/record.ts";
import { createRuntimeCache, type RuntimeCache } from "../../src/turn/runtime-cache.ts";

const SHARED_CACHE = createRuntimeCache({ trust_own_rows: false });

export const cacheFor = (seed: number): RuntimeCache =>
  seed % 8 === 0 ? createRuntimeCache({ trust_own_rows: false }) : SHARED_CACHE;

export const parseStored = (thread: string, row: StoredRecord): Result<ThreadRecord> =>
  upgradeRecord(row, { cache: SHARED_CACHE.rows, thread: thread as ThreadId, version: row.version });
