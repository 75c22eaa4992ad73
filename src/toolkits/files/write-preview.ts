// Previews a call of write_file for the person who decides: a new or a replaced file, its size, and the lines that
// change.
import { byteLength } from "../../schema/byte-length.ts";
import { keepTextFormat } from "../../tools/text-format.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import { diffLines, type Edit } from "./patch/merge/line-diff.ts";

/** The limit keeps the changed lines within the part of a preview that a gate holds, about 2 KB. */
const LINES_SHOWN = 24;
const LINE_CHARS = 120;
const CONTEXT_LINES = 2;

const plural = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`;
const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));
const sizeOf = (text: string): string => `${plural(linesOf(text).length, "line")}, ${plural(byteLength(text), "byte")}`;
const shown = (line: string): string => truncateChars(line, LINE_CHARS);

export function newFilePreview(path: string, content: string): string {
  const lines = linesOf(content).map((line) => `+${shown(line)}`);
  return [`New file ${path} (${sizeOf(content)}):`, ...firstLines(lines)].join("\n");
}

/** `before` is null if the file is not UTF-8 text. */
export function replacedFilePreview(path: string, before: string | null, content: string): string {
  if (before === null) return `Replaces ${path}, which is not text, with ${sizeOf(content)}.`;
  const after = keepTextFormat(before, content);
  if (after === before) return `${path} already has this content; nothing would change.`;
  const script = diffLines(linesOf(before), linesOf(after));
  if (script.every(({ kind }) => kind === "keep")) return `Replaces ${path}: only line endings change.`;
  const removed = script.filter(({ kind }) => kind === "drop" || kind === "change").length;
  const added = script.filter(({ kind }) => kind === "add" || kind === "change").length;
  return [
    `Replaces ${path} (${sizeOf(before)}) with ${sizeOf(after)}: ${removed} removed, ${added} added.`,
    ...firstLines(hunks(script, linesOf(before), linesOf(after))),
  ].join("\n");
}

const firstLines = (lines: readonly string[]): readonly string[] =>
  lines.length <= LINES_SHOWN
    ? lines
    : [...lines.slice(0, LINES_SHOWN), `(${plural(lines.length - LINES_SHOWN, "more line")})`];

function hunks(script: readonly Edit[], before: readonly string[], after: readonly string[]): string[] {
  const near = new Set<number>();
  script.forEach(({ kind }, at) => {
    if (kind === "keep") return;
    for (let i = at - CONTEXT_LINES; i <= at + CONTEXT_LINES; i += 1) near.add(i);
  });
  return script.flatMap((edit, at) => {
    if (!near.has(at)) return [];
    const head = near.has(at - 1) ? [] : [`@@ line ${lineOf(script, at)} @@`];
    return [...head, ...linesOfEdit(edit, before, after)];
  });
}

/** The number of the first line in the new text. */
const lineOf = (script: readonly Edit[], at: number): number =>
  script.slice(0, at).filter(({ kind }) => kind !== "drop").length + 1;

function linesOfEdit(edit: Edit, before: readonly string[], after: readonly string[]): string[] {
  const old = (): string => shown("old" in edit ? (before[edit.old] ?? "") : "");
  const fresh = (): string => shown("new" in edit ? (after[edit.new] ?? "") : "");
  switch (edit.kind) {
    case "keep":
      return [` ${old()}`];
    case "change":
      return [`-${old()}`, `+${fresh()}`];
    case "drop":
      return [`-${old()}`];
    case "add":
      return [`+${fresh()}`];
  }
}
