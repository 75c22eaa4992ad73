// Cases for reading ranges of complete records.
import { equal, failedWith, succeeded } from "../expect.ts";
import { onOneHandle } from "../test-case.ts";
import type { ContractCase } from "./case.ts";
import { createRecords, record, threadAt } from "./fixtures.ts";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => record(from + n));

export const recordCases: readonly ContractCase[] = [
  onOneHandle("records are complete and in ascending order", async (store) => {
    await createRecords(store, threadAt(), 12);
    equal(succeeded(await store.records(threadAt(), { after: -1, limit: 100 })), range(0, 11));
  }),
  onOneHandle("a range begins above its version and ends at its limit", async (store) => {
    await createRecords(store, threadAt(), 12);
    equal(succeeded(await store.records(threadAt(), { after: 3, limit: 4 })), range(4, 7));
  }),
  onOneHandle("a range at the end returns the remaining records, then nothing", async (store) => {
    await createRecords(store, threadAt(), 12);
    equal(succeeded(await store.records(threadAt(), { after: 9, limit: 5 })), range(10, 11));
    equal(succeeded(await store.records(threadAt(), { after: 11, limit: 5 })), []);
    equal(succeeded(await store.records(threadAt(), { after: 500, limit: 5 })), []);
  }),
  onOneHandle("reading records of an unknown thread fails with thread_not_found", async (store) => {
    failedWith(await store.records(threadAt(), { after: -1, limit: 5 }), "thread_not_found");
  }),
  onOneHandle("versions of several digits keep their numerical order", async (store) => {
    await createRecords(store, threadAt(), 120);
    equal(succeeded(await store.records(threadAt(), { after: 8, limit: 3 })), range(9, 11));
    equal(succeeded(await store.records(threadAt(), { after: 98, limit: 3 })), range(99, 101));
  }),
  onOneHandle("paging while records are added returns every record once", async (store) => {
    await createRecords(store, threadAt(), 5);
    const seen: number[] = [];
    for (let page = 0; page < 6; page += 1) {
      const rows = succeeded(await store.records(threadAt(), { after: seen.at(-1) ?? -1, limit: 2 }));
      seen.push(...rows.map((row) => row.version));
      if (page < 4) succeeded(await store.append(threadAt(), record(5 + page)));
    }
    equal(seen, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  }),
  onOneHandle("threads whose ids differ in the last character have separate records", async (store) => {
    await createRecords(store, threadAt(10), 2);
    await createRecords(store, threadAt(11), 4);
    await createRecords(store, threadAt(12), 3);
    for (const [n, count] of [
      [10, 2],
      [11, 4],
      [12, 3],
    ] as const) {
      equal(succeeded(await store.records(threadAt(n), { after: -1, limit: 100 })), range(0, count - 1));
      equal(succeeded(await store.load(threadAt(n), 17)).entries.length, count);
    }
  }),
];
