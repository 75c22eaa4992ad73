// Mistakes on request, so that people can see the judgement at work: bad replies, "done" without proof, a write without asking.
import type { ParsedPrompt } from "./parse-prompt.ts";
import type { Misbehaviour } from "./parse-request.ts";

/** Two of them are corrected within the turn; the third reply is a good one. */
const GARBAGE_REPLIES = ["Sure, I will take care of it right away!", '{"action":"finish","speak":"All set"'];

/** The reply as it goes out: the good one, or a mistake where one was asked for. */
export function applyMisbehaviour(how: Misbehaviour | null, prompt: ParsedPrompt, correct: string): string {
  switch (how) {
    case "garbage":
      return isFirstDecision(prompt) ? (GARBAGE_REPLIES[prompt.corrections] ?? correct) : correct;
    case "early-done":
      return isBeforeProof(prompt)
        ? JSON.stringify({ action: "done", goal_check: "I am sure that it is done." })
        : correct;
    case "unconfirmed-write":
      return prompt.expectedReply === "execute"
        ? correct.replace('"action":"confirm"', '"action":"continue"')
        : correct;
    case null:
      return correct;
  }
}

/** Once per run: in the first decision of it, or when a message of this turn asks for it. */
const isFirstDecision = (prompt: ParsedPrompt): boolean => {
  if (prompt.news) return prompt.expectedReply !== "delivery";
  return (
    prompt.expectedReply === "plan" ||
    (prompt.expectedReply === "execute" && !prompt.planned && prompt.receipts.length === 0)
  );
};

/** In the last step, before anything proves it. After the correction it does what it should. */
const isBeforeProof = (prompt: ParsedPrompt): boolean =>
  prompt.expectedReply === "execute" &&
  prompt.step + 1 === prompt.steps &&
  prompt.receipts.length === 0 &&
  !prompt.write_failed &&
  prompt.corrections === 0;
