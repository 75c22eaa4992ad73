// Tests that a superseded model call is aborted by an interrupting message, a cancellation or a pause in the same
// process.
import { describe, expect, test } from "vitest";
import { sendMessage } from "../../../src/jobs/inbox/double-texting.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import type { Model, ModelRequest } from "../../../src/ports/model.ts";
import type { LiveEvent } from "../../../src/schema/event.ts";
import { fail } from "../../../src/schema/problem.ts";
import { setBackground } from "../../../src/threads/change-state.ts";
import { removeThread } from "../../../src/threads/remove.ts";
import { advance } from "../../../src/turn/advance.ts";
import { WAKE_ID } from "../../../src/turn/commit/wake-up.ts";
import { loadThread } from "../../../src/turn/load.ts";
import type { Runtime, TurnRequest } from "../../../src/turn/runtime.ts";
import { ask, callTool } from "../../support/decisions.ts";
import { driveOptions, turnRequestOn } from "../../support/drive-options.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";

/**
 * Returns a model that never answers the first prompts after streaming a few words, and answers each later one
 * immediately.
 */
function aSlowModel(slow: number, answer: object) {
  const requests: ModelRequest[] = [];
  let asked = Promise.withResolvers<void>();
  const model: Model = {
    name: "slow",
    window: 64_000,
    max_output_tokens: 1_000,
    prices: null,
    async reply(request) {
      requests.push(request);
      const text = JSON.stringify(answer);
      if (requests.length > slow) return { ok: true, value: { text, model: "slow", usage: null } };
      request.onText?.('{"action":"continue","speak":"I think of an old');
      asked.resolve();
      asked = Promise.withResolvers();
      await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
      // This is late text of an aborted call.
      request.onText?.(" wish");
      return fail("turn_deadline", "Called off.");
    },
  };
  return { model, requests, asked: () => asked.promise };
}

const message = { type: "message" as const, text: "Rather the desk" };

describe("a turn whose model call is in flight while another record is committed", () => {
  test("is aborted and superseded: an interrupting message is processed immediately", async () => {
    const { model, requests, asked } = aSlowModel(1, callTool("look", { at: "desk" }));
    const rt = createTestRuntime([], [look], { pickModel: () => model });
    const thread = await createTestThread(rt, { goal: "Tidy up", mode: "direct" });
    const thinks = asked();
    const first = thread.turn();
    await thinks;
    const events: LiveEvent[] = [];
    const call = turnRequestOn(rt, thread.at, { input: message, emit: (event) => events.push(event) });
    expect(unwrap(await sendMessage(rt, call, message, "interrupt"))).toMatchObject({ kind: "advanced" });
    expect(await first).toMatchObject({ ok: false, problem: { code: "thread_moved", details: { version: 1 } } });
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    const said = thread.events.map(({ type }) => type);
    expect(said.slice(said.indexOf("speak.delta"))).toEqual(["speak.delta", "speak.discarded"]);
  });

  test("is repeated by its worker, and no attempt is counted against the run", async () => {
    const { model, requests, asked } = aSlowModel(1, ask("Which one?"));
    const rt = createTestRuntime([], [look], { pickModel: () => model });
    const { at } = await createTestThread(rt, { goal: "Tidy up", mode: "direct", run: "background" });
    const [due] = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 1));
    if (!due) throw new Error("nothing is due");
    const thinks = asked();
    const driven = runSlice(rt, due, driveOptions());
    await thinks;
    unwrap(await sendMessage(rt, turnRequestOn(rt, at, { input: message }), message, "interrupt"));
    expect(await driven).toMatchObject({ kind: "parked" });
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    const rows = unwrap(await rt.store.deliveries(at, 10, WAKE_ID));
    expect(rows.every(({ attempts }) => attempts === 0)).toBe(true);
    expect(unwrap(await loadThread(rt, at)).state).toMatchObject({
      background: { status: "on" },
      gate: { kind: "question" },
    });
  });

  const cancel = (rt: Runtime, call: TurnRequest) => advance(rt, { ...call, input: { type: "cancel" } });
  const pause = (rt: Runtime, call: TurnRequest) => setBackground(rt, call, { status: "paused", reason: null });

  test.each([
    ["is cancelled", cancel],
    ["is paused", pause],
  ])("is aborted when the run %s", async (_how, stop) => {
    const { model, requests, asked } = aSlowModel(1, ask("Which one?"));
    const rt = createTestRuntime([], [look], { pickModel: () => model });
    const thread = await createTestThread(rt, { goal: "Tidy up", mode: "direct", run: "background" });
    const thinks = asked();
    const first = thread.turn();
    await thinks;
    unwrap(await stop(rt, turnRequestOn(rt, thread.at)));
    expect(problemCode(await first)).toBe("thread_moved");
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  test("is aborted when the thread is removed", async () => {
    const { model, requests, asked } = aSlowModel(1, ask("Which one?"));
    const rt = createTestRuntime([], [look], { pickModel: () => model });
    const thread = await createTestThread(rt, { goal: "Tidy up", mode: "direct" });
    const thinks = asked();
    const first = thread.turn();
    await thinks;
    unwrap(await removeThread(rt, thread.at, "tester"));
    expect(problemCode(await first)).toBe("thread_not_found");
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  test("continues if the record belongs to another thread", async () => {
    const { model, requests, asked } = aSlowModel(1, callTool("look", { at: "desk" }));
    const rt = createTestRuntime([], [look], { pickModel: () => model });
    const one = await createTestThread(rt, { goal: "Tidy up", mode: "direct" });
    const other = await createTestThread(rt, { goal: "Tidy up", mode: "direct" });
    const thinks = asked();
    const first = one.turn();
    await thinks;
    unwrap(await other.turn());
    expect(requests[0]?.signal.aborted).toBe(false);
    rt.clock.advance(rt.config.turn_deadline_ms + 1);
    expect(problemCode(await first)).toBe("turn_deadline");
  });
});
