// Defines the state of a "changes" history that outlives every process: removed threads, the history of settings,
// exported files, and which endpoints responded that they are gone.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import type { SettingsStore } from "../../../src/ports/settings-store.ts";
import type { StoredRecord, ThreadStore } from "../../../src/ports/thread-store.ts";
import type { TenantId, ThreadRef } from "../../../src/schema/ids.ts";
import type { Webhook } from "../../../src/schema/jobs/webhook.ts";
import type { Settings } from "../../../src/schema/settings.ts";
import type { SharedState } from "../clients.ts";
import type { World } from "../world.ts";

/** A thread at the moment of its removal. */
export type RemovedThread = { readonly at: ThreadRef; readonly rows: readonly StoredRecord[] };
export type SettingsVersion = { readonly tenant: TenantId; readonly settings: Settings; readonly time: number };
/**
 * An exported thread. `imported` is the number of removals when its acknowledged import began, or null if it was not
 * imported.
 */
export type ExportedThread = { readonly at: ThreadRef; readonly text: string; imported: number | null };

export type ChangesState = {
  readonly removed: RemovedThread[];
  /** Writes to a thread after its removal. */
  readonly writesAfterRemoval: string[];
  readonly settings: SettingsVersion[];
  /** The time and the thread in which each record was first committed. Later occurrences are copies. */
  readonly committed: Map<string, { readonly time: number; readonly thread: string }>;
  readonly files: ExportedThread[];
  /** The times at which endpoints responded with 410 Gone, and the threads whose events they received. */
  readonly goneResponses: { readonly url: string; readonly time: number; readonly thread: string }[];
  /** The times at which webhooks arrived at endpoints. */
  readonly arrivals: { readonly url: string; readonly time: number }[];
  readonly boards: SharedState[];
};

export const createChangesState = (): ChangesState => ({
  removed: [],
  writesAfterRemoval: [],
  settings: [],
  committed: new Map(),
  files: [],
  goneResponses: [],
  arrivals: [],
  boards: [],
});

const nameOf = ({ tenant, thread }: { readonly tenant: string; readonly thread: string }): string =>
  `${tenant}/${thread}`;

/** Reports whether a thread was ever removed. Its acknowledged data may be missing, even if it was created again. */
export const wasRemoved = (changes: ChangesState | null, thread: string): boolean =>
  changes?.removed.some(({ at }) => at.thread === thread) ?? false;

/** Reports whether an acknowledged import has created the thread again. */
export const wasReimported = (changes: ChangesState | null, thread: string): boolean =>
  changes?.files.some(({ at, imported }) => imported !== null && at.thread === thread) ?? false;

/**
 * Returns the commits of threads that were ever removed. Copies outlive their source, even if the source was created
 * again and continued.
 */
export function removedCommits(changes: ChangesState | null): readonly string[] {
  if (!changes) return [];
  const made = [...changes.committed].filter(([, { thread }]) => wasRemoved(changes, thread)).map(([id]) => id);
  return [...changes.removed.flatMap(({ rows }) => rows.map(({ commit_id }) => commit_id)), ...made];
}

export function removalRecordingStore(
  world: World,
  changes: ChangesState,
  data: MemoryData,
  inner: ThreadStore,
): ThreadStore {
  return {
    ...inner,
    async append(at, record, also) {
      const before = data.records.has(nameOf(at));
      const appended = await inner.append(at, record, also);
      if (appended.ok && !before) changes.writesAfterRemoval.push(`record ${record.version} of ${at.thread}`);
      if (appended.ok && !changes.committed.has(record.commit_id))
        changes.committed.set(record.commit_id, { time: world.time(), thread: at.thread });
      return appended;
    },
    async putDelivery(delivery) {
      const before = data.records.has(nameOf(delivery));
      const put = await inner.putDelivery(delivery);
      if (put.ok && !before) changes.writesAfterRemoval.push(`${delivery.id} of ${delivery.thread}`);
      return put;
    },
    async remove(at) {
      const rows = [...(data.records.get(nameOf(at)) ?? [])];
      const removed = await inner.remove(at);
      if (removed.ok && at.thread.startsWith("thr_")) changes.removed.push({ at, rows });
      return removed;
    },
  };
}

export const recordingSettings = (world: World, changes: ChangesState, inner: SettingsStore): SettingsStore => ({
  load: (tenant) => inner.load(tenant),
  async save(tenant, settings, over) {
    const saved = await inner.save(tenant, settings, over);
    if (saved.ok) changes.settings.push({ tenant, settings, time: world.time() });
    return saved;
  },
});

/** Reports whether a call was in flight. A call that was recorded before its thread was removed may still finish. */
export const wasInFlight = (changes: ChangesState | null, { tenant, thread }: ThreadRef, effect: string): boolean =>
  changes?.removed.some(
    ({ at, rows }) =>
      at.thread === thread && at.tenant === tenant && rows.some(({ entry }) => effect !== "" && entry.includes(effect)),
  ) ?? false;

/** Returns all states of a webhook, oldest first. A state is null while the webhook did not exist. */
export const webhookHistory = (
  { settings }: ChangesState,
  tenant: string,
  id: string,
): readonly { readonly time: number; readonly webhook: Webhook | null }[] =>
  settings
    .filter((one) => one.tenant === tenant)
    .map(({ settings: { webhooks }, time }) => ({ time, webhook: webhooks.find((one) => one.id === id) ?? null }));

/** Returns every webhook that ever existed, by tenant and id. */
export function allWebhooks({ settings }: ChangesState): ReadonlyMap<string, { readonly tenant: TenantId }> {
  return new Map(settings.flatMap(({ tenant, settings: held }) => held.webhooks.map(({ id }) => [id, { tenant }])));
}

/** Combines all states of the webhook at a URL, because secrets change and pending rows outlive a change. */
export function webhookAt(changes: ChangesState, url: string): Webhook | null {
  const all = changes.settings.flatMap(({ settings }) => settings.webhooks);
  const id = all.findLast((one) => one.url === url)?.id;
  const own = all.filter((one) => one.id === id);
  const last = own.at(-1);
  if (!last) return null;
  return {
    ...last,
    secrets: own.flatMap(({ secrets }) => secrets),
    events: [...new Set(own.flatMap(({ events }) => events))],
  };
}
