// Stores small versioned documents, each like a thread that is never listed, so that schedules work on every store.
import type { Delivery, StoredRecord } from "../ports/thread-store.ts";
import type { TenantId, ThreadId, ThreadRef } from "../schema/ids.ts";
import { parseJson } from "../schema/json/parse-json.ts";
import { ok, type Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";

export type VersionedDocument<T> = {
  readonly version: number;
  /** Absent in documents that were last saved before their rows contained it. */
  readonly commit_id?: string;
  readonly value: T;
};

/** The id of a document never has the form of a thread's id, so no thread route can reach it. */
export const documentThreadRef = (tenant: TenantId, id: string): ThreadRef => ({ tenant, thread: id as ThreadId });

function documentRow(rt: Runtime, version: number, value: unknown): StoredRecord {
  const commit_id = rt.ids.make("cmt");
  return { version, commit_id, turn: version, entry: JSON.stringify({ commit_id }), state: JSON.stringify(value) };
}

export const createDocument = (rt: Runtime, at: ThreadRef, value: unknown): Promise<Result<number>> =>
  rt.store.create(at, documentRow(rt, 0, value), null);

export async function loadDocument<T>(
  rt: Runtime,
  at: ThreadRef,
  parse: (value: unknown) => Result<T>,
): Promise<Result<VersionedDocument<T>>> {
  const rows = await rt.store.load(at, 1);
  if (!rows.ok) return rows;
  const { head, entries } = rows.value;
  const value = parse(parseJson(head.state));
  if (!value.ok) return value;
  const { commit_id } = (parseJson(entries.at(-1)?.entry ?? "{}") ?? {}) as { commit_id?: string };
  return ok({ version: head.version, value: value.value, ...(commit_id === undefined ? {} : { commit_id }) });
}

/** Saves over the document that was read. Deliveries with the same ids are replaced in the same commit. */
export const saveDocument = (
  rt: Runtime,
  at: ThreadRef,
  { version, commit_id }: Pick<VersionedDocument<unknown>, "version" | "commit_id">,
  value: unknown,
  outbox: readonly Delivery[],
  removedIds: readonly string[] = [],
): Promise<Result<number>> =>
  rt.store.append(at, documentRow(rt, version + 1, value), {
    outbox,
    taken: removedIds,
    ...(commit_id === undefined ? {} : { follows: commit_id }),
  });
