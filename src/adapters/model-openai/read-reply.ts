// Puts a reply together from chunks or from one body. Trusts no field: compatible servers differ.
import type { ModelReply } from "../../ports/model.ts";
import { record } from "./failure.ts";

export type Reading = {
  text: string;
  refusal: string;
  finish: string | null;
  model: string | null;
  usage: ModelReply["usage"];
};

export const newReading = (): Reading => ({ text: "", refusal: "", finish: null, model: null, usage: null });

/** One event of a stream. `reasoning_content` and tool calls are not ours and stay out. */
export function takeChunk(reading: Reading, raw: unknown, onText: (delta: string) => void): void {
  const chunk = record(raw);
  takeFacts(reading, chunk);
  const choice = firstChoice(chunk);
  const delta = record(choice.delta);
  const text = contentText(delta.content);
  if (text !== "") {
    reading.text += text;
    onText(text);
  }
  reading.refusal += contentText(delta.refusal);
  if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") reading.finish = choice.finish_reason;
}

/** A body that came whole: some servers do not stream although asked to. It is complete because it parsed. */
export function takeBody(reading: Reading, raw: unknown, onText: (delta: string) => void): void {
  const body = record(raw);
  takeFacts(reading, body);
  const choice = firstChoice(body);
  if (typeof choice.message !== "object" || choice.message === null) return;
  const message = record(choice.message);
  reading.text = contentText(message.content);
  reading.refusal = contentText(message.refusal);
  reading.finish = typeof choice.finish_reason === "string" ? choice.finish_reason : "stop";
  if (reading.text !== "") onText(reading.text);
}

function takeFacts(reading: Reading, from: Readonly<Record<string, unknown>>): void {
  if (typeof from.model === "string" && from.model !== "") reading.model = from.model;
  const usage = record(from.usage);
  const input_tokens = count(usage.prompt_tokens);
  const output_tokens = count(usage.completion_tokens);
  if (input_tokens !== null && output_tokens !== null) reading.usage = { input_tokens, output_tokens };
}

const firstChoice = (from: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  record(Array.isArray(from.choices) ? from.choices[0] : null);

/** Text, or the text parts of a list of parts. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map(record)
    .map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : ""))
    .join("");
}

const count = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
