// Implements the offline model, which is deterministic and needs neither a network nor an API key. It reads only the
// four messages that a real model would receive.
import type { Model } from "../../ports/model.ts";
import { ok } from "../../schema/problem.ts";

const CHUNK_CHARS = 12;

export function createDemoModel(): Model {
  return {
    name: "demo",
    window: 32_768,
    max_output_tokens: 2048,
    prices: { input_per_million: 0, output_per_million: 0 },
    reply: async ({ messages, onText }) => {
      const { demoReply } = await import("./reply.ts");
      const text = demoReply(messages);
      if (onText) for (const chunk of chunks(text)) onText(chunk);
      return ok({ text, model: "demo", usage: null });
    },
  };
}

/** Imitates a streaming model. */
function* chunks(text: string): Generator<string> {
  const characters = [...text];
  for (let i = 0; i < characters.length; i += CHUNK_CHARS) yield characters.slice(i, i + CHUNK_CHARS).join("");
}
