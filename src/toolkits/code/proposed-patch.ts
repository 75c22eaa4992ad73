// Shows edits as a unified diff. Nothing is written.
import type { TextEdit, TextPosition } from "../../ports/data/language-server.ts";

const CONTEXT_LINES = 3;
const NO_NEWLINE = "\\ No newline at end of file";

/** An edit by offsets; `line` and `end_line` are the lines that it touches. */
type Span = {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly end_line: number;
  readonly new_text: string;
};
/** One changed block of lines: the lines from `start` to `end` (exclusive) are replaced by `lines`. */
type Block = { readonly start: number; readonly end: number; readonly lines: readonly string[] };
/** The lines of the text, each with its line break, and their offsets. */
type Lines = { readonly text: string; readonly all: readonly string[]; readonly starts: readonly number[] };

/** Null if an edit lies outside the text, or if two edits overlap. */
export function proposedPatch(path: string, text: string, edits: readonly TextEdit[]): string | null {
  const lines = linesOf(text);
  const spans = spansOf(lines, edits);
  if (spans === null) return null;
  let shift = 0;
  const hunks = mergeAdjacent(lines.all, blocksOf(lines, spans)).map((block) => {
    const { start, end } = block;
    const top = Math.max(0, start - CONTEXT_LINES);
    const bottom = Math.min(lines.all.length, end + CONTEXT_LINES);
    const count = bottom - top;
    const grown = block.lines.length - (end - start);
    const head = `@@ -${firstOf(top, count)},${count} +${firstOf(top + shift, count + grown)},${count + grown} @@`;
    shift += grown;
    return [
      head,
      ...lines.all.slice(top, start).map((line) => signed(" ", line)),
      ...lines.all.slice(start, end).map((line) => signed("-", line)),
      ...block.lines.map((line) => signed("+", line)),
      ...lines.all.slice(end, bottom).map((line) => signed(" ", line)),
    ].join("\n");
  });
  return [`--- a/${path}`, `+++ b/${path}`, ...hunks].join("\n");
}

/** The number of the first line, or of the preceding line if the block is empty. */
const firstOf = (top: number, count: number): number => (count === 0 ? top : top + 1);

const signed = (sign: string, line: string): string =>
  line.endsWith("\n") ? `${sign}${line.slice(0, -1)}` : `${sign}${line}\n${NO_NEWLINE}`;

const splitLines = (text: string): readonly string[] => (text === "" ? [] : text.split(/(?<=\n)/));

function linesOf(text: string): Lines {
  const all = splitLines(text);
  const starts: number[] = [];
  let at = 0;
  for (const line of all) {
    starts.push(at);
    at += line.length;
  }
  return { text, all, starts };
}

/** The changed ranges in the order of their positions. */
function spansOf(lines: Lines, edits: readonly TextEdit[]): readonly Span[] | null {
  const spans: Span[] = [];
  for (const { range, new_text } of edits) {
    const from = offsetOf(lines, range.start);
    const to = offsetOf(lines, range.end);
    if (from === null || to === null || from > to) return null;
    spans.push({ from, to, line: range.start.line, end_line: range.end.line, new_text });
  }
  spans.sort((a, b) => a.from - b.from || a.to - b.to);
  return spans.some(({ from }, at) => from < (spans[at - 1]?.to ?? 0)) ? null : spans;
}

/** Null for a line past the end of the text. As in the protocol, a character past the end of its line means that end. */
function offsetOf({ text, all, starts }: Lines, { line, character }: TextPosition): number | null {
  if (line > all.length) return null;
  const start = starts[line] ?? text.length;
  return start + Math.min(character, all[line]?.replace(/\r?\n$/, "").length ?? 0);
}

/** Edits that touch the same line belong to one block. */
function blocksOf(lines: Lines, spans: readonly Span[]): readonly Block[] {
  const last = Math.max(0, lines.all.length - 1);
  const groups: { readonly start: number; end: number; readonly spans: Span[] }[] = [];
  for (const span of spans) {
    const group = groups.at(-1);
    const start = Math.min(span.line, last);
    const end = Math.min(span.end_line + 1, lines.all.length);
    if (group === undefined || start >= group.end) {
      groups.push({ start, end, spans: [span] });
    } else {
      group.spans.push(span);
      group.end = Math.max(group.end, end);
    }
  }
  const edited = groups.map(({ start, end, spans: inside }) =>
    trimmed(lines.all, { start, end, lines: replaceSpans(lines, start, end, inside) }),
  );
  return edited.filter(({ start, end, lines: put }) => start < end || put.length > 0);
}

function replaceSpans({ text, starts }: Lines, start: number, end: number, spans: readonly Span[]): readonly string[] {
  const pieces: string[] = [];
  let at = starts[start] ?? 0;
  for (const { from, to, new_text } of spans) {
    pieces.push(text.slice(at, from), new_text);
    at = to;
  }
  return splitLines([...pieces, text.slice(at, starts[end] ?? text.length)].join(""));
}

/** Unchanged lines at both ends are dropped, because some servers replace the whole file. */
function trimmed(before: readonly string[], { start, end, lines }: Block): Block {
  let head = 0;
  while (head < Math.min(end - start, lines.length) && before[start + head] === lines[head]) head += 1;
  let tail = 0;
  const most = Math.min(end - start, lines.length) - head;
  while (tail < most && before[end - 1 - tail] === lines[lines.length - 1 - tail]) tail += 1;
  return { start: start + head, end: end - tail, lines: lines.slice(head, lines.length - tail) };
}

/** Blocks whose context lines touch or overlap become one. */
function mergeAdjacent(before: readonly string[], blocks: readonly Block[]): readonly Block[] {
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
