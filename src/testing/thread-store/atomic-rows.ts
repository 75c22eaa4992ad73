// Cases: meta and outbox rows are stored together with their record, or not at all.
import { ENTRY_BYTES_MAX } from "../../ports/thread-store.ts";
import { equal, failedWith, succeeded } from "../expect.ts";
import type { ContractCase } from "./case.ts";
import {
  ACME,
  appendWithMeta,
  createListed,
  createRecords,
  delivery,
  gate,
  MUCH_LATER,
  meta,
  record,
  threadAt,
} from "./fixtures.ts";

const at = threadAt();

export const atomicRowCases: readonly ContractCase[] = [
  {
    name: "a thread created without a meta row is not listed",
    run: async (open) => {
      const store = await open();
      await createRecords(store, at, 2);
      equal(succeeded(await store.list(ACME, { limit: 10 })), []);
    },
  },
  {
    name: "a meta row is returned unchanged",
    run: async (open) => {
      const store = await open();
      const full = meta(1, {
        gate: gate(1),
        outcome: "aborted",
        at: null,
        metadata: { "ключ 🔑": ["\u0000", -0.5, {}] },
      });
      succeeded(await store.create(at, record(0), full));
      equal(succeeded(await store.list(ACME, { limit: 10 })), [full]);
    },
  },
  {
    name: "an append with a meta row replaces it",
    run: async (open) => {
      const store = await open();
      await createListed(store, 1);
      await appendWithMeta(store, 1, { state: "rest", outcome: "completed" });
      equal(succeeded(await store.list(ACME, { limit: 10 })), [
        meta(1, { version: 1, state: "rest", outcome: "completed" }),
      ]);
    },
  },
  {
    name: "a meta row without metadata keeps the stored metadata",
    run: async (open) => {
      const store = await open();
      await createListed(store, 1, { metadata: { order: 7 } });
      await appendWithMeta(store, 1, { metadata: null, goal: "second" });
      await appendWithMeta(store, 1, { metadata: null, goal: "third" });
      equal(succeeded(await store.list(ACME, { limit: 10 })), [
        meta(1, { version: 2, goal: "third", metadata: { order: 7 } }),
      ]);
    },
  },
  {
    name: "a meta row with metadata replaces the stored metadata",
    run: async (open) => {
      const store = await open();
      await createListed(store, 1, { metadata: { order: 7 } });
      await appendWithMeta(store, 1, { metadata: {} });
      equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1, { version: 1, metadata: {} })]);
    },
  },
  {
    name: "a thread that never had metadata is listed with null",
    run: async (open) => {
      const store = await open();
      await createListed(store, 1, { metadata: null });
      await appendWithMeta(store, 1, { metadata: null });
      equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1, { version: 1, metadata: null })]);
    },
  },
  {
    name: "an append without a meta row keeps the stored one",
    run: async (open) => {
      const store = await open();
      await createListed(store, 1);
      succeeded(await store.append(at, record(1)));
      equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1)]);
    },
  },
  {
    name: "a meta row in a later append lists a thread that was not listed",
    run: async (open) => {
      const store = await open();
      await createRecords(store, at, 1);
      await appendWithMeta(store, 1, {});
      equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1, { version: 1 })]);
    },
  },
  {
    name: "an append that loses writes neither meta nor deliveries",
    run: async (open) => {
      const store = await open();
      await createListed(store, 1);
      succeeded(await store.append(at, record(1)));
      const late = record(1, { commit_id: "cmt_late" });
      const also = { meta: meta(1, { goal: "late" }), outbox: [delivery(1, at)] };
      failedWith(await store.append(at, late, also), "thread_moved");
      equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1)]);
      equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), []);
    },
  },
  {
    name: "an append to an unknown thread writes neither meta nor deliveries",
    run: async (open) => {
      const store = await open();
      const also = { meta: meta(1), outbox: [delivery(1, at)] };
      failedWith(await store.append(at, record(1), also), "thread_not_found");
      equal(succeeded(await store.list(ACME, { limit: 10 })), []);
      equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), []);
    },
  },
  {
    name: "a record that is too large writes neither meta nor deliveries",
    run: async (open) => {
      const store = await open();
      await createListed(store, 1);
      const large = record(1, { entry: "x".repeat(ENTRY_BYTES_MAX + 1) });
      const also = { meta: meta(1, { goal: "large" }), outbox: [delivery(1, at)] };
      failedWith(await store.append(at, large, also), "record_too_large");
      equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1)]);
      equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), []);
    },
  },
  {
    name: "a repeated commit does not restore an older meta row",
    run: async (open) => {
      const store = await open();
      await createListed(store, 1);
      await appendWithMeta(store, 1, { goal: "first" });
      await appendWithMeta(store, 1, { goal: "second" });
      succeeded(await store.append(at, record(1), { meta: meta(1, { version: 1, goal: "first" }) }));
      equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1, { version: 2, goal: "second" })]);
    },
  },
  {
    name: "a repeated commit does not restore a settled delivery",
    run: async (open) => {
      const store = await open();
      await createRecords(store, at, 1);
      const also = { outbox: [delivery(1, at)] };
      succeeded(await store.append(at, record(1), also));
      succeeded(await store.settleDelivery(delivery(1, at), null));
      succeeded(await store.append(at, record(1), also));
      equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), []);
    },
  },
  {
    name: "one record can be stored with a meta row and several deliveries",
    run: async (open) => {
      const store = await open();
      await createListed(store, 1);
      const outbox = [delivery(1, at), delivery(2, at), delivery(3, at)];
      succeeded(await store.append(at, record(1), { meta: meta(1, { version: 1 }), outbox }));
      equal(succeeded(await store.list(ACME, { limit: 10 }))[0]?.version, 1);
      equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), outbox);
    },
  },
];
