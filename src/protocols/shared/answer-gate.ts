// Converts the answers of other protocols' clients to inputs of a turn. If a client cannot send the digest, its answer
// is bound only to the id of the gate.
import type { Ctx } from "../../http/env.ts";
import type { QuestionAnswer } from "../../schema/decision/questions.ts";
import type { Gate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { surfaceConfig } from "./surface.ts";

export type ForeignAnswer = {
  readonly approved?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly edited_arguments?: Record<string, unknown> | undefined;
  readonly digest?: string | undefined;
  readonly text?: string | undefined;
  readonly answers?: readonly QuestionAnswer[] | undefined;
  readonly outcome?: string | undefined;
  readonly output?: unknown;
  readonly error?: string | undefined;
};

const OUTCOMES = ["happened", "not_happened", "try_again", "abort"] as const;
export const DOUBT_OUTCOMES: readonly string[] = OUTCOMES;

export function answerFor(gate: Gate, answer: ForeignAnswer): Result<TurnInput> {
  const gate_id = gate.id;
  switch (gate.kind) {
    case "plan":
    case "confirmation":
      return confirmInput(gate, answer);
    case "question": {
      const { text, answers } = answer;
      if (answers) return ok({ type: "answer", gate_id, answers: [...answers] });
      if (!text) return missing(gate.questions ? "answers or text" : "text");
      return ok(
        gate.choices.includes(text) ? { type: "answer", gate_id, choice: text } : { type: "answer", gate_id, text },
      );
    }
    case "doubt": {
      const outcome = OUTCOMES.find((known) => known === answer.outcome?.trim().toLowerCase().replaceAll(" ", "_"));
      if (!outcome) return missing(`one of ${OUTCOMES.join(", ")}`);
      return ok({ type: "resolve", gate_id, outcome, ...(answer.reason && { note: answer.reason }) });
    }
    case "suspend":
      return answer.text === undefined ? missing("text") : ok({ type: "resume", supplement: answer.text });
    case "external": {
      const digest = answer.digest ?? gate.digest;
      const result = { type: "tool_result", gate_id, digest } as const;
      if (answer.error !== undefined) return ok({ ...result, error: answer.error });
      return answer.output === undefined ? missing("output or error") : ok({ ...result, output: answer.output });
    }
  }
}

/** For clients without forms: the text answers a gate that waits for text, and is a message otherwise. */
export const textInput = (gate: Gate | null, text: string): Result<TurnInput> =>
  gate?.kind === "doubt" || gate?.kind === "suspend"
    ? answerFor(gate, { outcome: text, text })
    : ok({ type: "message", text });

function confirmInput(
  gate: Extract<Gate, { kind: "plan" | "confirmation" }>,
  answer: ForeignAnswer,
): Result<TurnInput> {
  if (answer.approved === undefined) return missing("approved: true or false");
  return ok({
    type: "confirm",
    gate_id: gate.id,
    digest: answer.digest ?? gate.digest,
    decision: answer.approved ? "approve" : "reject",
    ...(answer.approved && answer.edited_arguments && { edited_arguments: answer.edited_arguments }),
    ...(answer.reason && { reason: answer.reason }),
  });
}

/**
 * Any client that may run the thread may give information. Because the client may be a model, a decision must also be
 * allowed by the configuration and by the scopes of the key.
 */
export const mayAnswer = (c: Ctx, surface: "mcp" | "a2a", { kind }: Gate): boolean =>
  kind === "question" ||
  kind === "suspend" ||
  (surfaceConfig(c, surface).approve && c.get("caller").scopes.has("confirm"));

export const mayNotAnswer = (surface: "mcp" | "a2a", { kind }: Gate, address: string): Failed =>
  fail(
    "forbidden",
    `To answer a gate of kind ${kind} over ${surface}, a key needs the scope confirm and the configuration protocols.${surface}.approve. A person can answer it: ${address}`,
  );

const externalCall = (gate: Gate) =>
  gate.kind === "external" ? { tool: gate.client_name, arguments: gate.call.arguments, digest: gate.digest } : {};

/**
 * What an answer decides about: the stored call or plan, which is what will run. The gate's own text cannot replace it,
 * because the model wrote it.
 */
export function decisionDetails(gate: Gate) {
  if (gate.kind === "plan") return { steps: gate.steps, digest: gate.digest };
  if (gate.kind !== "confirmation") return externalCall(gate);
  const { call, shown, preview, reasons, digest } = gate;
  const why = reasons.map(({ text }) => text);
  return { tool: call.name, arguments: shown, ...(preview && { preview }), reasons: why, digest };
}

const missing = (what: string): Failed => fail("request_invalid", `The answer to the open gate must have ${what}.`);
