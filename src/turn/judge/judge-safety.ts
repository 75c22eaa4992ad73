// Judges safety: budgets, repeated calls, idle turns and disabled tools.
import type { ExecuteDecision } from "../../schema/decision/decision.ts";
import type { Verdict } from "../../schema/judgement.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { Budget, ThreadState } from "../../schema/thread.ts";
import { passed, refused } from "./judge-flow.ts";
import type { PreparedCall } from "./ruling.ts";
import { IDLE_TURNS_MAX } from "./step-proof.ts";

/** Number of corrections per turn. The next unacceptable reply ends the turn. */
export const CORRECTIONS_MAX = 2;

/** The maximum cost of the next model call. */
export type WorstCase = { readonly tokens: number; readonly usd: number };
export const NO_COST: WorstCase = { tokens: 0, usd: 0 };

/** Checked before the model is called, so that no budget is overspent. Null if the next call fits. */
export function budgetShortfall(budget: Budget, next: WorstCase): string | null {
  const { limit, used } = budget;
  if (used.turns >= limit.turns) return `all ${limit.turns} turns of this run are used`;
  if (limit.tokens !== null && used.tokens + next.tokens > limit.tokens) {
    return `${used.tokens} of ${limit.tokens} tokens are used and the next call may need ${next.tokens}`;
  }
  if (limit.usd !== null && used.usd + next.usd > limit.usd) {
    return `${used.usd.toFixed(4)} of ${limit.usd} USD are used and the next call may cost ${next.usd.toFixed(4)}`;
  }
  if (limit.seconds !== null && used.seconds >= limit.seconds)
    return `all ${limit.seconds} seconds of this run are used`;
  return null;
}

export function judgeSafety(decision: ExecuteDecision, state: ThreadState, call: PreparedCall | null): Verdict {
  if (call?.disabled) return refused(`The tool ${call.name} is switched off (${call.disabled}); choose another way.`);
  if (call && isRepeat(state, call)) {
    return refused(
      `${call.name} with the same arguments was the last thing done; use what it gave, or change the arguments.`,
    );
  }
  if (!call && decision.action === "continue" && state.idle >= IDLE_TURNS_MAX) {
    return refused(`${state.idle} turns in a row used no tool; call one, ask the user, or finish.`);
  }
  return passed("within budget, no repeat, not idle");
}

const isRepeat = (state: ThreadState, call: PreparedCall): boolean =>
  !mayRepeat(call.manifest) && state.last_digest !== null && call.arguments_digest === state.last_digest;

/** Repeating a tool that proves nothing (recall, todo) or whose answer changes over time is harmless. */
export const mayRepeat = (manifest: Pick<Manifest, "proves" | "repeatable"> | null | undefined): boolean =>
  manifest?.proves === false || manifest?.repeatable === true;
