// Caches of parsed stored text, shared by the processes of all histories: they depend on the bytes only, and their values are
// immutable. In every eighth history each process has a cache of its own and validates all rows; the others trust rows that
// the runtime wrote, which changes nothing as long as those are valid.
import { upgradeRecord } from "../../src/migrate/upgrade.ts";
import type { StoredRecord } from "../../src/ports/thread-store.ts";
import type { ThreadId } from "../../src/schema/ids.ts";
import type { Result } from "../../src/schema/problem.ts";
import type { ThreadRecord } from "../../src/schema/record.ts";
import { createRuntimeCache, type RuntimeCache } from "../../src/turn/runtime-cache.ts";
import type { World } from "./world.ts";

const VALIDATED_SHARE = 8;
const TRUSTING = createRuntimeCache();
const VALIDATING = createRuntimeCache({ trust_own_rows: false });

export const validatesByDefault = (seed: number): boolean => seed % VALIDATED_SHARE === 0;

type Validation = Pick<World, "validatesRows">;

export const cacheFor = ({ validatesRows }: Validation): RuntimeCache =>
  validatesRows ? createRuntimeCache({ trust_own_rows: false }) : TRUSTING;

export function parseStored({ validatesRows }: Validation, thread: string, row: StoredRecord): Result<ThreadRecord> {
  const cache = (validatesRows ? VALIDATING : TRUSTING).rows;
  return upgradeRecord(row, { cache, thread: thread as ThreadId, version: row.version });
}
