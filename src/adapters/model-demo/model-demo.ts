// The offline model. Reads only the four messages a real model would get and answers the same JSON.
import type { Model } from "../../ports/model.ts";
import { ok } from "../../schema/problem.ts";

export function createDemoModel(): Model {
  return {
    name: "demo",
    window: 32_768,
    max_output_tokens: 1024,
    prices: null,
    reply: async ({ purpose, onText }) => {
      const text =
        purpose === "deliver"
          ? "Done."
          : JSON.stringify(
              purpose === "plan"
                ? { speak: "This is the demo model.", action: "answer" }
                : { speak: "This is the demo model.", action: "done", goal_check: "nothing was asked of a tool" },
            );
      onText?.(text);
      return ok({ text, model: "demo", usage: null });
    },
  };
}
