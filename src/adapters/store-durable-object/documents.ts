// Stores each document of a toolkit in its own object, so that a tenant's documents do not wait for one another.
import { DOCUMENT_KIND, type DocumentRef, type DocumentStore } from "../../ports/documents.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { type DirectoryObject, unavailable } from "./create-store.ts";
import type { DirectoryRows } from "./directory-rows.ts";
import type { Namespace } from "./platform.ts";

/** Calendars were stored before there were other kinds, and keep their original names. */
const OLD_KINDS: readonly string[] = ["calendar"];

/** No tenant contains the separator, so two references never share a name. */
function objectName(at: DocumentRef, prefix: string): string {
  const { tenant, kind, id } = at;
  if (!DOCUMENT_KIND.test(kind)) throw new Error(`${JSON.stringify(kind)} is not a valid kind of document`);
  return `${prefix}${OLD_KINDS.includes(kind) ? kind : `document/${kind}`}/${tenant}/${id}`;
}

export function createDurableObjectDocuments(directory: Namespace<DirectoryObject>, prefix = ""): DocumentStore {
  const request = async <K extends keyof DirectoryRows>(
    at: DocumentRef,
    method: K,
    ...args: Parameters<DirectoryRows[K]>
  ): Promise<Result<ReturnType<DirectoryRows[K]>>> => {
    try {
      return ok(await directory.get(directory.idFromName(objectName(at, prefix))).rows(method, args));
    } catch (error) {
      return unavailable(error);
    }
  };

  return {
    async load(at) {
      const stored = await request(at, "document", at.kind);
      if (!stored.ok) return stored;
      return ok(stored.value ? { version: stored.value.version, value: JSON.parse(stored.value.body) } : null);
    },
    async save(at, value, expectedVersion) {
      const saved = await request(at, "saveDocument", at.kind, JSON.stringify(value), expectedVersion);
      return saved.ok ? ok({ saved: saved.value.won, version: saved.value.version }) : saved;
    },
    async copy(from, to) {
      const stored = await request(from, "document", from.kind);
      if (!stored.ok) return stored;
      return stored.value ? request(to, "copyDocument", to.kind, stored.value) : ok(false);
    },
    remove: (at) => request(at, "removeDocument", at.kind),
    close: async () => undefined,
  };
}
