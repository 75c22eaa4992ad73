// Cases for meta and outbox rows, which are stored together with their record or not at all.
import { ENTRY_BYTES_MAX } from "../../ports/thread-store.ts";
import { equal, failedWith, succeeded } from "../expect.ts";
import { onOneHandle } from "../test-case.ts";
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
  onOneHandle("a thread created without a meta row is not listed", async (store) => {
    await createRecords(store, at, 2);
    equal(succeeded(await store.list(ACME, { limit: 10 })), []);
  }),
  onOneHandle("a meta row is returned unchanged", async (store) => {
    const full = meta(1, {
      gate: gate(1),
      outcome: "aborted",
      at: null,
      metadata: { "ключ 🔑": ["\u0000", -0.5, {}] },
    });
    succeeded(await store.create(at, record(0), full));
    equal(succeeded(await store.list(ACME, { limit: 10 })), [full]);
  }),
  onOneHandle("an append with a meta row replaces it", async (store) => {
    await createListed(store, 1);
    await appendWithMeta(store, 1, { state: "rest", outcome: "completed" });
    equal(succeeded(await store.list(ACME, { limit: 10 })), [
      meta(1, { version: 1, state: "rest", outcome: "completed" }),
    ]);
  }),
  onOneHandle("a meta row without metadata keeps the stored metadata", async (store) => {
    await createListed(store, 1, { metadata: { order: 7 } });
    await appendWithMeta(store, 1, { metadata: null, goal: "second" });
    await appendWithMeta(store, 1, { metadata: null, goal: "third" });
    equal(succeeded(await store.list(ACME, { limit: 10 })), [
      meta(1, { version: 2, goal: "third", metadata: { order: 7 } }),
    ]);
  }),
  onOneHandle("a meta row with metadata replaces the stored metadata", async (store) => {
    await createListed(store, 1, { metadata: { order: 7 } });
    await appendWithMeta(store, 1, { metadata: {} });
    equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1, { version: 1, metadata: {} })]);
  }),
  onOneHandle("a thread that never had metadata is listed with null", async (store) => {
    await createListed(store, 1, { metadata: null });
    await appendWithMeta(store, 1, { metadata: null });
    equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1, { version: 1, metadata: null })]);
  }),
  onOneHandle("an append without a meta row keeps the stored one", async (store) => {
    await createListed(store, 1);
    succeeded(await store.append(at, record(1)));
    equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1)]);
  }),
  onOneHandle("a meta row in a later append lists a thread that was not listed", async (store) => {
    await createRecords(store, at, 1);
    await appendWithMeta(store, 1, {});
    equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1, { version: 1 })]);
  }),
  onOneHandle("an append that loses writes neither meta nor deliveries", async (store) => {
    await createListed(store, 1);
    succeeded(await store.append(at, record(1)));
    const late = record(1, { commit_id: "cmt_late" });
    const also = { meta: meta(1, { goal: "late" }), outbox: [delivery(1, at)] };
    failedWith(await store.append(at, late, also), "thread_moved");
    equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1)]);
    equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), []);
  }),
  onOneHandle("an append to an unknown thread writes neither meta nor deliveries", async (store) => {
    const also = { meta: meta(1), outbox: [delivery(1, at)] };
    failedWith(await store.append(at, record(1), also), "thread_not_found");
    equal(succeeded(await store.list(ACME, { limit: 10 })), []);
    equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), []);
  }),
  onOneHandle("a record that is too large writes neither meta nor deliveries", async (store) => {
    await createListed(store, 1);
    const large = record(1, { entry: "x".repeat(ENTRY_BYTES_MAX + 1) });
    const also = { meta: meta(1, { goal: "large" }), outbox: [delivery(1, at)] };
    failedWith(await store.append(at, large, also), "record_too_large");
    equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1)]);
    equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), []);
  }),
  onOneHandle("a repeated commit does not restore an older meta row", async (store) => {
    await createListed(store, 1);
    await appendWithMeta(store, 1, { goal: "first" });
    await appendWithMeta(store, 1, { goal: "second" });
    succeeded(await store.append(at, record(1), { meta: meta(1, { version: 1, goal: "first" }) }));
    equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1, { version: 2, goal: "second" })]);
  }),
  onOneHandle("a repeated commit does not restore a settled delivery", async (store) => {
    await createRecords(store, at, 1);
    const also = { outbox: [delivery(1, at)] };
    succeeded(await store.append(at, record(1), also));
    succeeded(await store.settleDelivery(delivery(1, at), null));
    succeeded(await store.append(at, record(1), also));
    equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), []);
  }),
  onOneHandle("one record can be stored with a meta row and several deliveries", async (store) => {
    await createListed(store, 1);
    const outbox = [delivery(1, at), delivery(2, at), delivery(3, at)];
    succeeded(await store.append(at, record(1), { meta: meta(1, { version: 1 }), outbox }));
    equal(succeeded(await store.list(ACME, { limit: 10 }))[0]?.version, 1);
    equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), outbox);
  }),
];
