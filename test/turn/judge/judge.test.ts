import { describe, expect, test } from "vitest";
import { type ExecuteDecision, PlanDecision } from "../../../src/schema/decision/decision.ts";
import { Judgement } from "../../../src/schema/judgement.ts";
import { PLAN_BYTES_MAX } from "../../../src/schema/plan.ts";
import { judge, judgePlan } from "../../../src/turn/judge/judge.ts";
import { possibleActions } from "../../../src/turn/judge/step-proof.ts";
import { aCall, anUnknownCall, look, unconfirmedWrite, write } from "../../support/prepared-calls.ts";
import { aState, idOf } from "../../support/thread.ts";

const going = (name: string): ExecuteDecision => ({ action: "continue", tool_call: { name, arguments: { day: 4 } } });
const confirming = (name: string): ExecuteDecision => ({ ...going(name), action: "confirm" }) as ExecuteDecision;
const done: ExecuteDecision = { action: "done", goal_check: "the task is on day 4" };

const step = (needs: string) => ({ content: "Do it", done_when: null, needs });
const lastStep = (over = {}) =>
  aState({ plan: [step("any"), step("write")], machine: { mode: "plan", step: 1, steps: 2 }, ...over });
const usedUp = {
  limit: { turns: 3, tokens: null, usd: null, seconds: null },
  used: { turns: 3, tokens: 0, usd: 0, seconds: 0 },
};

describe("a ruling", () => {
  test("accepts a call that needs no confirmation", () => {
    expect(judge(going("query_range"), aState(), aCall(look))).toMatchObject({ kind: "accepted", lifted: false });
  });

  test("accepts a decision without a call", () => {
    expect(judge({ action: "ask_user", speak: "Which week?" }, aState(), null).kind).toBe("accepted");
  });

  test("gates a call with all reasons to ask", () => {
    const call = aCall(write, { asks: [{ code: "risk", text: "Overwrites." }] });
    const ruling = judge(going("place"), aState(), call);
    expect(ruling.kind === "gated" && ruling.reasons.map(({ code }) => code)).toEqual(["risk", "manifest"]);
  });

  test("returns the effective decision: confirm of a pure call becomes continue", () => {
    expect(judge(confirming("query_range"), aState(), aCall(look))).toMatchObject({
      kind: "accepted",
      decision: { action: "continue" },
    });
  });

  test("says when policy lifted a confirmation", () => {
    const ruling = judge(going("place"), aState({ auto_approve: ["place"] }), aCall(write));
    expect(ruling).toMatchObject({ kind: "accepted", lifted: true });
  });

  test("corrects with the objection and the allowed actions", () => {
    const ruling = judge(done, lastStep(), null);
    expect(ruling).toMatchObject({
      kind: "corrected",
      problem: {
        code: "decision_refused",
        message: "done needs a write that succeeded in this step, and there is none.",
        details: { legal: ["continue", "confirm", "ask_user", "abort"] },
      },
    });
  });

  test("is exhausted when the budget is used up, for any decision", () => {
    const ruling = judge(done, lastStep({ budget: usedUp }), null);
    expect(ruling).toMatchObject({
      kind: "exhausted",
      reason: "all 3 turns of this run are used",
      judgement: { safety: { passed: false } },
    });
  });

  test("corrects rather than gates a call that is refused anyway", () => {
    const repeated = aCall(write);
    const ruling = judge(going("place"), aState({ last_digest: repeated.arguments_digest }), repeated);
    expect(ruling.kind).toBe("corrected");
  });

  test.each([
    ["accepted", judge(going("query_range"), aState(), aCall(look))],
    ["gated", judge(going("place"), aState(), aCall(write))],
    ["corrected", judge(done, lastStep(), null)],
    ["exhausted", judge(done, aState({ budget: usedUp }), null)],
  ])("that is %s has a storable judgement with three reasons", (kind, ruling) => {
    expect(ruling.kind).toBe(kind);
    const judgement = Judgement.parse(JSON.parse(JSON.stringify(ruling.judgement)));
    expect(Object.values(judgement).every(({ reason }) => reason.length > 0)).toBe(true);
  });

  test("names every verdict that objects, not only the first", () => {
    const state = aState({ plan: [step("any"), step("any")], machine: { mode: "plan", step: 0, steps: 2 } });
    const ruling = judge({ action: "done" }, state, null);
    expect(ruling.judgement).toMatchObject({ flow: { passed: false }, evidence: { passed: false } });
    expect(ruling.kind === "corrected" && ruling.problem.message).toContain("done needs the last step");
  });

  test("does not change its inputs", () => {
    const state = lastStep();
    const before = structuredClone(state);
    judge(done, state, null);
    expect(state).toEqual(before);
  });
});

describe("what a model can never achieve", () => {
  test.each(["continue", "confirm"] as const)("a write under %s waits for a person", (action) => {
    const decision = { ...going("place"), action } as ExecuteDecision;
    expect(judge(decision, aState(), aCall(write)).kind).toBe("gated");
  });

  test("a write without required confirmation is gated if the model says confirm", () => {
    expect(judge(confirming("mark"), aState(), aCall(unconfirmedWrite)).kind).toBe("gated");
  });

  test("done without a receipt is refused in a plan, however convincing its text", () => {
    const decision: ExecuteDecision = { ...done, goal_check: "everything was verified twice and is certain" };
    expect(judge(decision, lastStep(), null).kind).toBe("corrected");
  });

  test("done with a receipt of the wrong kind is refused", () => {
    const looked = { step: 1, kind: "observation", receipt_id: idOf("rcp", 1), summary: "free" };
    expect(judge(done, lastStep({ proofs: [looked] }), null).kind).toBe("corrected");
  });

  test("done with a receipt of the wrong step is refused", () => {
    const before = { step: 0, kind: "write", receipt_id: idOf("rcp", 1), summary: "placed" };
    expect(judge(done, lastStep({ proofs: [before] }), null).kind).toBe("corrected");
  });

  test("done with a receipt of the right kind for the right step is accepted", () => {
    const placed = { step: 1, kind: "write", receipt_id: idOf("rcp", 1), summary: "placed" };
    expect(judge(done, lastStep({ proofs: [placed] }), null).kind).toBe("accepted");
  });

  test("an invented tool is corrected, not run", () => {
    expect(judge(going("get_everything"), aState(), anUnknownCall("get_everything")).kind).toBe("corrected");
  });

  test("a disabled tool is corrected, not gated", () => {
    expect(judge(going("place"), aState(), anUnknownCall("place", { disabled: "agent_off" })).kind).toBe("corrected");
  });
});

describe("the allowed actions", () => {
  test("name next_plan only where there is a later step, and done only where there is none, and either only with proof", () => {
    const planned = { plan: [step("any"), step("any")], machine: { mode: "plan", step: 0, steps: 2 } };
    const proofs = [0, 1].map((at) => ({ step: at, kind: "write", receipt_id: idOf("rcp", at), summary: "w" }));
    const unproven = ["continue", "confirm", "ask_user", "abort"];
    expect(possibleActions(aState(planned))).toEqual(unproven);
    expect(possibleActions(aState({ ...planned, proofs }))).toEqual([
      "continue",
      "confirm",
      "next_plan",
      "ask_user",
      "abort",
    ]);
    expect(possibleActions(lastStep())).toEqual(unproven);
    expect(possibleActions(lastStep({ proofs }))).toEqual(["continue", "confirm", "done", "ask_user", "abort"]);
    expect(possibleActions(aState())).toEqual(["continue", "confirm", "done", "ask_user", "abort"]);
  });
});

describe("a plan", () => {
  const planning = (idle = 0) => aState({ idle, machine: { state: "plan", at: "thinking", mode: "plan", steps: 0 } });
  const planOf = (...plan_steps: unknown[]) => PlanDecision.parse({ action: "plan_done", plan_steps });

  test("is accepted as it will be stored: omitted fields are null", () => {
    const decision = planOf(
      { content: "Look", needs: "observation" },
      { content: "Place", done_when: "it is there", needs: "write" },
    );
    expect(judgePlan(decision, planning())).toMatchObject({
      kind: "accepted",
      plan: [
        { content: "Look", done_when: null, needs: "observation" },
        { content: "Place", done_when: "it is there", needs: "write" },
      ],
    });
  });

  test("may have as many UTF-8 bytes as the state allows, and not one more", () => {
    const empty = JSON.stringify([{ content: "", done_when: null, needs: "write" }]).length;
    const fits = (content: string) => judgePlan(planOf({ content, needs: "write" }), planning());
    expect(fits("x".repeat(PLAN_BYTES_MAX - empty)).kind).toBe("accepted");
    expect(fits("x".repeat(PLAN_BYTES_MAX - empty + 1))).toMatchObject({
      kind: "corrected",
      problem: { code: "plan_too_long" },
      judgement: { flow: { passed: false } },
    });
    expect(fits("计".repeat(Math.ceil(PLAN_BYTES_MAX / 3))).kind).toBe("corrected");
  });

  describe("whose steps do not say what proves them", () => {
    const decision = planOf({ content: "Write report.txt" }, { content: "Look", needs: "observation" });
    const stored = [
      { content: "Write report.txt", done_when: null, needs: "any", needs_open: true },
      { content: "Look", done_when: null, needs: "observation" },
    ];

    test("is corrected once, and the correction names the steps", () => {
      const ruling = judgePlan(decision, planning());
      if (ruling.kind !== "corrected") throw new Error("not corrected");
      expect(ruling.problem).toMatchObject({ code: "decision_refused" });
      expect(ruling.problem.message).toContain("give needs for step 1:");
      expect(judgePlan(decision, planning(), [ruling.problem])).toMatchObject({ kind: "accepted", plan: stored });
    });

    test("is corrected after a correction of another kind, but never as the last reply of a turn", () => {
      const other = { message: "action: found an unknown word" };
      expect(judgePlan(decision, planning(), [other]).kind).toBe("corrected");
      expect(judgePlan(decision, planning(), [other, other])).toMatchObject({ kind: "accepted", plan: stored });
    });
  });

  test.each([
    { action: "answer", speak: "Hello!" },
    { action: "ask_user", speak: "Which week?" },
    { action: "continue" },
  ])("$action is accepted without one", (decision) => {
    expect(judgePlan(PlanDecision.parse(decision), planning())).toMatchObject({ kind: "accepted", plan: null });
  });

  test("is required after two turns without one", () => {
    const continuePlanning = PlanDecision.parse({ action: "continue" });
    expect(judgePlan(continuePlanning, planning(1)).kind).toBe("accepted");
    expect(judgePlan(continuePlanning, planning(2))).toMatchObject({
      kind: "corrected",
      problem: { code: "decision_refused" },
      judgement: { safety: { passed: false } },
    });
  });

  test("is accepted after any number of turns without one", () => {
    expect(judgePlan(planOf({ content: "Look", needs: "observation" }), planning(5)).kind).toBe("accepted");
  });
});
