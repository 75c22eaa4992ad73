// The names of the facts that move the machine, as records keep them.
import { z } from "zod";

export const SIGNALS = [
  "run.started",
  "run.resumed",
  "plan.continued",
  "plan.proposed",
  "plan.approved",
  "plan.rejected",
  "question.asked",
  "question.closed",
  "turn.taken",
  "step.advanced",
  "call.gated",
  "call.intended",
  "call.settled",
  "call.rejected",
  "call.doubted",
  "run.replanned",
  "run.answered",
  "run.finished",
  "run.delivered",
  "run.aborted",
  "run.exhausted",
  "run.cancelled",
  "thread.poisoned",
  "thread.reset",
] as const;

export const Signal = z.enum(SIGNALS);
export type SignalName = z.infer<typeof Signal>;
