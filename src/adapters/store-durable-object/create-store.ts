// The ports on objects: a thread's own object takes its records; the directory is told afterwards and may be told again.
import type { Claims } from "../../ports/claims.ts";
import type { SettingsStore } from "../../ports/settings-store.ts";
import type { Delivery, ThreadStore } from "../../ports/thread-store.ts";
import type { TenantId, ThreadAt } from "../../schema/ids.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { NO_SETTINGS, Settings } from "../../schema/settings.ts";
import type { DirectoryRows } from "./directory-rows.ts";
import type { Namespace } from "./platform.ts";
import type { ThreadRows } from "./thread-rows.ts";

/** What a thread's object answers: its rows, told whose thread it is so that it can tell the directory. */
export type ThreadObject = {
  readonly rows: <K extends keyof ThreadRows>(
    at: ThreadAt,
    method: K,
    args: Parameters<ThreadRows[K]>,
  ) => Promise<ReturnType<ThreadRows[K]>>;
};
export type DirectoryObject = {
  readonly rows: <K extends keyof DirectoryRows>(
    method: K,
    args: Parameters<DirectoryRows[K]>,
  ) => Promise<ReturnType<DirectoryRows[K]>>;
};
export type Objects = { readonly threads: Namespace<ThreadObject>; readonly directory: Namespace<DirectoryObject> };

/** Neither a tenant nor a thread id can hold the separator, so no two pairs share a name. */
export const threadName = (at: ThreadAt, prefix = ""): string => `${prefix}${at.tenant}/${at.thread}`;
export const tenantName = (tenant: TenantId, prefix = ""): string => `${prefix}tenant/${tenant}`;
/** Apart from the lists: every turn reads its tenant's settings, and none depends on lists. */
export const settingsName = (tenant: TenantId, prefix = ""): string => `${prefix}settings/${tenant}`;

/** Who waits is spread over a few objects, by the last letter of an id, which is drawn by chance. */
const DUE_PARTS = 4;
const duePart = (part: number, prefix: string): string => `${prefix}due/${part}`;
export const dueName = ({ thread }: ThreadAt, prefix = ""): string =>
  duePart(thread.charCodeAt(thread.length - 1) % DUE_PARTS, prefix);

const PAUSE_MS = 100;

export type DurableObjectStore = {
  readonly threads: ThreadStore;
  readonly settings: SettingsStore;
  readonly claims: Claims;
};

/** Threads in which something may be due, those that wait longest first within each part. */
export async function waitingThreads(
  directory: Objects["directory"],
  now: number,
  limit: number,
  prefix = "",
): Promise<readonly ThreadAt[]> {
  const parts = Array.from({ length: DUE_PARTS }, (_, part) => directory.idFromName(duePart(part, prefix)));
  return (await Promise.all(parts.map((id) => directory.get(id).rows("waiting", [now, limit])))).flat();
}

export function createDurableObjectStore(objects: Objects, prefix = ""): DurableObjectStore {
  const thread = async <K extends keyof ThreadRows>(
    at: ThreadAt,
    method: K,
    ...args: Parameters<ThreadRows[K]>
  ): Promise<ReturnType<ThreadRows[K]> | Failed> => {
    try {
      return await objects.threads.get(objects.threads.idFromName(threadName(at, prefix))).rows(at, method, args);
    } catch (error) {
      // An object that is being moved or started anew answers a moment later; whoever asks again should not do so at once.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())));
      return unavailable(error);
    }
  };
  const directory = <K extends keyof DirectoryRows>(
    name: string,
    method: K,
    ...args: Parameters<DirectoryRows[K]>
  ): Promise<ReturnType<DirectoryRows[K]>> =>
    objects.directory.get(objects.directory.idFromName(name)).rows(method, args);
  const guarded = async <T>(work: () => Promise<T>): Promise<Result<T>> => {
    try {
      return ok(await work());
    } catch (error) {
      return unavailable(error);
    }
  };

  return {
    threads: {
      create: async (at, record, meta) => thread(at, "create", record, meta),
      load: async (at, entries) => thread(at, "load", entries),
      append: async (at, record, also = {}) => thread(at, "append", record, also),
      records: async (at, range) => thread(at, "records", range),
      putBlob: async (at, hash, text) => thread(at, "putBlob", hash, text),
      getBlob: async (at, hash) => thread(at, "getBlob", hash),
      remove: async (at) => thread(at, "remove"),
      settleDelivery: async (delivery, next) => thread(delivery, "settleDelivery", delivery, next),
      putDelivery: async (delivery) => thread(delivery, "putDelivery", delivery),
      async deliveries(at, limit, wanted = "") {
        const found = await thread(at, "deliveries", limit, wanted);
        return "ok" in found ? found : ok(found.map((one) => ({ ...one, tenant: at.tenant, thread: at.thread })));
      },
      list: (tenant, query) => guarded(() => directory(tenantName(tenant, prefix), "list", query)),
      /** Two steps: the directory says where to look, the threads what is due there. */
      dueDeliveries: (now, limit) =>
        guarded(async () => {
          const threads = await waitingThreads(objects.directory, now, limit, prefix);
          const found = await Promise.all(
            threads.map(async (at) => {
              const due = await thread(at, "due", now, limit);
              if ("ok" in due) throw new Error(due.problem.message);
              return due.map((one): Delivery => ({ ...one, tenant: at.tenant, thread: at.thread }));
            }),
          );
          return found.flat().sort(byAge).slice(0, limit);
        }),
      close: async () => undefined,
    },
    settings: {
      async load(tenant) {
        const held = await guarded(() => directory(settingsName(tenant, prefix), "document", "settings"));
        if (!held.ok) return held;
        return ok(
          held.value
            ? { version: held.value.version, settings: Settings.parse(JSON.parse(held.value.body)) }
            : { version: 0, settings: structuredClone(NO_SETTINGS) },
        );
      },
      async save(tenant, settings, over) {
        const saved = await guarded(() =>
          directory(settingsName(tenant, prefix), "saveDocument", "settings", JSON.stringify(settings), over),
        );
        if (!saved.ok) return saved;
        const { won, version } = saved.value;
        return won ? ok(version) : fail("settings_moved", `The settings are at version ${version}.`, { version });
      },
    },
    claims: {
      claim: async (at, owner, ttl_ms) => thread(at, "claim", owner, ttl_ms),
      release: async (at, owner) => thread(at, "release", owner),
    },
  };
}

const byAge = (a: Delivery, b: Delivery): number => a.due_at - b.due_at || Number(a.id > b.id) - Number(a.id < b.id);

export const unavailable = (error: unknown): Failed =>
  fail("store_unavailable", `The object does not answer: ${error instanceof Error ? error.message : String(error)}`, {
    retry_after_s: 1,
  });
