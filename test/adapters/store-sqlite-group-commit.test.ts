// Tests that writes of one event-loop turn share a commit. A bad one fails alone, and no caller learns of a commit
// before it is durable.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ALONE_COMMITS } from "../../src/adapters/store-sqlite/group-commit.ts";
import { type OpenFile, openFile } from "../../src/adapters/store-sqlite/open.ts";
import { createThreadStore } from "../../src/adapters/store-sqlite/thread-store.ts";
import { ENTRY_BYTES_MAX, type ThreadStore } from "../../src/ports/thread-store.ts";
import { ok } from "../../src/schema/problem.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { createRecords, delivery, meta, record, threadAt } from "../../src/testing/thread-store/fixtures.ts";
import { logUseOf } from "../support/wal-log.ts";

const THREADS = 8;
const places = Array.from({ length: THREADS }, (_, n) => threadAt(n + 1));

let folder = "";
let path = "";
let file: OpenFile;
let store: ThreadStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pawl-group-"));
  path = join(folder, "pawl.db");
  file = succeeded(await openFile({ path, patience_ms: 150 }));
  store = createThreadStore(file);
  for (const at of places) await createRecords(store, at, 1);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const appendToAll = () => Promise.all(places.map((at) => store.append(at, record(1))));

/** Reads the heads from the file through another connection. */
function storedHeads(): number[] {
  const db = new DatabaseSync(path);
  const rows = db.prepare("SELECT max(version) AS head FROM records GROUP BY tenant, thread ORDER BY thread").all();
  db.close();
  return rows.map((row) => Number(row.head));
}

describe("the appends of one event-loop turn", () => {
  test("are one commit", async () => {
    expect((await logUseOf(path, appendToAll)).commits).toBe(1);
    expect(storedHeads()).toEqual(Array(THREADS).fill(1));
  });

  test("are one commit each if they follow each other", async () => {
    const one = async () => {
      for (const at of places) succeeded(await store.append(at, record(1)));
    };
    expect((await logUseOf(path, one)).commits).toBe(THREADS);
  });

  test("are in the file when the first of them is answered", async () => {
    const first = Promise.race(places.map((at) => store.append(at, record(1))));
    expect(await first).toEqual(ok(1));
    expect(storedHeads()).toEqual(Array(THREADS).fill(1));
  });

  test("to one thread: one wins, and the others learn the new version", async () => {
    const [at = threadAt()] = places;
    const rivals = Array.from({ length: 4 }, (_, n) => store.append(at, record(1, { commit_id: `cmt_rival_${n}` })));
    const results = await Promise.all(rivals);
    expect(results.map((result) => result.ok)).toEqual([true, false, false, false]);
    expect(results[1]).toMatchObject({ problem: { code: "thread_moved", details: { version: 1 } } });
    expect(succeeded(await store.load(at, 17)).head.version).toBe(1);
  });

  test("find the thread as the writes before them in the same commit left it", async () => {
    const [gone = threadAt(), kept = threadAt()] = places;
    for (const at of [gone, kept]) succeeded(await store.load(at, 17));
    const results = await Promise.all([
      store.remove(gone),
      store.append(gone, record(1)),
      store.append(kept, record(1)),
    ]);
    expect(results).toMatchObject([{ ok: true }, { problem: { code: "thread_not_found" } }, ok(1)]);
    expect(await store.load(gone, 17)).toMatchObject({ problem: { code: "thread_not_found" } });
  });

  test("to one thread one after the other, requested at once, leave the newest record as its head", async () => {
    const [at = threadAt()] = places;
    for (const _ of ["read", "read again"]) succeeded(await store.load(at, 17));
    const results = await Promise.all([1, 2, 3].map((version) => store.append(at, record(version))));
    expect(results).toEqual([ok(1), ok(2), ok(3)]);
    expect(succeeded(await store.load(at, 17)).entries.map(({ version }) => version)).toEqual([0, 1, 2, 3]);
  });
});

describe("a bad append among good ones", () => {
  const [bad = threadAt(), ...good] = places;
  const appendGood = () => Promise.all(good.map((at) => store.append(at, record(1), { outbox: [delivery(1, at)] })));
  const goodHeads = () => storedHeads().slice(1);

  test.each([
    ["that is too late", record(0, { commit_id: "cmt_late" }), "thread_moved"],
    ["that leaves a gap", record(7), "thread_moved"],
    ["that is too large", record(1, { entry: "x".repeat(ENTRY_BYTES_MAX + 1) }), "record_too_large"],
  ])("%s fails alone", async (_what, refused, code) => {
    const [result, others] = await Promise.all([store.append(bad, refused), appendGood()]);
    expect(result).toMatchObject({ ok: false, problem: { code } });
    expect(others).toEqual(good.map(() => ok(1)));
    expect(goodHeads()).toEqual(good.map(() => 1));
  });

  test("that throws half way leaves nothing behind, and the others are stored once", async () => {
    file.db.exec(`CREATE TRIGGER refuse BEFORE INSERT ON metas WHEN NEW.body LIKE '%poison%'
      BEGIN SELECT raise(ABORT, 'refused'); END`);
    const poisoned = store.append(bad, record(1), { meta: meta(1, { goal: "poison" }), outbox: [delivery(9, bad)] });
    const [thrown, others] = await Promise.allSettled([poisoned, appendGood()]);
    expect(thrown).toMatchObject({ status: "rejected", reason: { message: "refused" } });
    expect(others).toMatchObject({ status: "fulfilled", value: good.map(() => ok(1)) });
    expect(storedHeads()).toEqual([0, ...good.map(() => 1)]);
    const waiting = succeeded(await store.dueDeliveries(Number.MAX_SAFE_INTEGER, 100));
    expect(waiting).toHaveLength(good.length);
    expect(succeeded(await store.load(bad, 17)).head.version).toBe(0);
  });

  test("that fills the disk is store_unavailable, and those that fit are stored", async () => {
    const pages = Number(file.db.prepare("PRAGMA page_count").get()?.page_count);
    file.db.exec(`PRAGMA max_page_count = ${pages + 12}`);
    const [result, others] = await Promise.all([
      store.append(bad, record(1, { entry: "x".repeat(200_000) })),
      appendGood(),
    ]);
    expect(result).toMatchObject({ ok: false, problem: { code: "store_unavailable" } });
    expect(others).toEqual(good.map(() => ok(1)));
    expect(storedHeads()).toEqual([0, ...good.map(() => 1)]);
  });
});

describe("after many commits of one append each", () => {
  const [at = threadAt(), ...others] = places;
  let version = 0;
  const append = async () => succeeded(await store.append(at, record(++version)));

  beforeEach(async () => {
    version = 0;
    for (let n = 0; n < ALONE_COMMITS; n += 1) await append();
  });

  /** The number of event-loop turns that end while the work runs. */
  async function turnsOf(work: () => Promise<unknown>): Promise<number> {
    let turns = 0;
    let done = false;
    const count = (): void => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    await work();
    done = true;
    return turns;
  }

  test("an append does not wait for the end of the event-loop turn", async () => {
    expect(await turnsOf(append)).toBe(0);
    expect(storedHeads()[0]).toBe(ALONE_COMMITS + 1);
  });

  test("appends that follow each other still let the event loop go on", async () => {
    const many = async () => {
      for (let n = 0; n < 4 * ALONE_COMMITS; n += 1) await append();
    };
    expect(await turnsOf(many)).toBeGreaterThanOrEqual(4);
  });

  test("appends of one event-loop turn soon share a commit again", async () => {
    const rounds = 2 * ALONE_COMMITS;
    const inRounds = async () => {
      for (let n = 1; n <= rounds; n += 1) {
        const together = others.map((other) => store.append(other, record(n)));
        for (const result of await Promise.all(together)) succeeded(result);
      }
    };
    const { commits } = await logUseOf(path, inRounds);
    expect(commits).toBeLessThanOrEqual(rounds + ALONE_COMMITS);
    expect(storedHeads().slice(1)).toEqual(others.map(() => rounds));
    const once = () => Promise.all(others.map((other) => store.append(other, record(rounds + 1))));
    expect((await logUseOf(path, once)).commits).toBe(1);
  });

  test("an append that is refused or throws fails alone, and the next one is stored", async () => {
    file.db.exec(`CREATE TRIGGER refuse BEFORE INSERT ON metas WHEN NEW.body LIKE '%poison%'
      BEGIN SELECT raise(ABORT, 'refused'); END`);
    expect(await store.append(at, record(0, { commit_id: "cmt_late" }))).toMatchObject({
      problem: { code: "thread_moved" },
    });
    const poisoned = store.append(at, record(version + 1), { meta: meta(1, { goal: "poison" }) });
    await expect(poisoned).rejects.toMatchObject({ message: "refused" });
    await append();
    expect(storedHeads()[0]).toBe(ALONE_COMMITS + 1);
  });

  test("an append waits for a busy file without blocking", async () => {
    const blocker = new DatabaseSync(path);
    blocker.exec("BEGIN IMMEDIATE");
    const waiting = append();
    await sleep(30);
    blocker.exec("ROLLBACK");
    blocker.close();
    expect(await waiting).toBe(version);
  });
});

test("a group waits for a busy file without blocking, and all of it is stored or unavailable", async () => {
  const blocker = new DatabaseSync(path);
  blocker.exec("BEGIN IMMEDIATE");
  const refused = await appendToAll();
  for (const result of refused) expect(result).toMatchObject({ problem: { code: "store_unavailable" } });
  const waiting = appendToAll();
  await sleep(30);
  blocker.exec("ROLLBACK");
  blocker.close();
  expect(await waiting).toEqual(places.map(() => ok(1)));
  expect(storedHeads()).toEqual(places.map(() => 1));
});

test("a commit that fails acknowledges none of its group", async () => {
  file.db.exec("PRAGMA query_only = ON");
  for (const result of await appendToAll()) expect(result).toMatchObject({ problem: { code: "store_unavailable" } });
  file.db.exec("PRAGMA query_only = OFF");
  expect(storedHeads()).toEqual(places.map(() => 0));
  expect(await appendToAll()).toEqual(places.map(() => ok(1)));
});

test("closing the store commits what is waiting", async () => {
  const appended = appendToAll();
  await store.close();
  expect(await appended).toEqual(places.map(() => ok(1)));
  expect(storedHeads()).toEqual(places.map(() => 1));
});
