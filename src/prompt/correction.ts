// A correction as the model reads it: what was wrong, what it wrote, what is legal. It comes from the runtime, never from the user.
import type { Problem } from "../schema/problem.ts";
import { CORRECTION_EXCERPT_CHARS, type Correction } from "../schema/record.ts";
import { oneLine } from "./cut.ts";

const MESSAGE_MAX = 600;
const LEGAL_MAX = 300;

/** From the problem of the parser or of the judgement; both put legal options and an excerpt into its details. */
export function correctionOf(problem: Problem, excerpt = ""): Correction {
  const { field, found, legal } = problem.details ?? {};
  const quoted = problem.details?.excerpt;
  return {
    code: problem.code,
    // The parser's message repeats the excerpt and the legal form, which stand on lines of their own here.
    message: typeof field === "string" && typeof found === "string" ? `${field}: found ${found}` : problem.message,
    legal: legalOf(legal),
    excerpt: typeof quoted === "string" ? quoted : excerpt,
  };
}

function legalOf(legal: unknown): string[] {
  if (typeof legal === "string") return [legal];
  return Array.isArray(legal) ? legal.filter((one) => typeof one === "string") : [];
}

/** The newest one in full; the earlier ones of the turn in a line each, so that the same mistake is not made in turns. */
export function renderCorrections(corrections: readonly Correction[]): string | null {
  const newest = corrections.at(-1);
  if (!newest) return null;
  const earlier = corrections.slice(-3, -1).map((one) => `Before that: ${oneLine(one.message, 200)}`);
  const lines = [
    "# Correction (from the runtime, not from the user)",
    "Your last reply was not accepted and nothing was done.",
    `What was wrong: ${oneLine(newest.message, MESSAGE_MAX)}`,
    ...(newest.excerpt ? [`You wrote: ${JSON.stringify(oneLine(newest.excerpt, CORRECTION_EXCERPT_CHARS))}`] : []),
    ...(newest.legal.length > 0 ? [`Legal: ${oneLine(newest.legal.join(", "), LEGAL_MAX)}`] : []),
    ...earlier,
    "Think again and reply in the right form.",
  ];
  return lines.join("\n");
}
