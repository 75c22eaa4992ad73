// Tests two processes of different releases on one store, as during every deployment. The older one does not touch what
// it cannot read and continues with everything else.
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { runSlice } from "../../src/jobs/run-slice.ts";
import type { LoadedRows, StoredRecord, ThreadStore } from "../../src/ports/thread-store.ts";
import { ok, type Result } from "../../src/schema/problem.ts";
import { STATE_SCHEMA } from "../../src/schema/thread.ts";
import { loadThread } from "../../src/turn/load.ts";
import { driveOptions } from "../support/drive-options.ts";
import {
  attachTestThread,
  createTestRuntime,
  createTestThread,
  problemCode,
  type TestRuntime,
  unwrap,
} from "../support/runtime.ts";

const think = { action: "continue", reason: "hm" };
const newer = (text: string): string => text.replace(`"schema":${STATE_SCHEMA}`, `"schema":${STATE_SCHEMA + 1}`);
const older = (text: string): string => text.replace(`"schema":${STATE_SCHEMA + 1}`, `"schema":${STATE_SCHEMA}`);
/** Simulates the next release, which reads the current format and writes a newer one. */
function nextRelease(store: ThreadStore): ThreadStore {
  const read = (rows: Result<LoadedRows>): Result<LoadedRows> =>
    rows.ok
      ? ok({
          head: { ...rows.value.head, state: older(rows.value.head.state) },
          entries: rows.value.entries.map((row) => ({ ...row, entry: older(row.entry) })),
        })
      : rows;
  return {
    ...store,
    load: async (at, entries) => read(await store.load(at, entries)),
    append: (at, record: StoredRecord, also) =>
      store.append(at, { ...record, entry: newer(record.entry), state: newer(record.state) }, also),
  };
}

async function driveDue(rt: TestRuntime) {
  const [due] = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 1));
  if (!due) throw new Error("nothing is due");
  return runSlice(rt, due, driveOptions());
}

describe("two releases on one store", () => {
  test("the older release refuses a thread written by the newer one and leaves it unchanged", async () => {
    const store = createMemoryStore();
    const old = createTestRuntime([think, think, think, think], [], { store });
    const next = createTestRuntime([think, think, think], [], { store: nextRelease(store) });
    const shared = await createTestThread(old, { goal: "Go on", mode: "direct" });
    const own = await createTestThread(old, { goal: "Mine", mode: "direct" });
    const onNext = attachTestThread(next, shared.at.thread);

    unwrap(await shared.turn());
    unwrap(await onNext.turn());
    const before = JSON.stringify(unwrap(await store.records(shared.at, { after: -1, limit: 100 })));
    for (const input of [null, { type: "message", text: "hello" }, { type: "cancel" }] as const)
      expect(problemCode(await shared.turn(input))).toBe("newer_version");
    expect(JSON.stringify(unwrap(await store.records(shared.at, { after: -1, limit: 100 })))).toBe(before);
    expect(old.model.requests).toHaveLength(1);

    // The newer release continues with the new thread, and the older one with everything else.
    expect(unwrap(await onNext.turn({ type: "cancel" })).outcome.thread.version).toBe(3);
    expect(unwrap(await own.turn()).outcome.thread.version).toBe(1);
  });

  test("a background run of the newer release is left to its own workers, however often an older one finds it", async () => {
    const store = createMemoryStore();
    const old = createTestRuntime([], [], { store });
    const next = createTestRuntime([think, { action: "abort", abort: { user_message: "Enough." } }], [], {
      store: nextRelease(store),
    });
    const shared = await createTestThread(old, { goal: "Go on", mode: "direct", run: "background" });
    unwrap(await attachTestThread(next, shared.at.thread).turn());
    for (let tries = 0; tries < 10; tries++) {
      expect(await driveDue(old)).toMatchObject({ kind: "parked", turns: 0 });
      old.clock.advance(5_000);
    }
    expect(unwrap(await store.dueDeliveries(Number.MAX_SAFE_INTEGER - 1, 9))).toMatchObject([
      { id: "wake", attempts: 0 },
    ]);
    next.clock.advance(old.clock.now() - next.clock.now());
    expect(await driveDue(next)).toMatchObject({ kind: "parked", turns: 1 });
    expect(unwrap(await loadThread(next, shared.at)).state.machine).toMatchObject({
      state: "rest",
      outcome: "aborted",
    });
  });

  test("if both advance one thread concurrently, one wins and neither overwrites the other", async () => {
    const store = createMemoryStore();
    const old = createTestRuntime([think], [], { store });
    const next = createTestRuntime([think], [], { store: nextRelease(store) });
    const shared = await createTestThread(old, { goal: "Go on", mode: "direct" });
    const turns = await Promise.all([shared.turn(), attachTestThread(next, shared.at.thread).turn()]);
    expect(turns.map(problemCode).sort()).toEqual(["ok", "thread_moved"]);
    expect(unwrap(await store.records(shared.at, { after: -1, limit: 100 }))).toHaveLength(2);
  });
});
