// Assembles a reply from chunks or from one body. Validates every field, because compatible servers differ.
import type { ModelReply } from "../../ports/model.ts";
import { asRecord } from "./failure.ts";

type NativeCall = { name: string; arguments: string; readonly index: unknown; id: unknown };

export type ReplyBuffer = {
  text: string;
  /** The first native tool call: its name and the arguments received so far. */
  call: NativeCall | null;
  refusal: string;
  finish: string | null;
  model: string | null;
  usage: ModelReply["usage"];
};

export const createReplyBuffer = (): ReplyBuffer => ({
  text: "",
  call: null,
  refusal: "",
  finish: null,
  model: null,
  usage: null,
});

/** Receives pieces of the text of a reply, or of the arguments of a native call. */
export type OnDelta = (delta: string, part: "text" | "call") => void;

/** Ignores `reasoning_content`. */
export function addChunk(buffer: ReplyBuffer, raw: unknown, onDelta: OnDelta): void {
  const chunk = asRecord(raw);
  addMetadata(buffer, chunk);
  const choice = firstChoice(chunk);
  const delta = asRecord(choice.delta);
  const text = contentText(delta.content);
  if (text !== "") {
    buffer.text += text;
    onDelta(text, "text");
  }
  addCall(buffer, delta.tool_calls, onDelta);
  buffer.refusal += contentText(delta.refusal);
  if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") buffer.finish = choice.finish_reason;
}

/** Some servers do not stream when asked to. A body that could be parsed is complete even without a finish reason. */
export function addBody(buffer: ReplyBuffer, raw: unknown, onDelta: OnDelta): void {
  const body = asRecord(raw);
  addMetadata(buffer, body);
  const choice = firstChoice(body);
  if (typeof choice.message !== "object" || choice.message === null) return;
  const message = asRecord(choice.message);
  buffer.text = contentText(message.content);
  buffer.refusal = contentText(message.refusal);
  buffer.finish = typeof choice.finish_reason === "string" ? choice.finish_reason : "stop";
  if (buffer.text !== "") onDelta(buffer.text, "text");
  addCall(buffer, message.tool_calls, onDelta);
}

/** Only the first call counts, because a turn has one decision. */
function addCall(buffer: ReplyBuffer, calls: unknown, onDelta: OnDelta): void {
  if (!Array.isArray(calls)) return;
  for (const [at, call] of calls.map(asRecord).entries()) {
    const called = asRecord(call.function);
    const name = typeof called.name === "string" ? called.name : "";
    buffer.call ??= { name: "", arguments: "", index: call.index, id: call.id };
    if (isOtherCall(buffer.call, call, name) || (at > 0 && call.index === undefined)) continue;
    if (buffer.call.name === "") buffer.call.name = name;
    buffer.call.id ??= call.id;
    const written = argumentsText(called.arguments);
    if (written === "") continue;
    buffer.call.arguments += written;
    onDelta(written, "call");
  }
}

/**
 * Some servers count from 1, or give every call the index 0 and distinguish calls by id. A continuation has no name.
 */
const isOtherCall = (first: NativeCall, call: Readonly<Record<string, unknown>>, name: string): boolean =>
  (call.index !== undefined && call.index !== first.index) ||
  (name !== "" && typeof call.id === "string" && typeof first.id === "string" && call.id !== first.id);

/** Some servers send an object instead of JSON text. */
const argumentsText = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "object" && value !== null ? JSON.stringify(value) : "";

function addMetadata(buffer: ReplyBuffer, from: Readonly<Record<string, unknown>>): void {
  if (typeof from.model === "string" && from.model !== "") buffer.model = from.model;
  const usage = asRecord(from.usage);
  const input_tokens = count(usage.prompt_tokens);
  const output_tokens = count(usage.completion_tokens);
  if (input_tokens !== null && output_tokens !== null) buffer.usage = { input_tokens, output_tokens };
}

const firstChoice = (from: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  asRecord(Array.isArray(from.choices) ? from.choices[0] : null);

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
