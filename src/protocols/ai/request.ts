// A request of the AI SDK as an input of a turn. The page resends its history; only the newest message or answer is read.
import * as z from "zod";
import type { Gate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { answerFor, textInput } from "../shared/answer-gate.ts";
import { ForeignId } from "../shared/thread-of.ts";

const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  state: z.string().optional(),
  toolCallId: z.string().optional(),
  output: z.unknown().optional(),
  errorText: z.string().optional(),
  approval: z
    .looseObject({
      id: z.string(),
      approved: z.boolean().optional(),
      reason: z.string().optional(),
      signature: z.string().optional(),
    })
    .optional(),
});
type Part = z.infer<typeof Part>;
const Message = z.looseObject({ id: z.string(), role: z.string(), parts: z.array(Part).default([]) });

export const ChatRequest = z.looseObject({
  id: ForeignId,
  messages: z.array(Message).min(1),
  trigger: z.string().optional(),
  agent: z.string().optional(),
  /** False for pages with version 5 of the SDK, which does not know approvals. */
  approvals: z.boolean().default(true),
  /** Tools that the page runs itself. */
  tools: z
    .array(
      z.looseObject({
        name: z.string().min(1),
        description: z.string().optional(),
        inputSchema: z.unknown().optional(),
      }),
    )
    .optional(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

export type ChatInput = {
  readonly input: TurnInput;
  /** What the page repeats if it sends the same request again. */
  readonly key: string;
};

export function inputOf({ messages, trigger }: ChatRequest, gate: Gate | null): Result<ChatInput> {
  if (trigger === "regenerate-message")
    return fail("signal_refused", "A stored turn is not generated again; fork the thread to try something else.");
  const last = messages.at(-1);
  if (last?.role === "user") return userInput(last, gate);
  const answer = last?.parts.findLast((part) => isAnswer(part, gate));
  if (!gate || !answer) return fail("gate_closed", "No part of the last message answers the open gate.");
  const { approval, errorText, output } = answer;
  const { approved, reason, signature } = approval ?? {};
  const input =
    gate.kind === "external"
      ? answerFor(gate, errorText === undefined ? { output: output ?? null } : { error: errorText })
      : answerFor(gate, { approved, reason, digest: signature });
  return input.ok ? ok({ input: input.value, key: `answer:${gate.id}` }) : input;
}

/** The key of a repeated request, even if its gate is closed by now. */
export function keyOf({ messages }: ChatRequest): string | null {
  const last = messages.at(-1);
  if (last?.role === "user") return `message:${last.id}`;
  const answer = last?.parts.findLast(({ state }) => ANSWERED.includes(state ?? ""));
  return answer ? `answer:${answer.approval?.id ?? answer.toolCallId}` : null;
}

const ANSWERED = ["approval-responded", "output-available", "output-error"];

const isAnswer = ({ state, approval, toolCallId }: Part, gate: Gate | null): boolean =>
  gate !== null &&
  ANSWERED.includes(state ?? "") &&
  (gate.kind === "external" ? toolCallId === gate.id : approval?.id === gate.id);

function userInput({ id, parts }: z.infer<typeof Message>, gate: Gate | null): Result<ChatInput> {
  const text = parts.flatMap(({ type, text: own }) => (type === "text" && own ? own : [])).join("\n");
  if (text.trim() === "") return fail("request_invalid", "messages: the last one has no text.", { field: "messages" });
  const key = `message:${id}`;
  // The four words that resolve a doubt are offered in the text of the question.
  const resolved = textInput(gate, text);
  return resolved.ok ? ok({ input: resolved.value, key }) : resolved;
}
