// Computes the budgets of children. Together they get at most what is left of the budget of their parent, which waits while they work.
import type { ChildTask } from "../../ports/crew/crew.ts";
import type { BudgetInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Budget } from "../../schema/thread.ts";
import { AMOUNTS } from "../../turn/judge/budget.ts";

type Amount = (typeof AMOUNTS)[number];
/** The turn limit of a child without a given budget. */
const DEFAULT_TURNS = 30;

export function childBudgets(budget: Budget, tasks: readonly ChildTask[]): Result<readonly BudgetInput[]> {
  const budgets: Record<Amount, number | undefined>[] = tasks.map(({ budget: asked }) => ({
    turns: asked?.turns,
    tokens: asked?.tokens,
    usd: asked?.usd,
    seconds: asked?.seconds,
  }));
  for (const amount of AMOUNTS) {
    const limit = budget.limit[amount];
    if (limit === null) continue;
    const left = toExactUsd(limit - budget.used[amount]);
    const asked = toExactUsd(budgets.reduce((sum, one) => sum + (one[amount] ?? 0), 0));
    const open = budgets.filter((one) => one[amount] === undefined);
    const share = shareOf(amount, left - asked, open.length);
    if (asked > left || (open.length > 0 && share <= 0))
      return fail(
        "tool_refused",
        `The budget has ${left} ${amount} left, too few for ${tasks.length} sub-agents. Nothing was started.`,
      );
    for (const one of open) one[amount] = share;
  }
  return ok(budgets.map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined))));
}

/** Never more than the earlier limit of the child. */
export const atMost = (given: BudgetInput, limit: Budget["limit"]): BudgetInput =>
  Object.fromEntries(
    AMOUNTS.flatMap((amount) => {
      const value = given[amount];
      return value === undefined ? [] : [[amount, Math.min(value, limit[amount] ?? value)]];
    }),
  );

/** Money is counted in billionths of a dollar, because sums of fractions could exceed what is left or fall below what was requested. */
const USD_STEPS = 1e9;
const toExactUsd = (amount: number): number => Math.round(amount * USD_STEPS) / USD_STEPS;

function shareOf(amount: Amount, left: number, count: number): number {
  if (count === 0) return 0;
  if (amount === "usd") return Math.floor(Math.round(left * USD_STEPS) / count) / USD_STEPS;
  const share = Math.floor(left / count);
  return amount === "turns" ? Math.min(DEFAULT_TURNS, share) : share;
}
