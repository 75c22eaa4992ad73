// What outlives every process of a history in which things change: threads that were removed, settings as they followed
// one another, files that were written, and who was told that an endpoint is gone.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import type { SettingsStore } from "../../../src/ports/settings-store.ts";
import type { StoredRecord, ThreadStore } from "../../../src/ports/thread-store.ts";
import type { TenantId, ThreadRef } from "../../../src/schema/ids.ts";
import type { Webhook } from "../../../src/schema/jobs/webhook.ts";
import type { Settings } from "../../../src/schema/settings.ts";
import type { SharedState } from "../clients.ts";
import type { World } from "../world.ts";

/** A thread as it was in the moment it was removed. */
export type RemovedThread = { readonly at: ThreadRef; readonly rows: readonly StoredRecord[] };
export type SettingsVersion = { readonly tenant: TenantId; readonly settings: Settings; readonly time: number };
/** A thread as a file. `imported`: taken in again, and somebody was told so; so many had been removed when that began. */
export type ExportedThread = { readonly at: ThreadRef; readonly text: string; imported: number | null };

export type ChangesState = {
  readonly removed: RemovedThread[];
  /** What was written to a thread after it was removed. */
  readonly writesAfterRemoval: string[];
  readonly settings: SettingsVersion[];
  /** When each record was committed, in time since the beginning, and where first: the others are copies. */
  readonly committed: Map<string, { readonly time: number; readonly thread: string }>;
  readonly files: ExportedThread[];
  /** When an endpoint said that it is gone for good, and to the news of which thread. */
  readonly goneResponses: { readonly url: string; readonly time: number; readonly thread: string }[];
  /** When something arrived at an endpoint. */
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

/** Whatever was said about a thread that was removed once may be gone, also when it came back. */
export const wasRemoved = (changes: ChangesState | null, thread: string): boolean =>
  changes?.removed.some(({ at }) => at.thread === thread) ?? false;

/** By an import, and somebody was told so. */
export const wasReimported = (changes: ChangesState | null, thread: string): boolean =>
  changes?.files.some(({ at, imported }) => imported !== null && at.thread === thread) ?? false;

/** Of threads that were removed once. Copies outlive what they were made from, also when that came back and went on. */
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

/** A call that was written down before its thread was removed may come to its end outside. */
export const wasInFlight = (changes: ChangesState | null, { tenant, thread }: ThreadRef, effect: string): boolean =>
  changes?.removed.some(
    ({ at, rows }) =>
      at.thread === thread && at.tenant === tenant && rows.some(({ entry }) => effect !== "" && entry.includes(effect)),
  ) ?? false;

/** All that a webhook ever was, oldest first; null where it was not there. */
export const webhookHistory = (
  { settings }: ChangesState,
  tenant: string,
  id: string,
): readonly { readonly time: number; readonly webhook: Webhook | null }[] =>
  settings
    .filter((one) => one.tenant === tenant)
    .map(({ settings: { webhooks }, time }) => ({ time, webhook: webhooks.find((one) => one.id === id) ?? null }));

/** Every webhook there ever was, by tenant and id. */
export function allWebhooks({ settings }: ChangesState): ReadonlyMap<string, { readonly tenant: TenantId }> {
  return new Map(settings.flatMap(({ tenant, settings: held }) => held.webhooks.map(({ id }) => [id, { tenant }])));
}

/** The webhook at an address, as everything it ever was together: secrets change, and rows outlive a change. */
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
