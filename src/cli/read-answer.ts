// Reads one line as the answer to a question: the numbers or the text of its choices, or free text.
import type { QuestionAnswer } from "../schema/decision/questions.ts";

/** Returns null if the line is empty or if its numbers are not valid choices. */
export function readAnswer(line: string, choices: readonly string[], multiple: boolean): QuestionAnswer | null {
  if (line === "") return null;
  const exact = choices.find((choice) => choice === line);
  if (exact !== undefined) return { choices: [exact] };
  const numbers = choices.length > 0 && /^\d+(?:[\s,]+\d+)*$/.test(line) ? line.split(/[\s,]+/).map(Number) : null;
  if (!numbers) return { text: line };
  const chosen = [...new Set(numbers)].map((number) => choices[number - 1]);
  if (chosen.includes(undefined) || (chosen.length > 1 && !multiple)) return null;
  return { choices: chosen.filter((choice) => choice !== undefined) };
}
