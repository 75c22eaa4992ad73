// Assembles a reply from chunks or from one body. Validates every field, because compatible servers differ.
import type { ModelReply } from "../../ports/model.ts";
import { asRecord } from "./failure.ts";

export type ReplyBuffer = {
  text: string;
  refusal: string;
  finish: string | null;
  model: string | null;
  usage: ModelReply["usage"];
};

export const createReplyBuffer = (): ReplyBuffer => ({ text: "", refusal: "", finish: null, model: null, usage: null });

/** Adds one event of a stream. Ignores `reasoning_content` and tool calls. */
export function addChunk(buffer: ReplyBuffer, raw: unknown, onText: (delta: string) => void): void {
  const chunk = asRecord(raw);
  addMetadata(buffer, chunk);
  const choice = firstChoice(chunk);
  const delta = asRecord(choice.delta);
  const text = contentText(delta.content);
  if (text !== "") {
    buffer.text += text;
    onText(text);
  }
  buffer.refusal += contentText(delta.refusal);
  if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") buffer.finish = choice.finish_reason;
}

/** Adds a complete body: some servers do not stream although asked to. A body that parses is complete. */
export function addBody(buffer: ReplyBuffer, raw: unknown, onText: (delta: string) => void): void {
  const body = asRecord(raw);
  addMetadata(buffer, body);
  const choice = firstChoice(body);
  if (typeof choice.message !== "object" || choice.message === null) return;
  const message = asRecord(choice.message);
  buffer.text = contentText(message.content);
  buffer.refusal = contentText(message.refusal);
  buffer.finish = typeof choice.finish_reason === "string" ? choice.finish_reason : "stop";
  if (buffer.text !== "") onText(buffer.text);
}

function addMetadata(buffer: ReplyBuffer, from: Readonly<Record<string, unknown>>): void {
  if (typeof from.model === "string" && from.model !== "") buffer.model = from.model;
  const usage = asRecord(from.usage);
  const input_tokens = count(usage.prompt_tokens);
  const output_tokens = count(usage.completion_tokens);
  if (input_tokens !== null && output_tokens !== null) buffer.usage = { input_tokens, output_tokens };
}

const firstChoice = (from: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  asRecord(Array.isArray(from.choices) ? from.choices[0] : null);

/** The text, or the joined text parts of a list. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map(asRecord)
    .map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : ""))
    .join("");
}

const count = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
