// Finds the blobs that the rows of a thread name in their text, and the blobs of virtual files through their index.
import type { StoredRecord } from "../ports/thread-store.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";

const BLOB_NAME = /"(?:blob|arguments_blob|prompt_hash|todo_blob|files_blob|client_tools_blob)":"([0-9a-f]{64})"/g;

/** Visits each blob once. A blob that expired is skipped: the thread works without it. */
export async function forEachBlob(
  rt: Pick<Runtime, "store">,
  at: ThreadRef,
  rows: readonly StoredRecord[],
  visit: (hash: string, text: string) => Promise<Result<void>>,
): Promise<Result<void>> {
  const names = new Set<string>();
  const indexes = new Set<string>();
  const collect = (text: string): void => {
    for (const [whole, name = ""] of text.matchAll(BLOB_NAME)) {
      names.add(name);
      if (whole.startsWith('"files_blob"')) indexes.add(name);
    }
  };
  for (const row of rows) for (const text of [row.entry, row.state]) collect(text);
  // Iterating over a set includes entries that are added on the way.
  for (const name of names) {
    const blob = await rt.store.getBlob(at, name);
    if (!blob.ok && blob.problem.code === "blob_not_found") continue;
    if (!blob.ok) return blob;
    if (indexes.has(name)) collect(blob.value);
    const visited = await visit(name, blob.value);
    if (!visited.ok) return visited;
  }
  return ok(undefined);
}
