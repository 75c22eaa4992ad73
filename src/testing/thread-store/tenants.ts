// Cases: the same thread id under two tenants is two threads, for every method.
import type { ThreadStore } from "../../ports/thread-store.ts";
import { TenantId } from "../../schema/ids.ts";
import { equal, failedWith, succeeded } from "../expect.ts";
import { onOneHandle } from "../test-case.ts";
import type { ContractCase } from "./case.ts";
import {
  ACME,
  BOLT,
  createListed,
  createRecords,
  delivery,
  headVersion,
  MUCH_LATER,
  meta,
  record,
  threadAt,
} from "./fixtures.ts";

const ours = threadAt(1, ACME);
const theirs = threadAt(1, BOLT);

/** Everything stored for the other tenant's thread. */
async function snapshot(store: ThreadStore) {
  return {
    records: await store.records(theirs, { after: -1, limit: 100 }),
    list: await store.list(BOLT, { limit: 100 }),
    blob: await store.getBlob(theirs, "h1"),
    due: succeeded(await store.dueDeliveries(MUCH_LATER, 100)).filter((one) => one.tenant === BOLT),
  };
}

async function fillOtherTenant(store: ThreadStore): Promise<void> {
  await createListed(store, 1, { goal: "theirs" }, BOLT);
  succeeded(await store.append(theirs, record(1), { outbox: [delivery(1, theirs)] }));
  succeeded(await store.putBlob(theirs, "h1", "theirs"));
}

export const tenantCases: readonly ContractCase[] = [
  onOneHandle("another tenant's thread cannot be loaded, read or appended to", async (store) => {
    await fillOtherTenant(store);
    const before = await snapshot(store);
    failedWith(await store.load(ours, 17), "thread_not_found");
    failedWith(await store.records(ours, { after: -1, limit: 10 }), "thread_not_found");
    failedWith(await store.append(ours, record(2)), "thread_not_found");
    failedWith(await store.getBlob(ours, "h1"), "blob_not_found");
    equal(succeeded(await store.list(ACME, { limit: 10 })), []);
    equal(await snapshot(store), before);
  }),
  onOneHandle("another tenant's thread cannot be removed", async (store) => {
    await fillOtherTenant(store);
    const before = await snapshot(store);
    failedWith(await store.remove(ours), "thread_not_found");
    equal(await snapshot(store), before);
  }),
  onOneHandle("two tenants create and advance the same thread id independently", async (store) => {
    await createRecords(store, ours, 3);
    succeeded(await store.create(theirs, record(0, { entry: '"theirs"' }), null));
    equal(succeeded(await store.append(theirs, record(1, { entry: '"theirs too"' }))), 1);
    equal([await headVersion(store, ours), await headVersion(store, theirs)], [2, 1]);
    equal(succeeded(await store.load(ours, 17)).entries[1]?.entry, '{"entry":1}');
    equal(succeeded(await store.load(theirs, 17)).entries[1]?.entry, '"theirs too"');
  }),
  onOneHandle("two tenants list the same thread id with their own meta row", async (store) => {
    await createListed(store, 1, { goal: "ours", state: "rest" }, ACME);
    await createListed(store, 1, { goal: "theirs" }, BOLT);
    equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1, { goal: "ours", state: "rest" })]);
    equal(succeeded(await store.list(BOLT, { state: "execute", limit: 10 })), [meta(1, { goal: "theirs" })]);
    equal(succeeded(await store.list(BOLT, { state: "rest", limit: 10 })), []);
  }),
  onOneHandle("removing a thread keeps the other tenant's thread with the same id", async (store) => {
    await fillOtherTenant(store);
    await createListed(store, 1, {}, ACME);
    succeeded(await store.append(ours, record(1), { outbox: [delivery(1, ours)] }));
    succeeded(await store.putBlob(ours, "h1", "ours"));
    const before = await snapshot(store);
    succeeded(await store.remove(ours));
    equal(await snapshot(store), before);
    equal(before.due.length, 1);
  }),
  onOneHandle("settling a delivery keeps the other tenant's delivery with the same id", async (store) => {
    await fillOtherTenant(store);
    await createRecords(store, ours, 1);
    succeeded(await store.append(ours, record(1), { outbox: [delivery(1, ours)] }));
    succeeded(await store.settleDelivery(delivery(1, ours), null));
    equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), [delivery(1, theirs)]);
  }),
  onOneHandle("tenants whose names share a prefix are separate", async (store) => {
    const names = ["a", "a-", "a-1", "a_1", "ab"].map((name) => TenantId.parse(name));
    for (const [n, tenant] of names.entries()) {
      const goal = `of ${tenant}`;
      succeeded(await store.create(threadAt(1, tenant), record(0, { entry: goal }), meta(1, { goal, version: n })));
    }
    for (const [n, tenant] of names.entries()) {
      equal(succeeded(await store.load(threadAt(1, tenant), 17)).entries, [{ version: 0, entry: `of ${tenant}` }]);
      equal(succeeded(await store.list(tenant, { limit: 10 })), [meta(1, { goal: `of ${tenant}`, version: n })]);
    }
  }),
];
