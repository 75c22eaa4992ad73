// Cases for listing threads, and for paging while threads are added or changed.
import type { ListQuery, ThreadStore } from "../../ports/thread-store.ts";
import type { Meta } from "../../schema/meta.ts";
import { equal, succeeded } from "../expect.ts";
import { onOneHandle } from "../test-case.ts";
import type { ContractCase } from "./case.ts";
import { ACME, appendWithMeta, BOLT, createListed, gate, threadAt, threadId, timeOf } from "./fixtures.ts";

const numbers = (metas: readonly Meta[]): number[] => metas.map((row) => Number(row.thread.slice(4)));

async function listed(store: ThreadStore, query: Partial<ListQuery> = {}): Promise<number[]> {
  return numbers(succeeded(await store.list(ACME, { limit: 100, ...query })));
}

const cursor = (n: number, created_at = timeOf(n)) => ({ created_at, thread: threadId(n) });

/** Reads pages of two threads. `between` runs after each page. */
async function walkPages(store: ThreadStore, query: Partial<ListQuery>, between: (page: number) => Promise<void>) {
  const seen: Meta[] = [];
  for (let page = 1; page <= 20; page += 1) {
    const last = seen.at(-1);
    const after = last === undefined ? {} : { after: { created_at: last.created_at, thread: last.thread } };
    const rows = succeeded(await store.list(ACME, { ...query, ...after, limit: 2 }));
    if (rows.length === 0) return numbers(seen);
    seen.push(...rows);
    await between(page);
  }
  throw new Error("the pages never end");
}

const noop = async (): Promise<void> => {};

async function createMany(store: ThreadStore, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n += 1) await createListed(store, n);
}

export const listCases: readonly ContractCase[] = [
  onOneHandle("listing an empty store returns nothing", async (store) => equal(await listed(store), [])),
  onOneHandle("threads are listed newest first, regardless of the order in which they were stored", async (store) => {
    for (const n of [3, 1, 4, 2]) await createListed(store, n);
    equal(await listed(store), [4, 3, 2, 1]);
  }),
  onOneHandle("threads created at the same time are listed by id, newest id first", async (store) => {
    for (const n of [2, 4, 1, 3]) await createListed(store, n, { created_at: timeOf(0) });
    equal(await listed(store), [4, 3, 2, 1]);
  }),
  onOneHandle("the creation time takes precedence over the id", async (store) => {
    await createListed(store, 9, { created_at: timeOf(1) });
    await createListed(store, 1, { created_at: timeOf(2) });
    equal(await listed(store), [1, 9]);
  }),
  onOneHandle("the limit is respected", async (store) => {
    await createMany(store, 1, 5);
    equal(await listed(store, { limit: 2 }), [5, 4]);
    equal(await listed(store, { limit: 5 }), [5, 4, 3, 2, 1]);
  }),
  onOneHandle("a page begins after its cursor", async (store) => {
    await createMany(store, 1, 5);
    equal(await listed(store, { after: cursor(4), limit: 2 }), [3, 2]);
    equal(await listed(store, { after: cursor(1) }), []);
  }),
  onOneHandle("a cursor works even if its thread does not exist", async (store) => {
    await createMany(store, 1, 3);
    equal(await listed(store, { after: cursor(50) }), [3, 2, 1]);
    equal(await listed(store, { after: cursor(25, timeOf(2)) }), [2, 1]);
  }),
  onOneHandle("paging through threads with the same creation time neither repeats nor skips any", async (store) => {
    for (let n = 1; n <= 7; n += 1) await createListed(store, n, { created_at: timeOf(0) });
    equal(await walkPages(store, {}, noop), [7, 6, 5, 4, 3, 2, 1]);
  }),
  onOneHandle("newer threads that are added while paging do not shift the pages", async (store) => {
    await createMany(store, 1, 6);
    equal(await walkPages(store, {}, (page) => createListed(store, 10 + page)), [6, 5, 4, 3, 2, 1]);
  }),
  onOneHandle("an older thread that is added while paging appears in its position", async (store) => {
    await createMany(store, 11, 14);
    const addOld = async (page: number): Promise<void> => {
      if (page === 1) await createListed(store, 5);
    };
    equal(await walkPages(store, {}, addOld), [14, 13, 12, 11, 5]);
  }),
  onOneHandle("threads that advance while paging are listed once", async (store) => {
    await createMany(store, 1, 6);
    const touch = async (page: number): Promise<void> => {
      for (const n of [1, 6]) await appendWithMeta(store, n, { updated_at: timeOf(500 + page), state: "rest" });
    };
    equal(await walkPages(store, {}, touch), [6, 5, 4, 3, 2, 1]);
  }),
  onOneHandle("the thread at the cursor can be removed while paging", async (store) => {
    await createMany(store, 1, 6);
    const removeCursor = async (page: number): Promise<void> => {
      if (page === 1) succeeded(await store.remove(threadAt(5)));
    };
    equal(await walkPages(store, {}, removeCursor), [6, 5, 4, 3, 2, 1]);
  }),
  onOneHandle("the state filter follows a thread's changes", async (store) => {
    await createListed(store, 1, { state: "rest" });
    await createListed(store, 2, { state: "plan" });
    await createListed(store, 3, { state: "rest" });
    equal(await listed(store, { state: "rest" }), [3, 1]);
    await appendWithMeta(store, 3, { state: "failed" });
    equal(await listed(store, { state: "rest" }), [1]);
    equal(await listed(store, { state: "failed" }), [3]);
    equal(await listed(store, { state: "confirm" }), []);
  }),
  onOneHandle(
    "paging through one state neither repeats nor skips threads while others enter and leave it",
    async (store) => {
      for (let n = 1; n <= 8; n += 1) await createListed(store, n, { state: n % 2 ? "rest" : "plan" });
      const swap = async (page: number): Promise<void> => {
        if (page === 1) await appendWithMeta(store, 7, { state: "plan" });
        if (page === 1) await appendWithMeta(store, 8, { state: "rest" });
        if (page === 1) await appendWithMeta(store, 2, { state: "rest" });
      };
      // 7 and 5 were listed before the change, 8 is newer than the cursor, and 2 entered the state below it.
      equal(await walkPages(store, { state: "rest" }, swap), [7, 5, 3, 2, 1]);
    },
  ),
  onOneHandle("gated lists only threads with an open gate", async (store) => {
    await createListed(store, 1, { gate: gate(1) });
    await createListed(store, 2);
    await createListed(store, 3, { gate: gate(3) });
    equal(await listed(store, { gated: true }), [3, 1]);
    await appendWithMeta(store, 3, { gate: null });
    await appendWithMeta(store, 2, { gate: gate(2) });
    equal(await listed(store, { gated: true }), [2, 1]);
    equal(succeeded(await store.list(ACME, { gated: true, limit: 1 }))[0]?.gate, gate(2));
  }),
  onOneHandle("gated false filters nothing", async (store) => {
    await createListed(store, 1, { gate: gate(1) });
    await createListed(store, 2);
    equal(await listed(store, { gated: false }), [2, 1]);
  }),
  onOneHandle("state and gated filter together, with a cursor", async (store) => {
    await createListed(store, 1, { state: "confirm", gate: gate(1) });
    await createListed(store, 2, { state: "plan", gate: gate(2) });
    await createListed(store, 3, { state: "confirm" });
    await createListed(store, 4, { state: "confirm", gate: gate(4) });
    equal(await listed(store, { state: "confirm", gated: true }), [4, 1]);
    equal(await listed(store, { state: "confirm", gated: true, after: cursor(4) }), [1]);
  }),
  onOneHandle(
    "paging through gated threads neither repeats nor skips any while gates open and close",
    async (store) => {
      for (let n = 1; n <= 6; n += 1) await createListed(store, n, { gate: n === 3 ? null : gate(n) });
      const change = async (page: number): Promise<void> => {
        if (page === 1) await appendWithMeta(store, 6, { gate: null });
        if (page === 1) await appendWithMeta(store, 3, { gate: gate(3) });
        if (page === 1) await appendWithMeta(store, 2, { gate: null });
      };
      equal(await walkPages(store, { gated: true }, change), [6, 5, 4, 3, 1]);
    },
  ),
  onOneHandle("mutating a stored or listed meta row does not change the store", async (store) => {
    const metadata = { days: ["Monday"] };
    await createListed(store, 1, { metadata });
    metadata.days.push("changed after the call");
    const [first] = succeeded(await store.list(ACME, { limit: 1 }));
    if (first) first.metadata = { days: "changed by the reader" };
    equal(succeeded(await store.list(ACME, { limit: 1 }))[0]?.metadata, { days: ["Monday"] });
  }),
  onOneHandle("threads of another tenant never appear in a page", async (store) => {
    for (let n = 1; n <= 4; n += 1) await createListed(store, n, { gate: gate(n) }, n % 2 ? ACME : BOLT);
    equal(await listed(store), [3, 1]);
    equal(await listed(store, { gated: true, state: "execute" }), [3, 1]);
    equal(numbers(succeeded(await store.list(BOLT, { limit: 100, after: cursor(4) }))), [2]);
  }),
];
