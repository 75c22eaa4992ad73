import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createMemoryData, createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createParsedRowCache, type RowKey } from "../../src/migrate/parsed-row-cache.ts";
import { upgradeEntry } from "../../src/migrate/upgrade.ts";
import type { ThreadId } from "../../src/schema/ids.ts";
import { LOADED_ENTRIES } from "../../src/schema/record.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { loadThread, readRecords } from "../../src/turn/load.ts";
import { createRuntimeCache } from "../../src/turn/runtime-cache.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../support/runtime.ts";

const thread = `thr_${"0".repeat(26)}` as ThreadId;
const place = (version: number, column: RowKey["column"] = "entry"): RowKey => ({ column, thread, version });

describe("the cache of parsed rows", () => {
  test("finds a row by its key and all of its bytes", () => {
    const rows = createParsedRowCache();
    rows.set(place(1), '{"a":1}', true, { a: 1 });
    expect(rows.get(place(1), '{"a":1}')).toMatchObject({ value: { a: 1 } });
    expect(rows.get(place(1), '{"a":2}')).toBeNull();
    expect(rows.get(place(2), '{"a":1}')).toBeNull();
    expect(rows.get(place(1, "state"), '{"a":1}')).toBeNull();
  });

  test("does not treat a partially checked row as fully validated", () => {
    const rows = createParsedRowCache();
    rows.set(place(1), "{}", false, {});
    expect(rows.get(place(1), "{}")).toMatchObject({ value: {}, full: false });
    rows.set(place(1), "{}", true, {});
    expect(rows.get(place(1), "{}")).toMatchObject({ value: {}, full: true });
  });

  test("returns values that readers cannot change", () => {
    const rows = createParsedRowCache();
    rows.set(place(1), "…", true, { list: [{ a: 1 }] });
    const held = rows.get(place(1), "…")?.value as { list: { a: number }[] };
    expect(() => held.list.push({ a: 2 })).toThrow(TypeError);
    expect(() => Object.assign(held.list[0] ?? {}, { a: 2 })).toThrow(TypeError);
  });

  test("stays within its size, and keeps the most recently used rows", () => {
    const rows = createParsedRowCache(100);
    const key = (n: number): RowKey => ({ ...place(1), thread: `thr_${String(n).padStart(26, "0")}` as ThreadId });
    for (let n = 0; n < 50; n += 1) {
      rows.set(key(n), "x".repeat(10), true, { n });
      expect(rows.get(key(0), "x".repeat(10))?.value).toEqual({ n: 0 });
    }
    const held = Array.from({ length: 50 }, (_, n) => rows.get(key(n), "x".repeat(10)));
    expect(held.filter((one) => one !== null).length).toBeLessThanOrEqual(10);
    rows.set(key(99), "x".repeat(101), true, {});
    expect(rows.get(key(99), "x".repeat(101))).toBeNull();
  });

  test("keeps of a thread only what the next load reads", () => {
    const rows = createParsedRowCache();
    for (let version = 0; version < 40; version += 1) {
      rows.set(place(version), "{}", true, {});
      rows.trust(place(version, "state"), "{}", {});
    }
    const held = (column: RowKey["column"]): number[] =>
      Array.from({ length: 40 }, (_, version) => version).filter((version) => rows.get(place(version, column), "{}"));
    expect(held("entry")).toEqual(Array.from({ length: LOADED_ENTRIES }, (_, n) => 40 - LOADED_ENTRIES + n));
    expect(held("state")).toEqual([39]);
  });

  test("drops the rows of a removed thread", () => {
    const rows = createParsedRowCache();
    rows.set(place(1), "{}", true, {});
    rows.delete(thread);
    expect(rows.get(place(1), "{}")).toBeNull();
  });
});

describe("a row that is damaged after it was read", () => {
  const damage = async (change: (row: { entry: string; state: string }) => object) => {
    const data = createMemoryData();
    const rt = createTestRuntime([{ action: "abort", abort: { user_message: "No." } }], [], {
      store: createMemoryStore(data),
    });
    const { at, turn } = await createTestThread(rt, { goal: "Try", mode: "direct" });
    unwrap(await turn());
    unwrap(await loadThread(rt, at));
    unwrap(await readRecords(rt, at, 0, 9));
    const rows = data.records.get(`${at.tenant}/${at.thread}`) ?? [];
    const head = rows.at(-1);
    if (!head) throw new Error("no record");
    rows[rows.length - 1] = { ...head, ...change(head) };
    return [problemCode(await loadThread(rt, at)), problemCode(await readRecords(rt, at, 0, 9))];
  };

  test("is refused as if it had never been read", async () => {
    expect(await damage(({ state }) => ({ state: state.slice(1) }))).toEqual(["state_corrupt", "state_corrupt"]);
    expect(await damage(({ state }) => ({ state: state.replace('"turn":1', '"turn":-1') }))).toEqual([
      "state_corrupt",
      "state_corrupt",
    ]);
    expect(await damage(({ entry }) => ({ entry: entry.replace('"signals":', '"signal":') }))).toEqual([
      "state_corrupt",
      "state_corrupt",
    ]);
    expect(await damage(({ entry }) => ({ entry: entry.replace('"schema":2', '"schema":9') }))).toEqual([
      "newer_version",
      "newer_version",
    ]);
  });
});

describe("a state written by this process", () => {
  const look = defineTool(
    { name: "look", description: "Looks.", input: z.object({ at: z.int() }), output: z.unknown() },
    ({ at }) => ({ free: [at, at + 1] }),
  );
  const looking = (at: number) => ({ action: "continue", tool_call: { name: "look", arguments: { at } } });
  const script = [looking(1), looking(2), { action: "ask_user", speak: "Which day?" }, { action: "abort" }];

  test("equals what another process reads, byte for byte, after every turn", async () => {
    const rt = createTestRuntime(script.slice(0, 3), [look]);
    const { at, turn } = await createTestThread(rt, { goal: "Find a day", mode: "direct", metadata: { of: "me" } });
    const { cache: _, ...elsewhere } = rt;
    for (let n = 0; n < 3; n += 1) {
      unwrap(await turn());
      const row = unwrap(await rt.store.load(at, 1));
      const thread = unwrap(await loadThread(rt, at));
      expect(JSON.stringify(thread.state)).toBe(row.head.state);
      expect(thread).toEqual(unwrap(await loadThread(elsewhere, at)));
    }
  });

  test("is not validated again, but other bytes at its place are", () => {
    const cache = createParsedRowCache();
    const context = { cache, thread: "thr_1" as ThreadId, version: 1 };
    const own = JSON.stringify({ schema: 1, written: "by this process" });
    expect(upgradeEntry(own, context)).toMatchObject({ ok: false, problem: { code: "state_corrupt" } });
    cache.trust({ column: "entry", thread: context.thread, version: 1 }, own, JSON.parse(own));
    expect(upgradeEntry(own, context)).toEqual({ ok: true, value: JSON.parse(own) });
    expect(upgradeEntry(`${own} `, context)).toMatchObject({ ok: false, problem: { code: "state_corrupt" } });
    const strict = createParsedRowCache(undefined, false);
    strict.trust({ column: "entry", thread: context.thread, version: 1 }, own, JSON.parse(own));
    expect(upgradeEntry(own, { ...context, cache: strict })).toMatchObject({ problem: { code: "state_corrupt" } });
  });

  test("shares no object with the record that a turn returned", async () => {
    const rt = createTestRuntime(script, [look], { cache: createRuntimeCache() });
    const { at, turn } = await createTestThread(rt, { goal: "Find a day", mode: "direct" });
    const written = unwrap(await turn()).records.at(-1)?.entry;
    const loaded = unwrap(await loadThread(rt, at)).entries.at(-1)?.entry;
    expect(loaded).toEqual(written);
    expect(loaded).not.toBe(written);
    expect([Object.isFrozen(loaded), Object.isFrozen(written)]).toEqual([true, false]);
  });

  test("is not parsed again, unless it shares objects with other values", async () => {
    const rt = createTestRuntime(script, [look]);
    const { turn } = await createTestThread(rt, { goal: "Find a day", mode: "direct" });
    const moved = unwrap(await turn()).records.at(-1)?.state;
    expect(Object.isFrozen(moved)).toBe(true);
    unwrap(await turn());
    const asking = unwrap(await turn()).records.at(-1)?.state;
    expect(asking?.gate).not.toBeNull();
    expect(Object.isFrozen(asking)).toBe(false);
  });
});
