// Measures what a pure turn costs on Durable Objects: the calls that it makes, and the rows that each of them reads and
// writes.
import {
  createDurableObjectStore,
  type ObjectNamespaces,
} from "../../../src/adapters/store-durable-object/create-store.ts";
import type { ObjectStorage } from "../../../src/adapters/store-durable-object/platform.ts";
import { threadRows } from "../../../src/adapters/store-durable-object/thread-rows.ts";
import { createRaceTarget } from "../../../src/testing/race-suite/store-target.ts";

type Cursor = ReturnType<ObjectStorage["sql"]["exec"]> & { readonly rowsRead: number };
export type Rows = { readonly read: number; readonly written: number };
export type Cost = { readonly load: Rows; readonly append: Rows; readonly claim: Rows; readonly bytes: number };

/** Counts the storage operations while `work` runs. */
function createMeter(storage: ObjectStorage) {
  const cursors: Cursor[] = [];
  const counting: ObjectStorage = {
    ...storage,
    transactionSync: (work) => storage.transactionSync(work),
    sql: {
      exec: (query, ...values) => {
        const cursor = storage.sql.exec(query, ...values) as Cursor;
        cursors.push(cursor);
        return cursor;
      },
    },
  };
  const count = (work: () => unknown): Rows => {
    cursors.length = 0;
    work();
    return {
      read: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      written: cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
    };
  };
  return { rows: threadRows(counting), count };
}

/** Measures the cost on a thread with this many records, each as large as a turn with an observation of 2 KB. */
export function costAt(storage: ObjectStorage, records: number): Cost {
  const { rows, count } = createMeter(storage);
  const record = (version: number) => ({
    version,
    commit_id: `cmt_${version}`,
    turn: version,
    entry: "e".repeat(3_700),
    state: "s".repeat(2_800),
  });
  rows.create(record(0), null);
  for (let version = 1; version < records; version++) rows.append(record(version), {});
  return {
    load: count(() => rows.load(17)),
    append: count(() => rows.append(record(records), {})),
    claim: count(() => {
      rows.claim("one", 1_000);
      rows.release("one");
    }),
    bytes: 3_700 + 2_800,
  };
}

/** Returns the calls that reach objects during the last of `turns` pure turns. */
export async function objectRequestsOfTurn(
  objects: ObjectNamespaces,
  turns: number,
  prefix: string,
): Promise<readonly string[]> {
  let requested: string[] = [];
  const threads: ObjectNamespaces["threads"] = {
    idFromName: (name) => objects.threads.idFromName(name),
    get: (id) => ({
      rows: (at, method, args) => {
        requested.push(method);
        return objects.threads.get(id).rows(at, method, args);
      },
    }),
  };
  const { threads: store } = createDurableObjectStore({ ...objects, threads }, prefix);
  const target = await createRaceTarget(async () => store, 1);
  const [process] = target.processes;
  if (!process) throw new Error("no process");
  let line = 0;
  target.decide(() => ({ action: "continue", tool_call: { name: "look", arguments: { line: `${line++}` } } }), 1);
  const thread = await process.create({ goal: "Look", mode: "direct", budget: { turns: 10_000 } });
  for (let turn = 1; turn <= turns; turn++) {
    requested = [];
    const made = await process.turn({ thread, input: null });
    if (!made.ok) throw new Error(made.problem.message);
  }
  return requested;
}
