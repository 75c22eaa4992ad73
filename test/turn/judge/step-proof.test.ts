import { describe, expect, test } from "vitest";
import { NEEDS } from "../../../src/schema/plan.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";
import { judge } from "../../../src/turn/judge/judge.ts";
import { isStepProven, possibleActions } from "../../../src/turn/judge/step-proof.ts";
import { aState, idOf } from "../../support/thread.ts";

const proof = { step: 0, receipt_id: idOf("rcp", 1), summary: "" };

/** Every kind of step, approved or not, after a failed write or not, first and last, with and without proofs. */
const states: ThreadState[] = NEEDS.flatMap((needs) =>
  [true, false].flatMap((plan_approved) =>
    [[], [0]].flatMap((failed_writes) =>
      [1, 3].flatMap((steps) =>
        [
          [],
          [{ ...proof, kind: "write" }],
          [{ ...proof, kind: "observation" }],
          [{ ...proof, kind: "reply", step: 1 }],
        ].map((proofs) =>
          aState({
            machine: { mode: "plan", step: 0, steps },
            plan: Array.from({ length: steps }, () => ({ content: "Do it", done_when: null, needs })),
            plan_approved,
            failed_writes,
            proofs,
          }),
        ),
      ),
    ),
  ),
);

describe("what the prompt says of a step", () => {
  test("a step described as proven can be ended, another cannot", () => {
    expect(states).toHaveLength(160);
    for (const state of states) {
      const action = possibleActions(state).includes("next_plan") ? "next_plan" : "done";
      const ruling = judge({ action, goal_check: "It is done." }, state, null);
      expect(ruling.kind).toBe(isStepProven(state) ? "accepted" : "corrected");
    }
  });
});
