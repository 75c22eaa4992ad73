// Makes mistakes on request, to demonstrate how the runtime handles them. The mistakes are bad replies, "done" without
// proof, and an unconfirmed write.
import type { ParsedPrompt } from "./parse-prompt.ts";
import type { Misbehaviour } from "./parse-request.ts";

/** Both replies are corrected within the turn; the third one is valid. */
const GARBAGE_REPLIES = ["Sure, I will take care of it right away!", '{"action":"finish","speak":"All set"'];

/** Returns the correct reply or the requested mistake. */
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

/** True if the mistake is due now: in the first decision of a run, or in a turn with a new message. */
const isFirstDecision = (prompt: ParsedPrompt): boolean => {
  if (prompt.hasNewMessage) return prompt.expectedReply !== "delivery";
  return (
    prompt.expectedReply === "plan" ||
    (prompt.expectedReply === "execute" && !prompt.planned && prompt.receipts.length === 0)
  );
};

/** True in the last step before there is proof. After the correction the model behaves correctly. */
const isBeforeProof = (prompt: ParsedPrompt): boolean =>
  prompt.expectedReply === "execute" &&
  prompt.step + 1 === prompt.steps &&
  prompt.receipts.length === 0 &&
  !prompt.write_failed &&
  prompt.corrections === 0;
