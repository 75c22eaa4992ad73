// Runs histories on a real store. Every operation is also applied to the memory store, which the invariants read. Both
// must give the same result, so what holds for one holds for the other.
import { isDeepStrictEqual } from "node:util";
import { createMemoryStore, type MemoryData } from "../../../src/adapters/store-memory.ts";
import type { Delivery, ThreadStore } from "../../../src/ports/thread-store.ts";
import { canonicalJson } from "../../../src/schema/json/canonical-json.ts";
import { ok, type Result } from "../../../src/schema/problem.ts";
import { isNewestRow } from "../ports.ts";
import type { Process, World } from "../world.ts";

/** Handles of a store, one for each server slot, like separate processes. */
export type RealStore = {
  readonly name: string;
  readonly handles: readonly ThreadStore[];
  readonly close: () => Promise<void>;
};

export type MirroredStore = {
  readonly store: (process: Process) => ThreadStore;
  /** Operations whose results differ from those in memory. */
  readonly differences: readonly string[];
  readonly close: () => Promise<void>;
};

export const HANDLES = 2;

export function mirrorStore(
  { name, handles, close }: RealStore,
  data: MemoryData,
  { trackReal }: Pick<World, "trackReal">,
): MirroredStore {
  const differences: string[] = [];
  const memory = createMemoryStore(data);
  let last: Promise<unknown> = Promise.resolve();
  /** Runs operations one after another, so that both stores see the same order. */
  const runBoth = <T>(operation: string, run: (store: ThreadStore) => Promise<Result<T>>, real: ThreadStore) => {
    const result = last.then(async () => {
      const [stored, expected] = [await run(real), await run(memory)];
      if (!isDeepStrictEqual(stored, expected) && summary(stored) !== summary(expected))
        differences.push(`I23 ${operation}: ${name} gives ${summary(stored)}, memory gives ${summary(expected)}`);
      return stored;
    });
    last = result;
    return trackReal(result);
  };
  return {
    store: ({ slot }) => {
      // The setup of a history does not belong to a slot.
      const handle = handles[Math.max(0, slot) % handles.length];
      if (!handle) throw new Error("no store is open");
      return mirrored(handle, runBoth);
    },
    differences,
    close,
  };
}

/** Returns a string that does not depend on the order of fields. */
const summary = (result: Result<unknown>): string =>
  result.ok ? canonicalJson(result.value ?? null) : `${result.problem.code} ${result.problem.details?.version ?? ""}`;

/** Sorts rows with the same due time, because their order is undefined. */
async function inSameOrder(due: Promise<Result<readonly Delivery[]>>): Promise<Result<readonly Delivery[]>> {
  const rows = await due;
  const place = ({ due_at, tenant, thread, id }: Delivery): string => [due_at, tenant, thread, id].join(" ");
  return rows.ok ? ok(rows.value.toSorted((a, b) => a.due_at - b.due_at || place(a).localeCompare(place(b)))) : rows;
}

type RunBoth = <T>(
  operation: string,
  run: (store: ThreadStore) => Promise<Result<T>>,
  real: ThreadStore,
) => Promise<Result<T>>;

function createFromSnapshot(
  store: ThreadStore,
  ...[at, snapshot]: Parameters<NonNullable<ThreadStore["createFromSnapshot"]>>
) {
  if (!store.createFromSnapshot) throw new Error("the store creates threads from snapshots");
  return store.createFromSnapshot(at, snapshot);
}

function fork(store: ThreadStore, ...args: Parameters<NonNullable<ThreadStore["fork"]>>) {
  if (!store.fork) throw new Error("the store shares the rows of forks");
  return store.fork(...args);
}

const mirrored = (real: ThreadStore, both: RunBoth): ThreadStore => ({
  create: (at, record, meta, held) => both("create", (store) => store.create(at, record, meta, held), real),
  ...(real.isNewest && {
    isNewest: (at, held) =>
      both("isNewest", (store) => store.isNewest?.(at, held) ?? isNewestRow(store, at, held), real),
  }),
  createFromSnapshot: (at, snapshot) =>
    both("createFromSnapshot", (store) => createFromSnapshot(store, at, snapshot), real),
  ...(real.fork && { fork: (...args) => both("fork", (store) => fork(store, ...args), real) }),
  load: (at, entries) => both("load", (store) => store.load(at, entries), real),
  ...(real.appendsBlobs ? { appendsBlobs: true as const } : {}),
  ...(real.checksFollows ? { checksFollows: true as const } : {}),
  append: (at, record, also) => both("append", (store) => store.append(at, record, also), real),
  records: (at, range) => both("records", (store) => store.records(at, range), real),
  list: (tenant, query) => both("list", (store) => store.list(tenant, query), real),
  putBlob: (at, hash, text) => both("putBlob", (store) => store.putBlob(at, hash, text), real),
  getBlob: (at, hash) => both("getBlob", (store) => store.getBlob(at, hash), real),
  remove: (at) => both("remove", (store) => store.remove(at), real),
  dueDeliveries: (now, limit) => both("dueDeliveries", (store) => inSameOrder(store.dueDeliveries(now, limit)), real),
  settleDelivery: (due, next) => both("settleDelivery", (store) => store.settleDelivery(due, next), real),
  putDelivery: (due) => both("putDelivery", (store) => store.putDelivery(due), real),
  deliveries: (at, limit, prefix) => both("deliveries", (store) => store.deliveries(at, limit, prefix), real),
  close: async () => undefined,
});
