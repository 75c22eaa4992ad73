// Finds the matching lines of a file's text, with their context lines.
import type { GrepMatch } from "../../ports/operations.ts";
import type { LinePattern } from "./pattern.ts";
import type { SearchBudget } from "./search-budget.ts";

const EXCERPT_CHARS = 400;
const LINES_PER_CHECK = 64;
const LONG_LINE = 1_024;

type PendingMatch = { path: string; line: number; text: string; before: string[]; after: string[] };

export async function scanText(
  path: string,
  text: string,
  pattern: LinePattern,
  context: number,
  maxMatches: number,
  budget: SearchBudget,
): Promise<{ readonly matches: GrepMatch[]; readonly truncatedLine: boolean }> {
  const matches: PendingMatch[] = [];
  const before: string[] = [];
  let truncatedLine = false;
  let lineNumber = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const fullLine = text.slice(start, text.charCodeAt(end - 1) === 13 && end > start ? end - 1 : end);
    const line = fullLine.length > pattern.lineChars ? fullLine.slice(0, pattern.lineChars) : fullLine;
    if (line !== fullLine) truncatedLine = true;
    start = end + 1;
    lineNumber++;

    if (context > 0) addContextAfter(matches, lineNumber, context, line);
    if (matches.length < maxMatches && pattern.test(line)) {
      matches.push({ path, line: lineNumber, text: excerpt(line, pattern), before: [...before], after: [] });
    }
    if (matches.length >= maxMatches && lineNumber - (matches.at(-1)?.line ?? 0) >= context) break;
    if (context > 0) pushContextLine(before, line, context);
    if (lineNumber % LINES_PER_CHECK === 0 || line.length > LONG_LINE) {
      if (budget.isExhausted()) break;
      await budget.yieldIfDue();
    }
  }
  return { matches, truncatedLine };
}

function addContextAfter(matches: readonly PendingMatch[], lineNumber: number, context: number, line: string): void {
  for (let i = matches.length - 1; i >= 0; i--) {
    const match = matches[i];
    if (!match || lineNumber - match.line > context) return;
    match.after.push(line.slice(0, EXCERPT_CHARS));
  }
}

function pushContextLine(before: string[], line: string, context: number): void {
  before.push(line.slice(0, EXCERPT_CHARS));
  if (before.length > context) before.shift();
}

/** A minified file would fill the whole result. */
function excerpt(line: string, pattern: LinePattern): string {
  if (line.length <= EXCERPT_CHARS) return line;
  const from = Math.max(0, Math.min(pattern.find(line) - EXCERPT_CHARS / 4, line.length - EXCERPT_CHARS));
  const to = Math.min(line.length, from + EXCERPT_CHARS);
  return `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
}
