// Makes mistakes on request, to demonstrate how the runtime handles them. The mistakes are bad replies, "done" without
// proof, and an unconfirmed write.
import type { ParsedPrompt } from "./parse-prompt.ts";
import type { Misbehaviour } from "./parse-request.ts";

/** Both replies are corrected within the turn; the third one is valid. */
const GARBAGE_REPLIES = ["Sure, I will take care of it right away!", '{"action":"finish","speak":"All set"'];

export function applyMisbehaviour(kind: Misbehaviour | null, prompt: ParsedPrompt, correct: string): string {
  switch (kind) {
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

/** Also true in a turn with a new message, which may request another mistake. */
const isFirstDecision = ({ hasNewMessage, expectedReply, planned, receipts }: ParsedPrompt): boolean => {
  if (hasNewMessage) return expectedReply !== "delivery";
  return expectedReply === "plan" || (expectedReply === "execute" && !planned && receipts.length === 0);
};

/** After the correction the model behaves correctly. */
const isBeforeProof = (prompt: ParsedPrompt): boolean =>
  prompt.expectedReply === "execute" &&
  prompt.step + 1 === prompt.steps &&
  prompt.receipts.length === 0 &&
  !prompt.write_failed &&
  prompt.corrections === 0;
