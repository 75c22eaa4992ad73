// Shows edits as a unified diff. Nothing is written.
import type { TextEdit, TextPosition } from "../../ports/data/language-server.ts";

const CONTEXT_LINES = 3;
const NO_NEWLINE = "\\ No newline at end of file";

/** One changed block of lines: the lines from `start` to `end` (exclusive) are replaced by `lines`. */
type Block = { readonly start: number; readonly end: number; readonly lines: readonly string[] };

export function proposedPatch(path: string, text: string, edits: readonly TextEdit[]): string {
  const before = text.replace(/\n$/, "").split("\n");
  const blocks = joinNear(before, blocksOf(before, edits));
  let shift = 0;
  const hunks = blocks.map(({ start, end, lines }) => {
    const top = Math.max(0, start - CONTEXT_LINES);
    const bottom = Math.min(before.length, end + CONTEXT_LINES);
    const count = bottom - top;
    const head = `@@ -${top + 1},${count} +${top + 1 + shift},${count + lines.length - (end - start)} @@`;
    shift += lines.length - (end - start);
    const note = (last: boolean): readonly string[] => (last && !text.endsWith("\n") ? [NO_NEWLINE] : []);
    return [
      head,
      ...before.slice(top, start).map((line) => ` ${line}`),
      ...[...before.slice(start, end).map((line) => `-${line}`), ...note(end === before.length)],
      ...[...lines.map((line) => `+${line}`), ...note(end === before.length)],
      ...[...before.slice(end, bottom).map((line) => ` ${line}`), ...note(end < bottom && bottom === before.length)],
    ].join("\n");
  });
  return [`--- a/${path}`, `+++ b/${path}`, ...hunks].join("\n");
}

/** Blocks whose contexts touch become one. */
function joinNear(before: readonly string[], blocks: readonly Block[]): readonly Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (!last || block.start - last.end > 2 * CONTEXT_LINES) {
      joined.push(block);
      continue;
    }
    const between = before.slice(last.end, block.start);
    joined.splice(-1, 1, { start: last.start, end: block.end, lines: [...last.lines, ...between, ...block.lines] });
  }
  return joined;
}

/** Edits that begin on the line where another ends belong to one block. */
function blocksOf(before: readonly string[], edits: readonly TextEdit[]): readonly Block[] {
  const sorted = [...edits].sort((a, b) => compare(a.range.start, b.range.start));
  const groups: TextEdit[][] = [];
  for (const edit of sorted) {
    const last = groups.at(-1);
    if (last?.some(({ range }) => range.end.line >= edit.range.start.line)) last.push(edit);
    else groups.push([edit]);
  }
  return groups.map((group) => {
    const start = group[0]?.range.start.line ?? 0;
    const end = Math.max(...group.map(({ range }) => range.end.line)) + 1;
    let text = before.slice(start, end).join("\n");
    // From the end, so that earlier positions stay valid.
    for (const { range, new_text } of group.toReversed()) {
      const offset = ({ line, character }: TextPosition): number =>
        before.slice(start, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
      text = text.slice(0, offset(range.start)) + new_text + text.slice(offset(range.end));
    }
    return { start, end, lines: text.split("\n") };
  });
}

const compare = (a: TextPosition, b: TextPosition): number => a.line - b.line || a.character - b.character;
