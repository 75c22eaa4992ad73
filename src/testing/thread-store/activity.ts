// Cases for listing threads by their last change. They do nothing for a store without `listByActivity`.
import type { ActivityPlace, ThreadStore } from "../../ports/thread-store.ts";
import type { Meta } from "../../schema/meta.ts";
import { equal, succeeded } from "../expect.ts";
import type { ContractCase } from "./case.ts";
import { ACME, appendWithMeta, BOLT, createListed, record, threadAt, threadId, timeOf } from "./fixtures.ts";

type StoreWithActivity = Required<Pick<ThreadStore, "listByActivity">> & ThreadStore;
const hasActivity = (store: ThreadStore): store is StoreWithActivity => store.listByActivity !== undefined;

const named = (name: string, run: (store: StoreWithActivity) => Promise<void>): ContractCase => ({
  name: `by activity: ${name}`,
  run: async (open) => {
    const store = await open();
    if (hasActivity(store)) await run(store);
  },
});

const numbers = (metas: readonly Meta[]): number[] => metas.map((row) => Number(row.thread.slice(4)));
const listed = async (store: StoreWithActivity, after: ActivityPlace | null = null, limit = 100): Promise<number[]> =>
  numbers(succeeded(await store.listByActivity(ACME, after, limit)));
const place = (n: number, updated_at = timeOf(n)): ActivityPlace => ({ updated_at, thread: threadId(n) });

async function createMany(store: ThreadStore, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) await createListed(store, n);
}

/** Reads pages of two threads. `between` runs after each page. */
async function walkPages(store: StoreWithActivity, between: (page: number) => Promise<void>): Promise<number[]> {
  const seen: Meta[] = [];
  for (let page = 1; page <= 20; page += 1) {
    const last = seen.at(-1) ?? null;
    const rows = succeeded(await store.listByActivity(ACME, last, 2));
    if (rows.length === 0) return numbers(seen);
    seen.push(...rows);
    await between(page);
  }
  throw new Error("the pages never end");
}

export const activityCases: readonly ContractCase[] = [
  named("a thread that changes comes first, and one that only gets a record keeps its place", async (store) => {
    await createMany(store, 4);
    equal(await listed(store), [4, 3, 2, 1]);
    await appendWithMeta(store, 2, { updated_at: timeOf(50), metadata: null });
    succeeded(await store.append(threadAt(1), record(1)));
    equal(await listed(store), [2, 4, 3, 1]);
    const [first] = succeeded(await store.listByActivity(ACME, null, 1));
    equal([first?.updated_at, first?.metadata], [timeOf(50), { n: 2, nested: { list: [1, "two", null] } }]);
    equal(numbers(succeeded(await store.list(ACME, { limit: 9 }))), [4, 3, 2, 1], "the order by creation");
  }),
  named("threads that changed at the same time are listed by id, on any page", async (store) => {
    for (const n of [2, 5, 1, 4, 3]) await createListed(store, n, { updated_at: timeOf(9) });
    equal(await listed(store), [5, 4, 3, 2, 1]);
    equal(await walkPages(store, async () => {}), [5, 4, 3, 2, 1]);
  }),
  named("a page begins after its place, even if no thread has it", async (store) => {
    await createMany(store, 5);
    equal(await listed(store, place(4), 2), [3, 2]);
    equal(await listed(store, place(1)), []);
    equal(await listed(store, place(9, timeOf(3)), 2), [3, 2]);
  }),
  named("a thread that changes while paging is listed at most once, and first afterwards", async (store) => {
    await createMany(store, 6);
    const touch = async (page: number): Promise<void> => {
      if (page !== 1) return;
      await appendWithMeta(store, 6, { updated_at: timeOf(60) });
      await appendWithMeta(store, 1, { updated_at: timeOf(61) });
    };
    equal(await walkPages(store, touch), [6, 5, 4, 3, 2]);
    equal(await listed(store), [1, 6, 5, 4, 3, 2]);
  }),
  named("removed threads and other tenants are not listed", async (store) => {
    for (let n = 1; n <= 4; n += 1) await createListed(store, n, {}, n % 2 ? ACME : BOLT);
    equal(await listed(store), [3, 1]);
    succeeded(await store.remove(threadAt(3)));
    equal(await listed(store), [1]);
  }),
];
