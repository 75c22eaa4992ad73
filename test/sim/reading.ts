// What stored bytes mean, remembered by all processes of all histories together. It knows nothing of what happened: other
// bytes are read anew, and nobody can change what was read. Now and then a process has to find out everything for itself.
import { liftRecord } from "../../src/migrate/lift.ts";
import type { StoredRecord } from "../../src/ports/thread-store.ts";
import type { ThreadId } from "../../src/schema/ids.ts";
import type { Result } from "../../src/schema/problem.ts";
import type { ThreadRecord } from "../../src/schema/record.ts";
import { createRemembered, type Remembered } from "../../src/turn/remembered.ts";

const TOGETHER = createRemembered();

export const rememberedBy = (seed: number): Remembered => (seed % 8 === 0 ? createRemembered() : TOGETHER);

export const readStored = (thread: string, row: StoredRecord): Result<ThreadRecord> =>
  liftRecord(row, { rows_read: TOGETHER.rows, thread: thread as ThreadId, version: row.version });
