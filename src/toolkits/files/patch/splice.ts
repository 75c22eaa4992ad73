// Applies replacements to the raw text and reports the changed lines. Replacements are sorted and do not overlap.
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
