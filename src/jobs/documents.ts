// Stores small versioned documents, each like a thread that is never listed, so that schedules work on every store.
import type { Delivery } from "../ports/thread-store.ts";
import type { TenantId, ThreadId, ThreadRef } from "../schema/ids.ts";
import { parseJson } from "../schema/json/parse-json.ts";
import { ok, type Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";

export type VersionedDocument<T> = { readonly version: number; readonly value: T };

/** The id of a document never has the form of a thread's id, so no thread route can reach it. */
export const documentThreadRef = (tenant: TenantId, id: string): ThreadRef => ({ tenant, thread: id as ThreadId });

const documentRow = (rt: Runtime, version: number, value: unknown) => ({
  version,
  commit_id: rt.ids.make("cmt"),
  turn: version,
  entry: "{}",
  state: JSON.stringify(value),
});

export const createDocument = (rt: Runtime, at: ThreadRef, value: unknown): Promise<Result<number>> =>
  rt.store.create(at, documentRow(rt, 0, value), null);

export async function loadDocument<T>(
  rt: Runtime,
  at: ThreadRef,
  parse: (value: unknown) => Result<T>,
): Promise<Result<VersionedDocument<T>>> {
  const rows = await rt.store.load(at, 1);
  if (!rows.ok) return rows;
  const value = parse(parseJson(rows.value.head.state));
  return value.ok ? ok({ version: rows.value.head.version, value: value.value }) : value;
}

/** Saves over the version that was read. Deliveries with the same ids are replaced in the same commit. */
export const saveDocument = (
  rt: Runtime,
  at: ThreadRef,
  baseVersion: number,
  value: unknown,
  outbox: readonly Delivery[],
  removedIds: readonly string[] = [],
): Promise<Result<number>> =>
  rt.store.append(at, documentRow(rt, baseVersion + 1, value), { outbox, taken: removedIds });
