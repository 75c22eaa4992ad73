// Cases for deliveries, which are pending, become due, and are settled once.
import { type Delivery, NEVER_DUE, type ThreadStore } from "../../ports/thread-store.ts";
import { equal, failedWith, succeeded } from "../expect.ts";
import { onHandles, onOneHandle } from "../test-case.ts";
import type { ContractCase } from "./case.ts";
import { BOLT, createRecords, delivery, headVersion, MUCH_LATER, record, threadAt } from "./fixtures.ts";

const at = threadAt();

async function put(store: ThreadStore, ...outbox: readonly Delivery[]): Promise<void> {
  succeeded(await store.append(at, record((await headVersion(store, at)) + 1), { outbox }));
}

const due = async (store: ThreadStore, now = MUCH_LATER, limit = 100) =>
  succeeded(await store.dueDeliveries(now, limit));

const later = (one: Delivery, ms: number): Delivery => ({
  ...one,
  attempts: one.attempts + 1,
  due_at: one.due_at + ms,
  body: `${one.body} again`,
});

export const outboxCases: readonly ContractCase[] = [
  onOneHandle("an empty outbox has nothing due", async (store) => equal(await due(store), [])),
  onOneHandle("a delivery is returned unchanged when it is due and not before", async (store) => {
    await createRecords(store, at, 1);
    const one = delivery(1, at, { due_at: 1_893_456_000_123, attempts: 2 });
    await put(store, one);
    equal(await due(store, 1_893_456_000_122), []);
    equal(await due(store, 1_893_456_000_123), [one]);
  }),
  onOneHandle("reading due deliveries does not remove them", async (store) => {
    await createRecords(store, at, 1);
    await put(store, delivery(1, at));
    equal(await due(store), [delivery(1, at)]);
    equal(await due(store), [delivery(1, at)]);
  }),
  onOneHandle("deliveries are returned oldest first, and by id if due at the same time", async (store) => {
    await createRecords(store, at, 1);
    const [a, b, c, d] = [
      [1, 300],
      [2, 100],
      [3, 200],
      [4, 100],
    ].map(([n = 0, due_at = 0]) => delivery(n, at, { due_at }));
    if (!a || !b || !c || !d) throw new Error("four deliveries");
    await put(store, d, a);
    await put(store, c, b);
    equal(await due(store), [b, d, c, a]);
    equal(await due(store, 200), [b, d, c]);
  }),
  onOneHandle("the limit drops the later ones", async (store) => {
    await createRecords(store, at, 1);
    await put(store, ...[3, 1, 5, 2, 4].map((n) => delivery(n, at)));
    equal(await due(store, MUCH_LATER, 2), [delivery(1, at), delivery(2, at)]);
  }),
  onOneHandle("due deliveries of all tenants are returned together", async (store) => {
    const otherThread = threadAt(1, BOLT);
    await createRecords(store, at, 1);
    await createRecords(store, otherThread, 1);
    await put(store, delivery(2, at));
    succeeded(await store.append(otherThread, record(1), { outbox: [delivery(1, otherThread)] }));
    equal(await due(store), [delivery(1, otherThread), delivery(2, at)]);
  }),
  onOneHandle("a settled delivery is removed and the others are kept", async (store) => {
    await createRecords(store, at, 1);
    await put(store, delivery(1, at), delivery(2, at));
    equal(await store.settleDelivery(delivery(1, at), null), { ok: true, value: true });
    equal(await due(store), [delivery(2, at)]);
  }),
  onOneHandle("settling a delivery again, or an unknown one, has no effect", async (store) => {
    await createRecords(store, at, 1);
    await put(store, delivery(1, at), delivery(2, at));
    for (let n = 0; n < 2; n += 1) succeeded(await store.settleDelivery(delivery(1, at), null));
    succeeded(await store.settleDelivery(delivery(77, at), null));
    equal(await due(store), [delivery(2, at)]);
  }),
  onOneHandle("a delivery rescheduled for a later attempt is pending until then", async (store) => {
    await createRecords(store, at, 1);
    const one = delivery(1, at);
    await put(store, one);
    const next = later(one, 60_000);
    succeeded(await store.settleDelivery(one, next));
    equal(await due(store, one.due_at + 59_999), []);
    equal(await due(store, one.due_at + 60_000), [next]);
  }),
  onOneHandle("repeating the same rescheduling succeeds", async (store) => {
    await createRecords(store, at, 1);
    const one = delivery(1, at);
    await put(store, one);
    for (let n = 0; n < 2; n += 1) equal(succeeded(await store.settleDelivery(one, later(one, 10))), true);
    equal(await due(store), [later(one, 10)]);
  }),
  onHandles("of two workers that reserve the same delivery exactly one gets it", async (open) => {
    const [a, b] = [await open(), await open()];
    await createRecords(a, at, 1);
    const one = delivery(1, at);
    await put(a, one);
    const attempts = await Promise.all(
      [a, b].map((store, n) => store.settleDelivery(one, { ...later(one, 10), body: `reserved by ${n}` })),
    );
    equal(attempts.map((attempt) => succeeded(attempt)).sort(), [false, true]);
  }),
  onOneHandle("settling an outdated version of a delivery changes nothing", async (store) => {
    await createRecords(store, at, 1);
    const one = delivery(1, at);
    await put(store, one);
    succeeded(await store.settleDelivery(one, later(one, 10)));
    equal(succeeded(await store.settleDelivery(one, null)), false);
    equal(succeeded(await store.settleDelivery(one, later(one, 99))), false);
    equal(await due(store), [later(one, 10)]);
  }),
  onOneHandle("a record removes the deliveries it took, and no others", async (store) => {
    await createRecords(store, at, 1);
    await put(store, delivery(1, at), delivery(2, at));
    const next = (await headVersion(store, at)) + 1;
    succeeded(await store.append(at, record(next), { taken: [delivery(1, at).id, delivery(77, at).id] }));
    equal(await due(store), [delivery(2, at)]);
  }),
  onOneHandle("an append that loses removes no deliveries", async (store) => {
    await createRecords(store, at, 1);
    await put(store, delivery(1, at));
    failedWith(
      await store.append(at, record(0, { commit_id: "cmt_other" }), { taken: [delivery(1, at).id] }),
      "thread_moved",
    );
    equal(await due(store), [delivery(1, at)]);
  }),
  onOneHandle("a delivery can be stored without a record, and replaces one with the same id", async (store) => {
    await createRecords(store, at, 1);
    const one = delivery(1, at);
    succeeded(await store.putDelivery(one));
    succeeded(await store.putDelivery(later(one, 10)));
    equal(await due(store), [later(one, 10)]);
  }),
  onOneHandle("a delivery for an unknown thread is refused", async (store) => {
    failedWith(await store.putDelivery(delivery(1, at)), "thread_not_found");
    equal(await due(store), []);
  }),
  onOneHandle(
    "pending deliveries of one thread are listed without those of other threads, never due ones last",
    async (store) => {
      const other = threadAt(2);
      await createRecords(store, at, 1);
      await createRecords(store, other, 1);
      const dead = delivery(3, at, { due_at: NEVER_DUE, id: "dead_1" });
      await put(store, dead, delivery(1, at));
      succeeded(await store.putDelivery(delivery(2, other)));
      equal(succeeded(await store.deliveries(at, 10)), [delivery(1, at), dead]);
      equal(succeeded(await store.deliveries(at, 1)), [delivery(1, at)]);
      equal(succeeded(await store.deliveries(at, 1, "dead_")), [dead]);
      equal(await due(store), [delivery(1, at), delivery(2, other)]);
    },
  ),
  onOneHandle("rescheduling does not restore a delivery that was settled meanwhile", async (store) => {
    await createRecords(store, at, 1);
    const one = delivery(1, at);
    await put(store, one);
    succeeded(await store.settleDelivery(one, null));
    succeeded(await store.settleDelivery(one, later(one, 10)));
    equal(await due(store), []);
  }),
  onOneHandle("rescheduling does not restore a delivery of a removed thread", async (store) => {
    await createRecords(store, at, 1);
    const one = delivery(1, at);
    await put(store, one);
    succeeded(await store.remove(at));
    succeeded(await store.settleDelivery(one, later(one, 10)));
    equal(await due(store), []);
  }),
];
