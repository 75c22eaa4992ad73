// Tests the row cache of the SQLite store: a load always returns the current content of the file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OpenFile, openFile } from "../../src/adapters/store-sqlite/open.ts";
import { createRowCache } from "../../src/adapters/store-sqlite/row-cache.ts";
import { createSettingsStore } from "../../src/adapters/store-sqlite/settings-store.ts";
import { createThreadStore } from "../../src/adapters/store-sqlite/thread-store.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import type { LoadedRows, ThreadStore } from "../../src/ports/thread-store.ts";
import { NO_SETTINGS } from "../../src/schema/settings.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { createRecords, meta, record, threadAt } from "../../src/testing/thread-store/fixtures.ts";

const at = threadAt();
const ENTRIES = 17;

let folder = "";
const opened: ThreadStore[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-cache-"));
});

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  rmSync(folder, { recursive: true });
});

async function open(): Promise<{ file: OpenFile; store: ThreadStore }> {
  const file = succeeded(await openFile({ path: join(folder, "pawl.db") }));
  const store = createThreadStore(file);
  opened.push(store);
  return { file, store };
}

const read = async (store: ThreadStore): Promise<LoadedRows> => succeeded(await store.load(at, ENTRIES));
/** Loads a thread twice. A thread that is read twice in a row counts as active and is cached from then on. */
const load = async (store: ThreadStore): Promise<LoadedRows> => {
  await read(store);
  return read(store);
};
const versions = (rows: LoadedRows): number[] => rows.entries.map((row) => row.version);
/** Changes the file directly on the store's own connection, so that only a load that reads the file sees the change. */
const scribble = ({ db }: OpenFile): void => db.exec("UPDATE records SET entry = 'scribbled'");

test("a new thread is cached when it is created, and a later load sees what another process did since", async () => {
  const { file, store } = await open();
  await createRecords(store, at, 1);
  scribble(file);
  expect((await read(store)).entries.map(({ entry }) => entry)).toEqual([record(0).entry]);
  const { store: other } = await open();
  succeeded(await other.remove(at));
  expect(await store.load(at, ENTRIES)).toMatchObject({ ok: false, problem: { code: "thread_not_found" } });
});

describe("the settings of a turn", () => {
  const switchedOff = { ...NO_SETTINGS, tools: { bash: false } };
  const tools = async ({ load, loadRecent = load }: SettingsStore) =>
    succeeded(await loadRecent(at.tenant)).settings.tools;

  test("are not read again while the file is unchanged, and show a change of this process at once", async () => {
    const { file, store } = await open();
    const settings = createSettingsStore(file);
    await createRecords(store, at, 1);
    await load(store);
    expect(await tools(settings)).toEqual({});
    file.db.exec(`INSERT INTO settings VALUES ('${at.tenant}', 1, '${JSON.stringify(switchedOff)}')`);
    expect(await tools(settings)).toEqual({});
    succeeded(await settings.save(at.tenant, { ...NO_SETTINGS, tools: { write: false } }, 1));
    expect(await tools(settings)).toEqual({ write: false });
  });

  test("show a change of another process with the next load of a thread", async () => {
    const { file, store } = await open();
    const settings = createSettingsStore(file);
    await createRecords(store, at, 1);
    await load(store);
    expect(await tools(settings)).toEqual({});
    succeeded(await createSettingsStore((await open()).file).save(at.tenant, switchedOff, 0));
    await load(store);
    expect(await tools(settings)).toEqual({ bash: false });
  });
});

describe("a thread that was loaded before", () => {
  test("is not read again, however many records were appended since", async () => {
    const { file, store } = await open();
    await createRecords(store, at, 3);
    await load(store);
    for (let version = 3; version < 30; version += 1) succeeded(await store.append(at, record(version)));
    const stands = await load((await open()).store);
    scribble(file);
    expect(await read(store)).toEqual(stands);
    expect(versions(stands)).toEqual(Array.from({ length: ENTRIES }, (_, n) => 13 + n));
  });

  test("serves a smaller load from the cache, and reads the file for a larger one", async () => {
    const { file, store } = await open();
    await createRecords(store, at, 30);
    await load(store);
    scribble(file);
    expect(succeeded(await store.load(at, 1)).entries).toEqual([{ version: 29, entry: record(29).entry }]);
    expect(succeeded(await store.load(at, 20)).entries.map((row) => row.entry)).toContain("scribbled");
  });

  test.each([
    ["a record", async (other: ThreadStore) => void succeeded(await other.append(at, record(3)))],
    ["its removal", async (other: ThreadStore) => void succeeded(await other.remove(at))],
    [
      "its removal and a new thread with the same id",
      async (other: ThreadStore) => {
        succeeded(await other.remove(at));
        succeeded(await other.create(at, record(0, { entry: "another" }), null));
        for (const version of [1, 2]) succeeded(await other.append(at, record(version, { entry: "another" })));
      },
    ],
  ])("is read again after another connection wrote %s", async (_what, write) => {
    const { store } = await open();
    await createRecords(store, at, 3);
    await load(store);
    const { store: other } = await open();
    await write(other);
    expect(await store.load(at, ENTRIES)).toEqual(await other.load(at, ENTRIES));
  });

  test("is not read again after another connection changed another thread, and its own append is still cached", async () => {
    const { file, store } = await open();
    await createRecords(store, at, 3);
    await load(store);
    const { store: other } = await open();
    await createRecords(other, threadAt(2), 1);
    succeeded(await store.append(at, record(3)));
    succeeded(await other.append(threadAt(2), record(1)));
    // Only the newest record is compared with the file.
    file.db.exec("UPDATE records SET entry = 'scribbled' WHERE version < 3");
    expect((await read(store)).entries.map((row) => row.entry)).toEqual([0, 1, 2, 3].map((n) => record(n).entry));
  });

  test("is read again after another connection wrote between two appends of this one", async () => {
    const { store } = await open();
    await createRecords(store, at, 3);
    await load(store);
    const { store: other } = await open();
    succeeded(await other.remove(at));
    await createRecords(other, at, 3);
    succeeded(await store.append(at, record(3)));
    expect(await load(store)).toEqual(await load(other));
  });

  test("is read again after a commit that failed midway, and after one that lost", async () => {
    const { file, store } = await open();
    await createRecords(store, at, 3);
    await load(store);
    file.db.exec("CREATE TRIGGER no_metas BEFORE INSERT ON metas BEGIN SELECT raise(ABORT, 'no'); END");
    await expect(store.append(at, record(3), { meta: meta(1) })).rejects.toThrow("no");
    scribble(file);
    expect((await load(store)).entries.map((row) => row.entry)).toEqual(Array(3).fill("scribbled"));
    expect(await store.append(at, record(2, { commit_id: "cmt_late" }))).toMatchObject({ ok: false });
    expect(versions(await load(store))).toEqual([0, 1, 2]);
  });

  test("is not found after its removal", async () => {
    const { store } = await open();
    await createRecords(store, at, 3);
    await load(store);
    succeeded(await store.remove(at));
    expect(await store.load(at, ENTRIES)).toMatchObject({ ok: false, problem: { code: "thread_not_found" } });
  });

  test("is returned with text that UTF-8 can represent", async () => {
    const { store } = await open();
    await createRecords(store, at, 3);
    await load(store);
    succeeded(await store.append(at, record(3, { entry: '"half \ud83d"', state: '"\udc00 half"' })));
    const cache = await load(store);
    expect(cache).toEqual(await load((await open()).store));
    expect(cache.head.state).toBe('"\ufffd half"');
  });
});

test("cached rows are limited in size, and the most recently used ones are kept", () => {
  const db = new DatabaseSync(":memory:");
  const cache = createRowCache(db, 100);
  const rowsOf = (version: number): LoadedRows => ({
    head: { version, state: "s".repeat(10) },
    entries: [{ version, entry: "e".repeat(10) }],
  });
  const refs = Array.from({ length: 20 }, (_, n) => threadAt(100 + n));
  expect(cache.get(at, 1)).toBeNull();
  for (const [n, ref] of refs.entries()) {
    for (const _ of ["read", "read again"]) cache.set(ref, 1, rowsOf(n));
    expect(cache.get(refs[0] ?? at, 1)?.head.version).toBe(0);
  }
  const known = refs.filter((ref) => cache.get(ref, 1) !== null);
  expect(known).toEqual([refs[0], ...refs.slice(-4)]);
  for (const _ of ["read", "read again"])
    cache.set(at, 1, { head: { version: 0, state: "s".repeat(101) }, entries: [] });
  expect(cache.get(at, 1)).toBeNull();
  db.close();
});

test("with more threads than fit, read alternately, none is cached", () => {
  const db = new DatabaseSync(":memory:");
  const cache = createRowCache(db, 100);
  const rows: LoadedRows = {
    head: { version: 0, state: "s".repeat(10) },
    entries: [{ version: 0, entry: "e".repeat(10) }],
  };
  const rounds = (threads: number): number => {
    let known = 0;
    for (let n = 0; n < 5 * threads; n += 1) {
      const ref = threadAt(100 + (n % threads));
      if (cache.get(ref, 1)) known += 1;
      else cache.set(ref, 1, rows);
    }
    return known;
  };
  expect(rounds(6)).toBe(0);
  expect(rounds(4)).toBeGreaterThanOrEqual(3 * 4);
  db.close();
});
