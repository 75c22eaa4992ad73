// Cases: a thread that comes with all its records. A store without `createWhole` has nothing to show here.
import type { ThreadStore, WholeThread } from "../../ports/thread-store.ts";
import { equal, failedWith, isTrue, succeeded } from "../expect.ts";
import type { ContractCase } from "./case.ts";
import { ACME, BOLT, createRecords, delivery, headVersion, MUCH_LATER, meta, record, threadAt } from "./fixtures.ts";

const COUNT = 60;
const HASH = "a".repeat(64);

const whole = (count = COUNT, over: Partial<WholeThread> = {}): WholeThread => ({
  records: Array.from({ length: count }, (_, version) => record(version)),
  blobs: [{ hash: HASH, text: "large" }],
  meta: meta(1, { version: count - 1 }),
  outbox: [delivery(1, threadAt())],
  ...over,
});

/** The same records under other commits. */
const rival = (count: number): WholeThread =>
  whole(count, {
    records: Array.from({ length: count }, (_, version) => record(version, { commit_id: `cmt_rival_${version}` })),
  });

type Creating = Required<Pick<ThreadStore, "createWhole">> & ThreadStore;
const canCreateWhole = (store: ThreadStore): store is Creating => store.createWhole !== undefined;

const named = (name: string, run: (stores: readonly [Creating, Creating]) => Promise<void>): ContractCase => ({
  name: `whole: ${name}`,
  run: async (open) => {
    const stores = [await open(), await open()] as const;
    const [one, other] = stores;
    if (canCreateWhole(one) && canCreateWhole(other)) await run([one, other]);
  },
});

export const wholeCases: readonly ContractCase[] = [
  named("arrives with its records, blobs, row in the list and deliveries", async ([store, other]) => {
    equal(succeeded(await store.createWhole(threadAt(), whole())), COUNT - 1);
    equal(succeeded(await other.records(threadAt(), { after: -1, limit: 1000 })), whole().records);
    const loaded = succeeded(await other.load(threadAt(), 3));
    equal(loaded.head, { version: COUNT - 1, state: record(COUNT - 1).state });
    equal(loaded.entries.length, 3, "entries");
    equal(succeeded(await other.getBlob(threadAt(), HASH)), "large");
    equal(succeeded(await other.list(ACME, { limit: 10 })), [whole().meta]);
    equal(succeeded(await other.dueDeliveries(MUCH_LATER, 10)), [delivery(1, threadAt())]);
    equal(succeeded(await other.append(threadAt(), record(COUNT))), COUNT);
  }),
  named("with one record is a thread like any other", async ([store]) => {
    equal(succeeded(await store.createWhole(threadAt(), whole(1))), 0);
    equal(succeeded(await store.append(threadAt(), record(1))), 1);
  }),
  named("does not go over a thread that is there", async ([store]) => {
    await createRecords(store, threadAt(), 2);
    equal(failedWith(await store.createWhole(threadAt(), rival(3)), "thread_moved").details, { version: 1 });
    equal(succeeded(await store.records(threadAt(), { after: -1, limit: 10 })), [record(0), record(1)]);
    equal(succeeded(await store.list(ACME, { limit: 10 })), []);
  }),
  named("sent again counts as created, also when the thread went on since", async ([store, other]) => {
    succeeded(await store.createWhole(threadAt(), whole(3)));
    equal(succeeded(await other.createWhole(threadAt(), whole(3))), 2);
    succeeded(await store.append(threadAt(), record(3)));
    equal(succeeded(await other.createWhole(threadAt(), whole(3))), 2);
    equal(await headVersion(store, threadAt()), 3);
  }),
  named("of two different ones at once exactly one is there", async ([store, other]) => {
    const results = await Promise.all([
      store.createWhole(threadAt(), whole(30)),
      other.createWhole(threadAt(), rival(20)),
    ]);
    equal(results.filter(({ ok }) => ok).length, 1, "winners");
    const [first] = succeeded(await store.records(threadAt(), { after: -1, limit: 1 }));
    equal(first?.commit_id, results[0]?.ok ? record(0).commit_id : "cmt_rival_0");
    equal(await headVersion(store, threadAt()), results[0]?.ok ? 29 : 19);
  }),
  named("nobody sees a part of it", async ([store, other]) => {
    let over = false;
    const created = store.createWhole(threadAt(), whole(200)).finally(() => {
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
  named("nobody appends to a part of it", async ([store, other]) => {
    let over = false;
    const created = store.createWhole(threadAt(), whole(100)).finally(() => {
      over = true;
    });
    while (!over) {
      const appended = await other.append(threadAt(), record(50, { commit_id: "cmt_between" }));
      isTrue(!appended.ok, "nothing is appended in between");
    }
    succeeded(await created);
    equal(succeeded(await other.records(threadAt(), { after: -1, limit: 1000 })), whole(100).records);
  }),
  named("comes again after it was removed, and another tenant's is another", async ([store, other]) => {
    succeeded(await store.createWhole(threadAt(), whole(5)));
    succeeded(await store.createWhole(threadAt(1, BOLT), whole(3, { outbox: [] })));
    succeeded(await other.remove(threadAt()));
    failedWith(await store.load(threadAt(), 1), "thread_not_found");
    succeeded(await store.createWhole(threadAt(), whole(4)));
    equal(await headVersion(other, threadAt()), 3);
    equal(await headVersion(other, threadAt(1, BOLT)), 2);
  }),
];
