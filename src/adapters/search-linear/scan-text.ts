// Finds the matching lines of one text, with the lines around them.
import type { GrepMatch } from "../../ports/operations.ts";
import type { Bounds } from "./bounds.ts";
import type { LinePattern } from "./pattern.ts";

const SHOWN_CHARS = 400;
const LINES_PER_LOOK = 64;
const LONG_LINE = 1_024;

type Growing = { path: string; line: number; text: string; before: string[]; after: string[] };

export type Scan = { readonly matches: GrepMatch[]; readonly cutLine: boolean };

/** At most `room` matches; ends early when the bounds say so. */
export async function scanText(
  path: string,
  text: string,
  pattern: LinePattern,
  context: number,
  room: number,
  bounds: Bounds,
): Promise<Scan> {
  const matches: Growing[] = [];
  const before: string[] = [];
  let cutLine = false;
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const whole = text.slice(start, text.charCodeAt(end - 1) === 13 && end > start ? end - 1 : end);
    const line = whole.length > pattern.lineChars ? whole.slice(0, pattern.lineChars) : whole;
    if (line !== whole) cutLine = true;
    start = end + 1;
    number++;

    if (context > 0) giveAfter(matches, number, context, line);
    if (matches.length < room && pattern.test(line)) {
      matches.push({ path, line: number, text: shown(line, pattern), before: [...before], after: [] });
    }
    if (matches.length >= room && number - (matches.at(-1)?.line ?? 0) >= context) break;
    if (context > 0) keepLast(before, line, context);
    if (number % LINES_PER_LOOK === 0 || line.length > LONG_LINE) {
      if (bounds.over()) break;
      await bounds.breathe();
    }
  }
  return { matches, cutLine };
}

function giveAfter(matches: readonly Growing[], number: number, context: number, line: string): void {
  for (let i = matches.length - 1; i >= 0; i--) {
    const match = matches[i];
    if (!match || number - match.line > context) return;
    match.after.push(line.slice(0, SHOWN_CHARS));
  }
}

function keepLast(before: string[], line: string, context: number): void {
  before.push(line.slice(0, SHOWN_CHARS));
  if (before.length > context) before.shift();
}

/** A long line is cut around its match, or a minified file would fill the window. */
function shown(line: string, pattern: LinePattern): string {
  if (line.length <= SHOWN_CHARS) return line;
  const from = Math.max(0, Math.min(pattern.find(line) - SHOWN_CHARS / 4, line.length - SHOWN_CHARS));
  const to = Math.min(line.length, from + SHOWN_CHARS);
  return `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
}
