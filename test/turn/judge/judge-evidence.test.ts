import { describe, expect, test } from "vitest";
import type { ExecuteDecision } from "../../../src/schema/decision/decision.ts";
import type { Needs } from "../../../src/schema/plan.ts";
import type { ProofKind, ThreadState } from "../../../src/schema/thread.ts";
import { withReceipt } from "../../../src/turn/act/with-receipt.ts";
import { judgeEvidence } from "../../../src/turn/judge/judge.ts";
import { aManifest, aReceipt, aState, idOf } from "../../support/thread.ts";

const done: ExecuteDecision = { action: "done", goal_check: "the task is on day 4" };
const nextPlan: ExecuteDecision = { action: "next_plan", goal_check: "day 4 is free" };

const proof = (kind: ProofKind, step = 1) => ({ step, kind, receipt_id: idOf("rcp", step), summary: "done" });

/** Returns a state in the second of two steps, which requires this proof. */
const onStep = (needs: Needs, over: Partial<Record<keyof ThreadState, unknown>> = {}): ThreadState => {
  const step = { content: "Do it", done_when: null, needs };
  return aState({ plan: [step, step], machine: { mode: "plan", step: 1, steps: 2 }, ...over });
};
const accepts = (state: ThreadState, decision: ExecuteDecision = done): boolean =>
  judgeEvidence(decision, state).passed;

describe("a goal_check", () => {
  const proven = onStep("any", { proofs: [proof("write")] });

  test.each(["done", "next_plan"] as const)("is required for %s, with or without proof", (action) => {
    expect(judgeEvidence({ action }, proven)).toMatchObject({
      passed: false,
      reason: expect.stringContaining(`${action} needs goal_check`),
    });
  });

  test("that is blank counts as missing", () => {
    expect(accepts(proven, { action: "done", goal_check: " \n" })).toBe(false);
  });

  test("with a proof is sufficient", () => {
    expect(judgeEvidence(done, proven)).toEqual({ passed: true, reason: `write ${idOf("rcp", 1)}` });
  });

  test("alone is not sufficient", () => {
    expect(judgeEvidence(nextPlan, onStep("any"))).toEqual({
      passed: false,
      reason:
        "next_plan needs a write that succeeded, or an observation that succeeded, or a reply of the user in this step, and there is none.",
    });
  });

  test.each<ExecuteDecision>([
    { action: "continue" },
    { action: "ask_user", speak: "Which week?" },
    { action: "confirm", tool_call: { name: "place", arguments: {} } },
    { action: "abort", abort: { user_message: "It cannot be done." } },
  ])("is not required for $action, which asserts no completion", (decision) => {
    expect(accepts(onStep("write"), decision)).toBe(true);
  });
});

describe("what a step needs is what proves it", () => {
  const kinds: readonly ProofKind[] = ["write", "observation", "reply"];
  const proving: Record<Exclude<Needs, "none">, readonly ProofKind[]> = {
    write: ["write"],
    observation: ["observation"],
    reply: ["reply"],
    any: kinds,
  };
  const cells = Object.entries(proving).flatMap(([needs, taken]) =>
    kinds.map((kind) => [needs as Needs, kind, taken.includes(kind)] as const),
  );

  test.each(cells)("a step that needs %s, proven by %s: %s", (needs, kind, taken) => {
    expect(accepts(onStep(needs, { proofs: [proof(kind)] }))).toBe(taken);
  });

  test("one matching proof among others is enough", () => {
    expect(accepts(onStep("write", { proofs: [proof("observation"), proof("write")] }))).toBe(true);
  });
});

describe("a proof belongs to its step", () => {
  test.each([0, 2])("a proof of step %i proves nothing in step 1", (step) => {
    expect(accepts(onStep("any", { proofs: [proof("write", step)] }))).toBe(false);
  });
});

describe("a step that needs nothing", () => {
  test("needs no proof in a plan that a person approved", () => {
    expect(accepts(onStep("none", { plan_approved: true }))).toBe(true);
  });

  test("still requires a goal_check", () => {
    expect(accepts(onStep("none", { plan_approved: true }), { action: "done" })).toBe(false);
  });

  test("counts as any if the plan was not approved by a person", () => {
    const first = { machine: { mode: "plan", step: 0, steps: 2 } };
    expect(accepts(onStep("none", first), nextPlan)).toBe(false);
    expect(accepts(onStep("none", { ...first, proofs: [proof("observation", 0)] }), nextPlan)).toBe(true);
  });

  test("needs no proof as the last step after others: it only reports, and the delivery does that", () => {
    expect(accepts(onStep("none"))).toBe(true);
    expect(accepts(onStep("none", { failed_writes: [1] }))).toBe(false);
  });
});

describe("after a failed or rejected write", () => {
  const failed = (needs: Needs, kind: ProofKind): ThreadState =>
    onStep(needs, { failed_writes: [1], proofs: [proof(kind)] });

  test("any means a write or a reply: an observation is no longer enough", () => {
    expect(accepts(failed("any", "observation"))).toBe(false);
    expect(accepts(failed("any", "write"))).toBe(true);
    expect(accepts(failed("any", "reply"))).toBe(true);
  });

  test("a step that needs an observation is still proven by one", () => {
    expect(accepts(failed("observation", "observation"))).toBe(true);
  });

  test("an unapproved none counts as any, and requires a write or a reply", () => {
    expect(accepts(failed("none", "observation"))).toBe(false);
  });

  test("of another step the rules are unchanged", () => {
    expect(accepts(onStep("any", { failed_writes: [0], proofs: [proof("observation")] }))).toBe(true);
  });
});

describe("a direct run", () => {
  test("that proved nothing may end, and the verdict says that it is unproven", () => {
    expect(judgeEvidence(done, aState())).toEqual({
      passed: true,
      reason: "no receipt is needed to end here; delivered as unproven",
    });
  });

  test("with a proof ends as proven", () => {
    expect(judgeEvidence(done, aState({ proofs: [proof("observation", 0)] })).reason).toContain("observation rcp_");
  });

  test("requires a write or a reply after a failed write", () => {
    expect(accepts(aState({ failed_writes: [0] }))).toBe(false);
    expect(accepts(aState({ failed_writes: [0], proofs: [proof("observation", 0)] }))).toBe(false);
    expect(accepts(aState({ failed_writes: [0], proofs: [proof("write", 0)] }))).toBe(true);
    expect(accepts(aState({ failed_writes: [0], proofs: [proof("reply", 0)] }))).toBe(true);
  });

  test("requires a goal_check like any other", () => {
    expect(accepts(aState(), { action: "done" })).toBe(false);
  });

  test("is the only one that may end unproven: a plan of one step is not", () => {
    const plan = [{ content: "Do it", done_when: null, needs: "any" }];
    expect(accepts(aState({ plan, machine: { mode: "plan", step: 0, steps: 1 } }))).toBe(false);
  });
});

describe("receipts as the runtime creates them", () => {
  const after = (receipt: Parameters<typeof aReceipt>[0], proves = true, needs: Needs = "any"): boolean => {
    const manifest = aManifest({ name: "place", permission: "WRITE", proves });
    return accepts(withReceipt(onStep(needs), aReceipt({ step_index: 1, ...receipt }), manifest));
  };

  test("a successful write proves a step that needs one", () => {
    expect(after({ source: "write_receipt", success: true }, true, "write")).toBe(true);
  });

  test.each([
    ["failed", false],
    ["unknown", null],
  ])("a write whose outcome is %s proves nothing", (_word, success) => {
    expect(after({ source: "write_receipt", success })).toBe(false);
  });

  test("a failed observation proves nothing", () => {
    expect(after({ source: "tool_observation", success: false })).toBe(false);
  });

  test("an observation does not count as a write", () => {
    expect(after({ source: "tool_observation", success: true }, true, "write")).toBe(false);
  });

  test("a tool with `proves: false` proves nothing", () => {
    expect(after({ source: "tool_observation", success: true }, false)).toBe(false);
  });

  test("a reply of the user proves a step that needs one", () => {
    expect(after({ source: "user_reply", name: "ask_user", success: true }, true, "reply")).toBe(true);
  });

  test("a receipt of an earlier step proves nothing in this one", () => {
    expect(after({ step_index: 0, source: "write_receipt", success: true })).toBe(false);
  });

  test("after a failed write an observation in the same step is not enough", () => {
    const manifest = aManifest({ name: "place", permission: "WRITE" });
    const failed = withReceipt(
      onStep("any"),
      aReceipt({ step_index: 1, source: "write_receipt", success: false }),
      manifest,
    );
    const looked = withReceipt(failed, aReceipt({ step_index: 1, id: idOf("rcp", 2) }), aManifest({ name: "look" }));
    expect(accepts(looked)).toBe(false);
  });
});
