// Defines deliberately broken changes, each with one defect: removal, files, switches, subscriptions, streams and
// tenant isolation.
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import type { StoredRecord } from "../../src/ports/thread-store.ts";
import type { ThreadRef } from "../../src/schema/ids.ts";
import { ok, type Result } from "../../src/schema/problem.ts";
import type { Settings } from "../../src/schema/settings.ts";
import type { ThreadState } from "../../src/schema/thread.ts";
import type { BrokenVariant } from "./broken-turns.ts";
import type { StoreSabotage } from "./history.ts";

/** Stores a turn as if its removed thread still existed. */
const writesAfterRemoval: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  return {
    ...store,
    append: async (at, record, also) => {
      const name = `${at.tenant}/${at.thread}`;
      if (data.records.has(name)) return store.append(at, record, also);
      data.records.set(name, [record]);
      return ok(record.version);
    },
  };
};

/** Removes the log but keeps its pending deliveries. */
const removalKeepsDeliveries: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  return {
    ...store,
    remove: async (at) => {
      const waits = [...data.outbox].filter(([, row]) => row.at === `${at.tenant}/${at.thread}`);
      const removed = await store.remove(at);
      for (const [key, row] of waits) data.outbox.set(key, row);
      return removed;
    },
  };
};

/** Exports a reserialized row instead of the stored text. */
const rowsReserialized: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  const reserialize = (row: StoredRecord): StoredRecord => {
    const { schema, ...rest } = JSON.parse(row.state) as ThreadState;
    return { ...row, state: JSON.stringify({ ...rest, schema }) };
  };
  return {
    ...store,
    records: async (at, range) => {
      const rows = await store.records(at, range);
      return rows.ok ? ok(rows.value.map(reserialize)) : rows;
    },
  };
};

/** Finds a thread by its id alone. */
const tenantIgnored: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  const owner = (at: ThreadRef): ThreadRef => {
    const found = [...data.records.keys()].find((key) => key.endsWith(`/${at.thread}`))?.split("/")[0];
    return found ? { ...at, tenant: found as ThreadRef["tenant"] } : at;
  };
  return {
    ...store,
    load: (at, entries) => store.load(owner(at), entries),
    records: (at, range) => store.records(owner(at), range),
  };
};

/** Treats external text as a user's message. */
const inboundEventTrusted: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  return {
    ...store,
    create: (at, record, meta) => {
      const state = JSON.parse(record.state) as ThreadState;
      return store.create(at, { ...record, state: JSON.stringify({ ...state, taint: null }) }, meta);
    },
    putDelivery: (delivery) =>
      store.putDelivery({ ...delivery, body: delivery.body.replace('"untrusted":true', '"untrusted":false') }),
  };
};

/** Replaces the title of a thread with its goal in the next record. */
const titleForgotten: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  return {
    ...store,
    append: (at, record, also) => {
      if ("renamed" in JSON.parse(record.entry)) return store.append(at, record, also);
      const { title: _, ...state } = JSON.parse(record.state) as ThreadState;
      return store.append(at, { ...record, state: JSON.stringify(state) }, also);
    },
  };
};

const changedOnLoad =
  (change: (settings: Settings) => Settings) =>
  (inner: SettingsStore): SettingsStore => ({
    ...inner,
    load: async (tenant) => {
      const loaded = await inner.load(tenant);
      if (!loaded.ok) return loaded;
      return ok({ ...loaded.value, settings: change(loaded.value.settings) });
    },
  });

const webhookSwitchIgnored = changedOnLoad((settings) => ({
  ...settings,
  webhooks: settings.webhooks.map((webhook) => ({ ...webhook, enabled: true })),
}));

const toolSwitchIgnored = changedOnLoad((settings) => ({ ...settings, tools: {} }));

const inboundWebhookSwitchIgnored = changedOnLoad((settings) => ({
  ...settings,
  hooks: settings.hooks.map((hook) => ({ ...hook, enabled: true })),
}));

/** Keeps sending to an endpoint that responded with 410 Gone. */
const goneEndpointStaysEnabled = (inner: SettingsStore): SettingsStore => ({
  ...inner,
  save: (tenant, settings, over): Promise<Result<number>> => {
    const webhooks = settings.webhooks.map((webhook) => ({ ...webhook, enabled: true }));
    return inner.save(tenant, { ...settings, webhooks }, over);
  },
});

const VARIANTS: readonly BrokenVariant[] = [
  {
    name: "a turn is stored in a thread that was removed",
    sabotageStore: writesAfterRemoval,
    caughtBy: /^I15 record /,
    from: 5,
  },
  {
    name: "removal keeps pending deliveries",
    sabotageStore: removalKeepsDeliveries,
    caughtBy: /^I15 .* is still pending/,
    from: 20,
  },
  { name: "a title is forgotten", sabotageStore: titleForgotten, caughtBy: /^I27 .* has the title/ },
  { name: "an export is reserialized", sabotageStore: rowsReserialized, caughtBy: /^I16 .* is not its log/ },
  { name: "tenants are ignored", sabotageStore: tenantIgnored, caughtBy: /^I7 .* got ok/ },
  {
    name: "an external event is trusted",
    sabotageStore: inboundEventTrusted,
    caughtBy: /^I4 .* external input/,
    from: 260,
  },
  {
    name: "disabling a webhook has no effect",
    sabotageSettings: webhookSwitchIgnored,
    caughtBy: /^I10 .* notified nevertheless/,
    from: 14,
  },
  {
    name: "a gone endpoint stays enabled",
    sabotageSettings: goneEndpointStaysEnabled,
    caughtBy: /^I10 .* responded that it is gone/,
  },
  {
    name: "disabling a tool has no effect",
    sabotageSettings: toolSwitchIgnored,
    caughtBy: /^I17 \w+ was disabled, but .* ran/,
    from: 324,
  },
  {
    name: "disabling an inbound webhook has no effect",
    sabotageSettings: inboundWebhookSwitchIgnored,
    caughtBy: /^I17 .* but accepted /,
    from: 25,
  },
  {
    name: "a reconnecting reader gets all events again",
    strippedHeader: "last-event-id",
    caughtBy: /^I2 .* reconnected after/,
  },
];
export const BROKEN_CHANGES = VARIANTS.map((variant) => ({ ...variant, kind: "changes" as const }));
