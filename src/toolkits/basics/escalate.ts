// Hands the work over to a person who can do what the agent cannot. The call becomes a question gate: nothing runs, and
// the run continues with the answer.
import * as z from "zod";
import { defineTool } from "../../tools/define-tool.ts";

const Input = z.object({
  reason: z.string().min(1).max(1_000).describe("why a person has to take over"),
  to: z.string().min(1).max(64).optional().describe("who should take over, if your rules name somebody"),
  done_so_far: z.string().max(600).optional().describe("what was done so far"),
  needed: z.string().max(400).optional().describe("what the person should do or decide"),
});

export const TAKEN_OVER = "I have taken care of it";

export const escalate = defineTool(
  {
    name: "escalate",
    description:
      "Hand over to a person when the work needs permissions, knowledge or responsibility that you do not have.",
    toolset: "interaction",
    category: "dialogue",
    permission: "READ",
    asks: true,
    // A child hands over to its parent instead of a person: the child's run ends, and the parent reads the reason.
    subagent_allowed: true,
    tags: ["question", "escalates"],
    prompt_hint: "Try what you can first.",
    input: Input,
    output: z.string(),
    question: ({ reason, to, done_so_far, needed }) => ({
      question: [
        `${to ?? "A person"} has to take over: ${reason}`,
        ...(done_so_far ? [`Done so far: ${done_so_far}`] : []),
        ...(needed ? [`Needed: ${needed}`] : []),
      ].join("\n"),
      choices: [TAKEN_OVER, "Go on without me", "Stop here"],
    }),
    examples: [
      { arguments: { reason: "The invoice needs a signature.", needed: "Sign it or say no." }, result: TAKEN_OVER },
    ],
  },
  () => "A person was asked to take over.",
);
