// Tests imports that stop early or lose against another import, a create or a removal with the same id at the same
// time. The thread must have the records and the calendar of the winner, on any clock.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createScriptedModel } from "../../src/adapters/model-scripted.ts";
import { createMemorySettings } from "../../src/adapters/settings-memory.ts";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { createSqliteDocuments } from "../../src/adapters/store-sqlite/documents.ts";
import { createHost } from "../../src/hosts/shared/create-host.ts";
import type { DocumentStore } from "../../src/ports/documents.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { LOCAL_TENANT, type ThreadRef } from "../../src/schema/ids.ts";
import { fail, ok, type Result } from "../../src/schema/problem.ts";
import { createThread } from "../../src/threads/create.ts";
import { exportThread } from "../../src/threads/export-thread.ts";
import { forkThread } from "../../src/threads/fork.ts";
import { importThread } from "../../src/threads/import-thread.ts";
import { withImportedDocuments } from "../../src/threads/imported-documents.ts";
import { removeThread } from "../../src/threads/remove.ts";
import { sampleSemester } from "../../src/toolkits/timetable/sample.ts";
import { timetable } from "../../src/toolkits/timetable/toolkit.ts";
import { defineToolkit } from "../../src/tools/toolkit.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { openDurableObjects } from "../sim/stores/durable-object.ts";
import { createMemoryDocuments } from "../support/documents-memory.ts";
import { problemCode, unwrap } from "../support/runtime.ts";

type Stores = { readonly threads: ThreadStore; readonly documents: DocumentStore };
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const inMemory = async (): Promise<Stores> => ({ threads: createMemoryStore(), documents: createMemoryDocuments() });
async function inSqlite(): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-import-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "pawl.db");
  const { threads, close } = unwrap(await createSqliteStore({ path }));
  const documents = createSqliteDocuments(path);
  cleanups.push(close, () => documents.close());
  return { threads, documents };
}
async function inDurableObjects(): Promise<Stores> {
  const { handles, close } = await openDurableObjects();
  cleanups.push(close);
  const [threads] = handles;
  if (!threads) throw new Error("the store has a handle");
  return { threads, documents: createMemoryDocuments() };
}
/** A store of others, which writes an imported thread row by row. */
async function inStoreWithoutSnapshots(): Promise<Stores> {
  const { createFromSnapshot: _, ...threads } = createMemoryStore();
  return { threads, documents: createMemoryDocuments() };
}
const STORES = [
  ["memory", inMemory],
  ["SQLite", inSqlite],
  ["Durable Objects", inDurableObjects],
] as const;

function aHost({ threads, documents }: Stores, toolkits = [timetable]) {
  return unwrap(
    createHost({
      store: threads,
      settings: createMemorySettings(),
      pickModel: () => createScriptedModel([]),
      config: DEFAULT_CONFIG,
      toolkits,
      parts: { documents },
    }),
  ).rt;
}

const FIRST = "2026-09-14";
const SECOND = "2027-03-01";
const calendarAt = ({ thread }: ThreadRef) => ({ tenant: LOCAL_TENANT, kind: "calendar", id: thread });
const documentsIn = ({ threads, documents }: Stores) => withImportedDocuments(documents, threads);
async function startIn(stores: Stores, at: ThreadRef): Promise<string | undefined> {
  const found = unwrap(await documentsIn(stores).load(calendarAt(at)));
  return (found?.value as { starts_on?: string } | undefined)?.starts_on;
}

/**
 * Creates two exports of one thread that differ in the calendar, and one from before it had a calendar. `create` sends
 * the request that created the thread: its key determines the id.
 */
async function exportsOfOneThread() {
  const origin = await inMemory();
  const create = (stores: Stores) =>
    createThread(aHost(stores), {
      tenant: LOCAL_TENANT,
      actor: "ada",
      input: { metadata: { of: "a test" } },
      key: { name: "same", hash: "h", body: "b" },
    });
  const { outcome } = unwrap(await create(origin));
  const at = { tenant: LOCAL_TENANT, thread: outcome.thread.id };
  const bare = unwrap(await exportThread(aHost(origin), at));
  const files: string[] = [];
  for (const [version, starts_on] of [FIRST, SECOND].entries()) {
    unwrap(await origin.documents.save(calendarAt(at), { ...sampleSemester(), starts_on }, version));
    files.push(unwrap(await exportThread(aHost(origin), at)));
  }
  const [first = "", second = ""] = files;
  const original = unwrap(await origin.threads.records(at, { after: -1, limit: 1 }))[0]?.commit_id;
  /** The calendar that the stored thread must show, if there is a thread. */
  const expected = async ({ threads }: Stores): Promise<string | undefined> => {
    const rows = await threads.records(at, { after: -1, limit: 1 });
    return rows.ok && rows.value[0]?.commit_id === original ? FIRST : undefined;
  };
  return { at, bare, first, second, create, expected };
}

const doImport = (stores: Stores, file: string) => importThread(aHost(stores), LOCAL_TENANT, file);

/** Calls `before` before each request to one of the stores, with the number of requests so far. */
function observed({ threads, documents }: Stores, before: (call: number) => Promise<boolean>): Stores {
  let calls = 0;
  const wrap = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const method = Reflect.get(target, name) as unknown;
        if (typeof method !== "function") return method;
        return async (...args: readonly unknown[]) =>
          (await before(++calls)) ? method.apply(target, args) : fail("store_unavailable", "The process has ended.");
      },
    });
  return { threads: wrap(threads), documents: wrap(documents) };
}

/** Calls `play` with 1, 2, 3 … until it returns false, which it does if the number exceeds the number of requests. */
async function atEveryRequest(play: (n: number) => Promise<boolean>): Promise<void> {
  let n = 1;
  while (await play(n)) n++;
  expect(n).toBeGreaterThan(4);
}

test.each(STORES)(
  "of two imports at the same time, the thread has the calendar of the one that succeeded: %s",
  async (_, open) => {
    const { at, bare, first, second } = await exportsOfOneThread();
    for (const other of [second, bare]) {
      await atEveryRequest(async (n) => {
        const stores = await open();
        let lost: Result<unknown> | null = null;
        const slow = observed(stores, async (call) => {
          if (call === n) lost = await doImport(stores, other);
          return true;
        });
        const won = await doImport(slow, first);
        const found = await startIn(stores, at);
        const both = [won, ...(lost ? [lost as Result<unknown>] : [])];
        expect(both.map(problemCode).toSorted(), `request ${n}`).toEqual(lost ? ["ok", "thread_moved"] : ["ok"]);
        expect(found, `request ${n}`).toBe(won.ok ? FIRST : other === bare ? undefined : SECOND);
        expect(problemCode(await doImport(stores, second))).toBe("thread_moved");
        expect(await startIn(stores, at)).toBe(found);
        return lost !== null;
      });
    }
  },
);

test.each(STORES)(
  "an import that stopped anywhere shows its calendar only with its thread, and a create at any moment shows none: %s",
  async (_, open) => {
    const { at, first, create, expected } = await exportsOfOneThread();
    await atEveryRequest(async (n) => {
      const stores = await open();
      let stopped = false;
      const dying = observed(stores, async (call) => {
        stopped ||= call >= n;
        return !stopped;
      });
      await doImport(dying, first).catch(() => undefined);
      expect(await startIn(stores, at), `stopped at ${n}`).toBe(await expected(stores));
      unwrap(await create(stores));
      expect(await startIn(stores, at), `created after ${n}`).toBe(await expected(stores));
      return stopped;
    });
    await atEveryRequest(async (n) => {
      for (const continues of [true, false]) {
        const stores = await open();
        let calls = 0;
        const slow = observed(stores, async (call) => {
          calls = call;
          if (call === n) unwrap(await create(stores));
          return call < n || continues;
        });
        await doImport(slow, first).catch(() => undefined);
        expect(await startIn(stores, at), `created at ${n}`).toBe(await expected(stores));
        if (calls < n) return false;
      }
      return true;
    });
  },
);

test("in a store without snapshots, a thread that is created never shows an import, and a repeated import completes it", async () => {
  const { at, first, create, expected } = await exportsOfOneThread();
  await atEveryRequest(async (n) => {
    for (const repeats of [true, false]) {
      const stores = await inStoreWithoutSnapshots();
      let stopped = false;
      const dying = observed(stores, async (call) => {
        stopped ||= call >= n;
        return !stopped;
      });
      await doImport(dying, first).catch(() => undefined);
      if (!stopped) return false;
      const found = repeats ? await doImport(stores, first) : await create(stores);
      expect(["ok", "thread_moved"]).toContain(problemCode(found));
      const shown = await startIn(stores, at);
      if (repeats) expect(shown, `stopped at ${n}`).toBe(FIRST);
      else expect([undefined, await expected(stores)], `stopped at ${n}`).toContain(shown);
    }
    return true;
  });
});

test("after an import that stopped before its records, another file or the same one is imported at once", async () => {
  const { at, bare, first, second } = await exportsOfOneThread();
  for (const [file, starts] of [
    [first, FIRST],
    [second, SECOND],
    [bare, undefined],
  ] as const) {
    const stores = await inMemory();
    const createFromSnapshot = async () => fail("store_unavailable", "The store stopped.");
    const stopped = { ...stores, threads: { ...stores.threads, createFromSnapshot } };
    expect(problemCode(await doImport(stopped, first))).toBe("store_unavailable");
    unwrap(await doImport(stores, file));
    expect(await startIn(stores, at)).toBe(starts);
  }
});

test("a thread created after an abandoned import stores a calendar of its own", async () => {
  const { at, first, create } = await exportsOfOneThread();
  const stores = await inMemory();
  const createFromSnapshot = async () => fail("store_unavailable", "The store stopped.");
  await doImport({ ...stores, threads: { ...stores.threads, createFromSnapshot } }, first);
  unwrap(await create(stores));
  const documents = documentsIn(stores);
  const own = { ...sampleSemester(), starts_on: SECOND };
  const saved = unwrap(await documents.save(calendarAt(at), own, 0));
  expect(saved.saved).toBe(true);
  expect(unwrap(await documents.save(calendarAt(at), own, 0)).saved).toBe(false);
  expect(unwrap(await documents.save(calendarAt(at), own, saved.version)).saved).toBe(true);
  expect(problemCode(await doImport(stores, first))).toBe("thread_moved");
  expect(await startIn(stores, at)).toBe(SECOND);
});

test("an imported calendar is changed only at its version", async () => {
  const { at, first } = await exportsOfOneThread();
  const stores = await inMemory();
  unwrap(await doImport(stores, first));
  const documents = documentsIn(stores);
  const own = { ...sampleSemester(), starts_on: SECOND };
  expect(unwrap(await documents.save(calendarAt(at), own, 0)).saved).toBe(false);
  const { version = 0 } = unwrap(await documents.load(calendarAt(at))) ?? {};
  expect(unwrap(await documents.save(calendarAt(at), own, version)).saved).toBe(true);
  expect(await startIn(stores, at)).toBe(SECOND);
});

test("an import replaces what an import of an earlier release left, and nothing of a thread that exists", async () => {
  const { at, first, second, create } = await exportsOfOneThread();
  const left = { ...sampleSemester(), starts_on: SECOND };
  const stores = await inMemory();
  unwrap(await stores.documents.save(calendarAt(at), left, 0));
  unwrap(await doImport(stores, first));
  expect(await startIn(stores, at)).toBe(FIRST);

  const others = await inMemory();
  const slow = observed(others, async (call) => {
    // After the check of the id, and before the document is read.
    if (call === 2) {
      unwrap(await create(others));
      unwrap(await others.documents.save(calendarAt(at), left, 0));
    }
    return true;
  });
  expect(problemCode(await doImport(slow, second))).toBe("thread_moved");
  expect(await startIn(others, at)).toBe(SECOND);
  expect(unwrap(await others.documents.load(calendarAt(at)))?.version).toBe(1);
});

test.each(STORES)(
  "a removal at any moment of an import leaves the thread with its calendar, or neither: %s",
  async (_, open) => {
    const { at, first } = await exportsOfOneThread();
    await atEveryRequest(async (n) => {
      const stores = await open();
      let removed: Result<void> | null = null;
      const slow = observed(stores, async (call) => {
        if (call === n) removed = await removeThread(aHost(stores), at, "ada");
        return true;
      });
      unwrap(await doImport(slow, first));
      const exists = (await stores.threads.load(at, 1)).ok;
      expect(exists, `request ${n}`).toBe(!(removed as Result<void> | null)?.ok);
      expect(await startIn(stores, at), `request ${n}`).toBe(exists ? FIRST : undefined);
      return removed !== null;
    });
  },
);

test.each(STORES)("an imported thread is exported and forked with its calendar: %s", async (_, open) => {
  const { at, first } = await exportsOfOneThread();
  const stores = await open();
  const rt = aHost(stores);
  unwrap(await importThread(rt, LOCAL_TENANT, first));
  const again = await inMemory();
  unwrap(await doImport(again, unwrap(await exportThread(rt, at))));
  expect(await startIn(again, at)).toBe(FIRST);
  const { thread } = unwrap(await forkThread(rt, at, 0));
  const copy = { ...at, thread: thread.id };
  expect(await startIn(stores, copy)).toBe(FIRST);
  unwrap(await removeThread(rt, at, "ada"));
  expect(await startIn(stores, copy)).toBe(FIRST);
});

test("a removal that found no thread takes nothing from an import whose process ends before its response", async () => {
  const { at, first, expected } = await exportsOfOneThread();
  await atEveryRequest(async (n) => {
    let ended = false;
    for (let last = n; !ended; last++) {
      const stores = await inMemory();
      let removed: Result<void> | null = null;
      ended = true;
      const slow = observed(stores, async (call) => {
        if (call === n) removed = await removeThread(aHost(stores), at, "ada");
        if (call > last) ended = false;
        return call <= last;
      });
      await doImport(slow, first).catch(() => undefined);
      if (!removed) return false;
      expect(await startIn(stores, at), `removed at ${n}, ended after ${last}`).toBe(await expected(stores));
    }
    return true;
  });
});

/** A toolkit that keeps its data elsewhere than in documents. */
function elsewhere() {
  const kept = new Set<string>();
  const toolkit = defineToolkit({
    name: "elsewhere",
    parts: ["documents"],
    offered: "on request",
    tools: () => [],
    threads: {
      exported: async () => ok({ here: true }),
      imported: async (_, { thread }) => {
        kept.add(thread);
        return ok(undefined);
      },
      withdrawn: async ({ documents }, at) => {
        unwrap(await documents.remove(calendarAt(at)));
        kept.delete(at.thread);
        return ok(undefined);
      },
    },
  });
  return { kept, toolkit };
}

test("a refused import lets a toolkit withdraw what it stored elsewhere, and touches no document of the thread", async () => {
  const origin = await inMemory();
  const { at, create } = await exportsOfOneThread();
  unwrap(await create(origin));
  unwrap(await origin.documents.save(calendarAt(at), { ...sampleSemester(), starts_on: FIRST }, 0));
  const { kept, toolkit } = elsewhere();
  const file = unwrap(await exportThread(aHost(origin, [timetable, toolkit]), at));
  const stores = await inMemory();
  const slow = observed(stores, async (call) => {
    if (call === 2) unwrap(await create(stores));
    if (call === 2) unwrap(await stores.documents.save(calendarAt(at), { ...sampleSemester(), starts_on: SECOND }, 0));
    return true;
  });
  expect(problemCode(await importThread(aHost(slow, [timetable, toolkit]), LOCAL_TENANT, file))).toBe("thread_moved");
  expect([...kept]).toEqual([]);
  expect(await startIn(stores, at)).toBe(SECOND);
  const other = await inMemory();
  unwrap(await importThread(aHost(other, [timetable, toolkit]), LOCAL_TENANT, file));
  expect([...kept]).toEqual([at.thread]);
});

test("an import that one toolkit refuses leaves no data of another", async () => {
  const { at, first, create } = await exportsOfOneThread();
  const stores = await inMemory();
  const rt = aHost(stores);
  const staged = async (...args: Parameters<NonNullable<typeof rt.companions.staged>>) => {
    unwrap((await rt.companions.staged?.(...args)) ?? fail("export_invalid", "This host has no toolkits."));
    return fail("export_invalid", "The data of another toolkit is invalid.");
  };
  const companions = { ...rt.companions, staged };
  expect(problemCode(await importThread({ ...rt, companions }, LOCAL_TENANT, first))).toBe("export_invalid");
  unwrap(await create(stores));
  expect(await startIn(stores, at)).toBeUndefined();
});
