// Replaces text that is in the file exactly as written. What is written is what lands; beyond that only line endings, the
// indentation of lines below a cut first line, and the line break of whole lines are taken care of.
import { diffLines, type Edit } from "./merge/line-diff.ts";
import type { Change, Replacement } from "./region.ts";
import { defaultEnding, endingOf, indentOf, isBlank, lineAt, rawOffset, type SourceText } from "./source-text.ts";
import { learnIndent } from "./style/style.ts";

type Place = {
  readonly first: number;
  readonly last: number;
  /** What stands on the outer lines beside the match. */
  readonly prefix: string;
  readonly suffix: string;
};

export function replaceExactly(change: Change): Replacement {
  const { source, span, old, fresh } = change;
  const [start, end] = [rawOffset(source, span.start), rawOffset(source, span.end)];
  if (fresh !== "" && !old.includes("\n") && /^\S.*$/.test(fresh)) return { start, end, text: fresh };
  const place = placeOf(change);
  if (!isBlank(place.prefix) || !isBlank(place.suffix))
    return { start, end, text: write(change, place, splitLines(fresh)) };
  if (fresh === "") return deletion(change, place);
  const lines = indented(change, place);
  const whole = hasFullIndent(change, place) ? start - place.prefix.length : start;
  return { start: whole, end, text: write(change, place, lines) + missingLineBreak(change, place) };
}

const splitLines = (fresh: string): string[] => fresh.split("\n");

function placeOf({ source, span }: Change): Place {
  const first = lineAt(source, span.start);
  const last = lineAt(source, Math.max(span.start, span.end - 1));
  const prefix = (source.lines[first] ?? "").slice(0, span.start - (source.starts[first] ?? 0));
  const suffix = (source.lines[last] ?? "").slice(span.end - (source.starts[last] ?? 0));
  return { first, last, prefix, suffix };
}

/** Whole lines go with their line break; a blank line at the edge of the old text is what stays of it. */
function deletion({ source, span, old }: Change, { first, last }: Place): Replacement {
  const start = source.rawStarts[first] ?? 0;
  const ended = old.endsWith("\n");
  const lines = old.split("\n");
  if (isBlank(lines[0] ?? "") || (!ended && isBlank(lines.at(-1) ?? "")))
    return { start: rawOffset(source, span.start), end: rawOffset(source, span.end), text: "" };
  const end = ended ? rawOffset(source, span.end) : (source.rawStarts[last + 1] ?? source.raw.length);
  return { start, end, text: "" };
}

/** The new lines; below a first line whose indentation was cut off they take that of the file. */
function indented({ source, old, fresh }: Change, { first, last, suffix }: Place): string[] {
  const [before, after] = [splitLines(old), splitLines(fresh)];
  const lines = source.lines.slice(first, last + 1);
  lines[lines.length - 1] = (lines.at(-1) ?? "").slice(0, (lines.at(-1) ?? "").length - suffix.length);
  const oldLines = before.slice(0, lines.length);
  const script = diffLines(oldLines, after);
  const partners = oldLines.map((_, at) => lines[at] ?? null);
  const indent = learnIndent(source, { first, head: "", old: oldLines, fresh: after, lines }, partners, script);
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

/** The old text lost the indentation of its first line, the new one has it in full: it must not be there twice. */
function hasFullIndent({ old, fresh }: Change, { prefix }: Place): boolean {
  return prefix !== "" && /^\S/.test(old) && indentOf(splitLines(fresh)[0] ?? "") === prefix;
}

/** The line break that only the old text ends with, where leaving it out would run two lines into one. */
function missingLineBreak({ source, old, fresh }: Change, { last }: Place): string {
  if (!old.endsWith("\n") || fresh.endsWith("\n") || old === `${fresh}\n` || isBlank(splitLines(fresh).at(-1) ?? ""))
    return "";
  const next = source.lines[last + 1];
  return next !== undefined && isBlank(next) ? "" : endingOf(source, last);
}

/** The lines as one text, each with the ending of the line it stands for or of the one before it. */
function write({ source, old }: Change, { first }: Place, lines: readonly string[]): string {
  const endings = endingsOf(source, first, diffLines(splitLines(old), lines));
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
