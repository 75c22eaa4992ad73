// Asks the user one question, or up to five at once. The call becomes the question gate; nothing runs.
import * as z from "zod";
import { CHOICES_MAX, QUESTIONS_MAX, questionsIssue } from "../../schema/decision/questions.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";

const CHOICE_CHARS_MAX = 200;
const text = z.string().trim().min(1).max(CHOICE_CHARS_MAX);
/** Some models write a choice as an object. The first of these fields that is present is shown. */
const LABELS = ["label", "title", "text", "description"] as const;
const LabeledChoice = z
  .object({ label: text.optional(), title: text.optional(), text: text.optional(), description: text.optional() })
  .refine((choice) => LABELS.some((key) => choice[key] !== undefined), "a choice needs a label");
const Choice = z.union([text, LabeledChoice]);
const choices = z.array(Choice).max(CHOICES_MAX).optional().describe("up to four answers to choose from");
const multiple = z.boolean().optional().describe("true: several of the choices may be taken");

const Question = z.object({ question: z.string().trim().min(1).max(500), choices, multiple });
const Input = z
  .object({
    question: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .optional()
      .describe("the question; with questions, what introduces them"),
    choices,
    multiple,
    questions: z.array(Question).min(1).max(QUESTIONS_MAX).optional().describe("up to five questions at once"),
    default: z.string().min(1).max(200).optional().describe("the answer to assume if nobody answers in time"),
    expires_in_s: z
      .int()
      .min(1)
      .max(31_536_000)
      .optional()
      .describe("seconds to wait for an answer; default: no limit"),
  })
  .check(({ value, issues }) => {
    const issue = inputIssue(value);
    if (issue !== null) issues.push({ code: "custom", message: issue, input: value });
  });
type Input = { [K in keyof z.infer<typeof Input>]: z.infer<typeof Input>[K] };

function inputIssue(input: Input): string | null {
  if (input.question === undefined && !input.questions) return "needs a question";
  if (input.questions && (input.choices || input.multiple)) return "choices belong to each of the questions";
  if (input.questions && input.default !== undefined) return "default belongs to a single question";
  return questionsIssue(questionsOf(input));
}

const labelOf = (choice: z.infer<typeof Choice>): string =>
  typeof choice === "string" ? choice : (LABELS.map((key) => choice[key]).find((label) => label !== undefined) ?? "");

function questionsOf({ question = "", choices, multiple, questions = [{ question, choices, multiple }] }: Input) {
  return questions.map(({ question: text, choices: given = [], multiple: several = false }) => {
    return { question: text, choices: given.map(labelOf), multiple: several };
  });
}

const createQuestionTool = (name: string, toolset: string): Tool =>
  defineTool(
    {
      name,
      description: "Ask the user one question or up to five, each with up to four choices.",
      toolset,
      category: "dialogue",
      permission: "READ",
      asks: true,
      // Prompts describe the action ask_user instead, so that there is only one way to ask.
      in_prompt: "never",
      subagent_allowed: false,
      tags: ["question"],
      prompt_hint: "Ask only what you cannot find out.",
      input: Input,
      output: z.string(),
      question: (input) => ({
        question: input.questions ? (input.question ?? "") : "",
        questions: questionsOf(input),
        default: input.default,
        expires_in_s: input.expires_in_s,
      }),
      examples: [
        { arguments: { question: "Which week?", choices: ["this week", "next week"] }, result: "next week" },
        {
          arguments: {
            questions: [
              { question: "Which rooms?", choices: ["A", "B", "C"], multiple: true },
              { question: "How many people?" },
            ],
          },
          result: "1. A; C\n2. 12",
        },
      ],
    },
    () => "The question was put to the user.",
  );

export const clarify = createQuestionTool("clarify", "interaction");

/** The same tool under a name that some models know. It is offered only if an agent names it. */
export const askUserQuestion = createQuestionTool("ask_user_question", "aliases");
