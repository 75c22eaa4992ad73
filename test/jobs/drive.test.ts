import { describe, expect, test } from "vitest";
import { createMemoryData, createMemoryStore } from "../../src/adapters/store-memory.ts";
import { ensureWakeUp } from "../../src/jobs/end-slice.ts";
import { sendMessage } from "../../src/jobs/inbox/double-texting.ts";
import { loadInbox } from "../../src/jobs/inbox/inbox.ts";
import { runSlice } from "../../src/jobs/run-slice.ts";
import type { SliceOptions } from "../../src/jobs/slice.ts";
import type { Delivery } from "../../src/ports/thread-store.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { fail, ok } from "../../src/schema/problem.ts";
import { setBackground } from "../../src/threads/change-state.ts";
import { advance } from "../../src/turn/advance.ts";
import { WAKE_ID } from "../../src/turn/commit/wake-up.ts";
import { loadThread } from "../../src/turn/load.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { driveOptions, turnRequestOn } from "../support/drive-options.ts";
import {
  createTestRuntime,
  createTestThread,
  problemCode,
  type TestRuntime,
  type TestThread,
  unwrap,
} from "../support/runtime.ts";
import { clarify, createWriteTool, look } from "../support/tools.ts";

const call = (name: string, args: Record<string, unknown>) => ({
  action: "continue",
  speak: `Using ${name}.`,
  tool_call: { name, arguments: args },
});
const done = { action: "done", goal_check: "all there" };

const dueNow = async (rt: Runtime): Promise<readonly Delivery[]> =>
  unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10));

async function driveDue(rt: Runtime, change: Partial<SliceOptions> = {}) {
  const [due] = await dueNow(rt);
  if (!due) throw new Error("nothing is due");
  return runSlice(rt, due, driveOptions(change));
}

const stateOf = async (rt: Runtime, thread: TestThread) => unwrap(await loadThread(rt, thread.at)).state;

describe("a background run", () => {
  test("runs to its end and leaves no wake-up behind", async () => {
    const rt = createTestRuntime([call("look", { at: "desk" }), call("look", { at: "shelf" }), done, "Seen."], [look]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    expect(await driveDue(rt)).toEqual({ kind: "parked", turns: 4 });
    expect((await stateOf(rt, thread)).machine).toMatchObject({ state: "rest", outcome: "completed" });
    expect(unwrap(await rt.store.deliveries(thread.at, 10))).toEqual([]);
  });

  test("parks at a gate without a wake-up, and the answer adds one in the same commit", async () => {
    const ledger: string[] = [];
    const rt = createTestRuntime([call("write", { line: "a" }), done, "Written."], [createWriteTool(ledger)]);
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct", run: "background" });
    expect(await driveDue(rt)).toMatchObject({ kind: "parked" });
    rt.clock.advance(30 * 24 * 3_600_000);
    expect(await dueNow(rt)).toEqual([]);
    const gate = (await stateOf(rt, thread)).gate;
    if (gate?.kind !== "confirmation") throw new Error("no confirmation gate");
    unwrap(await thread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" }));
    expect(ledger).toHaveLength(1);
    expect(await driveDue(rt)).toMatchObject({ kind: "parked" });
    expect((await stateOf(rt, thread)).machine.outcome).toBe("completed");
  });

  test("is woken when a question expires", async () => {
    const rt = createTestRuntime(
      [call("clarify", { question: "Which?", expires_in_s: 60 }), done, "Went on."],
      [clarify],
    );
    const thread = await createTestThread(rt, { goal: "Ask", mode: "direct", run: "background" });
    await driveDue(rt);
    expect(await dueNow(rt)).toEqual([]);
    rt.clock.advance(60_000);
    await driveDue(rt);
    expect((await stateOf(rt, thread)).machine.state).toBe("rest");
  });

  test("is requeued after its slice", async () => {
    const rt = createTestRuntime(
      [1, 2, 3, 4].map((n) => call("look", { at: String(n) })),
      [look],
    );
    await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    expect(await driveDue(rt, { slice_turns: 2 })).toEqual({ kind: "requeued", turns: 2 });
    expect(await dueNow(rt)).toHaveLength(1);
  });

  test("is leased once for quick turns, and renewed before a turn would outlast the lease", async () => {
    const claims = async (turn_ms: number): Promise<number> => {
      const looks = [1, 2, 3, 4].map((n) => call("look", { at: String(n) }));
      const rt = createTestRuntime([...looks, done, "Seen."], [look]);
      await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
      let settled = 0;
      const store: Runtime["store"] = {
        ...rt.store,
        settleDelivery: (due, next) => {
          settled += 1;
          return rt.store.settleDelivery(due, next);
        },
        append: (at, record, also) => {
          rt.clock.advance(turn_ms);
          return rt.store.append(at, record, also);
        },
      };
      const [due] = await dueNow(rt);
      if (!due) throw new Error("nothing is due");
      expect(await runSlice({ ...rt, store }, due, driveOptions())).toEqual({ kind: "parked", turns: 6 });
      return settled;
    };
    // The wake-up is written once for the lease and once for the release at the end.
    expect(await claims(10)).toBe(2);
    expect(await claims(30_000)).toBe(2 + 5);
  });

  test("whose wake-up another worker removed while it ran gets a new one", async () => {
    const rt = createTestRuntime([call("look", { at: "desk" }), call("look", { at: "shelf" })], [look]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    const store: Runtime["store"] = {
      ...rt.store,
      // Simulates a worker that parked at a gate, which this record closes.
      append: async (at, record, also) => {
        const [row] = unwrap(await rt.store.deliveries(at, 1, "wake"));
        if (row) unwrap(await rt.store.settleDelivery(row, null));
        return rt.store.append(at, record, also);
      },
    };
    const [due] = await dueNow(rt);
    if (!due) throw new Error("nothing is due");
    expect(await runSlice({ ...rt, store }, due, driveOptions())).toEqual({ kind: "parked", turns: 1 });
    expect(await dueNow(rt)).toMatchObject([{ id: "wake", thread: thread.at.thread, attempts: 0 }]);
  });

  test("starts no turn that might outlast the invocation", async () => {
    const rt = createTestRuntime([], [look]);
    await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    expect(await driveDue(rt, { until: rt.clock.now() + 1000 })).toEqual({ kind: "requeued", turns: 0 });
    expect(rt.model.calls).toBe(0);
  });

  test("is leased by exactly one of two workers", async () => {
    const rt = createTestRuntime([done, "Nothing."], [look]);
    await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    const [due] = await dueNow(rt);
    if (!due) throw new Error("nothing is due");
    const kinds = (await Promise.all(["a", "b"].map((owner) => runSlice(rt, due, driveOptions({ owner }))))).map(
      (driven) => driven.kind,
    );
    expect(kinds.sort()).toEqual(["not_acquired", "parked"]);
  });

  test("is taken over by another worker when the lease of a crashed one expires", async () => {
    const data = createMemoryData();
    const rt = createTestRuntime([done, "Nothing."], [look], { store: createMemoryStore(data) });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    const [due] = await dueNow(rt);
    if (!due) throw new Error("nothing is due");
    // The wake-up was leased, and then the worker crashed.
    unwrap(await rt.store.settleDelivery(due, { ...due, attempts: 1, due_at: rt.clock.now() + 90_000 }));
    expect(await dueNow(rt)).toEqual([]);
    rt.clock.advance(90_000);
    expect(await driveDue(rt)).toMatchObject({ kind: "parked" });
    expect((await stateOf(rt, thread)).machine.outcome).toBe("completed");
  });

  test("backs off while the model is unavailable, then stops with a reason, and can be revived", async () => {
    const away = { fail: "model_unavailable" as const };
    const rt = createTestRuntime([away, away, away, done, "Back."], [look]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    const waits: number[] = [];
    for (let n = 0; n < 2; n++) {
      const driven = await driveDue(rt);
      if (driven.kind !== "retry") throw new Error(driven.kind);
      waits.push(driven.due_at - rt.clock.now());
      rt.clock.advance(driven.due_at - rt.clock.now());
    }
    expect(waits[1]).toBeGreaterThan(waits[0] ?? 0);
    expect(await driveDue(rt)).toMatchObject({ kind: "dead", problem: { code: "model_unavailable" } });
    expect((await stateOf(rt, thread)).background).toMatchObject({
      status: "dead",
      reason: expect.stringContaining("model_unavailable"),
    });
    expect(await dueNow(rt)).toEqual([]);
    const listed = async () =>
      unwrap(await rt.store.list(LOCAL_TENANT, { limit: 10 })).map(({ background }) => background);
    expect(await listed()).toEqual(["dead"]);
    unwrap(await setBackground(rt, turnRequestOn(rt, thread.at), { status: "on", reason: null }));
    expect(await driveDue(rt)).toMatchObject({ kind: "parked" });
    expect(await listed()).toEqual(["on"]);
  });

  test("keeps its wake-up while the reason for stopping cannot be recorded", async () => {
    const data = createMemoryData();
    const store = createMemoryStore(data);
    const rt = createTestRuntime([], [look], { store });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    const away: Runtime = { ...rt, store: { ...store, append: async () => fail("store_unavailable", "Away.") } };
    const [due] = await dueNow(rt);
    if (!due) throw new Error("nothing is due");
    // This many workers have crashed with the delivery before.
    await store.settleDelivery(due, { ...due, attempts: 3 });
    expect(await driveDue(away)).toMatchObject({ kind: "retry", problem: { code: "store_unavailable" } });
    expect((await stateOf(rt, thread)).background).toEqual({ status: "on", reason: null });
    rt.clock.advance(90_000);
    expect(await driveDue(rt)).toMatchObject({ kind: "dead" });
    expect((await stateOf(rt, thread)).background).toMatchObject({ status: "dead" });
    expect(data.outbox.size).toBe(0);
  });

  test("is not advanced while it is paused, and the list says so", async () => {
    const rt = createTestRuntime([done, "Nothing."], [look]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    const listed = async () => unwrap(await rt.store.list(thread.at.tenant, { limit: 1 }))[0]?.background;
    unwrap(await setBackground(rt, turnRequestOn(rt, thread.at), { status: "paused", reason: null }));
    expect(await listed()).toBe("paused");
    await driveDue(rt);
    expect(rt.model.calls).toBe(0);
    unwrap(await setBackground(rt, turnRequestOn(rt, thread.at), { status: "on", reason: null }));
    expect(await listed()).toBe("on");
    await driveDue(rt);
    expect((await stateOf(rt, thread)).machine.outcome).toBe("completed");
  });

  test("cannot be paused if the thread has none", async () => {
    const rt = createTestRuntime([], [look]);
    const thread = await createTestThread(rt, { goal: "Look" });
    expect(problemCode(await setBackground(rt, turnRequestOn(rt, thread.at), { status: "paused", reason: null }))).toBe(
      "nothing_to_do",
    );
  });
});

describe("a message to a run in progress", () => {
  const message = { type: "message" as const, text: "And the shelf, please." };

  test("is refused by default", async () => {
    const rt = createTestRuntime([], [look]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    expect(
      problemCode(await sendMessage(rt, turnRequestOn(rt, thread.at, { input: message }), message, "reject")),
    ).toBe("turn_running");
  });

  test("waits in the inbox, is processed by the next turn, and is removed with its record", async () => {
    const rt = createTestRuntime(
      [{ reply: call("look", { at: "shelf" }), expect: { contains: "step" } }, done, "Both seen."],
      [look],
    );
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    const sent = unwrap(await sendMessage(rt, turnRequestOn(rt, thread.at, { input: message }), message, "enqueue"));
    expect(sent).toEqual({ kind: "queued", position: 1 });
    expect(unwrap(await loadInbox(rt, thread.at))).toHaveLength(1);
    await driveDue(rt);
    expect(unwrap(await loadInbox(rt, thread.at))).toEqual([]);
    expect(rt.model.requests[0]?.messages[1]?.content).toContain("And the shelf, please.");
  });

  test("that the worker did not see gets a wake-up of its own when the run is parked", async () => {
    const rt = createTestRuntime([done, "First.", done, "Second."], [look]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    unwrap(await sendMessage(rt, turnRequestOn(rt, thread.at, { input: message }), message, "enqueue"));
    const blindStore: Runtime["store"] = {
      ...rt.store,
      deliveries: async (at, limit, prefix) => (prefix === WAKE_ID ? rt.store.deliveries(at, limit, prefix) : ok([])),
    };
    await driveDue({ ...rt, store: blindStore });
    expect((await stateOf(rt, thread)).machine.state).toBe("rest");
    // A second worker takes the wake-up that the sender left, and does not see the message either.
    for (const wakeUp of await dueNow(rt)) await rt.store.settleDelivery(wakeUp, null);
    expect(unwrap(await loadInbox(rt, thread.at))).toHaveLength(1);
    await ensureWakeUp(rt, thread.at);
    await driveDue(rt);
    expect(unwrap(await loadInbox(rt, thread.at))).toEqual([]);
  });

  test("that arrives as the run ends starts the next run", async () => {
    const rt = createTestRuntime([done, "First.", done, "Second."], [look]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    // The first turn processes it. A second message arrives while the summary is written.
    const again = { ...message, text: "Once more." };
    const store = rt.store;
    const late: Runtime = {
      ...rt,
      store: {
        ...store,
        append: async (at, record, also) => {
          const appended = await store.append(at, record, also);
          if (record.version === 2)
            await sendMessage(rt, turnRequestOn(rt, thread.at, { input: again }), again, "enqueue");
          return appended;
        },
      },
    };
    const [due] = await dueNow(rt);
    if (!due) throw new Error("nothing is due");
    await runSlice(late, due, driveOptions());
    for (const one of await dueNow(rt)) await runSlice(rt, one, driveOptions());
    expect((await stateOf(rt, thread)).run).toBe(2);
    expect(unwrap(await loadInbox(rt, thread.at))).toEqual([]);
  });

  test("is not lost if the worker cannot read the inbox and then crashes", async () => {
    const rt = createTestRuntime([call("clarify", { question: "Which desk?" }), done, "Seen."], [clarify, look]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    const { store } = rt;
    let dying = false;
    const unlessCrashed =
      <A extends unknown[], R>(does: (...asked: A) => Promise<R>) =>
      async (...asked: A) =>
        dying ? fail("store_unavailable", "Not any more.") : does(...asked);
    const crashingStore: Runtime["store"] = {
      ...store,
      // The message waits for a run in progress, so it has no separate wake-up. Then the run asks a question and could
      // accept it.
      append: async (...record) => {
        unwrap(await sendMessage(rt, turnRequestOn(rt, thread.at, { input: message }), message, "enqueue"));
        dying = true;
        return store.append(...record);
      },
      load: unlessCrashed(store.load),
      deliveries: unlessCrashed(store.deliveries),
      putDelivery: unlessCrashed(store.putDelivery),
    };
    await driveDue({ ...rt, store: crashingStore });
    rt.clock.advance(100_000);
    await driveDue(rt);
    expect(unwrap(await loadInbox(rt, thread.at))).toEqual([]);
    expect((await stateOf(rt, thread)).machine.state).toBe("rest");
  });

  test("interrupts: committed records stay and the message is processed immediately", async () => {
    const rt = createTestRuntime([call("look", { at: "desk" }), call("look", { at: "shelf" })], [look]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    await driveDue(rt, { slice_turns: 1 });
    const sent = unwrap(await sendMessage(rt, turnRequestOn(rt, thread.at, { input: message }), message, "interrupt"));
    expect(sent.kind).toBe("advanced");
    expect((await stateOf(rt, thread)).turn).toBe(2);
  });

  test("rolls back: whether the fork runs in the background is never left open", async () => {
    const store = createMemoryStore();
    const rt = createTestRuntime([call("look", { at: "shelf" })], [look], { store });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    let away = false;
    const failing: Runtime = {
      ...rt,
      store: {
        ...store,
        append: async (at, record, also) => {
          const appended = await store.append(at, record, also);
          away = at.thread !== thread.at.thread;
          return appended;
        },
        load: async (at, entries) => (away ? fail("store_unavailable", "Away.") : store.load(at, entries)),
      },
    };
    const message = { type: "message" as const, text: "Rather the shelf" };
    const sending = turnRequestOn(rt, thread.at, { input: message, key: { hash: "k".repeat(12), body: "b" } });
    // The store is unavailable right after the record of the message is stored, which already contains the result.
    await sendMessage(failing, sending, message, "rollback");
    // Whatever happens to the old thread, a repeated request must change nothing.
    unwrap(await setBackground(rt, turnRequestOn(rt, thread.at), { status: "paused", reason: null }));
    const sent = unwrap(await sendMessage(rt, sending, message, "rollback"));
    if (sent.kind !== "forked") throw new Error(sent.kind);
    expect(sent.advanced.replayed).toBe(true);
    expect(unwrap(await loadThread(rt, sent.at)).state.background).toEqual({ status: "on", reason: null });
    expect(unwrap(await rt.store.deliveries(sent.at, 10)).map(({ id }) => id)).toEqual(["wake"]);
  });

  test("rolls back: a new thread begins where the last delivery ended", async () => {
    const rt = createTestRuntime([done, "First.", call("look", { at: "desk" }), done, "Other."], [look]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    await driveDue(rt);
    unwrap(await thread.turn({ type: "message", text: "Look again." }));
    const sent = unwrap(await sendMessage(rt, turnRequestOn(rt, thread.at, { input: message }), message, "rollback"));
    if (sent.kind !== "forked") throw new Error(sent.kind);
    expect(sent.at.thread).not.toBe(thread.at.thread);
    expect(unwrap(await loadThread(rt, sent.at)).state).toMatchObject({ run: 2, goal: "And the shelf, please." });
    expect((await stateOf(rt, thread)).goal).toBe("Look again.");
  });
});

describe("a call of a background run that a person approved", () => {
  const confirmed = async (rt: TestRuntime, change: Partial<Runtime> = {}) => {
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct", run: "background" });
    await driveDue(rt);
    const gate = (await stateOf(rt, thread)).gate;
    if (gate?.kind !== "confirmation") throw new Error("no confirmation gate");
    const input = { type: "confirm" as const, gate_id: gate.id, digest: gate.digest, decision: "approve" as const };
    const call = turnRequestOn(rt, thread.at, { input });
    return { thread, answer: advance({ ...rt, ...change }, call) };
  };

  test("is not advanced by workers while it runs, and its end wakes the run immediately", async () => {
    const during: number[] = [];
    const rt: TestRuntime = createTestRuntime([call("write", { line: "a" }), done, "Written."], [createWriteTool([])]);
    const faults = {
      at: async (point: string) => {
        if (point === "tool.before") during.push((await dueNow(rt)).length);
      },
    };
    const { thread, answer } = await confirmed(rt, { faults });
    unwrap(await answer);
    expect(during).toEqual([0]);
    expect(await dueNow(rt)).toHaveLength(1);
    await driveDue(rt);
    expect((await stateOf(rt, thread)).machine.outcome).toBe("completed");
  });

  test("is reconciled by a worker after its deadline if its process crashed", async () => {
    const rt: TestRuntime = createTestRuntime([call("write", { line: "a" }), done, "Written."], [createWriteTool([])]);
    const faults = { at: (point: string) => (point === "tool.after" ? new Promise<void>(() => undefined) : undefined) };
    const { thread } = await confirmed(rt, { faults });
    while ((await stateOf(rt, thread)).machine.at !== "acting") await new Promise((go) => setImmediate(go));
    expect(await dueNow(rt)).toEqual([]);
    rt.clock.advance(36_000);
    await driveDue(rt);
    expect((await stateOf(rt, thread)).machine.outcome).toBe("completed");
  });
});
