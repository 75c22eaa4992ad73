// A language model: four messages in, text out. The adapter retries within the deadline; it does not interpret the text.
import type { Result } from "../schema/problem.ts";

export type Purpose = "plan" | "execute" | "deliver";
export type ModelMessage = { readonly role: "system" | "assistant" | "user"; readonly content: string };

export type ModelRequest = {
  readonly purpose: Purpose;
  readonly messages: readonly ModelMessage[];
  /** The JSON Schema of the reply; null for plain text. A provider without schema support may ignore it. */
  readonly schema: { readonly name: string; readonly schema: Record<string, unknown> } | null;
  readonly max_output_tokens: number;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; a later reply is useless. */
  readonly deadline: number;
  /** Receives the raw text as it is written. The text may still be refused. */
  readonly onText?: (delta: string) => void;
  /** Everything passed to onText so far is void because that attempt failed. Another attempt may start from the first character. */
  readonly onDiscard?: (reason: string) => void;
};

export type ModelReply = {
  readonly text: string;
  readonly model: string;
  /** null if the provider does not report it. */
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number } | null;
  /** The messages were merged so that roles alternate; absent: they were sent as they are. */
  readonly roles?: "alternating";
  /** Why the text may not be what was asked for, where the provider says so. Absent or null for an ordinary reply. */
  readonly trouble?: ReplyTrouble | null;
};

export type ReplyTrouble =
  | { readonly kind: "cut_off"; readonly limit: number }
  | { readonly kind: "refused" }
  /** A native call that is no decision. `offered`: the one tool that takes a decision, if the request offered it. */
  | { readonly kind: "tool_call"; readonly name: string; readonly offered?: string };

export type Prices = { readonly input_per_million: number; readonly output_per_million: number };

export interface Model {
  readonly name: string;
  /** The context window: tokens of prompt and reply together. */
  readonly window: number;
  readonly max_output_tokens: number;
  /** null: unknown. */
  readonly prices: Prices | null;
  /** `model_unavailable` (details.retry_after_s), `model_misconfigured` or `turn_deadline` without a reply; never throws. */
  reply(request: ModelRequest): Promise<Result<ModelReply>>;
}

/** Which model serves an agent for a purpose. */
export type PickModel = (agent: string, purpose: Purpose) => Model;

/**
 * The messages for a provider that requires alternating user and assistant roles: the same texts, merged. Messages before the first
 * real turn of the user are records: they are moved into that message, each inside a tag.
 */
export function alternateRoles(messages: readonly ModelMessage[]): ModelMessage[] {
  const system = messages.filter((message) => message.role === "system");
  const conversation = messages.filter((message) => message.role !== "system");
  const firstUser = conversation.findIndex((message) => message.role === "user");
  const afterUsers = conversation.findIndex((message, i) => i > firstUser && message.role !== "user");
  // The newest message of the first block of user messages; the ones before it are records.
  const start = firstUser < 0 ? conversation.length : (afterUsers < 0 ? conversation.length : afterUsers) - 1;
  const wrapped = conversation.slice(0, start).map((message, i) => ({
    role: "user" as const,
    content: wrapInTag(i === 0 ? "dialogue" : "record", message.content),
  }));
  return [...mergeSameRole(system), ...mergeSameRole([...wrapped, ...conversation.slice(start)])];
}

/** The content must not close the tag: escapes a closing tag in the text. */
function wrapInTag(tag: string, content: string): string {
  const safe = content.replaceAll(new RegExp(`</(?=\\s*${tag}\\s*>)`, "gi"), "<\\/");
  return `<${tag}>\n${safe}\n</${tag}>`;
}

function mergeSameRole(messages: readonly ModelMessage[]): ModelMessage[] {
  const merged: ModelMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role) {
      merged[merged.length - 1] = { role: last.role, content: `${last.content}\n\n${message.content}` };
    } else {
      merged.push(message);
    }
  }
  return merged;
}
