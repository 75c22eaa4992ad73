// Asks the user what is wanted after three rejections of a tool in one run, instead of letting the model propose it again.
import type { ThreadState } from "../../schema/thread.ts";
import { withEscalation } from "../act/escalation.ts";
import { amend, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { withQuestion } from "./open-gate.ts";

export const REJECTIONS_BEFORE_QUESTION = 3;

export function withRejectionCount(ctx: TurnContext, draft: Draft, tool: string): Draft {
  const count = (draft.state.rejections?.[tool] ?? 0) + 1;
  if (count < REJECTIONS_BEFORE_QUESTION) return amend(draft, { state: counted(draft.state, tool, count) });
  const recounted = amend(draft, { state: counted(draft.state, tool, 0) });
  const { child } = draft.state;
  // A child has no person to ask, so it hands the work back to its parent.
  if (child) return withEscalation(recounted, child, `A person rejected ${tool} ${count} times.`);
  const text = `You rejected ${tool} ${count} times. What do you want instead?`;
  return withQuestion(ctx, recounted, { text, choices: [], default: null, expires_in_s: null });
}

function counted({ rejections }: ThreadState, tool: string, count: number): Pick<ThreadState, "rejections"> {
  const { [tool]: _, ...others } = rejections ?? {};
  return { rejections: count > 0 ? { ...others, [tool]: count } : others };
}
