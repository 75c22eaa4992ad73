// Cases for a thread that is created with all its records. They do nothing for a store without `createFromSnapshot`.
import type { ThreadSnapshot, ThreadStore } from "../../ports/thread-store.ts";
import { equal, failedWith, isTrue, succeeded } from "../expect.ts";
import type { ContractCase } from "./case.ts";
import { ACME, BOLT, createRecords, delivery, headVersion, MUCH_LATER, meta, record, threadAt } from "./fixtures.ts";

const COUNT = 60;
const HASH = "a".repeat(64);

const snapshot = (count = COUNT, over: Partial<ThreadSnapshot> = {}): ThreadSnapshot => ({
  records: Array.from({ length: count }, (_, version) => record(version)),
  blobs: [{ hash: HASH, text: "large" }],
  meta: meta(1, { version: count - 1 }),
  outbox: [delivery(1, threadAt())],
  ...over,
});

/** Has the same records with other commit ids. */
const rival = (count: number): ThreadSnapshot =>
  snapshot(count, {
    records: Array.from({ length: count }, (_, version) => record(version, { commit_id: `cmt_rival_${version}` })),
  });

type StoreWithSnapshots = Required<Pick<ThreadStore, "createFromSnapshot">> & ThreadStore;
const canCreateFromSnapshot = (store: ThreadStore): store is StoreWithSnapshots =>
  store.createFromSnapshot !== undefined;

const named = (
  name: string,
  run: (stores: readonly [StoreWithSnapshots, StoreWithSnapshots]) => Promise<void>,
): ContractCase => ({
  name: `snapshot: ${name}`,
  run: async (open) => {
    const stores = [await open(), await open()] as const;
    const [one, other] = stores;
    if (canCreateFromSnapshot(one) && canCreateFromSnapshot(other)) await run([one, other]);
  },
});

export const snapshotCases: readonly ContractCase[] = [
  named("a thread is created with its records, blobs, meta row and deliveries", async ([store, other]) => {
    equal(succeeded(await store.createFromSnapshot(threadAt(), snapshot())), COUNT - 1);
    equal(succeeded(await other.records(threadAt(), { after: -1, limit: 1000 })), snapshot().records);
    const loaded = succeeded(await other.load(threadAt(), 3));
    equal(loaded.head, { version: COUNT - 1, state: record(COUNT - 1).state });
    equal(loaded.entries.length, 3, "entries");
    equal(succeeded(await other.getBlob(threadAt(), HASH)), "large");
    equal(succeeded(await other.list(ACME, { limit: 10 })), [snapshot().meta]);
    equal(succeeded(await other.dueDeliveries(MUCH_LATER, 10)), [delivery(1, threadAt())]);
    equal(succeeded(await other.append(threadAt(), record(COUNT))), COUNT);
  }),
  named("a snapshot of one record creates an ordinary thread", async ([store]) => {
    equal(succeeded(await store.createFromSnapshot(threadAt(), snapshot(1))), 0);
    equal(succeeded(await store.append(threadAt(), record(1))), 1);
  }),
  named("an existing thread is not overwritten", async ([store]) => {
    await createRecords(store, threadAt(), 2);
    equal(failedWith(await store.createFromSnapshot(threadAt(), rival(3)), "thread_moved").details, { version: 1 });
    equal(succeeded(await store.records(threadAt(), { after: -1, limit: 10 })), [record(0), record(1)]);
    equal(succeeded(await store.list(ACME, { limit: 10 })), []);
  }),
  named("a repeated request succeeds, even after the thread has advanced", async ([store, other]) => {
    succeeded(await store.createFromSnapshot(threadAt(), snapshot(3)));
    equal(succeeded(await other.createFromSnapshot(threadAt(), snapshot(3))), 2);
    succeeded(await store.append(threadAt(), record(3)));
    equal(succeeded(await other.createFromSnapshot(threadAt(), snapshot(3))), 2);
    equal(await headVersion(store, threadAt()), 3);
  }),
  named("of two concurrent snapshots exactly one is stored", async ([store, other]) => {
    const results = await Promise.all([
      store.createFromSnapshot(threadAt(), snapshot(30)),
      other.createFromSnapshot(threadAt(), rival(20)),
    ]);
    equal(results.filter(({ ok }) => ok).length, 1, "winners");
    const [first] = succeeded(await store.records(threadAt(), { after: -1, limit: 1 }));
    equal(first?.commit_id, results[0]?.ok ? record(0).commit_id : "cmt_rival_0");
    equal(await headVersion(store, threadAt()), results[0]?.ok ? 29 : 19);
  }),
  named("a partial thread is not visible", async ([store, other]) => {
    let over = false;
    const created = store.createFromSnapshot(threadAt(), snapshot(200)).finally(() => {
      over = true;
    });
    while (!over) {
      const [listed, loaded] = [await other.list(ACME, { limit: 1 }), await other.load(threadAt(), 1)];
      if (succeeded(listed).length > 0) equal(await headVersion(other, threadAt()), 199, "listed");
      if (loaded.ok) equal(loaded.value.head.version, 199, "loaded");
      else failedWith(loaded, "thread_not_found");
    }
    succeeded(await created);
  }),
  named("a partial thread cannot be appended to", async ([store, other]) => {
    let over = false;
    const created = store.createFromSnapshot(threadAt(), snapshot(100)).finally(() => {
      over = true;
    });
    while (!over) {
      const appended = await other.append(threadAt(), record(50, { commit_id: "cmt_between" }));
      isTrue(!appended.ok, "nothing is appended in between");
    }
    succeeded(await created);
    equal(succeeded(await other.records(threadAt(), { after: -1, limit: 1000 })), snapshot(100).records);
  }),
  named("a removed thread can be created again, and tenants are separate", async ([store, other]) => {
    succeeded(await store.createFromSnapshot(threadAt(), snapshot(5)));
    succeeded(await store.createFromSnapshot(threadAt(1, BOLT), snapshot(3, { outbox: [] })));
    succeeded(await other.remove(threadAt()));
    failedWith(await store.load(threadAt(), 1), "thread_not_found");
    succeeded(await store.createFromSnapshot(threadAt(), snapshot(4)));
    equal(await headVersion(other, threadAt()), 3);
    equal(await headVersion(other, threadAt(1, BOLT)), 2);
  }),
];
