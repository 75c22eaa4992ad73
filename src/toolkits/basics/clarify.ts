// Asks the user one question, with up to four choices. The call becomes the question gate; nothing runs.
import { z } from "zod";
import { defineTool, type Tool } from "../../tools/define-tool.ts";

const createQuestionTool = (name: string, toolset: string): Tool =>
  defineTool(
    {
      name,
      description: "Ask the user one question, with up to four choices to pick from.",
      toolset,
      category: "dialogue",
      permission: "READ",
      scope: "NONE",
      effect: "pure",
      requires_confirmation: false,
      output_trust: "trusted",
      outward: false,
      asks: true,
      subagent_allowed: false,
      tags: ["question"],
      prompt_hint:
        "Ask when the request is ambiguous, misses a key fact or is risky; not for what is clear, can be found out or does not matter. One question at a time, with choices where there are some.",
      input: z.object({
        question: z.string().min(1).max(2000).describe("the question"),
        choices: z.array(z.string().min(1).max(200)).max(4).optional().describe("answers to pick from, at most four"),
        default: z.string().min(1).max(200).optional().describe("what to go on with when nobody answers in time"),
        expires_in_s: z
          .int()
          .min(1)
          .max(31_536_000)
          .optional()
          .describe("seconds to wait for an answer; for ever without"),
      }),
      output: z.string(),
      examples: [{ arguments: { question: "Which week?", choices: ["this week", "next week"] }, result: "next week" }],
    },
    () => "The question was put to the user.",
  );

export const clarify = createQuestionTool("clarify", "interaction");

/** The same under the name that some models know; offered only by name. */
export const askUserQuestion = createQuestionTool("ask_user_question", "aliases");
