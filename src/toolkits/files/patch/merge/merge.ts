// Applies what changed between old and new text to a stretch of the file that has the old text in other words. A line both
// texts have keeps the file's bytes; a new line takes the file's indentation and line ending. Null where the change has no
// sure place.
import { sameLogic } from "../find/identity.ts";
import { similarity } from "../find/similarity.ts";
import { type Change, type OutLine, type Region, type Replacement, regionOfChange, replaceRegion } from "../region.ts";
import { endingOf, indentOf, isBlank, rawOffset } from "../source-text.ts";
import { learnStyle, type Style } from "../style/style.ts";
import { diffLines, type Edit } from "./line-diff.ts";
import { matchRows, type Row } from "./line-rows.ts";
import { mergeTokens } from "./token-merge.ts";

type LineEdit = Exclude<Edit, { kind: "add" }>;

type Merge = Change & {
  readonly region: Region;
  readonly style: Style;
  /** What becomes of each old line. */
  readonly lineEdits: readonly LineEdit[];
  /** The new lines that come before each old line; one entry more for those after the last. */
  readonly added: readonly number[][];
  readonly out: OutLine[];
};

export function mergeChange(change: Change): Replacement | null {
  const region = regionOfChange(change);
  const { lines, fresh } = region;
  // The file has the new text already, found by looking away from what differs.
  if (isAlreadyApplied(region)) return unchanged(change);
  const rows = matchRows(region.old, lines);
  const script = diffLines(region.old, fresh);
  const style = learnStyle(change.source, region, rows, script);
  const merge: Merge = { ...change, region, style, ...splitScript(script, region.old.length), out: [] };
  if (!rows.every((row, index) => writeRow(merge, row, nextOld(rows, index)))) return null;
  writeAdded(merge, region.old.length);
  return replaceRegion(change.source, region, merge.out);
}

function unchanged({ source, span }: Change): Replacement {
  const at = rawOffset(source, span.start);
  return { start: at, end: at, text: "" };
}

/** Line by line the new text and not the old one, but for whitespace at the ends of lines. */
function isAlreadyApplied({ lines, old, fresh }: Region): boolean {
  const bare = (list: readonly string[]) =>
    list
      .map((line) => line.trim())
      .join("\n")
      .trim();
  if (lines.join("\n") === fresh.join("\n")) return true;
  return bare(lines) === bare(fresh) && bare(lines) !== bare(old);
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

/** The old line a row starts with, or the one that comes after it. */
function nextOld(rows: readonly Row[], index: number): number {
  const following = rows.slice(index).find((row) => row.old.length > 0);
  return following?.old[0] ?? rows.reduce((most, row) => Math.max(most, (row.old.at(-1) ?? -1) + 1), 0);
}

/** False if the row stands in the way of the change. */
function writeRow(merge: Merge, row: Row, at: number): boolean {
  const [old, ...moreOld] = row.old;
  const [file, ...moreFile] = row.file;
  if (old === undefined) return row.file.every((line) => writeExtra(merge, line, at));
  writeAdded(merge, old);
  if (moreOld.length > 0 || moreFile.length > 0) return writeGroup(merge, row);
  const edit = merge.lineEdits[old];
  const { old: wanted, lines } = merge.region;
  // The writer changes a line that asks something else here: the change was made for another line.
  if (file !== undefined && edit?.kind !== "keep" && !sameLogic(wanted[old] ?? "", lines[file] ?? "")) return false;
  if (!edit || edit.kind === "drop") return true;
  if (file === undefined) {
    // The file lacks the line: nothing to keep. Changing it would mean writing what the writer only imagined.
    if (edit.kind === "keep") return true;
    if (!isBlank(merge.region.old[old] ?? "")) return false;
    writeNew(merge, edit.new, old);
    return true;
  }
  if (edit.kind === "keep") keepLine(merge, file);
  else changeLine(merge, edit, file);
  return true;
}

/** A line of the file that the old text does not show: kept, if it is clear where. `at` is the old line after it. */
function writeExtra(merge: Merge, line: number, at: number): boolean {
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
 * Whether a line that the old text left out before old line `at` can simply stay. Beside a change nobody can tell what the
 * writer would have done with it, or on which side of it new lines belong.
 */
const isSafe = ({ lineEdits: fates, added }: Merge, at: number): boolean =>
  fates[at - 1]?.kind !== "drop" && fates[at]?.kind !== "drop" && (added[at]?.length ?? 0) === 0;

/** Old text left the line out, new text has it: the new lines up to it come first, then the line as it stands. */
function keepAlreadyAdded(merge: Merge, line: number, added: number[]): boolean {
  const text = (merge.region.lines[line] ?? "").trim();
  const at = text === "" ? -1 : added.findIndex((fresh) => (merge.region.fresh[fresh] ?? "").trim() === text);
  if (at < 0) return false;
  for (const fresh of added.splice(0, at + 1).slice(0, -1)) writeNew(merge, fresh, 0);
  keepLine(merge, line);
  return true;
}

/** New lines between two lines that only the file separates by a blank one. */
function placeAroundBlank(merge: Merge, blank: number, at: number): boolean {
  const { old, fresh } = merge.region;
  const added = merge.added[at] ?? [];
  const first = fresh[added[0] ?? 0] ?? "";
  const last = fresh[added.at(-1) ?? 0] ?? "";
  const like = (a: string, b: string) => (indentOf(a) === indentOf(b) ? 0.2 : 0) + similarity(a.trim(), b.trim());
  const toAbove = like(old[at - 1] ?? "", first);
  const toBelow = like(old[at] ?? "", last);
  if (added.length >= 3 && !isBlank(first) && !isBlank(last) && indentOf(first) === indentOf(old[at] ?? "")) {
    keepLine(merge, blank);
    writeAdded(merge, at);
    merge.out.push({ text: "", ending: null });
    return true;
  }
  // New lines that bring a blank line of their own on one side get the file's one on the other.
  if (isBlank(first) || (!isBlank(last) && toAbove >= toBelow)) writeAdded(merge, at);
  keepLine(merge, blank);
  return true;
}

/** Lines that the file breaks differently. */
function writeGroup(merge: Merge, row: Row): boolean {
  const lineEdits = row.old.flatMap((old) => merge.lineEdits[old] ?? []);
  const inner = row.old.slice(1).flatMap((old) => merge.added[old]?.splice(0) ?? []);
  if (inner.length === 0 && lineEdits.every((edit) => edit.kind === "drop")) return true;
  if (inner.length === 0 && lineEdits.every((fate) => fate.kind === "keep")) {
    for (const line of row.file) keepLine(merge, line);
    return true;
  }
  const kept = lineEdits.flatMap((fate) => (fate.kind === "drop" ? [] : [fate.new]));
  const written = [...kept, ...inner].sort((a, b) => a - b).map((line) => merge.region.fresh[line] ?? "");
  const before = row.old.map((line) => merge.region.old[line] ?? "");
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

function changeLine(merge: Merge, fate: { old: number; new: number }, line: number): void {
  const before = merge.region.old[fate.old] ?? "";
  const written = merge.region.fresh[fate.new] ?? "";
  const fileText = merge.region.lines[line] ?? "";
  const ending = endingOf(merge.source, merge.region.first + line);
  if (isBlank(written)) {
    merge.out.push({ text: "", ending });
    return;
  }
  const reindented = indentOf(before) !== indentOf(written);
  const indent = reindented ? indentFor(merge, fate.new, fate.old) : indentOf(fileText);
  const trailing = before.slice(before.trimEnd().length) === written.slice(written.trimEnd().length);
  const end = trailing ? fileText.slice(fileText.trimEnd().length) : endFor(merge, written);
  merge.out.push({
    text: indent + mergeBody(merge.style, before.trim(), written.trim(), fileText.trim()) + end,
    ending,
  });
}

function mergeBody(style: Style, before: string, written: string, fileText: string): string {
  // A line that already agrees shows no habit, unless the habit would have changed it.
  if (before === fileText) return style.rewriteBody(before) === before ? style.rewriteBody(written) : written;
  if (before === written) return fileText;
  if (style.rewriteBody(before) === fileText) return style.rewriteBody(written);
  return mergeTokens(before, style.rewriteBody(written), fileText);
}

function writeAdded(merge: Merge, at: number): void {
  for (const line of merge.added[at]?.splice(0) ?? []) writeNew(merge, line, at);
}

function writeNew(merge: Merge, line: number, near: number): void {
  const written = merge.region.fresh[line] ?? "";
  if (isBlank(written)) {
    merge.out.push({ text: "", ending: null });
    return;
  }
  const text = indentFor(merge, line, near) + merge.style.rewriteBody(written.trim()) + endFor(merge, written);
  merge.out.push({ text, ending: null });
}

const endFor = (merge: Merge, written: string): string =>
  merge.style.trimsLineEnds ? "" : written.slice(written.trimEnd().length);

function indentFor(merge: Merge, line: number, near: number): string {
  // Right after text that stays, the line goes on as written.
  if (merge.out.length === 0 && merge.region.head) return "";
  const above = merge.out.findLast((other) => !isBlank(other.text))?.text ?? lineAbove(merge);
  return merge.style.indent(line, near, above);
}

function lineAbove({ source, region: stretch }: Merge): string | undefined {
  return source.lines.slice(Math.max(0, stretch.first - 20), stretch.first).findLast((line) => !isBlank(line));
}
