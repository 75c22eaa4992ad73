// Converts a message of an A2A client to the input of a turn. Text answers a question. Any other gate is answered by a
// data part and, because the sender is an agent, a decision is accepted only if both the configuration and the key
// allow it.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import { QuestionAnswer } from "../../schema/decision/questions.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { answerFor, mayAnswer, mayNotAnswer } from "../shared/answer-gate.ts";
import { consoleAddress } from "../shared/console-address.ts";
import { ForeignId, type FoundThread } from "../shared/prepare-run.ts";
import { invalidField } from "../shared/problems.ts";

/** The agent card declares this extension, which defines how a client answers a gate. */
export const GATES_EXTENSION = "urn:pawl:a2a:gates:v1";

const GateAnswer = z.looseObject({
  gate_id: z.string(),
  digest: z.string().optional(),
  decision: z.enum(["approve", "reject"]).optional(),
  reason: z.string().optional(),
  edited_arguments: z.record(z.string(), z.unknown()).optional(),
  outcome: z.string().optional(),
  text: z.string().optional(),
  /** The answers to questions that were asked together, in the order of the questions. */
  answers: z.array(QuestionAnswer).optional(),
  /** The result of a call that the client ran. */
  output: z.unknown().optional(),
  error: z.string().min(1).optional(),
});

const Part = z.looseObject({
  text: z.string().optional(),
  data: z.unknown().optional(),
  raw: z.unknown().optional(),
  url: z.unknown().optional(),
});

export const SendParams = z.looseObject({
  message: z.looseObject({
    messageId: z.string().min(1).max(255),
    contextId: z.union([z.literal(""), ForeignId]).nullish(),
    taskId: z.string().nullish(),
    role: z.literal("ROLE_USER", "must be ROLE_USER").optional(),
    parts: z.array(Part).min(1),
  }),
  configuration: z
    .looseObject({ returnImmediately: z.boolean().nullish(), taskPushNotificationConfig: z.unknown().optional() })
    .nullish(),
  metadata: z.looseObject({ agent: z.string().min(1).max(64).optional() }).nullish(),
});
export type SendParams = z.infer<typeof SendParams>;

export const TaskParams = z.looseObject({ id: z.string(), historyLength: z.int().min(0).nullish() });

export function inputOf(c: Ctx, { message }: SendParams, found: FoundThread): Result<TurnInput> {
  // Files are refused, because an answer that ignored a file would be incomplete.
  if (message.parts.some(({ raw, url }) => raw !== undefined || url !== undefined))
    return fail("content_type_unsupported", "message.parts: files are not supported, only text and data.");
  const [answer, ...others] = message.parts.filter(({ data }) => data !== undefined);
  if (others.length > 0) return invalidField("message.parts", "has several answers.");
  if (answer) return answerInput(c, answer.data, found);
  const text = message.parts.flatMap((part) => part.text ?? []).join("\n");
  if (text.trim() === "") return invalidField("message.parts", "there is no text.");
  const gate = found.thread?.state.gate;
  if (!gate) return ok({ type: "message", text });
  if (gate.kind === "question" || gate.kind === "suspend") return answerFor(gate, { text });
  return fail("gate_open", `A gate of kind ${gate.kind} is open: ${consoleAddress(c, found.at.thread)}`);
}

function answerInput(c: Ctx, data: unknown, { at, thread }: FoundThread): Result<TurnInput> {
  const answer = GateAnswer.safeParse(data);
  if (!answer.success)
    return fail("request_invalid", "message.parts.data: must be an answer with gate_id.", { field: "message.parts" });
  const { gate_id, decision, ...rest } = answer.data;
  const gate = thread?.state.gate;
  if (gate?.id !== gate_id) return fail("gate_closed", `Gate ${gate_id} is not open.`);
  if (!mayAnswer(c, "a2a", gate)) return mayNotAnswer("a2a", gate, consoleAddress(c, at.thread));
  return answerFor(gate, { ...rest, ...(decision && { approved: decision === "approve" }) });
}
