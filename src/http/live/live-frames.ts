// The frames that a client may send on the socket, as inputs. `requestId` is the id of the gate.
import * as z from "zod";
import { Arguments } from "../../schema/decision/decision.ts";
import { readStrictJson } from "../../schema/decision/strict-json.ts";
import { GateIdInput, type TurnInput } from "../../schema/input.ts";
import { issueMessage } from "../../schema/json/issue-message.ts";
import { fail, ok, type Result, unreachable } from "../../schema/problem.ts";
import { BODY_DEPTH_MAX } from "../edge/body.ts";

/** Older front ends send the session id with every frame. It is ignored, because the path of the socket names the thread. */
const sessionId = z.string().max(255).optional();

export const ClarifyResponse = z.strictObject({
  type: z.literal("clarify_response"),
  sessionId,
  requestId: GateIdInput,
  answer: z.string().min(1),
});
export const ToolConfirmationResponse = z.strictObject({
  type: z.literal("tool_confirmation_response"),
  sessionId,
  requestId: GateIdInput,
  digest: z.string().min(1),
  decision: z.enum(["approve", "reject"]),
  edited_arguments: Arguments.optional(),
  reason: z.string().optional(),
});
/** A keep-alive frame for browsers, whose scripts cannot send a ping of the WebSocket protocol. */
export const Ping = z.strictObject({ type: z.literal("ping"), sessionId });

export const LiveFrame = z.discriminatedUnion("type", [ClarifyResponse, ToolConfirmationResponse, Ping]);
export type LiveFrame = z.infer<typeof LiveFrame>;
export type AnswerFrame = Exclude<LiveFrame, { type: "ping" }>;

export function readFrame(text: string): Result<LiveFrame> {
  const read = readStrictJson(text, BODY_DEPTH_MAX);
  if (!read.ok) return fail("body_invalid", `frame: ${read.issue.found}, near ${read.issue.excerpt}`);
  const frame = LiveFrame.safeParse(read.value);
  if (frame.success) return ok(frame.data);
  const issue = frame.error.issues[0];
  const field = issue?.path.join(".") || "frame";
  return fail("request_invalid", `${field}: ${issueMessage(issue)}`, { field });
}

/** Works even if the rest of the frame is invalid. */
export function readRequestId(text: string): string | null {
  const read = readStrictJson(text, BODY_DEPTH_MAX);
  const id = read.ok && typeof read.value === "object" && read.value !== null && "requestId" in read.value;
  return id ? (GateIdInput.safeParse((read.value as { requestId: unknown }).requestId).data ?? null) : null;
}

export function toTurnInput(frame: AnswerFrame): TurnInput {
  switch (frame.type) {
    case "clarify_response":
      return { type: "answer", gate_id: frame.requestId, text: frame.answer };
    case "tool_confirmation_response": {
      const { type: _, sessionId: __, requestId, ...rest } = frame;
      return { type: "confirm", gate_id: requestId, ...rest };
    }
    default:
      return unreachable(frame);
  }
}
