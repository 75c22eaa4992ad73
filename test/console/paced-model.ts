// A model that writes its replies in pieces and waits wherever the test wants it to, so that a test can look in between.
import type { Model } from "../../src/ports/model.ts";
import { ok } from "../../src/schema/problem.ts";

export const WAIT = "⏸";

/** Each WAIT in a reply is a pause until `release` is called once more. */
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
