// Tests the cache of whole threads: it serves what the store confirms, and shares nothing with callers.
import { afterEach, describe, expect, test } from "vitest";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { runTurn } from "../../src/jobs/slice-turn.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import type { ThreadRef } from "../../src/schema/ids.ts";
import type { Entry, Thread, ThreadRecord } from "../../src/schema/record.ts";
import { loadThread } from "../../src/turn/load.ts";
import { createRuntimeCache } from "../../src/turn/runtime-cache.ts";
import { createThreadCache } from "../../src/turn/thread-cache.ts";
import { createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";

const at = (thread: string, tenant = "acme"): ThreadRef => ({ tenant, thread }) as ThreadRef;
const stateOf = (turn: number) => ({ turn, gate: null, acting: null, todo: [] }) as unknown as Thread["state"];
const recordOf = (version: number, state = stateOf(version)): ThreadRecord => ({
  version,
  entry: { commit_id: `cmt_${version}`, signals: [`turn ${version}`] } as unknown as Entry,
  state,
});

describe("a cache of threads", () => {
  test("puts a thread together from the records that were added, and keeps the newest seventeen", () => {
    const cache = createThreadCache();
    for (let version = 0; version < 20; version += 1) cache.add(at("a"), recordOf(version), 10);
    const thread = cache.get(at("a"));
    expect([thread?.version, thread?.state.turn]).toEqual([19, 19]);
    expect(thread?.entries.map(({ version }) => version)).toEqual(Array.from({ length: 17 }, (_, n) => n + 3));
  });

  test("keeps tenants apart", () => {
    const cache = createThreadCache();
    cache.add(at("a"), recordOf(0), 10);
    expect(cache.get(at("a", "bolt"))).toBeNull();
  });

  test("ignores a record that does not follow the newest one", () => {
    const cache = createThreadCache();
    cache.add(at("a"), recordOf(0), 10);
    cache.add(at("a"), recordOf(2), 10);
    cache.add(at("b"), recordOf(5), 10);
    expect([cache.get(at("a"))?.version, cache.get(at("b"))]).toEqual([0, null]);
  });

  test("shares no entry with the writer, and no state that contains objects of a caller", () => {
    const cache = createThreadCache();
    const asking = { ...stateOf(0), todo: [{ text: "one" }] } as unknown as Thread["state"];
    const record = recordOf(0, asking);
    cache.add(at("a"), record, 10);
    const cached = cache.get(at("a"));
    record.entry.signals.push("changed");
    (asking.todo as unknown[]).push("changed");
    expect(cached?.entries[0]?.entry.signals).toEqual(["turn 0"]);
    expect(cached?.state.todo).toEqual([{ text: "one" }]);
    expect([Object.isFrozen(cached?.state), Object.isFrozen(cached?.entries[0]?.entry)]).toEqual([true, true]);
  });

  test("stays within its size, and keeps the threads that were used last", () => {
    const cache = createThreadCache(true, 100);
    for (const name of ["a", "b", "c", "d"]) cache.add(at(name), recordOf(0), 20);
    cache.get(at("b"));
    cache.add(at("e"), recordOf(0), 20);
    cache.add(at("f"), recordOf(0), 20);
    expect(["a", "b", "f"].map((name) => cache.get(at(name)) !== null)).toEqual([false, true, true]);
    cache.add(at("large"), recordOf(0), 51);
    expect(cache.get(at("large"))).toBeNull();
  });

  test("keeps no records of this process if it shall not trust them", () => {
    const cache = createThreadCache(false);
    cache.add(at("a"), recordOf(0), 10);
    expect(cache.get(at("a"))).toBeNull();
  });
});

describe("a thread that this process wrote", () => {
  const opened: ThreadStore[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  async function openStore(): Promise<ThreadStore & { loads: number }> {
    const { threads } = unwrap(await createSqliteStore({ path: ":memory:" }));
    opened.push(threads);
    const counted = { ...threads, loads: 0 };
    counted.load = (...args) => {
      counted.loads += 1;
      return threads.load(...args);
    };
    return counted;
  }

  const script = [
    { action: "continue", speak: "Going on." },
    { action: "continue", speak: "Still going on." },
    { action: "ask_user", speak: "Which day?" },
  ];

  test("is not read back, and equals what another process reads, byte for byte, after every turn", async () => {
    const store = await openStore();
    const rt = createTestRuntime(script, [], { store, cache: createRuntimeCache() });
    const { at: thread, turn } = await createTestThread(rt, { goal: "Find a day", mode: "direct" });
    const { cache: _, ...elsewhere } = rt;
    for (let n = 0; n < script.length; n += 1) {
      const before = store.loads;
      unwrap(await turn());
      const own = unwrap(await loadThread(rt, thread));
      expect(store.loads).toBe(before);
      const read = unwrap(await loadThread(elsewhere, thread));
      expect(JSON.stringify(own)).toBe(JSON.stringify(read));
    }
  });

  test("is what the next turn of a background run continues with", async () => {
    const store = await openStore();
    const rt = createTestRuntime(script, [], { store, cache: createRuntimeCache() });
    const { at: thread } = await createTestThread(rt, { goal: "Find a day", mode: "direct", run: "background" });
    const limits = { lease_ms: 60_000, slice_turns: 10, until: Number.POSITIVE_INFINITY, attempts_max: 3 };
    const options = { ...limits, owner: "worker", emit: () => undefined, stopping: () => false };
    const step = await runTurn(rt, { at: thread, thread: null }, options);
    if (step.kind !== "continue" || !step.thread) throw new Error(JSON.stringify(step));
    expect(step.thread).toBe(rt.cache?.threads?.get(thread));
    const { cache: _, ...elsewhere } = rt;
    expect(JSON.stringify(step.thread)).toBe(JSON.stringify(unwrap(await loadThread(elsewhere, thread))));
  });

  test("is read again after its newest row was changed or removed behind the cache", async () => {
    const store = await openStore();
    const rt = createTestRuntime(script, [], { store, cache: createRuntimeCache() });
    const { at: thread } = await createTestThread(rt, { goal: "Find a day", mode: "direct" });
    unwrap(await store.remove(thread));
    expect(await loadThread(rt, thread)).toMatchObject({ ok: false, problem: { code: "thread_not_found" } });
  });

  test("is cached as rows if the store cannot be asked", async () => {
    const cache = createRuntimeCache();
    const rt = createTestRuntime(script, [], { store: createMemoryStore(), cache });
    const { at: thread, turn } = await createTestThread(rt, { goal: "Find a day", mode: "direct" });
    unwrap(await turn());
    expect(cache.threads?.get(thread)).toBeNull();
    expect(unwrap(await loadThread(rt, thread)).version).toBe(1);
  });
});
