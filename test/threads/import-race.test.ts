// Tests imports that lose against another import or a create request with the same id at the same time. The thread must
// have the records and the calendar of the winner.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createMemoryDocuments } from "../../src/adapters/documents-memory.ts";
import { createScriptedModel } from "../../src/adapters/model-scripted.ts";
import { createMemorySettings } from "../../src/adapters/settings-memory.ts";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { createSqliteDocuments } from "../../src/adapters/store-sqlite/documents.ts";
import { createHost } from "../../src/hosts/shared/create-host.ts";
import type { Companions } from "../../src/ports/companions.ts";
import type { DocumentStore } from "../../src/ports/documents.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { LOCAL_TENANT, type ThreadRef } from "../../src/schema/ids.ts";
import { fail, ok, type Result } from "../../src/schema/problem.ts";
import { createManualClock } from "../../src/testing/manual-clock.ts";
import { createThread } from "../../src/threads/create.ts";
import { exportThread } from "../../src/threads/export-thread.ts";
import { IMPORT_CLAIM_MS } from "../../src/threads/import-claim.ts";
import { importThread } from "../../src/threads/import-thread.ts";
import { sampleSemester } from "../../src/toolkits/timetable/sample.ts";
import { timetable } from "../../src/toolkits/timetable/toolkit.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { attachTestThread, createTestThread, problemCode, unwrap } from "../support/runtime.ts";

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

function aHost({ threads, documents }: Stores, createFromSnapshot = threads.createFromSnapshot) {
  const clock = createManualClock(Date.parse("2026-03-02T08:00:00.000Z"));
  const store: ThreadStore = createFromSnapshot ? { ...threads, createFromSnapshot } : threads;
  const host = createHost({
    store,
    settings: createMemorySettings(),
    pickModel: () => createScriptedModel([]),
    config: DEFAULT_CONFIG,
    toolkits: [timetable],
    parts: { documents },
    clock,
  });
  return { rt: unwrap(host).rt, clock, documents };
}

const FIRST = "2026-09-14";
const SECOND = "2027-03-01";
const calendarAt = ({ thread }: ThreadRef) => ({ tenant: LOCAL_TENANT, kind: "calendar", id: thread });
const startIn = async ({ documents }: Stores, at: ThreadRef) =>
  (unwrap(await documents.load(calendarAt(at)))?.value as { starts_on?: string } | undefined)?.starts_on;

/** Creates two exports of one thread that differ in the calendar. `bare` was created before the thread had one. */
async function exportsOfOneThread() {
  const origin = aHost(await inMemory());
  const { at } = await createTestThread(origin.rt, { metadata: { of: "a test" } });
  const bare = unwrap(await exportThread(origin.rt, at));
  const files: string[] = [];
  for (const [version, starts_on] of [FIRST, SECOND].entries()) {
    unwrap(await origin.documents.save(calendarAt(at), { ...sampleSemester(), starts_on }, version));
    files.push(unwrap(await exportThread(origin.rt, at)));
  }
  const [first = "", second = ""] = files;
  return { at, bare, first, second };
}

test.each([
  ["memory", inMemory],
  ["SQLite", inSqlite],
])("of two imports at the same time, the thread of the first one has its own calendar: %s", async (_, open) => {
  const { at, bare, first, second } = await exportsOfOneThread();
  for (const other of [second, bare]) {
    const stores = await open();
    const create = unwrapStore(stores);
    const firstIsStored = Promise.withResolvers<void>();
    const secondIsHere = Promise.withResolvers<void>();
    const loserHost = aHost(stores, async (...args) => {
      secondIsHere.resolve();
      await firstIsStored.promise;
      return create(...args);
    });
    let loser: Promise<Result<unknown>> | null = null;
    // The second import writes its calendar after the first one has written its own and before the first one writes its
    // records.
    const host = aHost(stores, async (...args) => {
      loser ??= importThread(loserHost.rt, LOCAL_TENANT, other);
      await Promise.race([loser, secondIsHere.promise]);
      return create(...args).finally(firstIsStored.resolve);
    });
    unwrap(await importThread(host.rt, LOCAL_TENANT, first));
    const lost = await (loser as Promise<Result<unknown>> | null);
    expect(await startIn(stores, at)).toBe(FIRST);
    expect(lost && problemCode(lost)).toBe("turn_running");
    expect(problemCode(await importThread(host.rt, LOCAL_TENANT, second))).toBe("thread_moved");
    expect(await startIn(stores, at)).toBe(FIRST);
  }
});

const unwrapStore = ({ threads }: Stores) => {
  if (!threads.createFromSnapshot) throw new Error("the store creates threads in one step");
  return threads.createFromSnapshot;
};

test("an import that stopped before its records is completed by its file at once, and gives way to another file later", async () => {
  const { at, bare, first, second } = await exportsOfOneThread();
  const stores = await inMemory();
  const stopped = aHost(stores, async () => fail("store_unavailable", "The store stopped."));
  expect(problemCode(await importThread(stopped.rt, LOCAL_TENANT, first))).toBe("store_unavailable");
  expect(problemCode(await importThread(aHost(stores).rt, LOCAL_TENANT, second))).toBe("turn_running");
  const later = aHost(stores);
  later.clock.advance(IMPORT_CLAIM_MS + 1);
  unwrap(await importThread(later.rt, LOCAL_TENANT, bare));
  expect(await startIn(stores, at)).toBeUndefined();

  const again = await inMemory();
  const interrupted = aHost(again, async () => fail("store_unavailable", "The store stopped."));
  await importThread(interrupted.rt, LOCAL_TENANT, first);
  unwrap(await importThread(aHost(again).rt, LOCAL_TENANT, first));
  expect(await startIn(again, at)).toBe(FIRST);
});

test("a claim of a clock that was years ahead holds up no import", async () => {
  const { at, first, second } = await exportsOfOneThread();
  const stores = await inMemory();
  const ahead = aHost(stores, async () => fail("store_unavailable", "The store stopped."));
  ahead.clock.advance(3 * 365 * 86_400_000);
  await importThread(ahead.rt, LOCAL_TENANT, first);
  unwrap(await importThread(aHost(stores).rt, LOCAL_TENANT, second));
  expect(await startIn(stores, at)).toBe(SECOND);
});

test("an import that took longer than its claim stores no records beside the data of the one that replaced it", async () => {
  const { at, first, second } = await exportsOfOneThread();
  const stores = await inMemory();
  const slowHasEnded = Promise.withResolvers<void>();
  const otherIsHere = Promise.withResolvers<void>();
  const other = aHost(stores, async (...args) => {
    otherIsHere.resolve();
    await slowHasEnded.promise;
    return unwrapStore(stores)(...args);
  });
  other.clock.advance(2 * IMPORT_CLAIM_MS);
  let replacing: Promise<Result<unknown>> | null = null;
  const save: DocumentStore["save"] = async (place, ...more) => {
    const saved = await stores.documents.save(place, ...more);
    if (place.kind === "calendar") replacing ??= importThread(other.rt, LOCAL_TENANT, second);
    if (place.kind === "calendar") await otherIsHere.promise;
    return saved;
  };
  const slow = aHost({ ...stores, documents: { ...stores.documents, save } });
  expect(problemCode(await importThread(slow.rt, LOCAL_TENANT, first))).toBe("turn_running");
  slowHasEnded.resolve();
  expect(replacing && problemCode(await (replacing as Promise<Result<unknown>>))).toBe("ok");
  expect(await startIn(stores, at)).toBe(SECOND);
});

/**
 * Creates an export of a thread with a calendar, and the body of the create request whose key determines the thread's
 * id.
 */
async function exportOfKeyedThread() {
  const origin = aHost(await inMemory());
  const input = { metadata: { of: "a test" } };
  const create = ({ rt }: ReturnType<typeof aHost>) =>
    createThread(rt, { tenant: LOCAL_TENANT, actor: "ada", input, key: { name: "same", hash: "h", body: "b" } });
  const { outcome } = unwrap(await create(origin));
  const at = { tenant: LOCAL_TENANT, thread: outcome.thread.id };
  unwrap(await origin.documents.save(calendarAt(at), { ...sampleSemester(), starts_on: FIRST }, 0));
  return { at, file: unwrap(await exportThread(origin.rt, at)), create };
}

/** For a create that looked for an import just before it began. */
const beforeTheClaim = ({ threads, documents }: Stores): Stores => {
  const load: DocumentStore["load"] = async (place) =>
    place.kind === "import_claim" ? ok(null) : documents.load(place);
  return { threads, documents: { ...documents, load } };
};

/** The stores after an import whose process ended before it stored the records. */
async function afterAbandonedImport(open: () => Promise<Stores>) {
  const { at, file, create } = await exportOfKeyedThread();
  const stores = await open();
  const stopped = aHost(stores, async () => fail("store_unavailable", "The process ended."));
  expect(problemCode(await importThread(stopped.rt, LOCAL_TENANT, file))).toBe("store_unavailable");
  expect(await startIn(stores, at)).toBe(FIRST);
  const later = (...[given = stores]: readonly Stores[]) => {
    const host = aHost(given);
    host.clock.advance(IMPORT_CLAIM_MS + 1);
    return host;
  };
  return { at, file, create, stores, later };
}

test.each([
  ["memory", inMemory],
  ["SQLite", inSqlite],
])("a thread that is created later under the id of an abandoned import shows nothing of it: %s", async (_, open) => {
  const { at, create, stores, later } = await afterAbandonedImport(open);
  // The file may still come again, so its import is waited for.
  expect(problemCode(await create(aHost(stores)))).toBe("turn_running");
  unwrap(await create(later()));
  expect(await startIn(stores, at)).toBeUndefined();
});

test("a create that met an import is answered when nothing of it is left", async () => {
  const { at, file, create } = await exportOfKeyedThread();
  const stores = await inMemory();
  // The import begins after the create has looked for one, and ends with its process when it has stored the calendar.
  const threads: ThreadStore = {
    ...stores.threads,
    async create(...args) {
      const stopped = aHost(stores, async () => fail("store_unavailable", "The process ended."));
      expect(problemCode(await importThread(stopped.rt, LOCAL_TENANT, file))).toBe("store_unavailable");
      return stores.threads.create(...args);
    },
  };
  expect(problemCode(await create(aHost({ ...stores, threads })))).toBe("turn_running");
  expect(await startIn(stores, at)).toBe(FIRST);
  expect(problemCode(await create(aHost(stores)))).toBe("turn_running");
  const later = aHost(stores);
  later.clock.advance(IMPORT_CLAIM_MS + 1);
  expect(unwrap(await create(later))).toMatchObject({ replayed: true });
  expect(await startIn(stores, at)).toBeUndefined();
});

test("a create that could not remove what an import left is answered only when it could", async () => {
  const { at, create, stores, later } = await afterAbandonedImport(inMemory);
  unwrap(await create(later(beforeTheClaim(stores))));
  const remove: DocumentStore["remove"] = async () => fail("store_unavailable", "The store stopped.");
  const stopped = later({ ...stores, documents: { ...stores.documents, remove } });
  expect(problemCode(await create(stopped))).toBe("store_unavailable");
  expect(await startIn(stores, at)).toBe(FIRST);
  unwrap(await create(later()));
  expect(await startIn(stores, at)).toBeUndefined();
});

test("creating a thread again keeps what its turns stored, also if an abandoned import was never cleared", async () => {
  const { at, create, stores, later } = await afterAbandonedImport(inMemory);
  const host = later(beforeTheClaim(stores));
  unwrap(await create(host));
  const model = createScriptedModel([{ action: "answer", speak: "Hello." }]);
  const thread = attachTestThread({ ...host.rt, pickModel: () => model }, at.thread);
  unwrap(await thread.turn({ type: "message", text: "Hello?" }));
  unwrap(await stores.documents.save(calendarAt(at), { ...sampleSemester(), starts_on: SECOND }, 1));
  expect(unwrap(await create(later()))).toMatchObject({ replayed: true });
  expect(await startIn(stores, at)).toBe(SECOND);
});

test("creating a thread again keeps its calendar, also if the claim of its own import is left", async () => {
  const { at, file, create } = await exportOfKeyedThread();
  const stores = await inMemory();
  const write = unwrapStore(stores);
  const lost = aHost(stores, async (...args) => {
    unwrap(await write(...args));
    return fail("store_unavailable", "The response was lost.");
  });
  expect(problemCode(await importThread(lost.rt, LOCAL_TENANT, file))).toBe("store_unavailable");
  const later = aHost(stores);
  later.clock.advance(IMPORT_CLAIM_MS + 1);
  for (const host of [aHost(stores), later]) expect(unwrap(await create(host))).toMatchObject({ replayed: true });
  expect(await startIn(stores, at)).toBe(FIRST);
});

test("a create whose store fails after it removed an abandoned import can be repeated at once", async () => {
  const { at, create, stores, later } = await afterAbandonedImport(inMemory);
  const failing: ThreadStore = {
    ...stores.threads,
    create: async () => fail("store_unavailable", "The store stopped."),
  };
  expect(problemCode(await create(later({ ...stores, threads: failing })))).toBe("store_unavailable");
  unwrap(await create(later()));
  expect(await startIn(stores, at)).toBeUndefined();
});

test.each([
  ["memory", inMemory],
  ["SQLite", inSqlite],
])("an import that loses against a create with the same id leaves no calendar in its thread: %s", async (_, open) => {
  const { at, file, create } = await exportOfKeyedThread();
  const stores = await open();
  const write = unwrapStore(stores);
  const host = aHost(stores, async (...args) => {
    expect(await startIn(stores, at)).toBe(FIRST);
    unwrap(await create(aHost(beforeTheClaim(stores))));
    return write(...args);
  });
  expect(problemCode(await importThread(host.rt, LOCAL_TENANT, file))).toBe("thread_moved");
  expect(await startIn(stores, at)).toBeUndefined();
});

test("an import that loses leaves a calendar that the other thread has changed since", async () => {
  const { at, file, create } = await exportOfKeyedThread();
  const stores = await inMemory();
  const write = unwrapStore(stores);
  const host = aHost(stores, async (...args) => {
    unwrap(await create(aHost(beforeTheClaim(stores))));
    unwrap(await stores.documents.save(calendarAt(at), { ...sampleSemester(), starts_on: SECOND }, 1));
    return write(...args);
  });
  expect(problemCode(await importThread(host.rt, LOCAL_TENANT, file))).toBe("thread_moved");
  expect(await startIn(stores, at)).toBe(SECOND);
});

test("an import whose calendar could not be removed has no outcome yet, and its repetition removes it", async () => {
  const { at, file, create } = await exportOfKeyedThread();
  const stores = await inMemory();
  const write = unwrapStore(stores);
  const documents: DocumentStore = {
    ...stores.documents,
    remove: async () => fail("store_unavailable", "The store stopped."),
  };
  const stopped = aHost({ ...stores, documents }, async (...args) => {
    unwrap(await create(aHost(beforeTheClaim(stores))));
    return write(...args);
  });
  expect(problemCode(await importThread(stopped.rt, LOCAL_TENANT, file))).toBe("store_unavailable");
  expect(await startIn(stores, at)).toBe(FIRST);
  expect(problemCode(await importThread(aHost(stores).rt, LOCAL_TENANT, file))).toBe("thread_moved");
  expect(await startIn(stores, at)).toBeUndefined();
});

test("an import that is repeated after its success keeps the calendar of its thread", async () => {
  const { at, file } = await exportOfKeyedThread();
  const stores = await inMemory();
  const write = unwrapStore(stores);
  // The thread is stored, but the importer is not notified of it, and its claim stays.
  const lost = aHost(stores, async (...args) => {
    unwrap(await write(...args));
    return fail("store_unavailable", "The response was lost.");
  });
  expect(problemCode(await importThread(lost.rt, LOCAL_TENANT, file))).toBe("store_unavailable");
  expect(problemCode(await importThread(aHost(stores).rt, LOCAL_TENANT, file))).toBe("thread_moved");
  expect(await startIn(stores, at)).toBe(FIRST);
});

test("of one file that is imported twice at the same time, the loser keeps the calendar of the winner", async () => {
  const { at, file } = await exportOfKeyedThread();
  const stores = await inMemory();
  const write = unwrapStore(stores);
  const slow = aHost(stores, async (...args) => {
    unwrap(await importThread(aHost(stores).rt, LOCAL_TENANT, file));
    return write(...args);
  });
  await importThread(slow.rt, LOCAL_TENANT, file);
  expect(await startIn(stores, at)).toBe(FIRST);
});

test("an import that one toolkit refuses leaves no data of another", async () => {
  const { at, file, create } = await exportOfKeyedThread();
  const stores = await inMemory();
  const { rt } = aHost(stores);
  const companions: Companions = {
    ...rt.companions,
    imported: async (...args) => {
      unwrap((await rt.companions.imported?.(...args)) ?? fail("export_invalid", "This host has no toolkits."));
      return fail("export_invalid", "The data of another toolkit is invalid.");
    },
  };
  expect(problemCode(await importThread({ ...rt, companions }, LOCAL_TENANT, file))).toBe("export_invalid");
  unwrap(await create(aHost(stores)));
  expect(await startIn(stores, at)).toBeUndefined();
});
