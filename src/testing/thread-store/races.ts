// Cases for many concurrent callers. Exactly one of them may win each version.
import type { StoredRecord, ThreadStore } from "../../ports/thread-store.ts";
import type { Result } from "../../schema/problem.ts";
import { equal, failedWith, isTrue, succeeded } from "../expect.ts";
import { onHandles, onOneHandle } from "../test-case.ts";
import type { ContractCase, OpenStore } from "./case.ts";
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

const rival = (version: number, n: number): StoredRecord =>
  record(version, { commit_id: `cmt_rival_${n}`, entry: `{"rival":${n}}` });

async function handles(open: OpenStore, count: number): Promise<ThreadStore[]> {
  const stores: ThreadStore[] = [];
  for (let n = 0; n < count; n += 1) stores.push(await open());
  return stores;
}

/** All callers append version 1, spread over the handles. */
function race(stores: readonly ThreadStore[], callers: number): Promise<Result<number>[]> {
  const appends: Promise<Result<number>>[] = [];
  for (let n = 0; n < callers; n += 1) {
    const store = stores[n % stores.length];
    if (store) appends.push(store.append(threadAt(), rival(1, n)));
  }
  return Promise.all(appends);
}

async function expectOneWinner(open: OpenStore, callers: number, handleCount: number): Promise<void> {
  const stores = await handles(open, handleCount);
  const [store] = stores;
  if (store === undefined) throw new Error("no handle");
  await createRecords(store, threadAt(), 1);
  const results = await race(stores, callers);
  const winner = results.findIndex((result) => result.ok);
  equal(results.filter((result) => result.ok).length, 1, "winners");
  for (const result of results.filter((one) => !one.ok)) {
    equal(failedWith(result, "thread_moved").details, { version: 1 });
  }
  equal(succeeded(await store.records(threadAt(), { after: 0, limit: 10 })), [rival(1, winner)]);
}

export const raceCases: readonly ContractCase[] = [
  onHandles("of two racing appends exactly one wins and the other learns the version", (open) =>
    expectOneWinner(open, 2, 1),
  ),
  { name: "of 16 racing appends exactly one wins", run: (open) => expectOneWinner(open, 16, 1) },
  { name: "of two racing appends on two handles exactly one wins", run: (open) => expectOneWinner(open, 2, 2) },
  { name: "of 16 racing appends on four handles exactly one wins", run: (open) => expectOneWinner(open, 16, 4) },
  onHandles("racing attempts of one commit all succeed and store one record", async (open) => {
    const stores = await handles(open, 2);
    const [store] = stores;
    if (store === undefined) throw new Error("no handle");
    await createRecords(store, threadAt(), 1);
    const attempts = Array.from({ length: 8 }, (_, n) => stores[n % 2]?.append(threadAt(), record(1)));
    for (const result of await Promise.all(attempts)) equal(result, { ok: true, value: 1 });
    equal(await headVersion(store, threadAt()), 1);
  }),
  onOneHandle("only the winner's meta and deliveries are stored", async (store) => {
    await createListed(store, 1);
    const appends = Array.from({ length: 8 }, (_, n) =>
      store.append(threadAt(), rival(1, n), {
        meta: meta(1, { goal: `rival ${n}`, version: 1 }),
        outbox: [delivery(n, threadAt())],
      }),
    );
    const winner = (await Promise.all(appends)).findIndex((result) => result.ok);
    equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1, { goal: `rival ${winner}`, version: 1 })]);
    equal(succeeded(await store.dueDeliveries(MUCH_LATER, 10)), [delivery(winner, threadAt())]);
  }),
  onHandles("callers that reload after losing all append their record, without a gap", async (open) => {
    const stores = await handles(open, 4);
    const [first] = stores;
    if (first === undefined) throw new Error("no handle");
    await createRecords(first, threadAt(), 1);
    const appendUntilAccepted = async (store: ThreadStore, n: number): Promise<void> => {
      for (let tries = 0; tries < 100; tries += 1) {
        const version = (await headVersion(store, threadAt())) + 1;
        const result = await store.append(threadAt(), rival(version, n));
        if (result.ok) return;
        failedWith(result, "thread_moved");
      }
      throw new Error("100 attempts were not enough");
    };
    await Promise.all(stores.map(appendUntilAccepted));
    const rows = succeeded(await first.records(threadAt(), { after: -1, limit: 10 }));
    equal(
      rows.map((row) => row.version),
      [0, 1, 2, 3, 4],
    );
    equal(new Set(rows.map((row) => row.commit_id)).size, 5);
  }),
  onOneHandle("concurrent appends to different threads do not affect each other", async (store) => {
    for (let n = 1; n <= 8; n += 1) await createRecords(store, threadAt(n), 1);
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) => store.append(threadAt(n + 1), record(1, { entry: `{"of":${n + 1}}` }))),
    );
    isTrue(
      results.every((result) => result.ok),
      "all appends succeed",
    );
    for (let n = 1; n <= 8; n += 1) {
      equal(succeeded(await store.load(threadAt(n), 1)).entries, [{ version: 1, entry: `{"of":${n}}` }]);
    }
  }),
];
