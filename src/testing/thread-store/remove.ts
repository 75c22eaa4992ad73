// Cases for removing a thread, which deletes all of its data and no other data.
import { equal, failedWith, succeeded } from "../expect.ts";
import { onHandles, onOneHandle } from "../test-case.ts";
import type { ContractCase } from "./case.ts";
import {
  ACME,
  createListed,
  createRecords,
  delivery,
  headVersion,
  MUCH_LATER,
  meta,
  record,
  threadAt,
} from "./fixtures.ts";

const at = threadAt();

export const removeCases: readonly ContractCase[] = [
  onOneHandle("removing a thread deletes its records, blobs, meta row and deliveries", async (store) => {
    await createListed(store, 1);
    succeeded(await store.append(at, record(1), { outbox: [delivery(1, at), delivery(2, at)] }));
    succeeded(await store.putBlob(at, "h1", "one"));
    equal(await store.remove(at), { ok: true, value: undefined });
    failedWith(await store.load(at, 17), "thread_not_found");
    failedWith(await store.records(at, { after: -1, limit: 10 }), "thread_not_found");
    failedWith(await store.getBlob(at, "h1"), "blob_not_found");
    equal(succeeded(await store.list(ACME, { limit: 10 })), []);
    equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), []);
  }),
  onOneHandle("removing a thread does not affect its neighbors", async (store) => {
    for (const n of [10, 11, 12]) {
      await createListed(store, n);
      succeeded(await store.append(threadAt(n), record(1), { outbox: [delivery(n, threadAt(n))] }));
      succeeded(await store.putBlob(threadAt(n), "h1", `of ${n}`));
    }
    succeeded(await store.remove(threadAt(11)));
    for (const n of [10, 12]) {
      equal(await headVersion(store, threadAt(n)), 1);
      equal(succeeded(await store.getBlob(threadAt(n), "h1")), `of ${n}`);
    }
    equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(12), meta(10)]);
    const due = succeeded(await store.dueDeliveries(MUCH_LATER, 10));
    equal(due, [delivery(10, threadAt(10)), delivery(12, threadAt(12))]);
  }),
  onOneHandle("removing an unknown thread fails with thread_not_found", async (store) => {
    failedWith(await store.remove(at), "thread_not_found");
  }),
  onOneHandle("removing a thread again fails with thread_not_found", async (store) => {
    await createRecords(store, at, 2);
    succeeded(await store.remove(at));
    failedWith(await store.remove(at), "thread_not_found");
  }),
  onOneHandle("a late append to a removed thread fails with thread_not_found and restores nothing", async (store) => {
    await createListed(store, 1);
    succeeded(await store.append(at, record(1)));
    succeeded(await store.remove(at));
    const also = { meta: meta(1), outbox: [delivery(1, at)] };
    failedWith(await store.append(at, record(2), also), "thread_not_found");
    failedWith(await store.append(at, record(1), also), "thread_not_found");
    failedWith(await store.load(at, 1), "thread_not_found");
    equal(succeeded(await store.list(ACME, { limit: 10 })), []);
    equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), []);
  }),
  onOneHandle("a removed thread can be created again and starts empty", async (store) => {
    await createRecords(store, at, 5);
    succeeded(await store.putBlob(at, "h1", "old"));
    succeeded(await store.remove(at));
    succeeded(await store.create(at, record(0, { commit_id: "cmt_new", entry: '"new"' }), null));
    equal(succeeded(await store.load(at, 17)).entries, [{ version: 0, entry: '"new"' }]);
    failedWith(await store.getBlob(at, "h1"), "blob_not_found");
  }),
  onHandles(
    "a late append of a removed thread does not land in the thread that was created with its id",
    async (open) => {
      const [first, second] = [await open(), await open()];
      if (!first.checksFollows) return;
      await createRecords(first, at, 2);
      equal(await headVersion(second, at), 1);
      const late = record(2, { commit_id: "cmt_late" });
      succeeded(await first.remove(at));
      succeeded(await first.create(at, record(0, { commit_id: "cmt_other_0" }), meta(1)));
      succeeded(await first.append(at, record(1, { commit_id: "cmt_other_1" }), { follows: "cmt_other_0" }));
      for (const store of [first, second, await open()]) {
        const also = { follows: "cmt_1", meta: meta(1, { version: 2 }), outbox: [delivery(1, at)] };
        equal(failedWith(await store.append(at, late, also), "thread_moved").details, { version: 1 });
        equal(await headVersion(store, at), 1);
      }
      equal(succeeded(await first.list(ACME, { limit: 10 })), [meta(1)]);
      equal(succeeded(await first.dueDeliveries(MUCH_LATER, 10)), []);
      equal(succeeded(await second.append(at, record(2), { follows: "cmt_other_1" })), 2);
    },
  ),
  onHandles("an append follows the record with its commit id, also if the same log was created again", async (open) => {
    const [first, second] = [await open(), await open()];
    await createRecords(first, at, 3);
    equal(await headVersion(second, at), 2);
    succeeded(await first.remove(at));
    await createRecords(first, at, 2);
    equal(succeeded(await second.append(at, record(2, { commit_id: "cmt_new" }), { follows: "cmt_1" })), 2);
    equal(succeeded(await first.records(at, { after: 1, limit: 10 })), [record(2, { commit_id: "cmt_new" })]);
  }),
  onHandles("an append whose reply was lost is recognized whatever it follows", async (open) => {
    const store = await open();
    await createRecords(store, at, 2);
    equal(succeeded(await store.append(at, record(2), { follows: "cmt_1" })), 2);
    equal(succeeded(await store.append(at, record(2), { follows: "cmt_1" })), 2);
    succeeded(await store.append(at, record(3), { follows: "cmt_2" }));
    equal(succeeded(await (await open()).append(at, record(2), { follows: "cmt_1" })), 2);
  }),
  onOneHandle("a thread of 300 records with large entries is removed completely", async (store) => {
    succeeded(await store.create(at, record(0), null));
    const entry = "x".repeat(8_000);
    for (let version = 1; version < 300; version += 1) succeeded(await store.append(at, record(version, { entry })));
    succeeded(await store.remove(at));
    failedWith(await store.records(at, { after: -1, limit: 1000 }), "thread_not_found");
  }),
];
