// Converts content to attributes of spans, with secrets redacted, and truncated to a length that exporters accept. Used
// only if the operator has enabled it.
import type { Attributes } from "@opentelemetry/api";
import type { Entry } from "../../schema/record.ts";
import type { Redactor } from "../../tools/redaction/redact.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import type { ObservedContent } from "../../turn/runtime.ts";
import { GEN_AI } from "./names.ts";

export type ContentFilter = Pick<Redactor, "text">;

const CHARS_MAX = 16_384;

const textPart = (content: string, filter: ContentFilter) => ({
  type: "text",
  content: truncateChars(filter.text(content), CHARS_MAX),
});

/**
 * The newest system messages of each filter and their JSON. They are cached because they are the same in most turns.
 */
const lastSystem = new WeakMap<ContentFilter, { readonly texts: readonly string[]; readonly json: string }>();

function systemInstructions(texts: readonly string[], filter: ContentFilter): string {
  const last = lastSystem.get(filter);
  if (last?.texts.length === texts.length && texts.every((text, i) => text === last.texts[i])) return last.json;
  const json = JSON.stringify(texts.map((text) => textPart(text, filter)));
  lastSystem.set(filter, { texts, json });
  return json;
}

export function modelContent({ messages, text }: ObservedContent, filter: ContentFilter): Attributes {
  const part = (content: string) => textPart(content, filter);
  const isSystem = ({ role }: { readonly role: string }): boolean => role === "system";
  const system = messages.filter(isSystem).map(({ content }) => content);
  const input = messages
    .filter((message) => !isSystem(message))
    .map(({ role, content }) => ({ role, parts: [part(content)] }));
  const output = text === null ? [] : [{ role: "assistant", parts: [part(text)], finish_reason: "stop" }];
  return {
    [GEN_AI.systemInstructions]: systemInstructions(system, filter),
    [GEN_AI.inputMessages]: JSON.stringify(input),
    [GEN_AI.outputMessages]: JSON.stringify(output),
  };
}

/**
 * Returns the arguments and the result of a call. Arguments that are stored in a blob because of their size are
 * omitted.
 */
export function toolContent({ call, observation }: Entry, filter: ContentFilter): Attributes {
  const clean = (text: string): string => truncateChars(filter.text(text), CHARS_MAX);
  return {
    ...(call?.arguments && { [GEN_AI.toolArguments]: clean(JSON.stringify(call.arguments)) }),
    ...(observation && { [GEN_AI.toolResult]: clean(observation.text) }),
  };
}
