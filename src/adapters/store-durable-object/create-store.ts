// Implements the ports on Durable Objects. A thread's own object stores its records and syncs the directory afterwards.
import type { Claims } from "../../ports/claims.ts";
import type { SettingsStore } from "../../ports/settings-store.ts";
import type { Delivery, ThreadStore } from "../../ports/thread-store.ts";
import type { TenantId, ThreadRef } from "../../schema/ids.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { NO_SETTINGS, readSettings } from "../../schema/settings.ts";
import { CALL_CHARS_MAX } from "./blob-rows.ts";
import type { DirectoryRows } from "./directory-rows.ts";
import type { Namespace } from "./platform.ts";
import type { ThreadRows } from "./thread-rows.ts";

/** `rows` also passes the thread's id, which the object needs to sync the directory. */
export type ThreadObject = {
  readonly rows: <K extends keyof ThreadRows>(
    at: ThreadRef,
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
export type ObjectNamespaces = {
  readonly threads: Namespace<ThreadObject>;
  readonly directory: Namespace<DirectoryObject>;
};

/** Neither a tenant nor a thread id can contain the separator, so two threads never share a name. */
export const threadName = (at: ThreadRef, prefix = ""): string => `${prefix}${at.tenant}/${at.thread}`;
export const tenantName = (tenant: TenantId, prefix = ""): string => `${prefix}tenant/${tenant}`;
/** Every turn reads the settings and must not depend on the object that stores the lists. */
export const settingsName = (tenant: TenantId, prefix = ""): string => `${prefix}settings/${tenant}`;

/** Due times are sharded over a few objects by the last character of the thread id, which is random. */
const DUE_SHARDS = 4;
const dueShardName = (part: number, prefix: string): string => `${prefix}due/${part}`;
export const dueName = ({ thread }: ThreadRef, prefix = ""): string =>
  dueShardName(thread.charCodeAt(thread.length - 1) % DUE_SHARDS, prefix);

const RETRY_PAUSE_MS = 100;

export type DurableObjectStore = {
  readonly threads: ThreadStore;
  readonly settings: SettingsStore;
  readonly claims: Claims;
};

type WaitingQuery = {
  readonly directory: ObjectNamespaces["directory"];
  readonly now: number;
  /** The maximum number of threads per shard. */
  readonly limit: number;
  readonly prefix?: string;
};

async function waitingThreads(
  method: "waiting" | "waitingLonger",
  { directory, now, limit, prefix = "" }: WaitingQuery,
): Promise<readonly ThreadRef[]> {
  const parts = Array.from({ length: DUE_SHARDS }, (_, part) => directory.idFromName(dueShardName(part, prefix)));
  return (await Promise.all(parts.map((id) => directory.get(id).rows(method, [now, limit])))).flat();
}

/** Threads in which something may be due, oldest due time first within each shard. */
export const threadsWithDueWork = (query: WaitingQuery): Promise<readonly ThreadRef[]> =>
  waitingThreads("waiting", query);

/** A random selection of the threads in which something is due later. */
export const threadsWithLaterWork = (query: WaitingQuery): Promise<readonly ThreadRef[]> =>
  waitingThreads("waitingLonger", query);

export function createDurableObjectStore(objects: ObjectNamespaces, prefix = ""): DurableObjectStore {
  const threadRequest = async <K extends keyof ThreadRows>(
    at: ThreadRef,
    method: K,
    ...args: Parameters<ThreadRows[K]>
  ): Promise<ReturnType<ThreadRows[K]> | Failed> => {
    try {
      return await objects.threads.get(objects.threads.idFromName(threadName(at, prefix))).rows(at, method, args);
    } catch (error) {
      // An object that is being moved or restarted becomes available a moment later, when the caller retries.
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS * (0.5 + Math.random())));
      return unavailable(error);
    }
  };
  const directoryRequest = async <K extends keyof DirectoryRows>(
    name: string,
    method: K,
    ...args: Parameters<DirectoryRows[K]>
  ): Promise<Result<ReturnType<DirectoryRows[K]>>> => {
    try {
      return ok(await objects.directory.get(objects.directory.idFromName(name)).rows(method, args));
    } catch (error) {
      return unavailable(error);
    }
  };

  return {
    threads: {
      create: async (at, record, meta) => threadRequest(at, "create", record, meta),
      createFromSnapshot: async (at, snapshot) => {
        for (const part of batchesOf(snapshot.blobs, ({ text }) => text.length)) {
          const put = await threadRequest(at, "putBlobs", part);
          if (!put.ok) return put;
        }
        const [only, ...others] = snapshot.records;
        if (only && others.length === 0) return threadRequest(at, "create", only, snapshot.meta, snapshot.outbox);
        const by = crypto.randomUUID();
        for (const part of batchesOf(snapshot.records, ({ entry, state }) => entry.length + state.length)) {
          const staged = await threadRequest(at, "stage", by, part);
          if (!staged.ok) return staged;
        }
        const last = snapshot.records.at(-1);
        if (!last) throw new Error("a thread has at least one record");
        return threadRequest(at, "publish", by, last, { meta: snapshot.meta, outbox: snapshot.outbox });
      },
      load: async (at, entries) => threadRequest(at, "load", entries),
      appendsBlobs: true,
      checksFollows: true,
      append: async (at, record, also = {}) => threadRequest(at, "append", record, also),
      records: async (at, range) => threadRequest(at, "records", range),
      putBlob: async (at, hash, text) => threadRequest(at, "putBlobs", [{ hash, text }]),
      getBlob: async (at, hash) => threadRequest(at, "getBlob", hash),
      async getBlobs(at, hashes) {
        const texts = new Map<string, string>();
        for (let done = 0; done < hashes.length; ) {
          const found = await threadRequest(at, "getBlobs", hashes.slice(done));
          if (!found.ok) return found;
          for (const text of found.value) {
            const hash = hashes[done++];
            if (hash !== undefined && text !== null) texts.set(hash, text);
          }
        }
        return ok(texts);
      },
      remove: async (at) => threadRequest(at, "remove"),
      settleDelivery: async (delivery, next) => threadRequest(delivery, "settleDelivery", delivery, next),
      putDelivery: async (delivery) => threadRequest(delivery, "putDelivery", delivery),
      async deliveries(at, limit, idPrefix = "") {
        const found = await threadRequest(at, "deliveries", limit, idPrefix);
        return "ok" in found ? found : ok(found.map((one) => ({ ...one, tenant: at.tenant, thread: at.thread })));
      },
      list: (tenant, query) => directoryRequest(tenantName(tenant, prefix), "list", query),
      listByActivity: (tenant, after, limit) =>
        directoryRequest(tenantName(tenant, prefix), "listByActivity", after, limit),
      /** Works in two steps: the directory names the threads to check, and the threads return the due deliveries. */
      async dueDeliveries(now, limit) {
        try {
          const threads = await threadsWithDueWork({ directory: objects.directory, now, limit, prefix });
          const found = await Promise.all(
            threads.map(async (at) => {
              const due = await threadRequest(at, "due", now, limit);
              if ("ok" in due) throw new Error(due.problem.message);
              return due.map((one): Delivery => ({ ...one, tenant: at.tenant, thread: at.thread }));
            }),
          );
          return ok(found.flat().sort(byDueTime).slice(0, limit));
        } catch (error) {
          return unavailable(error);
        }
      },
      close: async () => undefined,
    },
    settings: {
      async load(tenant) {
        const stored = await directoryRequest(settingsName(tenant, prefix), "document", "settings");
        if (!stored.ok) return stored;
        if (!stored.value) return ok({ version: 0, settings: structuredClone(NO_SETTINGS) });
        const settings = readSettings(stored.value.body);
        return settings.ok ? ok({ version: stored.value.version, settings: settings.value }) : settings;
      },
      async save(tenant, settings, expectedVersion) {
        const text = JSON.stringify(settings);
        const name = settingsName(tenant, prefix);
        const saved = await directoryRequest(name, "saveDocument", "settings", text, expectedVersion);
        if (!saved.ok) return saved;
        const { won, version } = saved.value;
        return won ? ok(version) : fail("settings_moved", `The settings are at version ${version}.`, { version });
      },
    },
    claims: {
      claim: async (at, owner, ttl_ms) => threadRequest(at, "claim", owner, ttl_ms),
      release: async (at, owner) => threadRequest(at, "release", owner),
    },
  };
}

/** Splits the items into batches that are each small enough for one call to an object. */
function batchesOf<T>(items: readonly T[], sizeOf: (item: T) => number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const item of items) {
    chars += sizeOf(item);
    if (chars > CALL_CHARS_MAX) {
      parts.push([]);
      chars = sizeOf(item);
    }
    parts.at(-1)?.push(item);
  }
  return parts;
}

const byDueTime = (a: Delivery, b: Delivery): number =>
  a.due_at - b.due_at || Number(a.id > b.id) - Number(a.id < b.id);

export const unavailable = (error: unknown): Failed =>
  fail("store_unavailable", `The object did not respond: ${error instanceof Error ? error.message : String(error)}`, {
    retry_after_s: 1,
  });
