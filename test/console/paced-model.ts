// Provides a model that streams its replies in pieces and pauses between them until the test continues.
import type { Model } from "../../src/ports/model.ts";
import { ok } from "../../src/schema/problem.ts";

export const WAIT = "⏸";

/** Creates the model. Each WAIT in a reply pauses the stream until the next `release`. */
export function createPacedModel(replies: readonly string[]): Model & { readonly release: () => void } {
  let call = 0;
  let resume = (): void => undefined;
  return {
    name: "paced",
    window: 32_768,
    max_output_tokens: 2048,
    prices: null,
    release: () => resume(),
    reply: async ({ onText }) => {
      const reply = replies[call++];
      if (reply === undefined) throw new Error(`no reply for call ${call}`);
      for (const [i, piece] of reply.split(WAIT).entries()) {
        if (i > 0) {
          const { promise, resolve } = Promise.withResolvers<void>();
          resume = resolve;
          await promise;
        }
        onText?.(piece);
      }
      return ok({ text: reply.replaceAll(WAIT, ""), model: "paced", usage: null });
    },
  };
}
