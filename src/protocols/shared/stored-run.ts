// Finds a run in the log of its thread. The id of a run contains the thread and the version at which the run began, so
// runs are not stored separately.
import type { Ctx } from "../../http/env.ts";
import { ThreadId, type ThreadRef } from "../../schema/ids.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { loadThread, readRecords } from "../../turn/load.ts";

export const suffixOf = (thread: string): string => thread.slice("thr_".length);
export const runId = (prefix: string, thread: string, version: number): string =>
  `${prefix}_${suffixOf(thread)}_${version}`;

type RunRef = { readonly thread: ThreadId; readonly version: number };

export function parseRunId(prefix: string, id: string): RunRef | null {
  const [, known, suffix, version] = /^([a-z]+)_([^_]+)_(\d{1,9})$/.exec(id) ?? [];
  const thread = ThreadId.safeParse(`thr_${suffix}`).data;
  return thread && known === prefix ? { thread, version: Number(version) } : null;
}

export type StoredRun = {
  readonly at: ThreadRef;
  readonly thread: Thread;
  readonly first: ThreadRecord;
  /** From `first` up to the beginning of the next run. */
  readonly records: readonly ThreadRecord[];
  /** True if another run has begun. This one then gets no more records. */
  readonly closed: boolean;
};

/** Returns null if no run begins at the version of the reference. */
export async function findRun(
  c: Ctx,
  ref: RunRef,
  begins: (record: ThreadRecord) => boolean,
): Promise<Result<StoredRun | null>> {
  const { rt } = c.get("options");
  const at = { tenant: c.get("caller").tenant, thread: ref.thread };
  const thread = await loadThread(rt, at);
  if (!thread.ok) return thread;
  const read = await readRecords(rt, at, ref.version, thread.value.version);
  if (!read.ok) return read;
  const [first, ...later] = read.value;
  if (!first || !begins(first)) return ok(null);
  const next = later.findIndex(begins);
  const records = [first, ...(next < 0 ? later : later.slice(0, next))];
  return ok({ at, thread: thread.value, first, records, closed: next >= 0 });
}
