// Formats a plan as one line per step. A completed step has a mark that shows whether a receipt proves it, and the
// current step has its own mark.
import type { Plan } from "../schema/plan.ts";
import type { ThreadView } from "../schema/turn-result.ts";
import { t } from "./messages/messages.ts";
import { escapeControl } from "./output.ts";

type Progress = Pick<ThreadView, "step" | "proofs" | "proven_steps" | "state" | "outcome">;

export function planLines(plan: Plan, progress: Progress | null): string {
  return plan
    .map((step, i) =>
      [`${stepMark(i, progress)} ${i + 1}. ${escapeControl(step.content)}`, ...stepDetails(i)].join("\n"),
    )
    .join("\n");

  function stepDetails(i: number): readonly string[] {
    const step = plan[i];
    const done = step?.done_when ? [t().doneWhen(escapeControl(step.done_when))] : [];
    const proofs = (progress?.proofs ?? []).filter((proof) => proof.step === i);
    return [...done, ...proofs.map((proof) => `     ${proof.kind}: ${escapeControl(proof.summary)}`)];
  }
}

function stepMark(i: number, progress: Progress | null): string {
  if (!progress) return "-";
  const finished = progress.outcome === "completed" || i < progress.step;
  if (finished) return progress.proven_steps?.includes(i) === false ? "?" : "✓";
  return i === progress.step && progress.state !== "rest" ? ">" : "-";
}
