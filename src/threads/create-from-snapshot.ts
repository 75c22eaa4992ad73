// Writes a thread with all its rows: in one step if the store can do that, otherwise oldest first.
import type { AppendExtras, StoredRecord, ThreadSnapshot } from "../ports/thread-store.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";

type StoreOnly = Pick<Runtime, "store">;

/** Completes the thread if an earlier attempt was interrupted. Fails with `thread_moved` if another thread has this id. */
export async function createFromSnapshot(
  rt: StoreOnly,
  at: ThreadRef,
  snapshot: ThreadSnapshot,
): Promise<Result<number>> {
  const created = await rt.store.createFromSnapshot?.(at, snapshot);
  return created && (created.ok || created.problem.code !== "thread_moved") ? created : writeRows(rt, at, snapshot);
}

async function writeRows(
  rt: StoreOnly,
  at: ThreadRef,
  { records, blobs, meta, outbox }: ThreadSnapshot,
): Promise<Result<number>> {
  // The meta row makes the thread visible, so it is written with the last record.
  const extras = (row: StoredRecord): AppendExtras => (row === records.at(-1) ? { meta, outbox } : {});
  const [first, ...rest] = records;
  if (!first) throw new Error("a thread has at least one record");
  // A blob is stored before the record that names it. The first record comes before the blobs, because a removal of the thread then also removes
  // them, and the next record fails because it has no predecessor. It names no blob unless it is the only record, which comes last.
  const firstWritten = rest.length > 0 ? await writeRow(rt, at, first, {}) : ok(0);
  if (!firstWritten.ok) return firstWritten;
  for (const { hash, text } of blobs) {
    const put = await rt.store.putBlob(at, hash, text);
    if (!put.ok) return put;
  }
  let written: Result<number> = firstWritten;
  let previous = first;
  for (const row of rest.length > 0 ? rest : [first]) {
    written = await writeRow(rt, at, row, { ...extras(row), follows: previous.commit_id });
    if (!written.ok) return written;
    previous = row;
  }
  return written;
}

async function writeRow(
  rt: StoreOnly,
  at: ThreadRef,
  row: StoredRecord,
  extras: AppendExtras,
): Promise<Result<number>> {
  if (row.version > 0) return rt.store.append(at, row, extras);
  const created = await rt.store.create(at, row, extras.meta ?? null);
  if (!created.ok) return created;
  for (const delivery of extras.outbox ?? []) {
    const put = await rt.store.putDelivery(delivery);
    if (!put.ok) return put;
  }
  return created;
}
