// Replaces text that the file contains verbatim. The new text is written unchanged except for line endings, the line
// break after whole lines, and the indentation below a first line without indentation.
import { diffLines, type Edit } from "./merge/line-diff.ts";
import type { Change, Replacement } from "./region.ts";
import { defaultEnding, endingOf, indentOf, isBlank, linesOfSpan, rawOffset, type SourceText } from "./source-text.ts";
import { learnIndent } from "./style/style.ts";

type Position = {
  readonly first: number;
  readonly last: number;
  /** The text before the match on its first line. */
  readonly prefix: string;
  /** The text after the match on its last line. */
  readonly suffix: string;
};

export function replaceExactly(change: Change): Replacement {
  const { source, span, oldText, newText } = change;
  const [start, end] = [rawOffset(source, span.start), rawOffset(source, span.end)];
  if (newText !== "" && !oldText.includes("\n") && /^\S.*$/.test(newText)) return { start, end, text: newText };
  const position = positionOf(change);
  if (!isBlank(position.prefix) || !isBlank(position.suffix))
    return { start, end, text: write(change, position, splitLines(newText)) };
  if (newText === "") return deletion(change, position);
  const lines = indented(change, position);
  const lineStart = hasFullIndent(change, position) ? start - position.prefix.length : start;
  return { start: lineStart, end, text: write(change, position, lines) + missingLineBreak(change, position) };
}

const splitLines = (newText: string): string[] => newText.split("\n");

function positionOf({ source, span }: Change): Position {
  const { first, last } = linesOfSpan(source, span);
  const prefix = (source.lines[first] ?? "").slice(0, span.start - (source.starts[first] ?? 0));
  const suffix = (source.lines[last] ?? "").slice(span.end - (source.starts[last] ?? 0));
  return { first, last, prefix, suffix };
}

/** Deletes whole lines with their line break. A blank line at the edge of the old text remains. */
function deletion({ source, span, oldText }: Change, { first, last }: Position): Replacement {
  const start = source.rawStarts[first] ?? 0;
  const ended = oldText.endsWith("\n");
  const lines = oldText.split("\n");
  if (isBlank(lines[0] ?? "") || (!ended && isBlank(lines.at(-1) ?? "")))
    return { start: rawOffset(source, span.start), end: rawOffset(source, span.end), text: "" };
  const end = ended ? rawOffset(source, span.end) : (source.rawStarts[last + 1] ?? source.raw.length);
  return { start, end, text: "" };
}

/** If the first old line lacks its indentation, the following lines take the indentation of the file. */
function indented({ source, oldText, newText }: Change, { first, last, suffix }: Position): string[] {
  const [before, after] = [splitLines(oldText), splitLines(newText)];
  const lines = source.lines.slice(first, last + 1);
  lines[lines.length - 1] = (lines.at(-1) ?? "").slice(0, (lines.at(-1) ?? "").length - suffix.length);
  const oldLines = before.slice(0, lines.length);
  const script = diffLines(oldLines, after);
  const partners = oldLines.map((_, at) => lines[at] ?? null);
  const indent = learnIndent(source, { first, head: "", oldLines, newLines: after, lines }, partners, script);
  const kept = new Map(script.flatMap((edit) => (edit.kind === "keep" ? [[edit.new, edit.old]] : [])));
  const out: string[] = [];
  for (const [at, line] of after.entries()) {
    const above = out.findLast((other) => !isBlank(other)) ?? lines[0];
    const stays = lines[kept.get(at) ?? -1];
    if (at === 0 || isBlank(line)) out.push(line);
    else out.push(stays ?? indent(at, Math.min(at, oldLines.length - 1), above) + line.trimStart());
  }
  return out;
}

/** True if only the new text includes the indentation of the first line, so that it must not be added again. */
function hasFullIndent({ oldText, newText }: Change, { prefix }: Position): boolean {
  return prefix !== "" && /^\S/.test(oldText) && indentOf(splitLines(newText)[0] ?? "") === prefix;
}

/** The line break that only the old text ends with. Without it, two lines would be joined. */
function missingLineBreak({ source, oldText, newText }: Change, { last }: Position): string {
  const isMissing = oldText.endsWith("\n") && !newText.endsWith("\n") && oldText !== `${newText}\n`;
  if (!isMissing || isBlank(splitLines(newText).at(-1) ?? "")) return "";
  const next = source.lines[last + 1];
  return next !== undefined && isBlank(next) ? "" : endingOf(source, last);
}

/** Each line gets the ending of the line that it replaces or of the preceding line. */
function write({ source, oldText }: Change, { first }: Position, lines: readonly string[]): string {
  const endings = endingsOf(source, first, diffLines(splitLines(oldText), lines));
  let before = first > 0 ? endingOf(source, first - 1) : endingOf(source, first) || defaultEnding(source);
  return lines
    .map((line, at) => {
      before = endings.get(at) || before;
      return at === lines.length - 1 ? line : line + before;
    })
    .join("");
}

function endingsOf(source: SourceText, first: number, script: readonly Edit[]): Map<number, string> {
  const pairs = script.flatMap((edit) => (edit.kind === "keep" || edit.kind === "change" ? [edit] : []));
  return new Map(pairs.map((edit) => [edit.new, endingOf(source, first + edit.old)]));
}
