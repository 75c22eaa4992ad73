// What was said and done, as attributes of spans: only if the operator asked for it, with secrets redacted, and cut to a length
// that exporters accept.
import type { Attributes } from "@opentelemetry/api";
import type { ThreadRecord } from "../../schema/record.ts";
import type { Redactor } from "../../tools/redaction/redact.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import type { ObservedModelCall } from "../../turn/runtime.ts";
import { GEN_AI } from "./names.ts";

/** Null: spans have no content. */
export type ContentFilter = Pick<Redactor, "text"> | null;

const CHARS_MAX = 16_384;

export function modelContent({ messages, text }: ObservedModelCall, filter: ContentFilter): Attributes {
  if (!filter) return {};
  const part = (content: string) => ({ type: "text", content: truncateChars(filter.text(content), CHARS_MAX) });
  const isSystem = ({ role }: { readonly role: string }): boolean => role === "system";
  const system = messages.filter(isSystem).map(({ content }) => part(content));
  const input = messages
    .filter((message) => !isSystem(message))
    .map(({ role, content }) => ({ role, parts: [part(content)] }));
  const output = text === null ? [] : [{ role: "assistant", parts: [part(text)], finish_reason: "stop" }];
  return {
    [GEN_AI.systemInstructions]: JSON.stringify(system),
    [GEN_AI.inputMessages]: JSON.stringify(input),
    [GEN_AI.outputMessages]: JSON.stringify(output),
  };
}

/** Arguments that are stored apart, because of their size, are left out. */
export function toolContent({ call, observation }: ThreadRecord["entry"], filter: ContentFilter): Attributes {
  if (!filter) return {};
  const clean = (text: string): string => truncateChars(filter.text(text), CHARS_MAX);
  return {
    ...(call?.arguments && { [GEN_AI.toolArguments]: clean(JSON.stringify(call.arguments)) }),
    ...(observation && { [GEN_AI.toolResult]: clean(observation.text) }),
  };
}
