// Converts a written line to the style of the file: indentation, spacing and punctuation.
import type { LinePair } from "../find/composition.ts";
import type { Edit } from "../merge/line-diff.ts";
import type { AlignedRow } from "../merge/line-rows.ts";
import type { Region } from "../region.ts";
import { indentOf, isBlank, type SourceText } from "../source-text.ts";
import { type IndentSamples, indentUnitOf, learnIndentation } from "./indentation.ts";
import { type LineStyle, learnLineStyle } from "./line-style.ts";

export type Style = LineStyle & {
  /** The indentation of new line `at`. `near` is the adjacent old line, and `above` is the line written before it. */
  readonly indent: (at: number, near: number, above: string | undefined) => string;
};

export function learnStyle(
  source: SourceText,
  region: Region,
  rows: readonly AlignedRow[],
  script: readonly Edit[],
): Style {
  const partners = partnerLines(region, rows);
  const paired = partners.flatMap((file, at) => (file === null ? [] : [{ old: region.oldLines[at] ?? "", file }]));
  const lineStyle = learnLineStyle(paired);
  return { indent: learnIndent(source, region, partners, script), ...lineStyle };
}

/** The matching line in the file for each old line, if there is exactly one. */
function partnerLines(region: Region, rows: readonly AlignedRow[]): (string | null)[] {
  const partners: (string | null)[] = region.oldLines.map(() => null);
  for (const { old, file } of rows) {
    const [at, more] = old;
    const [line, rest] = file;
    if (at === undefined || line === undefined || more !== undefined || rest !== undefined) continue;
    partners[at] = region.lines[line] ?? "";
  }
  return partners;
}

/** `partners` are the lines of the file that match old lines. `script` has the edit of each old line. */
export function learnIndent(
  source: SourceText,
  region: Pick<Region, "first" | "head" | "oldLines" | "newLines" | "lines">,
  partners: readonly (string | null)[],
  script: readonly Edit[],
): Style["indent"] {
  const { oldLines, newLines, head } = region;
  const all = partners.map((file, at): LinePair | null => {
    if (file === null || isBlank(file) || (at === 0 && head)) return null;
    return { old: indentOf(oldLines[at] ?? ""), file: indentOf(file) };
  });
  const file = indentUnitOf(source.lines, region.first);
  const unit = file.unit || "  ";
  const filled = [...oldLines, ...newLines].filter((line) => !isBlank(line));
  const written = filled.map(indentOf);
  const asWritten = (at: number) => indentOf(newLines[at] ?? "");
  const rest = all.slice(1).some((pair) => pair !== null) ? [null, ...all.slice(1)] : all;
  const depths = all.flatMap((pair) => (pair ? [pair.file] : []));
  if (!isPlain(rest) && isFlat(filled, depths))
    return (at, _near, above) => guessIndent(newLines[at] ?? "", above, unit);
  const cut = unindentedFirstLine(all, { written, file });
  if (!cut) {
    if (newTextFitsFile(region, script, all)) return asWritten;
    const map = learnIndentation({ pairs: all, written, file });
    return (at, near) => map(asWritten(at), near);
  }
  const map = rest === all && linesBelowFit(newLines, cut, unit) ? asWritten : null;
  const shift = learnIndentation({ pairs: rest, written, file });
  return (at, near) => {
    // The new first line has its full indentation, although the old one does not.
    if (at === 0) return asWritten(0) === cut.file ? cut.file : cut.file + asWritten(0).slice(cut.old.length);
    return map ? map(at) : shift(asWritten(at), near);
  };
}

const isPlain = (pairs: readonly (LinePair | null)[]): boolean =>
  pairs.every((pair) => pair === null || pair.old === pair.file);

/** The first line if it lacks its indentation while the other lines have theirs. */
function unindentedFirstLine(
  pairs: readonly (LinePair | null)[],
  samples: Omit<IndentSamples, "pairs">,
): LinePair | null {
  const first = pairs[0];
  if (!first || first.old === first.file || !first.file.endsWith(first.old)) return null;
  const others = [null, ...pairs.slice(1)];
  if (others.every((pair) => pair === null)) return first.old === "" ? first : null;
  return learnIndentation({ pairs: others, ...samples })(first.old, 0) === first.file ? null : first;
}

/** True if the lines below a first line without indentation already have the indentation of the file. */
function linesBelowFit(newLines: readonly string[], cut: LinePair, unit: string): boolean {
  const below = newLines.slice(1).find((line) => !isBlank(line));
  if (below === undefined) return true;
  return indentOf(below) === guessIndent(below, cut.file + (newLines[0] ?? "").trimStart(), unit);
}

/** True if only the old text is indented incorrectly: shared lines have the file's indentation in the new text. */
function newTextFitsFile(
  region: Pick<Region, "newLines" | "lines">,
  script: readonly Edit[],
  pairs: readonly (LinePair | null)[],
): boolean {
  let right = 0;
  let wrong = 0;
  for (const edit of script) {
    if (edit.kind !== "keep" && edit.kind !== "change") continue;
    const pair = pairs[edit.old];
    if (!pair || pair.old === pair.file) continue;
    const indent = indentOf(region.newLines[edit.new] ?? "");
    if (indent === pair.file) right += 1;
    if (indent === pair.old) wrong += 1;
  }
  return right > wrong && leastIndent(region.newLines) >= leastIndent(region.lines);
}

const leastIndent = (lines: readonly string[]): number =>
  Math.min(...lines.filter((line) => !isBlank(line)).map((line) => indentOf(line).length));

const BLOCK_START = /(?:[{([]|=>|\bthen|\bdo|:)\s*$/;
const BLOCK_END = /^(?:[})\]]|end\b|else\b|elif\b|except\b|finally\b|catch\b|<\/)/;

const CONTINUES = /^\s*(?:\.[\p{L}_]|[?:|&+=]{1,2}\s)/u;

const withoutComment = (line: string): string => line.replace(/(?:^|\s)(?:\/\/|#\s|\*\s).*$/, "");

const opensBlock = (line: string): boolean => BLOCK_START.test(withoutComment(line));

const closesBlock = (line: string): boolean => BLOCK_END.test(line.trim());

/** `before` is the preceding line with the indentation that it has in the file. */
function guessIndent(line: string, before: string | undefined, unit: string): string {
  if (before === undefined) return "";
  const base = before.slice(0, before.length - before.trimStart().length);
  if (/^\s*\/\*\*?/.test(before) && line.trim().startsWith("*")) return `${base} `;
  if (/^\s+\*\/\s*$/.test(before)) return base.slice(0, -1);
  if (CONTINUES.test(line) && !CONTINUES.test(before)) return base + unit;
  if (opensBlock(before) && !closesBlock(line)) return base + unit;
  if (closesBlock(line) && !opensBlock(before)) return base.slice(0, Math.max(0, base.length - unit.length));
  return base;
}

/** True if text has lost its indentation: it has none, although the file has several depths or a bracket requires it. */
function isFlat(lines: readonly string[], fileIndents: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.some((line) => /^\s/.test(line))) return false;
  if (new Set(fileIndents).size > 1) return true;
  return filled.some((line, index) => {
    const next = filled[index + 1];
    return next !== undefined && opensBlock(line) && !closesBlock(next);
  });
}
