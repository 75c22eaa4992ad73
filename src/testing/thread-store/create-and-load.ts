// Cases for creating and loading a thread.
import { equal, failedWith, succeeded } from "../expect.ts";
import { onHandles, onOneHandle } from "../test-case.ts";
import type { ContractCase } from "./case.ts";
import { ACME, createListed, createRecords, meta, record, threadAt } from "./fixtures.ts";

export const createAndLoadCases: readonly ContractCase[] = [
  onOneHandle("create returns version 0 and the thread can be loaded", async (store) => {
    equal(await store.create(threadAt(), record(0), null), { ok: true, value: 0 });
    equal(succeeded(await store.load(threadAt(), 17)), {
      head: { version: 0, state: '{"state":0}' },
      entries: [{ version: 0, entry: '{"entry":0}' }],
    });
  }),
  onOneHandle(
    "creating an existing thread fails with thread_moved, reports its version and changes nothing",
    async (store) => {
      await createRecords(store, threadAt(), 3);
      const other = record(0, { commit_id: "cmt_other", entry: '"other"', state: '"other"' });
      equal(failedWith(await store.create(threadAt(), other, null), "thread_moved").details, { version: 2 });
      const rows = succeeded(await store.records(threadAt(), { after: -1, limit: 10 }));
      equal(rows, [record(0), record(1), record(2)]);
    },
  ),
  onOneHandle("creating again with the same commit id succeeds", async (store) => {
    succeeded(await store.create(threadAt(), record(0), meta(1)));
    equal(succeeded(await store.create(threadAt(), record(0), meta(1))), 0);
  }),
  onOneHandle("a create that loses keeps the winner's meta row", async (store) => {
    await createListed(store, 1);
    const late = await store.create(threadAt(), record(0, { commit_id: "cmt_late" }), meta(1, { goal: "late" }));
    failedWith(late, "thread_moved");
    equal(succeeded(await store.list(ACME, { limit: 10 })), [meta(1)]);
  }),
  onHandles("of 16 racing creates of one thread exactly one wins", async (open) => {
    const stores = await Promise.all(Array.from({ length: 4 }, open));
    const creates = Array.from({ length: 16 }, (_, n) =>
      (stores[n % 4] ?? stores[0])?.create(threadAt(), record(0, { commit_id: `cmt_${n}` }), null),
    );
    const results = await Promise.all(creates);
    equal(results.filter((result) => result?.ok).length, 1, "winners");
  }),
  onOneHandle("loading an unknown thread fails with thread_not_found", async (store) => {
    failedWith(await store.load(threadAt(), 17), "thread_not_found");
  }),
  onOneHandle("load returns the newest entries, oldest first, and only the head's state", async (store) => {
    await createRecords(store, threadAt(), 10);
    equal(succeeded(await store.load(threadAt(), 3)), {
      head: { version: 9, state: '{"state":9}' },
      entries: [7, 8, 9].map((version) => ({ version, entry: `{"entry":${version}}` })),
    });
  }),
  onOneHandle("loading one entry returns the head's", async (store) => {
    await createRecords(store, threadAt(), 4);
    const { head, entries } = succeeded(await store.load(threadAt(), 1));
    equal(head, { version: 3, state: '{"state":3}' });
    equal(entries, [{ version: 3, entry: '{"entry":3}' }]);
  }),
  onOneHandle("loading more entries than exist returns all of them", async (store) => {
    await createRecords(store, threadAt(), 3);
    equal(
      succeeded(await store.load(threadAt(), 17)).entries.map((row) => row.version),
      [0, 1, 2],
    );
  }),
  onOneHandle("a thread with exactly the requested number of entries is loaded completely", async (store) => {
    await createRecords(store, threadAt(), 17);
    const { entries } = succeeded(await store.load(threadAt(), 17));
    equal([entries.length, entries[0]?.version, entries[16]?.version], [17, 0, 16]);
  }),
  onOneHandle("the newest 17 of 1000 records can be loaded", async (store) => {
    await createRecords(store, threadAt(), 1000);
    const { head, entries } = succeeded(await store.load(threadAt(), 17));
    equal(head, { version: 999, state: '{"state":999}' });
    equal(
      entries.map((row) => row.version),
      Array.from({ length: 17 }, (_, n) => 983 + n),
    );
  }),
  onOneHandle("loading twice returns equal rows that the caller may mutate", async (store) => {
    await createRecords(store, threadAt(), 2);
    const first = succeeded(await store.load(threadAt(), 17));
    (first.entries as unknown[]).length = 0;
    equal(succeeded(await store.load(threadAt(), 17)).entries.length, 2);
  }),
];
