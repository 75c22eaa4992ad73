// Decides which clients may answer a gate over MCP, and reads the answer that a user gave in a form of the client.
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Ctx } from "../../http/env.ts";
import type { Gate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { escapeHidden } from "../../tools/redaction/escape-hidden.ts";
import { answerFor, mayAnswer, mayNotAnswer } from "../shared/answer-gate.ts";
import { serverAddress } from "../shared/console-address.ts";
import { readForm } from "./gate-form.ts";

export type McpSdk = typeof import("@modelcontextprotocol/server");

export type Call = { readonly c: Ctx; readonly sdk: McpSdk; readonly ctx: ServerContext };

export function canElicit({ c, ctx, sdk }: Call, gate: Gate): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities = envelope?.[sdk.CLIENT_CAPABILITIES_META_KEY] as { readonly elicitation?: unknown } | undefined;
  // A form is for a user. The call of a client's own tool waits for the client instead, which answers with pawl_answer.
  return capabilities?.elicitation !== undefined && gate.kind !== "external" && mayAnswer(c, "mcp", gate);
}

/** Tells the user what to decide and why. The caller appends the model's own text after these lines. */
export function decisionLines(gate: Gate): readonly string[] {
  if (gate.kind === "suspend") return [gate.text];
  if (gate.kind === "plan")
    return [gate.steps.map(({ content }, i) => `${i + 1}. ${escapeHidden(content)}`).join("\n")];
  if (gate.kind !== "confirmation") return [];
  const reasons = gate.reasons.map(({ text }) => text).join("\n");
  return [`${gate.call.name} ${gate.shown}`, gate.preview ?? "", reasons].filter((text) => text !== "");
}

export function elicitedInput({ c, ctx, sdk }: Call, gate: Gate | null): Result<TurnInput> {
  if (!gate) return fail("gate_closed", "The gate was answered in the meantime.");
  if (!mayAnswer(c, "mcp", gate)) return mayNotAnswer("mcp", gate, inboxAddress(c));
  // The form may have been for an earlier gate. Its answer must not apply to the gate that is open now.
  if (!Object.hasOwn(ctx.mcpReq.inputResponses ?? {}, gate.id))
    return fail("gate_closed", "The answer is for a gate that is no longer open.", { open_gate_id: gate.id });
  const content = sdk.acceptedContent(ctx.mcpReq.inputResponses, gate.id);
  if (content) return answerFor(gate, readForm(gate, content));
  if (gate.kind === "question" || gate.kind === "doubt" || gate.kind === "suspend") return ok({ type: "cancel" });
  return answerFor(gate, { approved: false, reason: "declined" });
}

export const inboxAddress = (c: Ctx): string => `${serverAddress(c)}/#/inbox`;

/** A user who refuses does not close the form, but sends the action "decline". */
export function isDismissed({ ctx }: Call, { id }: Gate): boolean {
  const responses = ctx.mcpReq.inputResponses as Readonly<Record<string, { readonly action?: unknown }>> | undefined;
  return responses?.[id]?.action === "cancel";
}
