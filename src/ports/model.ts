// A language model: four messages in, text out. Retries under the deadline are the adapter's; meaning is not.
import type { Result } from "../schema/problem.ts";

export type Purpose = "plan" | "execute" | "deliver";
export type ModelMessage = { readonly role: "system" | "assistant" | "user"; readonly content: string };

export type ModelRequest = {
  readonly purpose: Purpose;
  readonly messages: readonly ModelMessage[];
  /** The shape of the reply as JSON Schema; null for prose. A provider without schemas may ignore it. */
  readonly schema: { readonly name: string; readonly schema: Record<string, unknown> } | null;
  readonly max_output_tokens: number;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch after which an answer is of no use. */
  readonly deadline: number;
  /** Hears the raw text while it is written. What it heard may still be refused. */
  readonly onText?: (delta: string) => void;
  /** All that onText brought so far is void: that try failed. Another one may begin from the first character. */
  readonly onDiscard?: (reason: string) => void;
};

export type ModelReply = {
  readonly text: string;
  readonly model: string;
  /** null where the provider does not say. */
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number } | null;
};

export type Prices = { readonly input_per_million: number; readonly output_per_million: number };

export interface Model {
  readonly name: string;
  /** Tokens the provider takes in one request, prompt and reply together. */
  readonly window: number;
  readonly max_output_tokens: number;
  /** null: not known. */
  readonly prices: Prices | null;
  /** `model_unavailable` (details.retry_after_s), `model_misconfigured` or `turn_deadline` without a reply; never throws. */
  reply(request: ModelRequest): Promise<Result<ModelReply>>;
}

/** Which model serves an agent for a purpose. */
export type PickModel = (agent: string, purpose: Purpose) => Model;
