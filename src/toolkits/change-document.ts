// Changes a document of a toolkit by compare-and-set, and retries if another writer saved first.
import type { z } from "zod";
import type { DocumentRef, DocumentStore } from "../ports/documents.ts";
import { retryConflict } from "../ports/retry.ts";
import { fail, ok, type Result } from "../schema/problem.ts";

export type DocumentPlace<T> = {
  readonly documents: DocumentStore;
  readonly at: DocumentRef;
  readonly schema: z.ZodType<T>;
};

/** Null if there is no such document. */
export async function readDocument<T>({
  documents,
  at,
  schema,
}: DocumentPlace<T>): Promise<Result<{ readonly version: number; readonly value: T } | null>> {
  const loaded = await documents.load(at);
  if (!loaded.ok || loaded.value === null) return loaded.ok ? ok(null) : loaded;
  const parsed = schema.safeParse(loaded.value.value);
  if (!parsed.success) return fail("state_corrupt", `The stored document of the kind ${at.kind} cannot be read.`);
  return ok({ version: loaded.value.version, value: parsed.data });
}

/** `next` is null if nothing has to be saved. */
export type Change<T, R> = (current: T | null) => Result<{ readonly next: T | null; readonly result: R }>;

export const changeDocument = <T, R>(place: DocumentPlace<T>, change: Change<T, R>): Promise<Result<R>> =>
  retryConflict("document_moved", async () => {
    const loaded = await readDocument(place);
    if (!loaded.ok) return loaded;
    const changed = change(loaded.value?.value ?? null);
    if (!changed.ok) return changed;
    const { next, result } = changed.value;
    if (next === null) return ok(result);
    const saved = await place.documents.save(place.at, next, loaded.value?.version ?? 0);
    if (!saved.ok) return saved;
    return saved.value.saved ? ok(result) : fail("document_moved", "The document was changed at the same time.");
  });

/** Unreadable items are stored unchanged, so that saving the list does not remove them. */
export function readableItems<T>(schema: z.ZodType<T>, values: readonly unknown[]) {
  const items: T[] = [];
  const unread: unknown[] = [];
  for (const value of values) {
    const item = schema.safeParse(value);
    if (item.success) items.push(item.data);
    else unread.push(value);
  }
  return { items, unread };
}
