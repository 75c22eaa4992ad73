// Counts the tokens of a run, by model.
import type { Entry } from "../../schema/record.ts";

export type ModelUsage = {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
};

export function createUsage() {
  const byModel = new Map<string, ModelUsage>();
  return {
    add({ usage, model }: Pick<Entry, "usage" | "model">): void {
      if (!usage) return;
      const name = model ?? "unknown";
      const before = byModel.get(name);
      const inputTokens = (before?.inputTokens ?? 0) + usage.input_tokens;
      const outputTokens = (before?.outputTokens ?? 0) + usage.output_tokens;
      byModel.set(name, { model: name, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens });
    },
    total() {
      const sum = (field: "inputTokens" | "outputTokens"): number =>
        [...byModel.values()].reduce((total, one) => total + one[field], 0);
      const [input_tokens, output_tokens] = [sum("inputTokens"), sum("outputTokens")];
      return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
    },
    list: (): readonly ModelUsage[] => [...byModel.values()],
  };
}
