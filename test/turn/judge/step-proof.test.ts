import { describe, expect, test } from "vitest";
import { NEEDS } from "../../../src/schema/plan.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";
import { judge } from "../../../src/turn/judge/judge.ts";
import { runEvidence } from "../../../src/turn/judge/run-evidence.ts";
import { isStepProven, mayNeedNothing, possibleActions } from "../../../src/turn/judge/step-proof.ts";
import { aState, idOf } from "../../support/thread.ts";

const proof = { step: 0, receipt_id: idOf("rcp", 1), summary: "" };

/** Every kind of step, whether approved or not, after a failed write or not, first or last, with or without proofs. */
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

describe("a change that depends on a condition", () => {
  const after = (content: string, changes: Partial<ThreadState> = {}): ThreadState =>
    aState({
      machine: { mode: "plan", step: 1, steps: 2 },
      plan: [
        { content: "Look at notes", done_when: null, needs: "observation" },
        { content, done_when: null, needs: "write" },
      ],
      proofs: [{ ...proof, kind: "observation" }],
      ...changes,
    });

  test.each(["Create notes.txt if it is missing", "Datei anlegen, falls sie fehlt", "如果文件不存在就创建"])(
    "may end after a look, and is then not proven: %s",
    (content) => {
      const state = after(content);
      expect(judge({ action: "done", goal_check: "It is there already." }, state, null).kind).toBe("accepted");
      expect(possibleActions(state)).toContain("done");
      expect(runEvidence(state)).toEqual({ evidence: "none", evidence_kind: "observed" });
    },
  );

  test("needs the write without a look, after a failed write, and without a condition", () => {
    expect(mayNeedNothing(after("Create it if it is missing", { proofs: [] }))).toBe(false);
    expect(mayNeedNothing(after("Create it if it is missing", { failed_writes: [1] }))).toBe(false);
    expect(possibleActions(after("Create notes.txt"))).not.toContain("done");
  });
});

test("a look proves no step in which a write was tried and not made", () => {
  const tried = aState({
    goal: "Co jest w notatki.txt?",
    machine: { mode: "plan", step: 0, steps: 1 },
    plan: [{ content: "Plik notatek", done_when: null, needs: "observation" }],
    proofs: [{ ...proof, kind: "observation" }],
    failed_writes: [0],
  });
  expect(runEvidence(tried)).toEqual({ evidence: "none", evidence_kind: "observed" });
  expect(runEvidence({ ...tried, failed_writes: [] }).evidence).toBe("proven");
});
