// Defines gates with several questions, and questions with several answers, and renders both as text.
import * as z from "zod";
import { byteLength } from "../byte-length.ts";

export const CHOICES_MAX = 4;
export const QUESTIONS_MAX = 5;
/** The limit for all questions together, because a gate is part of the state, and the state is limited in size. */
const QUESTIONS_BYTES_MAX = 4_096;

export const AskedQuestion = z.object({
  question: z.string().min(1),
  choices: z.array(z.string().min(1)).max(CHOICES_MAX),
  /** True if more than one choice may be selected. */
  multiple: z.boolean(),
});
export type AskedQuestion = z.infer<typeof AskedQuestion>;

export const QuestionAnswer = z.strictObject({
  choices: z.array(z.string().min(1)).max(CHOICES_MAX).optional(),
  text: z.string().min(1).optional(),
});
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

export function questionsIssue(questions: readonly AskedQuestion[]): string | null {
  if (questions.some(({ multiple, choices }) => multiple && choices.length < 2)) return "multiple needs two choices";
  if (questions.some(({ choices }) => new Set(choices).size < choices.length)) return "choices must differ";
  const bytes = byteLength(JSON.stringify(questions));
  return bytes > QUESTIONS_BYTES_MAX ? `the questions are longer than ${QUESTIONS_BYTES_MAX / 1024} KB` : null;
}

type AnswersIssue = { readonly field: string; readonly message: string };

export function answersIssue(
  questions: readonly AskedQuestion[],
  answers: readonly QuestionAnswer[],
): AnswersIssue | null {
  if (answers.length !== questions.length)
    return { field: "answers", message: `there are ${questions.length} questions and ${answers.length} answers` };
  for (const [i, { choices, multiple }] of questions.entries()) {
    const { choices: chosen = [], text } = answers[i] ?? {};
    const field = `answers.${i}.choices`;
    if (chosen.length === 0 && text === undefined)
      return { field: `answers.${i}`, message: "an answer has choices or text" };
    if (chosen.some((choice) => !choices.includes(choice)))
      return { field, message: `must be among ${JSON.stringify(choices)}` };
    if (new Set(chosen).size < chosen.length) return { field, message: "a choice is taken once" };
    if (chosen.length > 1 && !multiple) return { field, message: "this question has one answer" };
  }
  return null;
}

export function answersText(answers: readonly QuestionAnswer[]): string {
  const lines = answers.map(({ choices = [], text }) => [...choices, ...(text === undefined ? [] : [text])].join("; "));
  return lines.length === 1 ? (lines[0] ?? "") : lines.map((line, i) => `${i + 1}. ${line}`).join("\n");
}

const SEVERAL = "(several are possible)";

/** For clients that show only text. */
export function questionsText(intro: string, questions: readonly AskedQuestion[]): string {
  const single = questions.length === 1;
  const lines = questions.flatMap(({ question, choices, multiple }, i) => [
    `${single ? "" : `${i + 1}. `}${question}${multiple ? ` ${SEVERAL}` : ""}`,
    ...choices.map((choice, n) => (single ? `${n + 1}. ${choice}` : `   - ${choice}`)),
  ]);
  return [...(intro === "" ? [] : [intro]), ...lines].join("\n");
}
