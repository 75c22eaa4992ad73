import { describe, expect, test } from "vitest";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../support/runtime.ts";
import { clarify, createWriteTool, look, throwingTool } from "../support/tools.ts";

const plan = {
  action: "plan_done",
  speak: "Two steps.",
  plan_steps: [
    { content: "Look", needs: "observation" },
    { content: "Write", needs: "write" },
  ],
};
const call = (name: string, args: Record<string, unknown>, action = "continue") => ({
  action,
  speak: `Using ${name}.`,
  tool_call: { name, arguments: args },
});
const next = { action: "next_plan", goal_check: "seen" };
const done = { action: "done", goal_check: "all there" };

describe("a thread from start to delivery", () => {
  test("plans, observes, writes after approval, and delivers with proofs", async () => {
    const ledger: string[] = [];
    const script = [
      plan,
      call("look", { at: "desk" }),
      next,
      call("write", { line: "a" }, "confirm"),
      done,
      "All done: looked and wrote.",
    ];
    const rt = createTestRuntime(script, [look, createWriteTool(ledger)]);
    const thread = await createTestThread(rt, { goal: "Tidy up" });

    const planned = unwrap(await thread.turn());
    expect(planned.outcome).toMatchObject({ kind: "waiting", next: "confirm", gate: { kind: "plan" } });
    expect(problemCode(await thread.turn())).toBe("gate_open");
    const gate = planned.outcome.thread.gate;
    if (gate?.kind !== "plan") throw new Error("no plan gate");
    unwrap(await thread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" }));
    unwrap(await thread.turn());
    const advanced = unwrap(await thread.turn());
    expect(advanced.outcome.thread).toMatchObject({ step: 1, steps: 2 });
    const gated = unwrap(await thread.turn());
    const confirmation = gated.outcome.thread.gate;
    if (confirmation?.kind !== "confirmation") throw new Error("no confirmation gate");
    expect(ledger).toEqual([]);
    const approved = unwrap(
      await thread.turn({
        type: "confirm",
        gate_id: confirmation.id,
        digest: confirmation.digest,
        decision: "approve",
      }),
    );
    expect(approved.records).toHaveLength(2);
    expect(approved.outcome.turn?.receipts.map((receipt) => receipt.kind)).toEqual(["intended", "settled"]);
    expect(ledger).toHaveLength(1);
    unwrap(await thread.turn());
    const delivered = unwrap(await thread.turn());
    expect(delivered.outcome).toMatchObject({
      kind: "delivered",
      outcome: "completed",
      next: "none",
      thread: { evidence: "proven" },
    });
    expect(delivered.outcome.turn?.speak).toBe("All done: looked and wrote.");
  });

  test("asks a question with clarify, and continues with the reply as proof", async () => {
    const script = [call("clarify", { question: "Which day?", choices: ["Mon", "Tue"] }), done, "Tuesday it is."];
    const rt = createTestRuntime(script, [clarify]);
    const thread = await createTestThread(rt, { goal: "Pick a day", mode: "direct" });
    const asked = unwrap(await thread.turn());
    const gate = asked.outcome.thread.gate;
    if (gate?.kind !== "question") throw new Error("no question gate");
    expect(problemCode(await thread.turn({ type: "answer", gate_id: gate.id, choice: "Wed" }))).toBe("request_invalid");
    const answered = unwrap(await thread.turn({ type: "answer", gate_id: gate.id, choice: "Tue" }));
    expect(answered.outcome.turn?.receipts[0]).toMatchObject({ source: "user_reply", summary: "Tue", success: true });
    expect(answered.outcome.thread.state).toBe("deliver");
  });
});

describe("failures", () => {
  test("a third invalid reply is stored as decision_invalid and the state is unchanged", async () => {
    const rt = createTestRuntime(["no json", "still none", "nor here"], [look]);
    const thread = await createTestThread(rt, { goal: "x", mode: "direct" });
    const failed = unwrap(await thread.turn());
    expect(failed.outcome).toMatchObject({
      kind: "failed",
      problem: { code: "decision_invalid" },
      thread: { state: "execute" },
      next: "advance",
    });
    expect(failed.outcome.turn?.corrections).toHaveLength(2);
    expect(rt.model.calls).toBe(3);
  });

  test("five consecutive turns with a failing handler fail the thread, and reset returns to the step", async () => {
    const rt = createTestRuntime(
      [1, 2, 3, 4, 5].map((n) => call("broken", { n })),
      [throwingTool],
    );
    const thread = await createTestThread(rt, { goal: "x", mode: "direct" });
    for (let n = 0; n < 4; n++) unwrap(await thread.turn());
    const poisoned = unwrap(await thread.turn());
    expect(poisoned.outcome.thread.state).toBe("failed");
    expect(problemCode(await thread.turn())).toBe("thread_failed");
    const reset = unwrap(await thread.turn({ type: "reset" }));
    expect(reset.outcome.thread).toMatchObject({ state: "execute", at: "deciding" });
  });
});

test("a request that is sent again while it runs is refused and does not run twice", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const rt = createTestRuntime([call("look", { at: "desk" })], [look], {
    faults: { at: (point) => (point === "model.before" ? promise : undefined) },
  });
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  const key = { hash: "a".repeat(18), body: "b".repeat(32) };
  const first = thread.turn(null, { key });
  await new Promise((go) => setImmediate(go));
  const second = thread.turn(null, { key });
  resolve();
  expect(problemCode(await second)).toBe("turn_running");
  expect(problemCode(await first)).toBe("ok");
  expect(rt.model.calls).toBe(1);
});
