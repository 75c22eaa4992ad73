// Converts the request for a response to the input of a turn. Among its items, only the newest message, approval or
// function output is read.
import * as z from "zod";
import type { Gate } from "../../schema/gate.ts";
import type { ThreadId } from "../../schema/ids.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { answerFor, textInput } from "../shared/answer-gate.ts";
import { unsupported } from "./errors.ts";
import { gateOfItem, threadOfItem } from "./ids.ts";

export const Content = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]);
const Item = z.looseObject({
  id: z.string().nullish(),
  type: z.string().optional(),
  role: z.string().optional(),
  content: Content.optional(),
  approval_request_id: z.string().optional(),
  approve: z.boolean().optional(),
  reason: z.string().nullish(),
  call_id: z.string().optional(),
  output: z.unknown().optional(),
});
type Item = z.infer<typeof Item>;

export const ResponseRequest = z.looseObject({
  model: z.string().min(1).max(64).optional(),
  input: z.union([z.string(), z.array(Item).min(1)], "must be a string, or a list with at least one item"),
  previous_response_id: z.string().nullish(),
  conversation: z.union([z.string().min(1).max(255), z.looseObject({ id: z.string().min(1).max(255) })]).nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  instructions: z.string().nullish(),
  prompt: z.unknown().optional(),
  tool_choice: z.unknown().optional(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).optional() }).nullish(),
  tools: z
    .array(
      z.looseObject({
        type: z.string(),
        name: z.string().optional(),
        description: z.string().nullish(),
        parameters: z.unknown().optional(),
      }),
    )
    .nullish(),
});
export type ResponseRequest = z.infer<typeof ResponseRequest>;

/** Instructions and sampling parameters are accepted without effect, and are reported as null. */
export function checkSupported(request: ResponseRequest): Result<void> {
  const { store, text, tools, tool_choice, prompt, conversation, previous_response_id } = request;
  if (store === false) return unsupported("store", "a thread is always stored.");
  if (text?.format && text.format.type !== "text") return unsupported("text.format", "only text is supported.");
  const other = tools?.find(({ type, name }) => type !== "function" || !name);
  if (other) return unsupported("tools", `only function tools are supported, not ${other.type}.`);
  if (tool_choice && tool_choice !== "auto") return unsupported("tool_choice", "only auto is supported.");
  if (prompt) return unsupported("prompt", "templates are not supported.");
  if (conversation && previous_response_id)
    return unsupported("previous_response_id", "cannot be combined with conversation.");
  return ok(undefined);
}

export function inputOf({ input }: ResponseRequest, gate: Gate | null): Result<TurnInput> {
  if (typeof input === "string") return readText(input, gate);
  const newest = input.findLast(isReadItem);
  // Clients send the outputs of all their calls at once and in any order, but the thread waits for only one of them.
  const [waited, ...again] = input.filter((item) => gate !== null && answeredBy(item) === gate.id);
  if (again.some((item) => item.approve !== waited?.approve))
    return unsupported("input", "has several answers to one approval request.");
  const last = newest && answeredBy(newest) ? (waited ?? newest) : newest;
  if (!last) return unsupported("input", "there is no message of the user, approval or function output.");
  if (answeredBy(last)) return answerInput(last, gate);
  const text = textOf(last.content);
  return text.ok ? readText(text.value, gate) : text;
}

const isReadItem = (item: Item): boolean => answeredBy(item) !== undefined || item.role === "user";

/** Returns the newest item whose id names a thread, if the request identifies its thread in no other way. */
export function findThreadItem({ input, previous_response_id, conversation }: ResponseRequest): ThreadItem | null {
  if (typeof input === "string" || previous_response_id || conversation) return null;
  for (const { id, call_id, approval_request_id } of input.toReversed()) {
    const known = [id ?? undefined, call_id, approval_request_id].find((one) => threadOfItem(one));
    const thread = threadOfItem(known);
    if (known && thread) return { id: known, thread };
  }
  return null;
}

export type ThreadItem = { readonly id: string; readonly thread: ThreadId };

function answeredBy({ type, approval_request_id, call_id }: Item): string | undefined {
  if (type === "mcp_approval_response") return gateOfItem(approval_request_id);
  return type === "function_call_output" ? gateOfItem(call_id) : undefined;
}

function answerInput(item: Item, gate: Gate | null): Result<TurnInput> {
  const id = answeredBy(item);
  if (!gate || gate.id !== id) return fail("gate_closed", `${id} does not wait for an answer.`);
  return answerFor(gate, { approved: item.approve, reason: item.reason ?? undefined, output: item.output });
}

function readText(text: string, gate: Gate | null): Result<TurnInput> {
  if (text.trim() === "") return unsupported("input", "has no text.");
  return textInput(gate, text);
}

/** Images and files are refused, because an answer that ignored them would be incomplete. */
export function textOf(content: z.infer<typeof Content> | null | undefined, param = "input"): Result<string> {
  if (typeof content === "string") return ok(content);
  const other = content?.find(({ type }) => type !== "input_text" && type !== "text");
  if (other) return unsupported(param, `${other.type} is not supported.`);
  return ok((content ?? []).map(({ text }) => text ?? "").join("\n"));
}
