// Stores the documents that hold the events of a calendar. They are written once and never changed, so cached ones stay
// valid.
import type { DocumentRef, DocumentStore } from "../../../ports/documents.ts";
import type { TenantId } from "../../../schema/ids.ts";
import { fail, ok, type Result } from "../../../schema/problem.ts";
import { packParts } from "./shards.ts";

/** The number of cached parts, which is enough for a year of a full calendar. */
const CACHED_PARTS = 64;
const NAMES_MAX = 16;

export interface PartStore {
  /** Returns all items of a shard, or fails with `calendar_moved` if a newer version has replaced them. */
  read(tenant: TenantId, ids: readonly string[]): Promise<Result<readonly unknown[]>>;
  /** Writes the items to new documents and returns their ids. `prefix` names the calendar, the version and the shard. */
  write(tenant: TenantId, prefix: string, items: readonly unknown[]): Promise<Result<string[]>>;
  /** Removes parts. Failures are ignored, because a part that is left behind only takes up space. */
  remove(tenant: TenantId, ids: Iterable<string>): Promise<void>;
}

const partAt = (tenant: TenantId, id: string): DocumentRef => ({ tenant, kind: "calendar_parts", id });

export function createPartStore(documents: DocumentStore): PartStore {
  const cache = new Map<string, readonly unknown[]>();
  const keep = (key: string, items: readonly unknown[]) => {
    if (cache.size >= CACHED_PARTS) cache.delete(cache.keys().next().value ?? "");
    cache.set(key, items);
    return items;
  };

  const readPart = async (tenant: TenantId, id: string): Promise<Result<readonly unknown[]>> => {
    const key = `${tenant} ${id}`;
    const known = cache.get(key);
    if (known) return ok(known);
    const loaded = await documents.load(partAt(tenant, id));
    if (!loaded.ok) return loaded;
    if (loaded.value === null) return fail("calendar_moved", "The calendar changed while it was read.", { part: id });
    return ok(keep(key, Array.isArray(loaded.value.value) ? loaded.value.value : []));
  };

  /** Tries several names, because another writer may have used the same one for this version of the calendar. */
  const writePart = async (tenant: TenantId, name: string, items: readonly unknown[]): Promise<Result<string>> => {
    for (let n = 0; n < NAMES_MAX; n += 1) {
      const id = `${name}.${n}`;
      const saved = await documents.save(partAt(tenant, id), items, 0);
      if (!saved.ok) return saved;
      if (saved.value.saved) return ok(id);
    }
    return fail("calendar_moved", "Too many writers change the calendar at the same time.");
  };

  return {
    async read(tenant, ids) {
      const parts = await Promise.all(ids.map((id) => readPart(tenant, id)));
      const failed = parts.find((part) => !part.ok);
      if (failed && !failed.ok) return failed;
      return ok(parts.flatMap((part) => (part.ok ? part.value : [])));
    },
    async write(tenant, prefix, items) {
      const ids: string[] = [];
      for (const [n, part] of packParts(items).entries()) {
        const written = await writePart(tenant, `${prefix}.${n}`, part);
        if (!written.ok) return written;
        ids.push(written.value);
      }
      return ok(ids);
    },
    async remove(tenant, ids) {
      await Promise.all(
        [...ids].map((id) => {
          cache.delete(`${tenant} ${id}`);
          return documents.remove(partAt(tenant, id));
        }),
      );
    },
  };
}
