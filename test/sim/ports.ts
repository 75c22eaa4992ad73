// Provides the ports of one process, made unreliable: a call can fail, be slow, lose its reply, take effect late,
// happen twice, or crash the process.
import type { ClaimResult, Claims } from "../../src/ports/claims.ts";
import type { DocumentStore } from "../../src/ports/documents.ts";
import type { Faults } from "../../src/ports/faults.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import type { Delivery, HeldRecord, StoredRecord, ThreadStore } from "../../src/ports/thread-store.ts";
import type { ThreadRef } from "../../src/schema/ids.ts";
import { fail, ok, type Result } from "../../src/schema/problem.ts";
import { roll, STREAMS } from "./random.ts";
import type { Process, World } from "./world.ts";

/** The failure rate of reads relative to writes. It is low because little depends on a read. */
const READ_FAULT_SHARE = 0.3;
const WRITE_FAULTS = { fail: 3, lose: 4, late: 2, twice: 2, crash_before: 3, crash_after: 4 };
const READ_FAULTS = { fail: 3, crash_before: 1 };

const never = <T>(): Promise<T> => new Promise(() => undefined);

/** Lets the process die here. The promise never settles. */
export function crashHere<T>(world: World, process: Process): Promise<T> {
  world.die(process);
  return never();
}

const unavailable = () => fail("store_unavailable", "The store did not answer.", { retry_after_s: 1 });

/** Draws the delay of a call. Most calls return immediately; some take up to two minutes. */
export function drawDelay(world: World, where: string): number {
  if (world.fault(`slow ${where}`, { slow: 1 }, 0.5) === null) return 0;
  const share = roll(world.seed, STREAMS.delay, world.fired.at(-1) ?? 0);
  return Math.ceil(10 ** (1 + share * 4.1));
}

async function faultyWrite<T>(
  world: World,
  process: Process,
  label: string,
  perform: () => Promise<Result<T>>,
): Promise<Result<T>> {
  await world.wait(process, label, drawDelay(world, label));
  switch (world.fault(label, WRITE_FAULTS)) {
    case "fail":
      return unavailable();
    case "lose":
      await perform();
      return unavailable();
    case "late":
      void world.wait(null, `late ${label}`, 50 + (world.time() % 5000)).then(perform);
      return unavailable();
    case "twice":
      await perform();
      return perform();
    case "crash_before":
      return crashHere(world, process);
    case "crash_after":
      await perform();
      return crashHere(world, process);
    default:
      return perform();
  }
}

/** Wraps the documents of toolkits. A repeated save finds that the version has changed, as for every other writer. */
export function faultyDocuments(world: World, process: Process, inner: DocumentStore): DocumentStore {
  const write = <T>(label: string, perform: () => Promise<Result<T>>) => faultyWrite(world, process, label, perform);
  return {
    load: (at) => faultyRead(world, process, `load ${at.kind}`, () => inner.load(at)),
    save: (at, value, over) => write(`save ${at.kind}`, () => inner.save(at, value, over)),
    copy: (from, to) => write(`copy ${from.kind}`, () => inner.copy(from, to)),
    remove: (at) => write(`remove ${at.kind}`, () => inner.remove(at)),
    close: () => inner.close(),
  };
}

/** True if the processes of a history keep the threads that they store, as on SQLite. */
const confirmsRecords = (seed: number): boolean => seed % 4 === 1;

/** Does what `isNewest` promises with a load. */
export async function isNewestRow(store: ThreadStore, at: ThreadRef, held: HeldRecord): Promise<Result<boolean>> {
  const rows = await store.load(at, 1);
  if (!rows.ok) return rows.problem.code === "thread_not_found" ? ok(false) : rows;
  const { head, entries } = rows.value;
  // A commit id is unique, and comparing it is cheaper than serializing the record that the caller holds.
  return ok(head.version === held.version && entries[0]?.entry.includes(held.commit_id) === true);
}

export function faultyStore(world: World, process: Process, inner: ThreadStore): ThreadStore {
  const write = <T>(label: string, perform: () => Promise<Result<T>>) => faultyWrite(world, process, label, perform);
  const createFromSnapshot: NonNullable<ThreadStore["createFromSnapshot"]> = (at, snapshot) => {
    if (!inner.createFromSnapshot) throw new Error("the simulated store creates threads from snapshots");
    return inner.createFromSnapshot(at, snapshot);
  };
  const { fork } = inner;
  const confirms = confirmsRecords(world.seed);
  const keepWritten = (at: ThreadRef, record: StoredRecord, stored: Result<number>): Result<number> => {
    if (confirms && stored.ok && at.thread.startsWith("thr_")) world.rows.keepWritten(at.thread, record);
    return stored;
  };
  const read = <T>(label: string, perform: () => Promise<Result<T>>) => faultyRead(world, process, label, perform);
  return {
    ...inner,
    ...(confirms && { isNewest: (at, held) => read("load", () => isNewestRow(inner, at, held)) }),
    create: (at, record, meta, held) =>
      write("create", async () => keepWritten(at, record, await inner.create(at, record, meta, held))),
    createFromSnapshot: (at, snapshot) => write("create from snapshot", () => createFromSnapshot(at, snapshot)),
    ...(fork && { fork: (...args) => write("fork", () => fork(...args)) }),
    append: (at, record, also) =>
      write(`append ${record.version}`, async () => keepWritten(at, record, await inner.append(at, record, also))),
    putBlob: (at, hash, text) => write("putBlob", () => inner.putBlob(at, hash, text)),
    load: (at, entries) => read("load", () => inner.load(at, entries)),
    records: (at, range) => read("records", () => inner.records(at, range)),
    getBlob: (at, hash) => read("getBlob", () => inner.getBlob(at, hash)),
    list: (tenant, query) => read("list", () => inner.list(tenant, query)),
    settleDelivery: (due, next) => write(`settle ${nameOf(due)}`, () => inner.settleDelivery(due, next)),
    putDelivery: (due) => write(`put ${nameOf(due)}`, () => inner.putDelivery(due)),
    deliveries: (at, limit, prefix) => read("deliveries", () => inner.deliveries(at, limit, prefix)),
    // Due work is claimed before it is processed, so faults matter between these two steps and not here.
    dueDeliveries: async (now, limit) =>
      world.fault("due", { fail: 1 }, READ_FAULT_SHARE) ? unavailable() : inner.dueDeliveries(now, limit),
  };
}

/**
 * Wraps a store so that a removal is never delayed. It could affect a thread created later, which no store has to
 * handle.
 */
export const faultyRemoval = (world: World, process: Process, inner: ThreadStore): ThreadStore => ({
  ...inner,
  async remove(at) {
    await world.wait(process, "remove", 0);
    switch (world.fault("remove", { fail: 1, lose: 2, crash_before: 1, crash_after: 2 }, 2)) {
      case "fail":
        return unavailable();
      case "lose":
        await inner.remove(at);
        return unavailable();
      case "crash_before":
        return crashHere(world, process);
      case "crash_after":
        await inner.remove(at);
        return crashHere(world, process);
      default:
        return inner.remove(at);
    }
  },
});

/** Returns a name that identifies a delivery in a trace. */
const nameOf = ({ id, thread }: Delivery): string => `${id.slice(0, 9)} of ${thread.slice(-6)}`;

async function faultyRead<T>(
  world: World,
  process: Process,
  label: string,
  perform: () => Promise<Result<T>>,
): Promise<Result<T>> {
  await world.wait(process, label, drawDelay(world, label));
  switch (world.fault(label, READ_FAULTS, READ_FAULT_SHARE)) {
    case "fail":
      return unavailable();
    case "crash_before":
      return crashHere(world, process);
    default:
      return perform();
  }
}

export const faultySettings = (world: World, process: Process, inner: SettingsStore): SettingsStore => ({
  load: (tenant) => faultyRead(world, process, "settings", () => inner.load(tenant)),
  save: async (tenant, settings, over) => {
    await world.wait(process, "save settings", 0);
    return world.fault("save settings", { fail: 1 }) ? unavailable() : inner.save(tenant, settings, over);
  },
});

/** Rows of the claims on threads, which outlive the processes as in a shared table. */
export type ClaimRows = Map<string, { readonly owner: string; readonly until: number }>;

export function faultyClaims(world: World, process: Process, rows: ClaimRows): Claims {
  const perform = <T>(label: string, act: () => Result<T>) => faultyRead(world, process, label, async () => act());
  const nameOf = ({ tenant, thread }: ThreadRef): string => `${tenant}/${thread}`;
  return {
    claim: (at, owner, ttl_ms) =>
      perform("claim", (): Result<ClaimResult> => {
        const held = rows.get(nameOf(at));
        if (held && held.owner !== owner && held.until > world.now()) return ok({ mine: false, until: held.until });
        rows.set(nameOf(at), { owner, until: world.now() + ttl_ms });
        return ok({ mine: true });
      }),
    release: (at, owner) =>
      perform("release", () => {
        if (rows.get(nameOf(at))?.owner === owner) rows.delete(nameOf(at));
        return ok(undefined);
      }),
  };
}

/** Matches the points between an intent and its result, where crashes matter most. */
const CRITICAL_POINTS = /^(?:intend|tool|settle)\./;

/** Lets the process die at any fault point of a turn. Passing a point is not a scheduling step. */
export const crashFaults = (world: World, process: Process): Faults => ({
  at: (point) =>
    world.fault(`at ${point}`, { crash: 1 }, CRITICAL_POINTS.test(point) ? 2 : 0.15)
      ? crashHere(world, process)
      : undefined,
});
