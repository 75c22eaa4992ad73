// Asks the user one question, with up to four choices. The call becomes the question gate; nothing runs.
import * as z from "zod";
import { defineTool, type Tool } from "../../tools/define-tool.ts";

const createQuestionTool = (name: string, toolset: string): Tool =>
  defineTool(
    {
      name,
      description: "Ask the user one question, with up to four choices.",
      toolset,
      category: "dialogue",
      permission: "READ",
      scope: "NONE",
      effect: "pure",
      requires_confirmation: false,
      output_trust: "trusted",
      outward: false,
      asks: true,
      // Prompts describe the action ask_user instead: one way to ask.
      in_prompt: "never",
      subagent_allowed: false,
      tags: ["question"],
      prompt_hint: "Ask only what you cannot find out.",
      input: z.object({
        question: z.string().min(1).max(2000).describe("the question"),
        choices: z.array(z.string().min(1).max(200)).max(4).optional().describe("up to four answers to choose from"),
        default: z.string().min(1).max(200).optional().describe("the answer to assume if nobody answers in time"),
        expires_in_s: z
          .int()
          .min(1)
          .max(31_536_000)
          .optional()
          .describe("seconds to wait for an answer; default: no limit"),
      }),
      output: z.string(),
      examples: [{ arguments: { question: "Which week?", choices: ["this week", "next week"] }, result: "next week" }],
    },
    () => "The question was put to the user.",
  );

export const clarify = createQuestionTool("clarify", "interaction");

/** The same under the name that some models know; offered only by name. */
export const askUserQuestion = createQuestionTool("ask_user_question", "aliases");
