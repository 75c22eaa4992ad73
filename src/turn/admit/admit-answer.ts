// Decides whether an answer fits the open question, or each of several open questions.
import { answersIssue, answersText } from "../../schema/decision/questions.ts";
import type { QuestionGate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";

type AnswerInput = Extract<TurnInput, { type: "answer" }>;
type Reply = { readonly kind: "reply"; readonly gate: QuestionGate; readonly text: string; readonly replan: boolean };

/** Accepts `text` alone even for several questions, for clients that support only one. */
export function admitAnswer(gate: QuestionGate, { text, choice, answers }: AnswerInput): Result<Reply> {
  const given = [text, choice, answers].filter((one) => one !== undefined);
  if (given.length !== 1) return refused("text", "an answer has either text, choice or answers");
  if (choice !== undefined && !gate.choices.includes(choice))
    return refused("choice", `must be one of ${JSON.stringify(gate.choices)}`);
  if (answers) {
    const single = [{ question: gate.text, choices: gate.choices, multiple: false }];
    const issue = answersIssue(gate.questions ?? single, answers);
    if (issue) return refused(issue.field, issue.message);
  }
  return ok({ kind: "reply", gate, text: answers ? answersText(answers) : (text ?? choice ?? ""), replan: false });
}

const refused = (field: string, why: string): Failed =>
  fail("request_invalid", `input.${field}: ${why}.`, { field: `input.${field}` });
