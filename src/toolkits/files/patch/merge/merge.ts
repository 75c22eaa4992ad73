// Applies the difference between old and new text to a region of the file that matches the old text only approximately.
// Lines in both versions keep the file's bytes, and new lines take the file's indentation and line ending. Returns null if
// the position of a change is uncertain.
import { sameLogic } from "../find/identity.ts";
import { similarity } from "../find/similarity.ts";
import { type Change, type OutLine, type Region, type Replacement, regionOfChange, replaceRegion } from "../region.ts";
import { endingOf, indentOf, isBlank, rawOffset } from "../source-text.ts";
import { learnStyle, type Style } from "../style/style.ts";
import { diffLines, type Edit } from "./line-diff.ts";
import { type AlignedRow, alignIntoRows } from "./line-rows.ts";
import { mergeTokens } from "./token-merge.ts";

type LineEdit = Exclude<Edit, { kind: "add" }>;

type Merge = Change & {
  readonly region: Region;
  readonly style: Style;
  /** The edit of each old line. */
  readonly lineEdits: readonly LineEdit[];
  /** The new lines before each old line, plus a final entry for those after the last one. */
  readonly added: readonly number[][];
  readonly out: OutLine[];
};

export function mergeChange(change: Change): Replacement | null {
  const region = regionOfChange(change);
  const { lines, newLines } = region;
  // An approximate match can be the new text itself, so the region may need no change.
  if (isAlreadyApplied(region)) return unchanged(change);
  const rows = alignIntoRows(region.oldLines, lines);
  const script = diffLines(region.oldLines, newLines);
  const style = learnStyle(change.source, region, rows, script);
  const merge: Merge = { ...change, region, style, ...splitScript(script, region.oldLines.length), out: [] };
  if (!rows.every((row, index) => writeRow(merge, row, nextOldLine(rows, index)))) return null;
  writeAdded(merge, region.oldLines.length);
  return replaceRegion(change.source, region, merge.out);
}

function unchanged({ source, span }: Change): Replacement {
  const at = rawOffset(source, span.start);
  return { start: at, end: at, text: "" };
}

/** Whitespace at the ends of lines is ignored, unless the old text then matches too. */
function isAlreadyApplied({ lines, oldLines, newLines }: Region): boolean {
  const bare = (list: readonly string[]) =>
    list
      .map((line) => line.trim())
      .join("\n")
      .trim();
  if (lines.join("\n") === newLines.join("\n")) return true;
  return bare(lines) === bare(newLines) && bare(lines) !== bare(oldLines);
}

function splitScript(script: readonly Edit[], count: number): { lineEdits: LineEdit[]; added: number[][] } {
  const lineEdits: LineEdit[] = [];
  const added: number[][] = Array.from({ length: count + 1 }, () => []);
  for (const edit of script) {
    if (edit.kind === "add") added[lineEdits.length]?.push(edit.new);
    else lineEdits.push(edit);
  }
  return { lineEdits, added };
}

/** The index of the first old line in this row or a later one. */
function nextOldLine(rows: readonly AlignedRow[], index: number): number {
  const following = rows.slice(index).find((row) => row.old.length > 0);
  return following?.old[0] ?? rows.reduce((most, row) => Math.max(most, (row.old.at(-1) ?? -1) + 1), 0);
}

/** Returns false if the row conflicts with the change. */
function writeRow(merge: Merge, row: AlignedRow, at: number): boolean {
  const [old, ...moreOld] = row.old;
  const [file, ...moreFile] = row.file;
  if (old === undefined) return row.file.every((line) => writeOmittedLine(merge, line, at));
  writeAdded(merge, old);
  if (moreOld.length > 0 || moreFile.length > 0) return writeGroup(merge, row);
  const edit = merge.lineEdits[old];
  const { oldLines, lines } = merge.region;
  // The line to change has a different condition in the file, so the change was intended for another line.
  if (file !== undefined && edit?.kind !== "keep" && !sameLogic(oldLines[old] ?? "", lines[file] ?? "")) return false;
  if (!edit || edit.kind === "drop") return true;
  if (file === undefined) {
    // The file lacks this line, so there is no line to keep, and a change to it has no valid target.
    if (edit.kind === "keep") return true;
    if (!isBlank(merge.region.oldLines[old] ?? "")) return false;
    writeNew(merge, edit.new, old);
    return true;
  }
  if (edit.kind === "keep") keepLine(merge, file);
  else changeLine(merge, edit, file);
  return true;
}

/** Keeps a file line that the old text omits, if its position is certain. `at` is the old line after it. */
function writeOmittedLine(merge: Merge, line: number, at: number): boolean {
  const blank = isBlank(merge.region.lines[line] ?? "");
  const dropsAbove = merge.lineEdits[at - 1]?.kind === "drop";
  const dropsBelow = merge.lineEdits[at]?.kind === "drop";
  const added = merge.added[at] ?? [];
  if (keepAlreadyAdded(merge, line, added)) return true;
  if (!blank && !isSafe(merge, at)) return false;
  if (blank && dropsAbove && (dropsBelow || isBlank(merge.out.at(-1)?.text ?? "x"))) return true;
  if (added.length > 0 && dropsAbove) writeAdded(merge, at);
  else if (added.length > 0 && !dropsBelow) return placeAroundBlank(merge, line, at);
  keepLine(merge, line);
  return true;
}

/**
 * Next to a change, it is unknown whether the writer would have kept a line that the old text omits, and on which side
 * of it new lines belong.
 */
const isSafe = ({ lineEdits, added }: Merge, at: number): boolean =>
  lineEdits[at - 1]?.kind !== "drop" && lineEdits[at]?.kind !== "drop" && (added[at]?.length ?? 0) === 0;

/** Writes the new lines before a line that only the old text omits, and then keeps that line. */
function keepAlreadyAdded(merge: Merge, line: number, added: number[]): boolean {
  const text = (merge.region.lines[line] ?? "").trim();
  const at = text === "" ? -1 : added.findIndex((newLine) => (merge.region.newLines[newLine] ?? "").trim() === text);
  if (at < 0) return false;
  for (const newLine of added.splice(0, at + 1).slice(0, -1)) writeNew(merge, newLine, 0);
  keepLine(merge, line);
  return true;
}

/** Places new lines between two lines that only the file separates with a blank line. */
function placeAroundBlank(merge: Merge, blank: number, at: number): boolean {
  const { oldLines, newLines } = merge.region;
  const added = merge.added[at] ?? [];
  const first = newLines[added[0] ?? 0] ?? "";
  const last = newLines[added.at(-1) ?? 0] ?? "";
  const like = (a: string, b: string) => (indentOf(a) === indentOf(b) ? 0.2 : 0) + similarity(a.trim(), b.trim());
  const toAbove = like(oldLines[at - 1] ?? "", first);
  const toBelow = like(oldLines[at] ?? "", last);
  if (added.length >= 3 && !isBlank(first) && !isBlank(last) && indentOf(first) === indentOf(oldLines[at] ?? "")) {
    keepLine(merge, blank);
    writeAdded(merge, at);
    merge.out.push({ text: "", ending: null });
    return true;
  }
  // New lines with a blank line on one side get the file's blank line on the other.
  if (isBlank(first) || (!isBlank(last) && toAbove >= toBelow)) writeAdded(merge, at);
  keepLine(merge, blank);
  return true;
}

/** Writes lines that the file wraps differently. */
function writeGroup(merge: Merge, row: AlignedRow): boolean {
  const lineEdits = row.old.flatMap((old) => merge.lineEdits[old] ?? []);
  const inner = row.old.slice(1).flatMap((old) => merge.added[old]?.splice(0) ?? []);
  if (inner.length === 0 && lineEdits.every((edit) => edit.kind === "drop")) return true;
  if (inner.length === 0 && lineEdits.every((edit) => edit.kind === "keep")) {
    for (const line of row.file) keepLine(merge, line);
    return true;
  }
  const kept = lineEdits.flatMap((edit) => (edit.kind === "drop" ? [] : [edit.new]));
  const written = [...kept, ...inner].sort((a, b) => a - b).map((line) => merge.region.newLines[line] ?? "");
  const before = row.old.map((line) => merge.region.oldLines[line] ?? "");
  const fileText = row.file.map((line) => merge.region.lines[line] ?? "");
  const merged = mergeTokens(before.join("\n"), written.join("\n"), fileText.join("\n"));
  merged.split("\n").forEach((text, index) => {
    const line = row.file[index];
    merge.out.push({ text, ending: line === undefined ? null : endingOf(merge.source, merge.region.first + line) });
  });
  return true;
}

function keepLine(merge: Merge, line: number): void {
  const text = merge.region.lines[line] ?? "";
  merge.out.push({ text, ending: endingOf(merge.source, merge.region.first + line) });
}

function changeLine(merge: Merge, edit: { old: number; new: number }, line: number): void {
  const before = merge.region.oldLines[edit.old] ?? "";
  const written = merge.region.newLines[edit.new] ?? "";
  const fileText = merge.region.lines[line] ?? "";
  const ending = endingOf(merge.source, merge.region.first + line);
  if (isBlank(written)) return void merge.out.push({ text: "", ending });
  const reindented = indentOf(before) !== indentOf(written);
  const indent = reindented ? indentFor(merge, edit.new, edit.old) : indentOf(fileText);
  const trailing = before.slice(before.trimEnd().length) === written.slice(written.trimEnd().length);
  const end = trailing ? fileText.slice(fileText.trimEnd().length) : lineEndingFor(merge, written);
  const text = indent + mergeBody(merge.style, before.trim(), written.trim(), fileText.trim()) + end;
  merge.out.push({ text, ending });
}

function mergeBody(style: Style, before: string, written: string, fileText: string): string {
  // A line that already matches the file is converted only if the conversion would not have changed its old version.
  if (before === fileText) return style.rewriteBody(before) === before ? style.rewriteBody(written) : written;
  if (before === written) return fileText;
  if (style.rewriteBody(before) === fileText) return style.rewriteBody(written);
  return mergeTokens(before, style.rewriteBody(written), fileText);
}

function writeAdded(merge: Merge, at: number): void {
  for (const line of merge.added[at]?.splice(0) ?? []) writeNew(merge, line, at);
}

function writeNew(merge: Merge, line: number, near: number): void {
  const written = merge.region.newLines[line] ?? "";
  if (isBlank(written)) return void merge.out.push({ text: "", ending: null });
  const text = indentFor(merge, line, near) + merge.style.rewriteBody(written.trim()) + lineEndingFor(merge, written);
  merge.out.push({ text, ending: null });
}

const lineEndingFor = (merge: Merge, written: string): string =>
  merge.style.trimsLineEnds ? "" : written.slice(written.trimEnd().length);

function indentFor(merge: Merge, line: number, near: number): string {
  // The line continues text that is kept, so it has no indentation.
  if (merge.out.length === 0 && merge.region.head) return "";
  const above = merge.out.findLast((other) => !isBlank(other.text))?.text ?? lineAbove(merge);
  return merge.style.indent(line, near, above);
}

function lineAbove({ source, region }: Merge): string | undefined {
  return source.lines.slice(Math.max(0, region.first - 20), region.first).findLast((line) => !isBlank(line));
}
