// Stores the documents of toolkits as versioned items beside their threads.
import { randomUUID } from "node:crypto";
import type { DocumentStore } from "../../ports/documents.ts";
import { ok } from "../../schema/problem.ts";
import { documentKey, keyItem } from "./keys.ts";
import type { OpenTable } from "./table.ts";
import { readDocument, saveDocument } from "./versioned-document.ts";

export function createDocumentStore(table: OpenTable): DocumentStore {
  return {
    async load(at) {
      const found = await readDocument(table, documentKey(at));
      if (!found.ok) return found;
      return ok(found.value && { version: found.value.version, value: JSON.parse(found.value.text) });
    },
    async save(at, value, expectedVersion) {
      const saved = await saveDocument(table, documentKey(at), JSON.stringify(value), expectedVersion, randomUUID());
      return saved.ok ? ok({ saved: saved.value.won, version: saved.value.version }) : saved;
    },
    async copy(from, to) {
      const found = await readDocument(table, documentKey(from));
      if (!found.ok) return found;
      if (found.value === null) return ok(false);
      const { text, version } = found.value;
      // The copy keeps the version of the original.
      const saved = await saveDocument(table, documentKey(to), text, 0, randomUUID(), version);
      return saved.ok ? ok(saved.value.won) : saved;
    },
    remove: (at) =>
      table.retryUnavailable(async () => {
        await table.call("DeleteItem", { TableName: table.name, Key: keyItem(documentKey(at)) });
        return ok(undefined);
      }),
    async close() {},
  };
}
