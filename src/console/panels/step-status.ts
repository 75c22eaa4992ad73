// How far a step of the plan is, and whether its receipts prove it.
import type { ThreadView } from "../../schema/turn-result.ts";

export type StepStatus = "done" | "unproven" | "current" | "pending" | "proposed";

type PlanFacts = Pick<ThreadView, "plan" | "proofs" | "outcome" | "state" | "step">;

export function stepStatus(thread: PlanFacts, i: number): StepStatus {
  const finished = thread.outcome === "completed" || thread.state === "deliver";
  if (finished || i < thread.step) return isProven(thread, i) ? "done" : "unproven";
  return i === thread.step && thread.state !== "rest" ? "current" : "pending";
}

/** Of a finished step, as the evidence of the run counts it. */
function isProven({ plan, proofs }: PlanFacts, i: number): boolean {
  const { needs, needs_open } = plan?.[i] ?? { needs: "any" };
  const kinds = proofs.filter(({ step }) => step === i).map(({ kind }) => kind);
  if (needs_open) return kinds.includes("write");
  return needs === "any" ? kinds.length > 0 : kinds.some((kind) => kind === needs);
}
