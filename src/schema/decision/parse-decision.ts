// Turns a raw reply of the model into a decision, or into a problem that the model can act on. Never throws and never guesses.
import type { Result } from "../problem.ts";
import type { ExecuteDecision, PlanDecision } from "./decision.ts";
import { readExecuteDecision } from "./read-execute.ts";
import { readPlanDecision } from "./read-plan.ts";
import { readReply } from "./read-reply.ts";

export function parseDecision(raw: string): Result<ExecuteDecision> {
  const reply = readReply(raw);
  return reply.ok ? readExecuteDecision(reply.value) : reply;
}

export function parsePlanDecision(raw: string): Result<PlanDecision> {
  const reply = readReply(raw);
  return reply.ok ? readPlanDecision(reply.value) : reply;
}
