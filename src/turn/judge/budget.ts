// Validates the budget of a run and tracks what is spent against its limits.
import type { Model, ModelReply, PickModel, Purpose } from "../../ports/model.ts";
import { estimateTokens } from "../../prompt/estimate.ts";
import type { BudgetInput } from "../../schema/input.ts";
import { type Failed, fail } from "../../schema/problem.ts";
import type { CallProgress, Usage } from "../../schema/record.ts";
import type { Budget } from "../../schema/thread.ts";
import type { WorstCase } from "./judge-safety.ts";

export function costOf(model: Model, input_tokens: number, output_tokens: number): number {
  if (!model.prices) return 0;
  return (input_tokens * model.prices.input_per_million + output_tokens * model.prices.output_per_million) / 1_000_000;
}

/** Counts one model call. What the provider does not report is estimated. */
export function usageOf(model: Model, estimate: number, reported: ModelReply["usage"], text: string): Usage {
  const input_tokens = reported?.input_tokens ?? estimate;
  const output_tokens = reported?.output_tokens ?? estimateTokens(text);
  return { input_tokens, output_tokens, usd: costOf(model, input_tokens, output_tokens), model_calls: 1 };
}

export const worstCase = (model: Model, prompt_tokens: number): WorstCase => ({
  tokens: prompt_tokens + model.max_output_tokens,
  usd: costOf(model, prompt_tokens, model.max_output_tokens),
});

const PURPOSES: readonly Purpose[] = ["plan", "execute", "deliver"];

/** Refuses a money limit if the price of a model is unknown, because the limit could not be enforced. */
export function validateUsdBudget(
  pickModel: PickModel,
  agent: string,
  budget: BudgetInput | null | undefined,
): Failed | null {
  if (budget?.usd === undefined) return null;
  const unpriced = PURPOSES.map((purpose) => pickModel(agent, purpose)).find((model) => model.prices === null);
  if (!unpriced) return null;
  return fail(
    "request_invalid",
    `budget.usd: the model ${unpriced.name} has no prices, so its cost cannot be calculated.`,
    {
      field: "budget.usd",
    },
  );
}

/** A turn that called a model counts once, regardless of its corrections. `turns` is 0 for a further model call of the same turn. */
export function spend(budget: Budget, usage: Usage, seconds: number, turns = 1): Budget {
  const { used } = budget;
  return {
    limit: budget.limit,
    used: {
      turns: used.turns + turns,
      tokens: used.tokens + usage.input_tokens + usage.output_tokens,
      usd: round(used.usd + usage.usd, 1e9),
      // A clock that was set back must not refund time.
      seconds: round(used.seconds + Math.max(0, seconds), 1e3),
    },
  };
}

/** `operation` is null if no tool ran. */
export function spendTime(budget: Budget, operation: CallProgress | null): Budget {
  if (!operation) return budget;
  const { limit, used } = budget;
  return { limit, used: { ...used, seconds: round(used.seconds + Math.max(0, operation.ms) / 1000, 1e3) } };
}

const round = (value: number, unit: number): number => Math.round(value * unit) / unit;

export const freshBudget = (limit: Budget["limit"]): Budget => ({
  limit,
  used: { turns: 0, tokens: 0, usd: 0, seconds: 0 },
});

export const AMOUNTS = ["turns", "tokens", "usd", "seconds"] as const;

/** An absent limit means unlimited, so it cannot be raised. */
export const raisesLimits = (wanted: BudgetInput, { limit }: Budget): boolean =>
  AMOUNTS.some((amount) => (wanted[amount] ?? 0) > (limit[amount] ?? Number.POSITIVE_INFINITY));

/** Applies the limits of a request. Omitted limits stay unchanged. */
export function withLimits(budget: Budget, wanted: BudgetInput | null): Budget {
  if (!wanted) return budget;
  const { limit } = budget;
  return {
    used: budget.used,
    limit: {
      turns: wanted.turns ?? limit.turns,
      tokens: wanted.tokens ?? limit.tokens,
      usd: wanted.usd ?? limit.usd,
      seconds: wanted.seconds ?? limit.seconds,
    },
  };
}
