// Cases: the compare-and-set of an append, and commits whose reply was lost.
import { equal, failedWith, succeeded } from "../expect.ts";
import type { ContractCase } from "./case.ts";
import { createRecords, headVersion, record, threadAt } from "./fixtures.ts";

const other = (version: number) => record(version, { commit_id: "cmt_other", entry: '"other"', state: '"other"' });

export const appendCases: readonly ContractCase[] = [
  {
    name: "append returns the new version and its record becomes the head",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 1);
      equal(await store.append(threadAt(), record(1)), { ok: true, value: 1 });
      equal(succeeded(await store.load(threadAt(), 1)).head, { version: 1, state: '{"state":1}' });
    },
  },
  {
    name: "an append to an unknown thread fails with thread_not_found and creates nothing",
    run: async (open) => {
      const store = await open();
      failedWith(await store.append(threadAt(), record(1)), "thread_not_found");
      failedWith(await store.append(threadAt(), record(0)), "thread_not_found");
      failedWith(await store.load(threadAt(), 1), "thread_not_found");
    },
  },
  {
    name: "an append at an existing version fails with thread_moved and reports the current version",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 5);
      equal(failedWith(await store.append(threadAt(), other(2)), "thread_moved").details, { version: 4 });
      equal(failedWith(await store.append(threadAt(), other(4)), "thread_moved").details, { version: 4 });
    },
  },
  {
    name: "an append that lost changes nothing",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 3);
      failedWith(await store.append(threadAt(), other(2)), "thread_moved");
      equal(succeeded(await store.records(threadAt(), { after: -1, limit: 10 })), [record(0), record(1), record(2)]);
    },
  },
  {
    name: "an append that leaves a gap fails with thread_moved and stores nothing",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 3);
      equal(failedWith(await store.append(threadAt(), record(4)), "thread_moved").details, { version: 2 });
      equal(await headVersion(store, threadAt()), 2);
      equal(succeeded(await store.append(threadAt(), record(3))), 3);
    },
  },
  {
    name: "an append far ahead of the head fails with thread_moved",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 1);
      equal(failedWith(await store.append(threadAt(), record(1_000_000)), "thread_moved").details, { version: 0 });
    },
  },
  {
    name: "an append of version 0 to an existing thread fails with thread_moved",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 2);
      equal(failedWith(await store.append(threadAt(), other(0)), "thread_moved").details, { version: 1 });
    },
  },
  {
    name: "the loser of a race can append again on top of the winner",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 2);
      const lost = failedWith(await store.append(threadAt(), other(1)), "thread_moved");
      const version = Number(lost.details?.version) + 1;
      equal(succeeded(await store.append(threadAt(), other(version))), 2);
    },
  },
  {
    name: "repeating a commit id succeeds and stores the record once",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 2);
      equal(succeeded(await store.append(threadAt(), record(1))), 1);
      equal(succeeded(await store.records(threadAt(), { after: 0, limit: 10 })), [record(1)]);
    },
  },
  {
    name: "repeating a commit id succeeds even if the thread has advanced since",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 6);
      equal(succeeded(await store.append(threadAt(), record(2))), 2);
      equal(await headVersion(store, threadAt()), 5);
    },
  },
  {
    name: "repeating a commit id keeps the text of the first attempt",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 2);
      succeeded(await store.append(threadAt(), record(1, { entry: '"second attempt"' })));
      equal(succeeded(await store.records(threadAt(), { after: 0, limit: 1 }))[0]?.entry, '{"entry":1}');
    },
  },
  {
    name: "repeating the commit id of another version does not succeed",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 3);
      failedWith(await store.append(threadAt(), record(1, { commit_id: "cmt_2" })), "thread_moved");
    },
  },
  {
    name: "the same commit id in another thread is a separate record",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(1), 2);
      await createRecords(store, threadAt(2), 1);
      equal(succeeded(await store.append(threadAt(2), record(1))), 1);
      equal(await headVersion(store, threadAt(2)), 1);
    },
  },
  {
    name: "two records may belong to one turn",
    run: async (open) => {
      const store = await open();
      await createRecords(store, threadAt(), 1);
      succeeded(await store.append(threadAt(), record(1, { turn: 1 })));
      succeeded(await store.append(threadAt(), record(2, { turn: 1 })));
      const rows = succeeded(await store.records(threadAt(), { after: 0, limit: 10 }));
      equal(
        rows.map((row) => row.turn),
        [1, 1],
      );
    },
  },
];
