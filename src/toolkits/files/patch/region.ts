// Determines the region of whole lines that a change covers, and replaces it with new lines.
import type { Span } from "./find/canonical.ts";
import { defaultEnding, endingOf, isBlank, linesOfSpan, type SourceText } from "./source-text.ts";

export type Change = {
  readonly source: SourceText;
  readonly span: Span;
  /** The old text without BOM, with `\n` endings, unescaped. */
  readonly oldText: string;
  /** The new text in the same form. */
  readonly newText: string;
};

export type Region = {
  readonly first: number;
  readonly last: number;
  /** The text before the match on its first line, or "" if it is only whitespace. */
  readonly head: string;
  /** The text after the match on its last line, or "" if it is only whitespace. */
  readonly tail: string;
  /** The file's lines without head and tail. */
  readonly lines: readonly string[];
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
};

/** A line to write. If its ending is null, the ending of the preceding line is used. */
export type OutLine = { readonly text: string; readonly ending: string | null };

export function regionOfChange({ source, span, oldText, newText }: Change): Region {
  const { first: firstHit, last: lastHit } = linesOfSpan(source, span);
  const prefix = (source.lines[firstHit] ?? "").slice(0, span.start - (source.starts[firstHit] ?? 0));
  const suffix = (source.lines[lastHit] ?? "").slice(span.end - (source.starts[lastHit] ?? 0));
  const head = isBlank(prefix) ? "" : prefix;
  const tail = isBlank(suffix) ? "" : suffix;
  // A final line break in both old and new text only ends the last line. In only one of them, it adds or removes a blank line.
  const both = oldText.endsWith("\n") && newText.endsWith("\n");
  const oldLines = (both ? oldText.slice(0, -1) : oldText).split("\n");
  const newLines = splitNewLines(both ? newText.slice(0, -1) : newText, oldLines, both);
  const first = firstHit - (head ? 0 : blanksBefore(source, firstHit, leadingBlanks(oldLines)));
  const last = lastHit + (tail ? 0 : blanksAfter(source, lastHit, leadingBlanks(oldLines.toReversed())));
  const lines = source.lines.slice(first, last + 1);
  if (tail) lines[lines.length - 1] = (lines.at(-1) ?? "").slice(0, (lines.at(-1) ?? "").length - tail.length);
  if (head) lines[0] = (lines[0] ?? "").slice(head.length);
  return { first, last, head, tail, lines, oldLines, newLines };
}

/** Empty new text deletes whole lines, but keeps a blank line if the old text begins or ends with one. */
function splitNewLines(newText: string, oldLines: readonly string[], ended: boolean): string[] {
  if (newText !== "" || ended) return newText.split("\n");
  return isBlank(oldLines[0] ?? "") || isBlank(oldLines.at(-1) ?? "") ? [""] : [];
}

function leadingBlanks(lines: readonly string[]): number {
  const filled = lines.findIndex((line) => !isBlank(line));
  return Math.max(filled, 0);
}

function blanksBefore(source: SourceText, first: number, most: number): number {
  let count = 0;
  while (count < most && first - count > 0 && isBlank(source.lines[first - count - 1] ?? "")) count += 1;
  return count;
}

function blanksAfter(source: SourceText, last: number, most: number): number {
  let count = 0;
  while (count < most && last + count + 1 < source.lines.length && isBlank(source.lines[last + count + 1] ?? ""))
    count += 1;
  return count;
}

/** Replaces the raw text from `start` to `end` with `text`. */
export type Replacement = { readonly start: number; readonly end: number; readonly text: string };

/** A line without its own ending gets the ending of the preceding line. */
export function replaceRegion(source: SourceText, region: Region, out: readonly OutLine[]): Replacement {
  const { first, last, head, tail } = region;
  const start = (source.rawStarts[first] ?? 0) + head.length;
  const lastEnding = endingOf(source, last);
  const lineEnd = (source.rawStarts[last] ?? 0) + (source.lines[last] ?? "").length;
  const end = tail ? lineEnd - tail.length : lineEnd + lastEnding.length;
  const previousEnding = first > 0 ? endingOf(source, first - 1) : endingOf(source, first);
  const open = tail !== "" || lastEnding === "";
  if (out.length === 0) return { start, end, text: head && !open ? lastEnding : "" };
  let before = previousEnding || defaultEnding(source);
  const parts = out.map((line, index) => {
    before = line.ending || before;
    return line.text + (index === out.length - 1 && open ? "" : before);
  });
  return { start, end, text: parts.join("") };
}
