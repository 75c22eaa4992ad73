// Converts an open gate to an AG-UI interrupt, with the schema of the answer that resumes the run.

import type { AskedQuestion } from "../../schema/decision/questions.ts";
import type { Gate } from "../../schema/gate.ts";
import { DOUBT_OUTCOMES } from "../shared/answer-gate.ts";

const REASONS: Readonly<Record<Gate["kind"], string>> = {
  confirmation: "tool_call",
  plan: "confirmation",
  question: "input_required",
  doubt: "pawl:doubt",
  external: "pawl:external",
  suspend: "input_required",
};

const object = (properties: object, ...required: readonly string[]) => ({ type: "object", properties, required });
const text = { type: "string" };
const approval = { approved: { type: "boolean" }, reason: text };

function responseSchema(gate: Gate): object {
  switch (gate.kind) {
    case "confirmation":
      return object({ ...approval, editedArgs: { type: "object" } }, "approved");
    case "plan":
      return object(approval, "approved");
    case "question":
      if (gate.questions) return object({ answers: answersSchema(gate.questions), text });
      return object({ text: gate.choices.length > 0 ? { ...text, examples: gate.choices } : text }, "text");
    case "doubt":
      return object({ outcome: { enum: DOUBT_OUTCOMES }, note: text }, "outcome");
    case "external":
      return object({ output: {}, error: text });
    case "suspend":
      return object({ text }, "text");
  }
}

const answersSchema = (questions: readonly AskedQuestion[]) => ({
  type: "array",
  minItems: questions.length,
  maxItems: questions.length,
  prefixItems: questions.map(({ question, choices, multiple }) => ({
    ...object({
      ...(choices.length > 0 && {
        choices: { type: "array", maxItems: multiple ? choices.length : 1, items: { enum: choices } },
      }),
      text,
    }),
    title: question,
  })),
});

/** Optional fields without a value are omitted, because clients refuse null. */
export function interruptOf(gate: Gate): Record<string, unknown> {
  const callId = gate.kind === "confirmation" || gate.kind === "external" ? gate.id : undefined;
  return {
    id: gate.id,
    reason: REASONS[gate.kind],
    message: gate.text,
    ...(callId && { toolCallId: callId }),
    responseSchema: responseSchema(gate),
    ...(gate.expires_at && { expiresAt: gate.expires_at }),
    metadata: {
      kind: gate.kind,
      ...("digest" in gate && { digest: gate.digest }),
      ...(gate.kind === "plan" && { steps: gate.steps }),
      ...(gate.kind === "question" && { choices: gate.choices, ...(gate.questions && { questions: gate.questions }) }),
      ...(gate.kind === "confirmation" && { reasons: gate.reasons.map((reason) => reason.text) }),
    },
  };
}
