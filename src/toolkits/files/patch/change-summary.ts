// Summarizes an edit for the caller: removed lines, added lines, and the strategy that found the position.

import type { StrategyName } from "./find/strategies.ts";
import { sharedEnds } from "./merge/line-diff.ts";
import type { ChangedLines } from "./splice.ts";

const MAX_LINES = 40;
const LINE_CHARS_MAX = 160;

export function summarize(changed: readonly ChangedLines[], places: number, strategy: StrategyName): string {
  const rows = changed.flatMap(hunkOf);
  const shown = rows.slice(0, MAX_LINES);
  if (rows.length > shown.length) shown.push(`… ${rows.length - shown.length} more lines`);
  return [`${places === 1 ? "1 place" : `${places} places`} changed (${strategy})`, ...shown].join("\n");
}

function hunkOf({ line, before, after }: ChangedLines): string[] {
  const { head, tail } = sharedEnds(before, after);
  return [
    `@@ line ${line + head} @@`,
    ...before.slice(head, before.length - tail).map((text) => `-${shorten(text)}`),
    ...after.slice(head, after.length - tail).map((text) => `+${shorten(text)}`),
  ];
}

export const shorten = (line: string, maxChars = LINE_CHARS_MAX): string =>
  line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
