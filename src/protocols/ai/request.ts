// Converts a request of the AI SDK to the input of a turn. The page resends its whole history, but only the newest
// message or answer is read.
import * as z from "zod";
import type { Gate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, type Result } from "../../schema/problem.ts";
import type { Thread } from "../../schema/record.ts";
import { KEY_RING_MAX } from "../../schema/thread.ts";
import { answerFor, textInput } from "../shared/answer-gate.ts";
import { ForeignId } from "../shared/prepare-run.ts";
import { invalidField } from "../shared/problems.ts";

const Part = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  state: z.string().nullish(),
  toolCallId: z.string().nullish(),
  output: z.unknown().optional(),
  errorText: z.string().nullish(),
  approval: z
    .looseObject({
      id: z.string(),
      approved: z.boolean().nullish(),
      reason: z.string().nullish(),
      signature: z.string().nullish(),
    })
    .nullish(),
});
type Part = z.infer<typeof Part>;
const Message = z.looseObject({ id: z.string(), role: z.string(), parts: z.array(Part).default([]) });

export const ChatRequest = z.looseObject({
  id: ForeignId,
  messages: z.array(Message).min(1),
  trigger: z.string().optional(),
  agent: z.string().optional(),
  /** False for pages that use version 5 of the SDK, which does not support approvals. */
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

export function inputOf(request: ChatRequest, thread: Thread | null): Result<TurnInput> {
  const { messages } = request;
  const gate = thread?.state.gate ?? null;
  if (request.trigger === "regenerate-message" && !isRetry(request, thread))
    return fail("signal_refused", "A stored turn is not generated again; fork the thread to try something else.");
  const last = messages.at(-1);
  if (last?.role === "user") return userInput(last, gate);
  const answer = answerIn(messages, gate);
  if (!gate || !answer) return fail("gate_closed", "No message answers the open gate.");
  const { approval, errorText, output } = answer;
  const { approved, reason, signature } = approval ?? {};
  if (gate.kind === "external")
    return answerFor(gate, typeof errorText === "string" ? { error: errorText } : { output: output ?? null });
  return answerFor(gate, {
    approved: approved ?? undefined,
    reason: reason ?? undefined,
    digest: signature ?? undefined,
  });
}

/**
 * Pages also regenerate to retry after an error. A message that is not stored is then sent as if for the first time, but
 * a full list of keys cannot show that a message is new.
 */
const isRetry = ({ messages }: ChatRequest, thread: Thread | null): boolean =>
  messages.at(-1)?.role === "user" && (thread?.state.key_ring.length ?? 0) < KEY_RING_MAX;

/** What the page may send again: a message with its id, or an answer with its gate. */
export type Repeatable = { readonly key: string; readonly text?: string; readonly answers?: string };

/** Also finds an answer whose gate is already closed. */
export function repeatable({ messages }: ChatRequest, gate: Gate | null): Repeatable | null {
  const last = messages.at(-1);
  if (last?.role === "user") return { key: `message:${last.id}`, text: textOf(last) };
  const answer = answerIn(messages, gate) ?? last?.parts.findLast(({ state }) => ANSWERED.includes(state ?? ""));
  const answers = answer && gateOf(answer);
  return answers ? { key: `answer:${answers}`, answers } : null;
}

/** Differs from the id of the first approval, so that the page can tell the two apart. */
export const repeatedApprovalId = (gate_id: string, message_id: string): string => `${gate_id}:${message_id}`;

const gateOf = ({ approval, toolCallId }: Part): string | undefined =>
  approval ? approval.id.split(":", 1)[0] : (toolCallId ?? undefined);

/** Users may send messages while an approval waits, so the answer may be in a message before the last. */
const answerIn = (messages: ChatRequest["messages"], gate: Gate | null): Part | undefined =>
  messages.flatMap(({ parts }) => parts).findLast((part) => isAnswer(part, gate));

const ANSWERED = ["approval-responded", "output-available", "output-error"];

const isAnswer = (part: Part, gate: Gate | null): boolean =>
  gate !== null &&
  ANSWERED.includes(part.state ?? "") &&
  (gate.kind === "external" ? part.toolCallId : part.approval && gateOf(part)) === gate.id;

const textOf = ({ parts }: z.infer<typeof Message>): string =>
  parts.flatMap(({ type, text }) => (type === "text" && text ? text : [])).join("\n");

function userInput(message: z.infer<typeof Message>, gate: Gate | null): Result<TurnInput> {
  // Files are refused, because an answer that ignored a file would be incomplete.
  if (message.parts.some(({ type }) => type === "file")) return invalidField("messages", "files are not supported.");
  const text = textOf(message);
  if (text.trim() === "") return invalidField("messages", "the last one has no text.");
  // For a doubt, the text is one of the four words that its question lists.
  return textInput(gate, text);
}
