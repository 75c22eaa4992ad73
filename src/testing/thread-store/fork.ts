// Cases for a fork that shares the rows of its origin. They do nothing for a store without `fork`.
import type { ThreadStore } from "../../ports/thread-store.ts";
import { equal, failedWith, isTrue, succeeded } from "../expect.ts";
import type { ContractCase } from "./case.ts";
import { ACME, createRecords, headVersion, meta, record, threadAt, threadId } from "./fixtures.ts";

const EARLY_BLOB = "a".repeat(64);
const NODE = "b".repeat(64);
const LATE_BLOB = "c".repeat(64);

type StoreWithFork = Required<Pick<ThreadStore, "fork">> & ThreadStore;
const canFork = (store: ThreadStore): store is StoreWithFork => store.fork !== undefined;

const named = (
  name: string,
  run: (stores: readonly [StoreWithFork, StoreWithFork]) => Promise<void>,
): ContractCase => ({
  name: `fork: ${name}`,
  run: async (open) => {
    const [one, other] = [await open(), await open()];
    if (canFork(one) && canFork(other)) await run([one, other]);
  },
});

const headOf = (version: number, to: number) => record(version, { state: `{"fork":${to}}` });

/** Thread `to` has the records of `from` below `version` and its own head. */
const fork = async (store: StoreWithFork, from: number, to: number, version: number): Promise<number> =>
  succeeded(await store.fork(threadAt(from), threadId(to), headOf(version, to), meta(to, { version })));

const allOf = async (store: ThreadStore, n: number) =>
  succeeded(await store.records(threadAt(n), { after: -1, limit: 1000 }));

const inherited = (version: number, to: number) => [
  ...Array.from({ length: version }, (_, older) => record(older)),
  headOf(version, to),
];

export const forkCases: readonly ContractCase[] = [
  named("it has the older records and its own head, in every page", async ([store, other]) => {
    await createRecords(store, threadAt(), 30);
    equal(await fork(store, 1, 2, 20), 20);
    equal(await allOf(other, 2), inherited(20, 2));
    for (const [after, limit] of [
      [-1, 7],
      [6, 7],
      [17, 2],
      [18, 5],
      [19, 5],
      [20, 5],
    ] as const)
      equal(
        succeeded(await other.records(threadAt(2), { after, limit })),
        inherited(20, 2).slice(after + 1, after + 1 + limit),
      );
    const loaded = succeeded(await other.load(threadAt(2), 4));
    equal(loaded.head, { version: 20, state: headOf(20, 2).state });
    equal(
      loaded.entries.map(({ version }) => version),
      [17, 18, 19, 20],
    );
    equal(succeeded(await other.list(ACME, { limit: 10 })), [meta(2, { version: 20 })]);
  }),
  named("both threads continue by themselves", async ([store, other]) => {
    await createRecords(store, threadAt(), 3);
    await fork(store, 1, 2, 2);
    const next = record(3, { commit_id: "cmt_fork_3" });
    succeeded(await other.append(threadAt(2), next));
    succeeded(await store.append(threadAt(1), record(3)));
    equal(await allOf(store, 2), [...inherited(2, 2), next]);
    equal((await allOf(other, 1)).at(-1), record(3));
    equal(failedWith(await other.append(threadAt(2), record(1, { commit_id: "x" })), "thread_moved").details, {
      version: 3,
    });
    equal(failedWith(await other.create(threadAt(2), record(0, { commit_id: "x" }), null), "thread_moved").details, {
      version: 3,
    });
    equal(succeeded(await other.create(threadAt(2), record(0), null)), 0, "the commit of an inherited record");
    equal(succeeded(await other.load(threadAt(2), 10)).entries.length, 4, "entries");
  }),
  named("a fork at the first record, and forks of forks before and after their own records", async ([store, other]) => {
    await createRecords(store, threadAt(), 6);
    await fork(store, 1, 2, 0);
    equal(await allOf(other, 2), [headOf(0, 2)]);
    await fork(store, 1, 3, 4);
    succeeded(await store.append(threadAt(3), record(5)));
    await fork(other, 3, 4, 2);
    await fork(other, 3, 5, 4);
    await fork(other, 3, 6, 5);
    equal(await allOf(store, 4), inherited(2, 4));
    equal(await allOf(store, 5), inherited(4, 5));
    equal(await allOf(store, 6), [...inherited(4, 3), headOf(5, 6)]);
    equal(
      succeeded(await store.load(threadAt(6), 3)).entries.map(({ version }) => version),
      [3, 4, 5],
    );
  }),
  named("it reads the blobs of its origin, and its own are not those of the origin", async ([store, other]) => {
    await createRecords(store, threadAt(), 2);
    succeeded(await store.putBlob(threadAt(), EARLY_BLOB, "early"));
    await fork(store, 1, 2, 1);
    equal(succeeded(await other.getBlob(threadAt(2), EARLY_BLOB)), "early");
    succeeded(await store.putBlob(threadAt(2), LATE_BLOB, "late"));
    failedWith(await other.getBlob(threadAt(1), LATE_BLOB), "blob_not_found");
  }),
  named("a repeated request succeeds, and another thread under the id is kept", async ([store, other]) => {
    await createRecords(store, threadAt(), 4);
    await fork(store, 1, 2, 2);
    equal(await fork(other, 1, 2, 2), 2);
    const rival = record(3, { commit_id: "cmt_rival" });
    equal(failedWith(await other.fork(threadAt(), threadId(2), rival, meta(2)), "thread_moved").details, {
      version: 2,
    });
    failedWith(await other.fork(threadAt(), threadId(3), record(4), meta(3)), "thread_not_found");
    failedWith(await other.fork(threadAt(9), threadId(3), record(0), meta(3)), "thread_not_found");
    failedWith(await other.load(threadAt(3), 1), "thread_not_found");
  }),
  named("forks keep their records and blobs when threads between them are removed", async ([store, other]) => {
    succeeded(await store.create(threadAt(), record(0), null));
    succeeded(await store.putBlob(threadAt(), EARLY_BLOB, `{"next":"${NODE}"}`));
    succeeded(await store.putBlob(threadAt(), NODE, "named by a blob"));
    const naming = record(1, { entry: `{"blob":"${EARLY_BLOB}"}` });
    succeeded(await store.append(threadAt(), naming));
    for (const version of [2, 3, 4]) succeeded(await store.append(threadAt(), record(version)));
    await fork(store, 1, 2, 2);
    await fork(store, 1, 3, 4);
    await fork(store, 3, 4, 4);
    const expected = { 2: await allOf(store, 2), 3: await allOf(store, 3), 4: await allOf(store, 4) };
    succeeded(await store.putBlob(threadAt(), LATE_BLOB, "not part of a fork"));
    const verify = async (threads: readonly (2 | 3 | 4)[]): Promise<void> => {
      for (const n of threads) {
        equal(await allOf(other, n), expected[n], `thread ${n}`);
        equal(succeeded(await other.getBlob(threadAt(n), NODE)), "named by a blob");
      }
    };
    succeeded(await store.remove(threadAt(1)));
    failedWith(await other.load(threadAt(1), 1), "thread_not_found");
    failedWith(await other.getBlob(threadAt(1), EARLY_BLOB), "blob_not_found");
    await verify([2, 3, 4]);
    // The id may be used again for a thread without any of the old rows.
    succeeded(await store.create(threadAt(1), record(0, { commit_id: "again" }), null));
    equal((await allOf(other, 1)).length, 1);
    failedWith(await other.getBlob(threadAt(1), NODE), "blob_not_found");
    succeeded(await other.remove(threadAt(3)));
    await verify([2, 4]);
    succeeded(await other.append(threadAt(2), record(3, { commit_id: "own" })));
    equal(await headVersion(store, threadAt(2)), 3);
    succeeded(await store.remove(threadAt(4)));
    equal((await allOf(other, 2)).slice(0, 3), expected[2]);
    succeeded(await store.remove(threadAt(2)));
    for (const n of [2, 3, 4]) failedWith(await other.load(threadAt(n), 1), "thread_not_found");
  }),
  named("a fork and a removal of its origin at the same time", async ([store, other]) => {
    await createRecords(store, threadAt(), 5);
    const [forked, removed] = await Promise.all([
      store.fork(threadAt(), threadId(2), headOf(3, 2), meta(2, { version: 3 })),
      other.remove(threadAt()),
    ]);
    succeeded(removed);
    if (forked.ok) equal(await allOf(other, 2), inherited(3, 2));
    else isTrue(forked.problem.code === "thread_not_found", forked.problem.code);
  }),
];
