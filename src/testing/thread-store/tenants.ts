// Cases for the same thread id under two tenants, which is two threads for every method.
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

const ownThread = threadAt(1, ACME);
const otherThread = threadAt(1, BOLT);

/** Reads everything that is stored for the other tenant's thread. */
async function snapshot(store: ThreadStore) {
  return {
    records: await store.records(otherThread, { after: -1, limit: 100 }),
    list: await store.list(BOLT, { limit: 100 }),
    blob: await store.getBlob(otherThread, "h1"),
    due: succeeded(await store.dueDeliveries(MUCH_LATER, 100)).filter((one) => one.tenant === BOLT),
  };
}

async function fillOtherTenant(store: ThreadStore): Promise<void> {
  await createListed(store, 1, { goal: "theirs" }, BOLT);
  succeeded(await store.append(otherThread, record(1), { outbox: [delivery(1, otherThread)] }));
  succeeded(await store.putBlob(otherThread, "h1", "theirs"));
}

export const tenantCases: readonly ContractCase[] = [
  onOneHandle("another tenant's thread cannot be loaded, read or appended to", async (store) => {
    await fillOtherTenant(store);
    const before = await snapshot(store);
    failedWith(await store.load(ownThread, 17), "thread_not_found");
    failedWith(await store.records(ownThread, { after: -1, limit: 10 }), "thread_not_found");
    failedWith(await store.append(ownThread, record(2)), "thread_not_found");
    failedWith(await store.getBlob(ownThread, "h1"), "blob_not_found");
    equal(succeeded(await store.list(ACME, { limit: 10 })), []);
    equal(await snapshot(store), before);
  }),
  onOneHandle("another tenant's thread cannot be removed", async (store) => {
    await fillOtherTenant(store);
    const before = await snapshot(store);
    failedWith(await store.remove(ownThread), "thread_not_found");
    equal(await snapshot(store), before);
  }),
  onOneHandle("two tenants create and advance the same thread id independently", async (store) => {
    await createRecords(store, ownThread, 3);
    succeeded(await store.create(otherThread, record(0, { entry: '"theirs"' }), null));
    equal(succeeded(await store.append(otherThread, record(1, { entry: '"theirs too"' }))), 1);
    equal([await headVersion(store, ownThread), await headVersion(store, otherThread)], [2, 1]);
    equal(succeeded(await store.load(ownThread, 17)).entries[1]?.entry, '{"entry":1}');
    equal(succeeded(await store.load(otherThread, 17)).entries[1]?.entry, '"theirs too"');
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
    succeeded(await store.append(ownThread, record(1), { outbox: [delivery(1, ownThread)] }));
    succeeded(await store.putBlob(ownThread, "h1", "ours"));
    const before = await snapshot(store);
    succeeded(await store.remove(ownThread));
    equal(await snapshot(store), before);
    equal(before.due.length, 1);
  }),
  onOneHandle("settling a delivery keeps the other tenant's delivery with the same id", async (store) => {
    await fillOtherTenant(store);
    await createRecords(store, ownThread, 1);
    succeeded(await store.append(ownThread, record(1), { outbox: [delivery(1, ownThread)] }));
    succeeded(await store.settleDelivery(delivery(1, ownThread), null));
    equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), [delivery(1, otherThread)]);
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
