import { describe, expect, test } from "vitest";
import { Plan } from "../../../src/schema/plan.ts";
import { showPrompt } from "../../../src/threads/show-prompt.ts";
import { isReadOnlyPlan } from "../../../src/turn/judge/step-proof.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { createWriteTool, look } from "../../support/tools.ts";

const planOf = (...needs: readonly string[]) => ({
  action: "plan_done",
  plan_steps: needs.map((kind, i) => ({ content: `Step ${i + 1}`, needs: kind })),
});
const call = (name: string, args: object) => ({ action: "continue", tool_call: { name, arguments: args } });
const looking = call("look", { at: "desk" });
const writing = call("write", { line: "a" });
const next = { action: "next_plan", goal_check: "seen" };
const done = { action: "done", goal_check: "all there" };
const answer = (gate: unknown, decision: "approve" | "reject" = "approve") => {
  const { id, digest } = gate as { id: string; digest: string };
  return { type: "confirm" as const, gate_id: id, digest, decision };
};

describe("a plan is read-only", () => {
  test.each([
    [["observation"], true],
    [["observation", "reply"], true],
    [["observation", "none"], true],
    [["none"], false],
    [["none", "observation"], false],
    [["observation", "any"], false],
    [["observation", "write"], false],
  ])("%j: %s", (needs, readOnly) => {
    const plan = Plan.parse(needs.map((kind) => ({ content: "Do it", done_when: null, needs: kind })));
    expect(isReadOnlyPlan(plan)).toBe(readOnly);
  });
});

describe("ask_writes, the default of new threads", () => {
  test("a plan that only reads starts without approval", async () => {
    const rt = createTestRuntime([planOf("observation"), looking, done, "Seen."], [look]);
    const thread = await createTestThread(rt, { goal: "Look" });
    expect(unwrap(await thread.turn()).outcome.thread).toMatchObject({ state: "execute", gate: null });
    unwrap(await thread.turn());
    unwrap(await thread.turn());
    expect(unwrap(await thread.turn()).outcome.thread).toMatchObject({ evidence: "proven", evidence_kind: "observed" });
  });

  test("a plan that writes waits for approval", async () => {
    const rt = createTestRuntime([planOf("observation", "write")], [look]);
    const thread = await createTestThread(rt, { goal: "Write" });
    expect(unwrap(await thread.turn()).outcome).toMatchObject({ kind: "waiting", gate: { kind: "plan" } });
  });

  describe("the first call that changes something under a plan that nobody approved", () => {
    async function gatedRun(script: readonly object[]) {
      const ledger: string[] = [];
      const rt = createTestRuntime([planOf("observation", "observation"), looking, next, writing, ...script] as never, [
        look,
        createWriteTool(ledger, { confirm: false }),
      ]);
      const thread = await createTestThread(rt, { goal: "Look", auto_approve: ["write"] });
      for (let i = 0; i < 3; i++) unwrap(await thread.turn());
      const gated = unwrap(await thread.turn()).outcome;
      return { rt, thread, ledger, gated };
    }

    test("opens the plan gate, whatever auto_approve says, and runs nothing", async () => {
      const { ledger, gated } = await gatedRun([]);
      expect(gated).toMatchObject({ kind: "waiting", next: "confirm", gate: { kind: "plan" } });
      expect(gated.thread).toMatchObject({ state: "plan", at: "approving", step: 1, steps: 2 });
      expect(gated.thread.gate?.text).toContain("write would change something");
      expect(ledger).toEqual([]);
    });

    test("approved: the run goes on in the same step with its proofs, and the call runs", async () => {
      const { rt, thread, ledger, gated } = await gatedRun([writing]);
      const approved = unwrap(await thread.turn(answer(gated.thread.gate))).outcome;
      expect(approved.thread).toMatchObject({ state: "execute", step: 1, proofs: [{ step: 0 }] });
      unwrap(await thread.turn());
      expect(ledger).toHaveLength(1);
      expect(unwrap(await showPrompt(rt, thread.at, 6)).messages).toEqual(rt.model.requests.at(-1)?.messages);
    });

    test("after a rejection, the model creates a new plan", async () => {
      const { thread, ledger, gated } = await gatedRun([planOf("observation")]);
      const rejected = unwrap(await thread.turn(answer(gated.thread.gate, "reject"))).outcome;
      expect(rejected.thread).toMatchObject({ state: "plan", at: "thinking", plan: null, proofs: [], steps: 0 });
      expect(unwrap(await thread.turn()).outcome.thread).toMatchObject({ state: "execute", step: 0, steps: 1 });
      expect(ledger).toEqual([]);
    });
  });
});

describe.each(["auto", "ask_writes"] as const)("look, then tell the user, under %s", (plan_approval) => {
  test.each(["observation", "reply"])(
    "asks once to omit a last step that only tells the user something and needs %s",
    async (needs) => {
      const steps = [
        { content: "Look at the desk", needs: "observation" },
        { content: "Tell the user what is there", needs },
      ];
      const plan = { action: "plan_done", plan_steps: steps, speak: "I look." };
      const shorter = { ...plan, plan_steps: steps.slice(0, 1) };
      const rt = createTestRuntime([plan, shorter, plan, plan], [look]);
      const thread = await createTestThread(rt, { goal: "Look and tell me", plan_approval });
      const planned = unwrap(await thread.turn()).outcome;
      expect(planned.turn?.corrections).toMatchObject([
        { message: "Step 2 only tells the user something: leave it out, because the delivery does that." },
      ]);
      expect(planned.thread.plan).toHaveLength(1);
      // A model that follows its plan is not asked again, and the step needs nothing, so that the run can end.
      const other = await createTestThread(rt, { goal: "Look and tell me", plan_approval });
      const kept = unwrap(await other.turn()).outcome;
      expect(kept.turn?.corrections).toHaveLength(1);
      expect(kept.thread.plan).toMatchObject([{ needs: "observation" }, { needs: "none" }]);
    },
  );

  test("accepts the end of a last step that tells the user something in unrecognized words, as unproven", async () => {
    const steps = ["Посмотреть на стол", "Рассказать, что там лежит"].map((content) => ({
      content,
      needs: "observation",
    }));
    const plan = { action: "plan_done", plan_steps: steps, speak: "Смотрю." };
    const [looking, next] = [callTool("look", { at: "desk" }), { action: "next_plan", goal_check: "лампа" }];
    const ended = { action: "done", goal_check: "лампа", delivery: "На столе лампа." };
    const end = async (...script: readonly object[]) => {
      const thread = await createTestThread(createTestRuntime([plan, looking, next, ...script] as never, [look]), {
        goal: "Что на столе?",
        plan_approval,
      });
      for (let i = 0; i < 3; i += 1) unwrap(await thread.turn());
      const first = unwrap(await thread.turn()).outcome;
      return first.kind === "delivered" ? first : unwrap(await thread.turn()).outcome;
    };
    const unproven = { kind: "delivered", thread: { outcome: "completed", evidence: "none" } };
    const insisted = await end(ended, ended, ended);
    expect(insisted).toMatchObject({ ...unproven, turn: { corrections: [{}, {}] } });
    // A reply format without `done` allows only a turn without a tool. After that turn, `done` is possible.
    const spoken = await end({ action: "continue", speak: "На столе лампа." }, ended);
    expect(spoken).toMatchObject({ ...unproven, turn: { corrections: [] } });
  });

  test.each([
    ["none", "proven"],
    ["any", "none"],
  ])("ends if the last step needs %s", async (needs, evidence) => {
    const rt = createTestRuntime([planOf("observation", needs), looking, next, done, "It is there."], [look]);
    const thread = await createTestThread(rt, { goal: "Look and tell me", plan_approval });
    const { gate } = unwrap(await thread.turn()).outcome.thread;
    if (gate) unwrap(await thread.turn(answer(gate)));
    unwrap(await thread.turn());
    unwrap(await thread.turn());
    unwrap(await thread.turn());
    expect(unwrap(await thread.turn()).outcome).toMatchObject({
      kind: "delivered",
      outcome: "completed",
      thread: { evidence, evidence_kind: "observed" },
    });
  });
});
