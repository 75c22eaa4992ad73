// Stores documents in process memory, as text, so that no caller can mutate a stored document.
import type { DocumentRef, DocumentStore } from "../../src/ports/documents.ts";
import { ok } from "../../src/schema/problem.ts";

export type MemoryDocuments = Map<string, { readonly version: number; readonly text: string }>;

/** Stores made with the same data see the same documents. */
export function createMemoryDocuments(documents: MemoryDocuments = new Map()): DocumentStore {
  const key = (at: DocumentRef): string => JSON.stringify([at.kind, at.tenant, at.id]);
  return {
    async load(at) {
      const found = documents.get(key(at));
      return ok(found ? { version: found.version, value: JSON.parse(found.text) } : null);
    },
    async save(at, value, expectedVersion) {
      const current = documents.get(key(at))?.version ?? 0;
      if (current !== expectedVersion) return ok({ saved: false, version: current });
      const version = expectedVersion + 1;
      documents.set(key(at), { version, text: JSON.stringify(value) });
      return ok({ saved: true, version });
    },
    async copy(from, to) {
      const found = documents.get(key(from));
      if (!found || documents.has(key(to))) return ok(false);
      documents.set(key(to), found);
      return ok(true);
    },
    async remove(at) {
      documents.delete(key(at));
      return ok(undefined);
    },
    async close() {},
  };
}
