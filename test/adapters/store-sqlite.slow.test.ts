// Tests the SQLite store under real conditions: other processes, a busy file, a full disk and kills.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSqliteStore, type SqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { type OpenFile, openFile } from "../../src/adapters/store-sqlite/open.ts";
import { createSettingsStore } from "../../src/adapters/store-sqlite/settings-store.ts";
import { createThreadStore } from "../../src/adapters/store-sqlite/thread-store.ts";
import type { StoredRecord, ThreadStore } from "../../src/ports/thread-store.ts";
import { ok } from "../../src/schema/problem.ts";
import { succeeded } from "../../src/testing/expect.ts";
import {
  ACME,
  createListed,
  createRecords,
  delivery,
  headVersion,
  meta,
  record,
  threadAt,
} from "../../src/testing/thread-store/fixtures.ts";

const at = threadAt();
const WRITER = new URL("../support/sqlite-writer.ts", import.meta.url).pathname;
const unavailable = { ok: false, problem: { code: "store_unavailable" } };

let folder = "";
let path = "";
const stores: { close: () => Promise<void> }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-sqlite-"));
  path = join(folder, "pawl.db");
});

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(folder, { recursive: true });
});

async function open(patience_ms = 5_000): Promise<SqliteStore> {
  const store = succeeded(await createSqliteStore({ path, patience_ms }));
  stores.push(store);
  return store;
}

/** Opens the store on a file whose connection the test can configure. */
async function openOn(): Promise<{ file: OpenFile; threads: ThreadStore }> {
  const file = succeeded(await openFile({ path }));
  const threads = createThreadStore(file);
  stores.push(threads);
  return { file, threads };
}

function asked(question: string): unknown {
  const db = new DatabaseSync(path);
  const [answer] = Object.values(db.prepare(question).get() ?? {});
  db.close();
  return answer;
}

const integrity = (): unknown => asked("PRAGMA integrity_check");

type Writer = { child: ChildProcess; output: () => string; done: Promise<unknown> };

function startWriter(name: string, ms: number): Writer {
  const child = spawn(process.execPath, [WRITER, path, name, String(ms)], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  return { child, output: () => output, done: once(child, "close") };
}

const acknowledged = (writer: Writer): number[] =>
  [...writer.output().matchAll(/^acknowledged (\d+)$/gm)].map((match) => Number(match[1]));

async function allRecords(store: ThreadStore): Promise<StoredRecord[]> {
  const rows: StoredRecord[] = [];
  for (;;) {
    const page = succeeded(await store.records(at, { after: rows.length - 1, limit: 500 }));
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

describe("two processes on one file", () => {
  test("every acknowledged record of both is stored once, without a gap", async () => {
    const writers = { left: startWriter("left", 2_000), right: startWriter("right", 2_000) };
    await Promise.all(Object.values(writers).map((writer) => writer.done));
    const rows = await allRecords((await open()).threads);
    expect(rows.map((row) => row.version)).toEqual(rows.map((_, n) => n));
    for (const [name, writer] of Object.entries(writers)) {
      const stored = rows.filter((row) => row.version > 0 && row.commit_id.startsWith(name));
      expect(stored.map((row) => row.version)).toEqual(acknowledged(writer));
      expect(stored.length).toBeGreaterThan(20);
      const tally = JSON.parse(/^tally (.*)$/m.exec(writer.output())?.[1] ?? "{}");
      expect(tally.unavailable).toBe(0);
      expect(tally.ticks).toBeGreaterThan(20);
    }
    expect(integrity()).toBe("ok");
  });

  test("four processes can create the file concurrently", async () => {
    const writers = ["a", "b", "c", "d"].map((name) => startWriter(name, 300));
    await Promise.all(writers.map((writer) => writer.done));
    const tallies = writers.map((writer) => JSON.parse(/^tally (.*)$/m.exec(writer.output())?.[1] ?? "{}"));
    expect(tallies.filter((tally) => tally.created)).toHaveLength(1);
    const rows = await allRecords((await open()).threads);
    expect(rows).toHaveLength(1 + writers.flatMap(acknowledged).length);
    expect(integrity()).toBe("ok");
  });

  test("a killed process loses no acknowledged record", async () => {
    for (let round = 0; round < 3; round += 1) {
      const writer = startWriter(`round${round}`, 20_000);
      while (acknowledged(writer).length < 30 && writer.child.exitCode === null) await sleep(10);
      writer.child.kill("SIGKILL");
      await writer.done;
      const store = (await open()).threads;
      const rows = await allRecords(store);
      const seen = acknowledged(writer);
      expect(seen.length).toBeGreaterThanOrEqual(30);
      for (const version of seen) expect(rows[version]?.commit_id).toBe(`round${round}-${version}`);
      await store.close();
      expect(integrity()).toBe("ok");
    }
  });
});

describe("a busy file", () => {
  test("is awaited without blocking the event loop, even with many writers", async () => {
    const { threads } = await open();
    for (let n = 1; n <= 40; n += 1) await createRecords(threads, threadAt(n), 1);
    const blocker = new DatabaseSync(path);
    blocker.exec("BEGIN IMMEDIATE");
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 5);
    const appends = Array.from({ length: 40 }, (_, n) => threads.append(threadAt(n + 1), record(1)));
    // If each of the forty writers blocked the thread, there would be no time for these.
    const reading = threads.load(threadAt(7), 17);
    await sleep(700);
    const ticksWhileBusy = ticks;
    blocker.exec("COMMIT");
    blocker.close();
    for (const result of await Promise.all(appends)) expect(result).toEqual(ok(1));
    clearInterval(ticking);
    expect(await reading).toMatchObject({ ok: true, value: { head: { version: 0 } } });
    expect(ticksWhileBusy).toBeGreaterThanOrEqual(8);
  });

  test("that stays busy gives store_unavailable, stores nothing, and works again afterwards", async () => {
    const { threads, settings } = await open(150);
    await createListed(threads, 1);
    const blocker = new DatabaseSync(path);
    blocker.exec("BEGIN IMMEDIATE");
    const also = { meta: meta(1, { goal: "never" }), outbox: [delivery(1, at)] };
    expect(await threads.append(at, record(1))).toMatchObject(unavailable);
    expect(await threads.append(at, record(1), also)).toMatchObject(unavailable);
    expect(await threads.putBlob(at, "h1", "one")).toMatchObject(unavailable);
    expect(await threads.remove(at)).toMatchObject(unavailable);
    expect(
      await settings.save(ACME, { tools: {}, agents: {}, schedules: [], webhooks: [], hooks: [] }, 0),
    ).toMatchObject(unavailable);
    expect(await headVersion(threads, at)).toBe(0);
    blocker.exec("ROLLBACK");
    blocker.close();
    expect(succeeded(await threads.list(ACME, { limit: 10 }))).toEqual([meta(1)]);
    expect(await threads.append(at, record(1), also)).toEqual(ok(1));
  });

  test("can be opened as soon as it is free", async () => {
    await (await open()).close();
    const blocker = new DatabaseSync(path);
    blocker.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    const opening = createSqliteStore({ path });
    await sleep(200);
    blocker.close();
    stores.push(succeeded(await opening));
  });
});

/** Appends until the disk is full and returns the last acknowledged version. */
async function appendUntilFull(threads: ThreadStore): Promise<number> {
  const entry = "x".repeat(8_000);
  for (let version = 1; version < 500; version += 1) {
    const result = await threads.append(at, record(version, { entry }));
    if (result.ok) continue;
    expect(result).toMatchObject(unavailable);
    return version - 1;
  }
  throw new Error("the disk never became full");
}

describe("a store that cannot write", () => {
  test("a full disk gives store_unavailable for a hundred turns, acknowledges nothing, and recovers", async () => {
    const { file, threads } = await openOn();
    const settings = createSettingsStore(file);
    await createListed(threads, 1);
    const pages = Number(file.db.prepare("PRAGMA page_count").get()?.page_count);
    file.db.exec(`PRAGMA max_page_count = ${pages + 40}`);
    const head = await appendUntilFull(threads);
    const entry = "x".repeat(200_000);
    for (let n = 0; n < 100; n += 1) {
      const also = n % 2 ? { meta: meta(1, { goal: "x".repeat(50_000) }), outbox: [delivery(n, at)] } : {};
      expect(await threads.append(at, record(head + 1, { entry }), also)).toMatchObject(unavailable);
    }
    expect(await threads.putBlob(at, "h1", entry)).toMatchObject(unavailable);
    expect(await threads.create(threadAt(2), record(0, { entry }), meta(2))).toMatchObject(unavailable);
    const tools = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`tool_${n}`, true]));
    expect(await settings.save(ACME, { tools, agents: {}, schedules: [], webhooks: [], hooks: [] }, 0)).toMatchObject(
      unavailable,
    );
    expect(await headVersion(threads, at)).toBe(head);
    expect(succeeded(await threads.list(ACME, { limit: 10 }))).toEqual([meta(1)]);
    expect(succeeded(await threads.dueDeliveries(Number.MAX_SAFE_INTEGER, 10))).toEqual([]);
    file.db.exec("PRAGMA max_page_count = 1000000");
    expect(await threads.append(at, record(head + 1, { entry }))).toEqual(ok(head + 1));
    await threads.close();
    expect(integrity()).toBe("ok");
  });

  test("a read-only file gives store_unavailable for writes and can still be read", async () => {
    const { file, threads } = await openOn();
    await createListed(threads, 1);
    file.db.exec("PRAGMA query_only = ON");
    expect(await threads.append(at, record(1))).toMatchObject(unavailable);
    expect(await threads.append(at, record(1), { meta: meta(1) })).toMatchObject(unavailable);
    expect(await threads.remove(at)).toMatchObject(unavailable);
    expect(await headVersion(threads, at)).toBe(0);
    file.db.exec("PRAGMA query_only = OFF");
    expect(await threads.append(at, record(1))).toEqual(ok(1));
  });

  test.each([
    ["a path where no folder can be created", () => join(path, "below", "pawl.db"), () => writeFileSync(path, "")],
    ["a folder", () => folder, () => undefined],
    ["a file that is not a database", () => path, () => writeFileSync(path, "not a database".repeat(1_000))],
  ])("opening %s gives store_unavailable", async (_name, pathOf, prepare) => {
    prepare();
    expect(await createSqliteStore({ path: pathOf() })).toMatchObject(unavailable);
  });

  test("a call after close gives store_unavailable", async () => {
    const store = await open();
    await createRecords(store.threads, at, 1);
    await store.close();
    expect(await store.threads.load(at, 17)).toMatchObject(unavailable);
    expect(await store.threads.append(at, record(1))).toMatchObject(unavailable);
    expect(await store.threads.append(at, record(1), { meta: meta(1) })).toMatchObject(unavailable);
    expect(await store.settings.load(ACME)).toMatchObject(unavailable);
  });
});
