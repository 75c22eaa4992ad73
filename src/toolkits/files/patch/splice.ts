// Applies replacements, which are sorted and do not overlap, to the raw text. Reports and summarizes the changed lines.

import type { StrategyName } from "./find/strategies.ts";
import { sharedEnds } from "./merge/line-diff.ts";
import type { Replacement } from "./region.ts";
import { lineAt, linesOf, plainText, type SourceText } from "./source-text.ts";

/** The lines before and after the change, from line number `line` on. */
export type ChangedLines = {
  readonly line: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
};

export type Spliced = { readonly content: string; readonly changed: readonly ChangedLines[] };

export function splice(source: SourceText, replacements: readonly Replacement[]): Spliced {
  const content = spliceText(source.raw, replacements, 0, source.raw.length);
  return { content, changed: changedLines(source, replacements) };
}

/** Applies the replacements to the raw text from `from` to `to`, in one pass so that no offsets shift. */
function spliceText(raw: string, replacements: readonly Replacement[], from: number, to: number): string {
  const parts: string[] = [];
  let at = from;
  for (const { start, end, text } of replacements) {
    parts.push(raw.slice(at, start), text);
    at = end;
  }
  return parts.join("") + raw.slice(at, to);
}

export const hasOverlap = (replacements: readonly Replacement[]): boolean =>
  replacements.some((replacement, index) => replacement.start < (replacements[index - 1]?.end ?? 0));

function changedLines(source: SourceText, replacements: readonly Replacement[]): ChangedLines[] {
  const groups: { first: number; last: number; members: Replacement[] }[] = [];
  for (const replacement of replacements) {
    const first = rawLine(source, replacement.start);
    const last = rawLine(source, Math.max(replacement.start, replacement.end - 1));
    const group = groups.at(-1);
    if (group && first <= group.last) {
      group.members.push(replacement);
      group.last = Math.max(group.last, last);
    } else groups.push({ first, last, members: [replacement] });
  }
  return groups.map(({ first, last, members }) => {
    const from = source.rawStarts[first] ?? 0;
    const to = source.rawStarts[last + 1] ?? source.raw.length;
    const after = plainText(spliceText(source.raw, members, from, to));
    return { line: first + 1, before: source.lines.slice(first, last + 1), after: linesOf(after) };
  });
}

const rawLine = (source: SourceText, offset: number): number => lineAt({ ...source, starts: source.rawStarts }, offset);

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
