// A raw reply of the model becomes a decision or a problem the model can act on. Never throws, never repairs by guessing.

import { readExecuteDecision } from "./decision/read-execute.ts";
import { readPlanDecision } from "./decision/read-plan.ts";
import { readReply } from "./decision/read-reply.ts";
import type { ExecuteDecision, PlanDecision } from "./decision.ts";
import type { Result } from "./problem.ts";

export function parseDecision(raw: string): Result<ExecuteDecision> {
  const reply = readReply(raw);
  return reply.ok ? readExecuteDecision(reply.value) : reply;
}

export function parsePlanDecision(raw: string): Result<PlanDecision> {
  const reply = readReply(raw);
  return reply.ok ? readPlanDecision(reply.value) : reply;
}
