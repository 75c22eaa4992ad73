// The status of a plan step. A finished step is "done" only if its receipts prove it.
import type { ThreadView } from "../../schema/turn-result.ts";

export type StepStatus = "done" | "unproven" | "current" | "pending" | "proposed";

type PlanFacts = Pick<ThreadView, "proven_steps" | "outcome" | "state" | "step">;

export function stepStatus(thread: PlanFacts, i: number): StepStatus {
  const finished = thread.outcome === "completed" || thread.state === "deliver";
  if (finished || i < thread.step) return thread.proven_steps?.includes(i) ? "done" : "unproven";
  return i === thread.step && thread.state !== "rest" ? "current" : "pending";
}
