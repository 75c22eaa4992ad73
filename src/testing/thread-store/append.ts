// Cases for the compare-and-set of an append, and for commits with a lost response.
import { equal, failedWith, succeeded } from "../expect.ts";
import { onOneHandle } from "../test-case.ts";
import type { ContractCase } from "./case.ts";
import { createRecords, headVersion, record, threadAt } from "./fixtures.ts";

const other = (version: number) => record(version, { commit_id: "cmt_other", entry: '"other"', state: '"other"' });

export const appendCases: readonly ContractCase[] = [
  onOneHandle("append returns the new version and its record becomes the head", async (store) => {
    await createRecords(store, threadAt(), 1);
    equal(await store.append(threadAt(), record(1)), { ok: true, value: 1 });
    equal(succeeded(await store.load(threadAt(), 1)).head, { version: 1, state: '{"state":1}' });
  }),
  onOneHandle("an append to an unknown thread fails with thread_not_found and creates nothing", async (store) => {
    failedWith(await store.append(threadAt(), record(1)), "thread_not_found");
    failedWith(await store.append(threadAt(), record(0)), "thread_not_found");
    failedWith(await store.load(threadAt(), 1), "thread_not_found");
  }),
  onOneHandle(
    "an append at an existing version fails with thread_moved and reports the current version",
    async (store) => {
      await createRecords(store, threadAt(), 5);
      equal(failedWith(await store.append(threadAt(), other(2)), "thread_moved").details, { version: 4 });
      equal(failedWith(await store.append(threadAt(), other(4)), "thread_moved").details, { version: 4 });
    },
  ),
  onOneHandle("an append that lost changes nothing", async (store) => {
    await createRecords(store, threadAt(), 3);
    failedWith(await store.append(threadAt(), other(2)), "thread_moved");
    equal(succeeded(await store.records(threadAt(), { after: -1, limit: 10 })), [record(0), record(1), record(2)]);
  }),
  onOneHandle("an append that leaves a gap fails with thread_moved and stores nothing", async (store) => {
    await createRecords(store, threadAt(), 3);
    equal(failedWith(await store.append(threadAt(), record(4)), "thread_moved").details, { version: 2 });
    equal(await headVersion(store, threadAt()), 2);
    equal(succeeded(await store.append(threadAt(), record(3))), 3);
  }),
  onOneHandle("an append far ahead of the head fails with thread_moved", async (store) => {
    await createRecords(store, threadAt(), 1);
    equal(failedWith(await store.append(threadAt(), record(1_000_000)), "thread_moved").details, { version: 0 });
  }),
  onOneHandle("an append of version 0 to an existing thread fails with thread_moved", async (store) => {
    await createRecords(store, threadAt(), 2);
    equal(failedWith(await store.append(threadAt(), other(0)), "thread_moved").details, { version: 1 });
  }),
  onOneHandle("the loser of a race can append again on top of the winner", async (store) => {
    await createRecords(store, threadAt(), 2);
    const lost = failedWith(await store.append(threadAt(), other(1)), "thread_moved");
    const version = Number(lost.details?.version) + 1;
    equal(succeeded(await store.append(threadAt(), other(version))), 2);
  }),
  onOneHandle("repeating a commit id succeeds and stores the record once", async (store) => {
    await createRecords(store, threadAt(), 2);
    equal(succeeded(await store.append(threadAt(), record(1))), 1);
    equal(succeeded(await store.records(threadAt(), { after: 0, limit: 10 })), [record(1)]);
  }),
  onOneHandle("repeating a commit id succeeds even if the thread has advanced since", async (store) => {
    await createRecords(store, threadAt(), 6);
    equal(succeeded(await store.append(threadAt(), record(2))), 2);
    equal(await headVersion(store, threadAt()), 5);
  }),
  onOneHandle("repeating a commit id keeps the text of the first attempt", async (store) => {
    await createRecords(store, threadAt(), 2);
    succeeded(await store.append(threadAt(), record(1, { entry: '"second attempt"' })));
    equal(succeeded(await store.records(threadAt(), { after: 0, limit: 1 }))[0]?.entry, '{"entry":1}');
  }),
  onOneHandle("repeating the commit id of another version does not succeed", async (store) => {
    await createRecords(store, threadAt(), 3);
    failedWith(await store.append(threadAt(), record(1, { commit_id: "cmt_2" })), "thread_moved");
  }),
  onOneHandle("the same commit id in another thread is a separate record", async (store) => {
    await createRecords(store, threadAt(1), 2);
    await createRecords(store, threadAt(2), 1);
    equal(succeeded(await store.append(threadAt(2), record(1))), 1);
    equal(await headVersion(store, threadAt(2)), 1);
  }),
  onOneHandle("two records may belong to one turn", async (store) => {
    await createRecords(store, threadAt(), 1);
    succeeded(await store.append(threadAt(), record(1, { turn: 1 })));
    succeeded(await store.append(threadAt(), record(2, { turn: 1 })));
    const rows = succeeded(await store.records(threadAt(), { after: 0, limit: 10 }));
    equal(
      rows.map((row) => row.turn),
      [1, 1],
    );
  }),
];
