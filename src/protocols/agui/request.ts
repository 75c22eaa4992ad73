// Converts a request of an AG-UI client to the input of a turn. Clients resend their whole history, but only the newest
// message or the `resume` field counts.
import * as z from "zod";
import { QuestionAnswer } from "../../schema/decision/questions.ts";
import { type Gate, hasExpired } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread } from "../../schema/record.ts";
import { answerFor, type ForeignAnswer } from "../shared/answer-gate.ts";
import { ForeignId } from "../shared/prepare-run.ts";
import { invalidField } from "../shared/problems.ts";

const TextContent = z.looseObject({ type: z.literal("text"), text: z.string() });
const Content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);
const Message = z.looseObject({
  id: z.string(),
  role: z.string(),
  content: Content.nullish(),
  toolCallId: z.string().nullish(),
  error: z.string().nullish(),
});

const Resume = z.looseObject({
  interruptId: z.string(),
  status: z.enum(["resolved", "cancelled"]),
  payload: z.unknown().optional(),
});

/** Also accepts null for an absent field, because clients in some languages send it. */
const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();

export const AguiRequest = z.looseObject({
  threadId: ForeignId,
  runId: ForeignId,
  messages: z.array(Message),
  tools: optional(
    z.array(
      z.looseObject({
        name: z.string().min(1),
        description: z.string().nullish(),
        parameters: z.unknown().optional(),
      }),
    ),
  ),
  protocolVersion: optional(z.string()),
  resume: optional(z.array(Resume)),
  forwardedProps: optional(z.looseObject({ agent: z.string().nullish() })),
});
export type AguiRequest = z.infer<typeof AguiRequest>;

/** Returns null if the thread continues without input, for example after a gate has expired. */
export function inputOf(request: AguiRequest, gate: Gate | null, now: number): Result<TurnInput | null> {
  const { resume = [] } = request;
  if (resume.length > 0) return resumeInput(resume, gate, now);
  const last = request.messages.at(-1);
  if (last?.role === "tool" && gate?.kind === "external" && last.toolCallId === gate.id)
    return answerFor(gate, typeof last.error === "string" ? { error: last.error } : { output: textOf(last.content) });
  const text = last?.role === "user" ? textOf(last.content) : "";
  // Images and other parts are refused, because an answer that ignored a part would be incomplete.
  const other = last?.role === "user" && typeof last.content !== "string" ? last.content?.find(isNoText) : undefined;
  if (other) return invalidField("messages", `${other.type} is not supported.`);
  if (text.trim() === "") return invalidField("messages", "the last one must be from the user and contain text.");
  return ok({ type: "message", text });
}

function resumeInput(
  resume: readonly z.infer<typeof Resume>[],
  gate: Gate | null,
  now: number,
): Result<TurnInput | null> {
  const [entry, ...others] = resume;
  const unknown = [entry, ...others].find((one) => one?.interruptId !== gate?.id);
  if (!entry || !gate || unknown)
    return fail("gate_closed", `Interrupt ${unknown?.interruptId ?? ""} is not open.`, {
      open_gate_id: gate?.id ?? null,
    });
  if (others.length > 0) return invalidField("resume", "has several answers to one interrupt.");
  if (entry.status === "resolved") return answerFor(gate, payloadAnswer(entry.payload));
  // The client can only cancel an expired interrupt. The turn needs no input, because it records the expiry itself.
  if (hasExpired(gate, now)) return ok(null);
  return cancelInput(gate);
}

/**
 * The version at which another client answered the interrupt that this request cancels. Cancelling is the only request
 * that a client can send until a run reports that the interrupt is closed.
 */
export function answeredElsewhere({ resume = [] }: AguiRequest, thread: Thread | null): number | null {
  const [entry, ...others] = resume;
  if (!thread || entry?.status !== "cancelled" || others.length > 0) return null;
  return thread.entries.find((one) => one.entry.closed_gate?.id === entry.interruptId)?.version ?? null;
}

function cancelInput(gate: Gate): Result<TurnInput> {
  if (gate.kind === "confirmation") return answerFor(gate, { approved: false, reason: "cancelled" });
  if (gate.kind === "doubt") return answerFor(gate, { outcome: "abort" });
  if (gate.kind === "external") return answerFor(gate, { error: "cancelled by the client" });
  return ok({ type: "cancel" });
}

const Payload = z.looseObject({
  approved: z.boolean().optional(),
  editedArgs: z.record(z.string(), z.unknown()).optional(),
  reason: z.string().optional(),
  digest: z.string().optional(),
  text: z.string().optional(),
  answers: z.array(QuestionAnswer).optional(),
  outcome: z.string().optional(),
  note: z.string().optional(),
  error: z.string().optional(),
});

function payloadAnswer(payload: unknown): ForeignAnswer {
  if (typeof payload === "string") return { text: payload, outcome: payload, output: payload };
  const read = Payload.safeParse(payload ?? {});
  if (!read.success) return { output: payload };
  const { editedArgs, note, ...answer } = read.data;
  return {
    ...answer,
    output: "output" in read.data ? read.data.output : payload,
    edited_arguments: editedArgs,
    reason: answer.reason ?? note,
  };
}

const isNoText = (part: unknown): boolean => !TextContent.safeParse(part).success;

function textOf(content: z.infer<typeof Content> | null | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => TextContent.safeParse(part).data?.text ?? []).join("\n");
}
