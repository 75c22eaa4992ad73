// The offline model: deterministic, without network or key. Reads only the four messages a real model would get.
import type { Model } from "../../ports/model.ts";
import { ok } from "../../schema/problem.ts";
import { decidePlan, decideStep } from "./decide.ts";
import { writeDelivery } from "./deliver.ts";
import { misbehaved } from "./misbehave.ts";
import { type ReadPrompt, readPrompt } from "./read-prompt.ts";
import { misbehaviourIn } from "./understand.ts";

const PIECE = 12;

export function createDemoModel(): Model {
  return {
    name: "demo",
    window: 32_768,
    max_output_tokens: 2048,
    prices: { input_per_million: 0, output_per_million: 0 },
    reply: async ({ messages, onText }) => {
      const prompt = readPrompt(messages);
      const text = misbehaved(misbehaviourIn(prompt), prompt, goodReply(prompt));
      if (onText) for (const piece of pieces(text)) onText(piece);
      return ok({ text, model: "demo", usage: null });
    },
  };
}

function goodReply(prompt: ReadPrompt): string {
  switch (prompt.wanted) {
    case "plan":
      return JSON.stringify(decidePlan(prompt));
    case "execute":
      return JSON.stringify(decideStep(prompt));
    case "delivery":
      return writeDelivery(prompt);
  }
}

/** A few characters at a time, as a model that streams would send them. */
function* pieces(text: string): Generator<string> {
  const letters = [...text];
  for (let i = 0; i < letters.length; i += PIECE) yield letters.slice(i, i + PIECE).join("");
}
