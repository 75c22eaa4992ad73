// Converts a gate to a form for MCP's elicitation, which allows only flat properties, and converts the content of a
// form to an answer.
import * as z from "zod";
import type { AskedQuestion, QuestionAnswer } from "../../schema/decision/questions.ts";
import type { Gate } from "../../schema/gate.ts";
import { DOUBT_OUTCOMES, type ForeignAnswer } from "../shared/answer-gate.ts";

const form = (properties: object, required: readonly string[]) => ({ type: "object", properties, required });
const fieldName = (index: number): string => `answer_${index + 1}`;

export function formOf(gate: Gate): object {
  if (gate.kind === "question") {
    if (!gate.questions) return form({ text: { type: "string" } }, ["text"]);
    const fields = gate.questions.map((question, i) => [fieldName(i), fieldOf(question)] as const);
    return form(
      Object.fromEntries(fields),
      fields.map(([name]) => name),
    );
  }
  if (gate.kind === "suspend") return form({ text: { type: "string" } }, ["text"]);
  if (gate.kind === "doubt") return form({ outcome: { type: "string", enum: DOUBT_OUTCOMES } }, ["outcome"]);
  return form({ approved: { type: "boolean" }, reason: { type: "string" } }, ["approved"]);
}

function fieldOf({ question, choices, multiple }: AskedQuestion): object {
  if (choices.length === 0) return { type: "string", title: question };
  if (!multiple) return { type: "string", title: question, enum: choices };
  return { type: "array", title: question, minItems: 1, items: { type: "string", enum: choices } };
}

/** The content may be anything. If a field has the wrong type, the form counts as having no answer. */
const Content = z.object({
  approved: z.boolean().optional(),
  reason: z.string().optional(),
  text: z.string().optional(),
  outcome: z.string().optional(),
});

export function readForm(gate: Gate, content: Readonly<Record<string, unknown>>): ForeignAnswer {
  if (gate.kind !== "question" || !gate.questions || typeof content.text === "string")
    return Content.safeParse(content).data ?? {};
  return { answers: gate.questions.map((question, i) => answerOf(question, content[fieldName(i)])) };
}

/** The turn checks whether the values are among the choices. */
function answerOf({ choices }: AskedQuestion, value: unknown): QuestionAnswer {
  const values = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string" && one !== "");
  if (values.length === 0) return {};
  return choices.length > 0 ? { choices: values } : { text: values.join(", ") };
}
