// Tests the SQLite store and its file: schema, privacy, durability, lost replies, and the cost of the hot path.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSqliteStore, type SqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { VERSION_WITH_FORKS } from "../../src/adapters/store-sqlite/forks.ts";
import { PAGES } from "../../src/adapters/store-sqlite/metas.ts";
import { SCHEMA_VERSION } from "../../src/adapters/store-sqlite/migrations.ts";
import { type OpenFile, openFile } from "../../src/adapters/store-sqlite/open.ts";
import { createThreadStore } from "../../src/adapters/store-sqlite/thread-store.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { fail, ok, type Result } from "../../src/schema/problem.ts";
import { succeeded } from "../../src/testing/expect.ts";
import {
  createListed,
  createRecords,
  headVersion,
  meta,
  record,
  threadAt,
} from "../../src/testing/thread-store/fixtures.ts";
import { logUseOf } from "../support/wal-log.ts";

const at = threadAt();

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

async function open(): Promise<SqliteStore> {
  const store = succeeded(await createSqliteStore({ path }));
  stores.push(store);
  return store;
}

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

describe("a commit whose reply was lost", () => {
  /** Does the work, then loses the reply. */
  const forgetful = (file: OpenFile): OpenFile => ({
    ...file,
    write: async <T>(work: () => Result<T>): Promise<Result<T>> => {
      work();
      return fail("store_unavailable", "The answer was lost.");
    },
  });

  test("is recognized by its commit id", async () => {
    const { file, threads } = await openOn();
    const blind = createThreadStore(forgetful(file));
    expect(await blind.create(at, record(0), meta(1))).toEqual(ok(0));
    expect(await blind.append(at, record(1))).toEqual(ok(1));
    expect(await blind.append(at, record(2), { meta: meta(1, { version: 2 }) })).toEqual(ok(2));
    expect(await headVersion(threads, at)).toBe(2);
  });

  test("is not confused with another commit at the same version", async () => {
    const { file, threads } = await openOn();
    await createRecords(threads, at, 2);
    const late = record(1, { commit_id: "cmt_late" });
    expect(await createThreadStore(forgetful(file)).append(at, late)).toMatchObject({
      ok: false,
      problem: { code: "store_unavailable" },
    });
    const rows = succeeded(await threads.records(at, { after: -1, limit: 10 }));
    expect(rows).toEqual([record(0), record(1)]);
  });
});

describe("the file", () => {
  test("gets the newest schema, whether the database is empty or missing", async () => {
    new DatabaseSync(path).close();
    await (await open()).close();
    expect(asked("PRAGMA user_version")).toBe(SCHEMA_VERSION);
    expect(asked("PRAGMA journal_mode")).toBe("wal");
    expect(asked("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT'")).toBe(5);
  });

  test("with a newer schema is refused with newer_version and left unchanged", async () => {
    const db = new DatabaseSync(path);
    db.exec("CREATE TABLE future (x); PRAGMA user_version = 99");
    db.close();
    const before = readFileSync(path);
    const refused = await createSqliteStore({ path });
    expect(refused).toMatchObject({
      ok: false,
      problem: { code: "newer_version", details: { found: 99, known: VERSION_WITH_FORKS } },
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test("is self-contained after close and can be reopened with all data", async () => {
    const store = await open();
    await createListed(store.threads, 1);
    await store.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(await headVersion((await open()).threads, at)).toBe(0);
  });

  test("and its folder are accessible to the owner only", async () => {
    path = join(folder, "data", "pawl.db");
    const store = await open();
    await createRecords(store.threads, at, 2);
    for (const name of [path, `${path}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o700);
  });

  test.each([
    [{}, 2],
    [{ synchronous: "NORMAL" as const }, 1],
  ])("is opened with the durability of %j", async (options, level) => {
    const file = succeeded(await openFile({ path, ...options }));
    expect(file.db.prepare("PRAGMA synchronous").get()?.synchronous).toBe(level);
    file.db.close();
  });
});

/** Returns the same file, and records every statement that it runs. */
function watched(file: OpenFile): { file: OpenFile; statements: string[] } {
  const statements: string[] = [];
  const watch = (statement: StatementSync): StatementSync =>
    new Proxy(statement, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return (...given: unknown[]) => {
          statements.push(target.sourceSQL.trim().split(" ", 1)[0] ?? "");
          return method.apply(target, given);
        };
      },
    });
  const db = new Proxy(file.db, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => watch(target.prepare(sql));
      if (name === "exec") {
        return (sql: string) => {
          statements.push(sql);
          target.exec(sql);
        };
      }
      return Reflect.get(target, name);
    },
  });
  return { file: { ...file, db }, statements };
}

describe("the hot path", () => {
  test("a load is one query and an append without meta is one statement", async () => {
    await createRecords((await openOn()).threads, at, 40);
    // The thread is in the cache of another process, the one that created it.
    const seen = watched((await openOn()).file);
    const store = createThreadStore(seen.file);
    expect(succeeded(await store.load(at, 17)).entries).toHaveLength(17);
    expect(seen.statements).toEqual(["SELECT"]);
    expect(await store.append(at, record(40))).toEqual(ok(40));
    expect(seen.statements).toEqual(["SELECT", "INSERT"]);
  });

  test("an append with meta is one commit, and the meta row is updated where it is", async () => {
    const { file, threads } = await openOn();
    await createListed(threads, 1);
    const seen = watched(file);
    const store = createThreadStore(seen.file);
    const append = async () => expect(await store.append(at, record(1), { meta: meta(1) })).toEqual(ok(1));
    expect((await logUseOf(path, append)).commits).toBe(1);
    expect(seen.statements).toEqual(["INSERT", "SELECT", "UPDATE"]);
  });

  test.each([
    ["all", "metas_by_age"],
    ["byState", "metas_by_state"],
    ["gated", "metas_gated"],
    ["byActivity", "metas_by_activity (tenant=? AND <expr><?)"],
  ] as const)("a page of the list (%s) is read from its index, without sorting", async (kind, index) => {
    const { file } = await openOn();
    const plan = file.db.prepare(`EXPLAIN QUERY PLAN ${PAGES[kind]}`).all();
    const steps = plan.map((row) => String(row.detail)).join("\n");
    expect(steps).toContain(`SEARCH metas USING INDEX ${index}`);
    expect(steps).not.toContain("TEMP B-TREE");
  });
});

test("a file of an earlier release gets the index by activity, and rows that it cannot read keep their place", async () => {
  const { file, threads } = await openOn();
  for (const n of [1, 2, 3]) await createListed(threads, n);
  file.db.exec("DROP INDEX metas_by_activity");
  file.db.prepare("UPDATE metas SET body = '{' WHERE thread = ?").run(meta(2).thread);
  expect(file.db.prepare("PRAGMA user_version").get()?.user_version).toBe(1);
  await threads.close();
  const again = await openOn();
  const rows = succeeded((await again.threads.listByActivity?.(at.tenant, null, 10)) ?? ok([]));
  expect(rows.map(({ thread, damaged }) => [thread, damaged ?? false])).toEqual([
    [meta(3).thread, false],
    [meta(2).thread, true],
    [meta(1).thread, false],
  ]);
  expect(again.file.db.prepare("PRAGMA user_version").get()?.user_version).toBe(1);
});

test("the first fork sets the version that earlier releases refuse, and the file still opens here", async () => {
  const { threads } = await openOn();
  await createRecords(threads, at, 3);
  expect(asked("PRAGMA user_version")).toBe(SCHEMA_VERSION);
  const forked = await threads.fork?.(at, threadAt(2).thread, record(2), meta(2));
  expect(forked?.ok).toBe(true);
  expect(asked("PRAGMA user_version")).toBe(VERSION_WITH_FORKS);
  const again = await openOn();
  expect(asked("PRAGMA user_version")).toBe(VERSION_WITH_FORKS);
  expect(succeeded(await again.threads.records(threadAt(2), { after: -1, limit: 10 }))).toHaveLength(3);
});

test("a removed origin leaves only the rows that its forks need", async () => {
  const { threads } = await openOn();
  await createRecords(threads, at, 9);
  const [early, late] = ["a".repeat(64), "b".repeat(64)];
  for (const hash of [early, late]) succeeded(await threads.putBlob(at, hash, hash));
  const head = record(4, { state: `{"blob":"${early}"}` });
  for (const n of [2, 3]) succeeded((await threads.fork?.(at, threadAt(n).thread, head, meta(n))) ?? ok(0));
  succeeded(await threads.remove(at));
  expect(asked("SELECT count(*) FROM records")).toBe(4 + 2);
  expect(asked("SELECT group_concat(hash) FROM blobs")).toBe(early);
  expect(asked("SELECT count(*) FROM forks")).toBe(1);
  for (const n of [2, 3]) {
    expect(succeeded(await threads.getBlob(threadAt(n), early))).toBe(early);
    succeeded(await threads.remove(threadAt(n)));
  }
  for (const table of ["records", "blobs", "forks", "metas"]) expect(asked(`SELECT count(*) FROM ${table}`)).toBe(0);
});

test("a damaged row of the list is marked, and the page continues after it", async () => {
  const { file, threads } = await openOn();
  for (const n of [1, 2, 3]) await createListed(threads, n);
  const all = succeeded(await threads.list(at.tenant, { limit: 10 }));
  const [newest, damaged, oldest] = all.map(({ thread }) => thread);
  file.db.prepare("UPDATE metas SET body = '{' WHERE thread = ?").run(damaged ?? "");
  const listed = succeeded(await threads.list(at.tenant, { limit: 10 }));
  expect(listed.map(({ thread }) => thread)).toEqual([newest, damaged, oldest]);
  expect(listed.map((row) => row.damaged)).toEqual([undefined, true, undefined]);
  const last = listed[1];
  if (!last) throw new Error("the row is gone");
  const next = succeeded(await threads.list(at.tenant, { limit: 10, after: last }));
  expect(next.map(({ thread }) => thread)).toEqual([oldest]);
});
