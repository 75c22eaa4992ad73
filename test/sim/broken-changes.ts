// Changes that are broken on purpose, each in one way: removal, files, switches, subscriptions, streams, walls.
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import type { StoredRecord } from "../../src/ports/thread-store.ts";
import type { ThreadRef } from "../../src/schema/ids.ts";
import { ok, type Result } from "../../src/schema/problem.ts";
import type { Settings } from "../../src/schema/settings.ts";
import type { ThreadState } from "../../src/schema/thread.ts";
import type { BrokenVariant } from "./broken-turns.ts";
import type { StoreSabotage } from "./history.ts";

/** A turn that is stored as if its thread were still there. */
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

/** The log goes, and what waits beside it stays. */
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

/** What was understood of a row, not the row itself. */
const rowsReserialized: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  const anew = (row: StoredRecord): StoredRecord => {
    const { schema, ...rest } = JSON.parse(row.state) as ThreadState;
    return { ...row, state: JSON.stringify({ ...rest, schema }) };
  };
  return {
    ...store,
    records: async (at, range) => {
      const rows = await store.records(at, range);
      return rows.ok ? ok(rows.value.map(anew)) : rows;
    },
  };
};

/** A thread is known by its name alone. */
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

/** What came from outside is taken for a person's word. */
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

/** Whoever says that it is gone is asked again for ever. */
const goneEndpointStaysEnabled = (inner: SettingsStore): SettingsStore => ({
  ...inner,
  save: (tenant, settings, over): Promise<Result<number>> => {
    const webhooks = settings.webhooks.map((webhook) => ({ ...webhook, enabled: true }));
    return inner.save(tenant, { ...settings, webhooks }, over);
  },
});

export const BROKEN_CHANGES: readonly BrokenVariant[] = [
  {
    name: "a turn is stored in a thread that was removed",
    sabotageStore: writesAfterRemoval,
    caughtBy: /^I15 record /,
    from: 5,
  },
  { name: "removal leaves what waits", sabotageStore: removalKeepsDeliveries, caughtBy: /^I15 .* still waits/, from: 20 },
  { name: "an export is written anew", sabotageStore: rowsReserialized, caughtBy: /^I16 .* is not its log/ },
  { name: "tenants are not looked at", sabotageStore: tenantIgnored, caughtBy: /^I7 .* was told ok/ },
  { name: "an event from outside is believed", sabotageStore: inboundEventTrusted, caughtBy: /^I4 .* came from outside/ },
  {
    name: "a webhook is switched off in vain",
    sabotageSettings: webhookSwitchIgnored,
    caughtBy: /^I10 .* told all the same/,
    from: 14,
  },
  {
    name: "an endpoint that is gone stays on",
    sabotageSettings: goneEndpointStaysEnabled,
    caughtBy: /^I10 .* said that it is gone/,
  },
  {
    name: "a tool is switched off in vain",
    sabotageSettings: toolSwitchIgnored,
    caughtBy: /^I17 \w+ was switched off, and .* ran/,
    from: 119,
  },
  { name: "a door is shut in vain", sabotageSettings: inboundWebhookSwitchIgnored, caughtBy: /^I17 .* and took /, from: 25 },
  { name: "a reader who comes back hears all again", strippedHeader: "last-event-id", caughtBy: /^I2 .* came back after/ },
].map((one) => ({ ...one, kind: "changes" as const }));
