// Mistakes on request, so that people can see the judgement at work: bad replies, "done" without proof, a write without asking.
import type { ReadPrompt } from "./read-prompt.ts";
import type { Misbehaviour } from "./understand.ts";

/** Two of them are corrected within the turn; the third reply is a good one. */
const GARBAGE = ["Sure, I will take care of it right away!", '{"action":"finish","speak":"All set"'];

/** The reply as it goes out: the good one, or a mistake where one was asked for. */
export function misbehaved(how: Misbehaviour | null, prompt: ReadPrompt, good: string): string {
  switch (how) {
    case "garbage":
      return isBeginning(prompt) ? (GARBAGE[prompt.corrections] ?? good) : good;
    case "early-done":
      return isEarly(prompt) ? JSON.stringify({ action: "done", goal_check: "I am sure that it is done." }) : good;
    case "unconfirmed-write":
      return prompt.wanted === "execute" ? good.replace('"action":"confirm"', '"action":"continue"') : good;
    case null:
      return good;
  }
}

/** Once per run: in the first decision of it, or when a message of this turn asks for it. */
const isBeginning = (prompt: ReadPrompt): boolean => {
  if (prompt.news) return prompt.wanted !== "delivery";
  return prompt.wanted === "plan" || (prompt.wanted === "execute" && !prompt.planned && prompt.held.length === 0);
};

/** In the last step, before anything proves it. After the correction it does what it should. */
const isEarly = (prompt: ReadPrompt): boolean =>
  prompt.wanted === "execute" &&
  prompt.step + 1 === prompt.steps &&
  prompt.held.length === 0 &&
  !prompt.write_failed &&
  prompt.corrections === 0;
