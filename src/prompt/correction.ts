// Corrections for the model: what was wrong, what it wrote, and what is allowed. They come from the runtime, never from the user.
import type { Problem } from "../schema/problem.ts";
import { CORRECTION_EXCERPT_CHARS, type Correction } from "../schema/record.ts";
import { oneLine } from "./cut.ts";

const MESSAGE_MAX = 600;
const LEGAL_MAX = 300;

export function correctionOf(problem: Problem, excerpt = ""): Correction {
  const { field, found, legal, cause, excerpt: quoted } = problem.details ?? {};
  const because = typeof cause === "string" ? `${cause} ` : "";
  return {
    code: problem.code,
    // The parser's message repeats the excerpt and the allowed form, which are shown on separate lines here.
    message:
      typeof field === "string" && typeof found === "string" ? `${because}${field}: found ${found}` : problem.message,
    legal: legalOf(legal),
    excerpt: typeof quoted === "string" ? quoted : excerpt,
  };
}

function legalOf(legal: unknown): string[] {
  if (typeof legal === "string") return [legal];
  return Array.isArray(legal) ? legal.filter((one) => typeof one === "string") : [];
}

/** The expected actions are omitted, because the prompt lists the possible ones, which may be fewer. */
const isAboutAction = ({ code, message }: Correction): boolean =>
  code === "decision_refused" || message.startsWith("action:");

/** An excerpt of a field is already JSON and stays unchanged. */
const quoted = (text: string): string => (/^".*"$/.test(text) ? text : JSON.stringify(text));

/** Earlier corrections of the turn take one line each, so that the model does not alternate between mistakes. */
export function renderCorrections(corrections: readonly Correction[]): string | null {
  const newest = corrections.at(-1);
  if (!newest) return null;
  const others = corrections.slice(-3, -1).filter(({ message }) => message !== newest.message);
  const earlier = others.map((one) => `Before that: ${oneLine(one.message, 200)}`);
  const lines = [
    "# Correction (from the runtime, not from the user)",
    "Your last reply was not accepted and nothing was done.",
    `What was wrong: ${oneLine(newest.message, MESSAGE_MAX)}`,
    ...(newest.excerpt ? [`You wrote: ${quoted(oneLine(newest.excerpt, CORRECTION_EXCERPT_CHARS))}`] : []),
    ...(newest.legal.length > 0 && !isAboutAction(newest)
      ? [`Expected: ${oneLine(newest.legal.join(", "), LEGAL_MAX)}`]
      : []),
    ...earlier,
    "Think again and reply in the right form.",
  ];
  return lines.join("\n");
}
