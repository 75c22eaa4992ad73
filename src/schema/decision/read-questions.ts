// Reads the choices and the list of questions of an ask_user decision.
import {
  addIssue,
  describeValue,
  isObject,
  isPlaceholder,
  optionalText,
  optionalTexts,
  ownValue,
  type ParseContext,
} from "./fields.ts";
import { type AskedQuestion, CHOICES_MAX, QUESTIONS_MAX, questionsIssue } from "./questions.ts";

type Asked = { readonly choices?: string[]; readonly questions?: AskedQuestion[] };

export function readAsked(context: ParseContext): Asked {
  return { ...optionalTexts(context, "choices", CHOICES_MAX), ...readQuestions(context) };
}

/** Some models write their question under `question`, and it must not be lost. */
export function spokenQuestion(context: ParseContext): { speak?: string } {
  const spoken = optionalText(context, "speak");
  if (spoken.speak !== undefined) return spoken;
  const { question } = optionalText(context, "question");
  return question === undefined ? {} : { speak: question };
}

function readQuestions(context: ParseContext): Asked {
  const value = ownValue(context.object, "questions");
  if (isPlaceholder(value) || (Array.isArray(value) && value.length === 0)) return {};
  const list = Array.isArray(value) ? value : [];
  const legal = `an array of 1 to ${QUESTIONS_MAX} {question, choices?, multiple?}`;
  const read = list.map((item) => readQuestion(context, item));
  const questions = read.filter((one) => one !== null);
  if (list.length === 0 || list.length > QUESTIONS_MAX || questions.length < list.length) {
    const found = list.length > QUESTIONS_MAX ? `${list.length} entries` : describeValue(value);
    addIssue(context, ["questions"], value, found, legal);
    return {};
  }
  const issue = questionsIssue(questions);
  if (issue !== null) addIssue(context, ["questions"], value, issue, legal);
  return issue === null ? { questions } : {};
}

/** A question may be a plain string. */
function readQuestion({ issues, path }: ParseContext, item: unknown): AskedQuestion | null {
  const object = typeof item === "string" ? { question: item } : item;
  if (!isObject(object)) return null;
  const question = ownValue(object, "question");
  if (typeof question !== "string" || question.trim() === "") return null;
  const { choices = [] } = optionalTexts({ object, path: [...path, "questions"], issues }, "choices", CHOICES_MAX);
  return { question: question.trim(), choices, multiple: ownValue(object, "multiple") === true };
}
