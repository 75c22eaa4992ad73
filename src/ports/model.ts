// Defines a language model: four messages in, text out. The adapter retries within the deadline and does not interpret the text.
import type { Result } from "../schema/problem.ts";

export type Purpose = "plan" | "execute" | "deliver";
export type ModelMessage = { readonly role: "system" | "assistant" | "user"; readonly content: string };

export type ModelRequest = {
  readonly purpose: Purpose;
  readonly messages: readonly ModelMessage[];
  /** The JSON Schema of the reply, or null for plain text. A provider without schema support may ignore it. */
  readonly schema: { readonly name: string; readonly schema: Record<string, unknown> } | null;
  readonly max_output_tokens: number;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. A later reply is useless. */
  readonly deadline: number;
  /** Receives the raw text as it is written. The text may still be refused. */
  readonly onText?: (delta: string) => void;
  /** The text that an attempt has passed to onText is void. Another attempt may start from the first character. */
  readonly onDiscard?: (reason: string) => void;
};

export type ModelReply = {
  readonly text: string;
  readonly model: string;
  /** Null if the provider does not report it. */
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number } | null;
  /** Set if the messages were merged so that roles alternate. If absent, they were sent unchanged. */
  readonly roles?: "alternating";
  /** Why the text may not be what was requested, if the provider reports it. Absent or null for an ordinary reply. */
  readonly trouble?: ReplyTrouble | null;
};

export type ReplyTrouble =
  | { readonly kind: "cut_off"; readonly limit: number }
  | { readonly kind: "refused" }
  /** A native call that is not a decision. `offered` is the one tool that takes a decision, if the request offered it. */
  | { readonly kind: "tool_call"; readonly name: string; readonly offered?: string };

export type Prices = { readonly input_per_million: number; readonly output_per_million: number };

export interface Model {
  readonly name: string;
  /** The size of the context window: tokens of prompt and reply together. */
  readonly window: number;
  readonly max_output_tokens: number;
  /** Null if the prices are unknown. */
  readonly prices: Prices | null;
  /** Fails with `model_unavailable` (details.retry_after_s), `model_misconfigured` or `turn_deadline` if there is no reply. Never throws. */
  reply(request: ModelRequest): Promise<Result<ModelReply>>;
}

export type PickModel = (agent: string, purpose: Purpose) => Model;

/** For a provider that requires alternating roles. Messages before the first real turn of the user are records, moved into that message in tags. */
export function alternateRoles(messages: readonly ModelMessage[]): ModelMessage[] {
  const system = messages.filter((message) => message.role === "system");
  const conversation = messages.filter((message) => message.role !== "system");
  const firstUser = conversation.findIndex((message) => message.role === "user");
  const afterUsers = conversation.findIndex((message, i) => i > firstUser && message.role !== "user");
  // The newest message of the first block of user messages. The ones before it are records.
  const start = firstUser < 0 ? conversation.length : (afterUsers < 0 ? conversation.length : afterUsers) - 1;
  const wrapped = conversation.slice(0, start).map((message, i) => ({
    role: "user" as const,
    content: wrapInTag(i === 0 ? "dialogue" : "record", message.content),
  }));
  return [...mergeSameRole(system), ...mergeSameRole([...wrapped, ...conversation.slice(start)])];
}

/** Escapes closing tags in the content, because it must not close the tag. */
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
