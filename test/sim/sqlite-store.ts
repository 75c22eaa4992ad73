// A share of the histories runs on real SQLite files with a connection per server slot. Every operation is also applied to
// the memory store, which the invariants read: both must give the same result, so what holds for one holds for the other.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, type MemoryData } from "../../src/adapters/store-memory.ts";
import { createSqliteStore, type SqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import type { Result } from "../../src/schema/problem.ts";
import { roll, STREAMS } from "./random.ts";
import type { Process, World } from "./world.ts";

const SQLITE_SHARE = 0.02;
const CONNECTIONS = 2;
const STANDING_CLOCK: Clock = { now: () => 0, sleep: () => Promise.reject(new Error("the file is busy")) };

export const runsOnSqlite = (seed: number): boolean => roll(seed, STREAMS.sqlite, 0) < SQLITE_SHARE;

export type SqliteFile = {
  readonly store: (process: Process) => ThreadStore;
  /** Operations with another result than in memory. */
  readonly differences: readonly string[];
  readonly close: () => Promise<void>;
};

export async function openSqliteFile(data: MemoryData, { trackReal }: Pick<World, "trackReal">): Promise<SqliteFile> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-sim-"));
  const connections: SqliteStore[] = [];
  for (let n = 0; n < CONNECTIONS; n += 1) {
    // A history does not cut the power, and how long an operation really takes must not change its course.
    const opened = await createSqliteStore({
      path: join(folder, "pawl.db"),
      synchronous: "NORMAL",
      clock: STANDING_CLOCK,
    });
    if (!opened.ok) throw new Error(opened.problem.message);
    connections.push(opened.value);
  }
  const differences: string[] = [];
  const memory = createMemoryStore(data);
  let last: Promise<unknown> = Promise.resolve();
  /** One operation after the other, so that both stores see the same order. */
  const both = <T>(name: string, run: (store: ThreadStore) => Promise<Result<T>>, sqlite: ThreadStore) => {
    const result = last.then(async () => {
      const [stored, expected] = [await run(sqlite), await run(memory)];
      if (summary(stored) !== summary(expected))
        differences.push(`I23 ${name}: SQLite gives ${summary(stored)}, memory gives ${summary(expected)}`);
      return stored;
    });
    last = result;
    return trackReal(result);
  };
  return {
    store: ({ slot }) => mirrored((connections[slot % CONNECTIONS] ?? fallback(connections)).threads, both),
    differences,
    close: async () => {
      for (const connection of connections) await connection.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function fallback([first]: readonly SqliteStore[]): SqliteStore {
  if (!first) throw new Error("no connection is open");
  return first;
}

const summary = (result: Result<unknown>): string =>
  result.ok ? JSON.stringify(result.value ?? null) : `${result.problem.code} ${result.problem.details?.version ?? ""}`;

type Both = <T>(
  name: string,
  run: (store: ThreadStore) => Promise<Result<T>>,
  sqlite: ThreadStore,
) => Promise<Result<T>>;

function createFromSnapshot(
  store: ThreadStore,
  ...[at, snapshot]: Parameters<NonNullable<ThreadStore["createFromSnapshot"]>>
) {
  if (!store.createFromSnapshot) throw new Error("the store creates threads from snapshots");
  return store.createFromSnapshot(at, snapshot);
}

const mirrored = (sqlite: ThreadStore, both: Both): ThreadStore => ({
  create: (at, record, meta) => both("create", (store) => store.create(at, record, meta), sqlite),
  createFromSnapshot: (at, snapshot) =>
    both("createFromSnapshot", (store) => createFromSnapshot(store, at, snapshot), sqlite),
  load: (at, entries) => both("load", (store) => store.load(at, entries), sqlite),
  append: (at, record, also) => both("append", (store) => store.append(at, record, also), sqlite),
  records: (at, range) => both("records", (store) => store.records(at, range), sqlite),
  list: (tenant, query) => both("list", (store) => store.list(tenant, query), sqlite),
  putBlob: (at, hash, text) => both("putBlob", (store) => store.putBlob(at, hash, text), sqlite),
  getBlob: (at, hash) => both("getBlob", (store) => store.getBlob(at, hash), sqlite),
  remove: (at) => both("remove", (store) => store.remove(at), sqlite),
  dueDeliveries: (now, limit) => both("dueDeliveries", (store) => store.dueDeliveries(now, limit), sqlite),
  settleDelivery: (due, next) => both("settleDelivery", (store) => store.settleDelivery(due, next), sqlite),
  putDelivery: (due) => both("putDelivery", (store) => store.putDelivery(due), sqlite),
  deliveries: (at, limit, prefix) => both("deliveries", (store) => store.deliveries(at, limit, prefix), sqlite),
  close: async () => undefined,
});
