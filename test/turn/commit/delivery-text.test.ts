import { expect, test } from "vitest";
import { cancelledText, completedText } from "../../../src/turn/commit/delivery-text.ts";
import { aState } from "../../support/thread.ts";

const plan = ["Look", "Write", "Wave"].map((content) => ({ content, done_when: null, needs: "any" as const }));
const machine = { ...aState().machine, state: "execute" as const, mode: "plan" as const, step: 1, steps: 3 };

test("a run that was cancelled lists only the steps before the current one as done", () => {
  const lines = cancelledText(aState({ plan, machine })).split("\n");
  expect(lines).toEqual(["The run was cancelled.", "[x] Look", "[ ] Write", "[ ] Wave"]);
});

test("a run without receipts does not claim that a step is done", () => {
  expect(completedText(aState({ plan, machine, proofs: [] }))).toBe("Finished, without any receipt to prove it.");
});
