// Splits text into lines, without BOM and with uniform line endings. Every offset can be mapped back to the raw text.
const BOM = "\uFEFF";

export type SourceText = {
  readonly raw: string;
  /** The raw text without BOM and with `\n` for every line ending. */
  readonly text: string;
  /** The lines of `text`. The empty string after a final line ending is not a line. */
  readonly lines: readonly string[];
  /** The offset of each line in `text`. */
  readonly starts: readonly number[];
  /** The offset of each line in `raw`. */
  readonly rawStarts: readonly number[];
  /** The text without whitespace. If a search does not match here, no strategy that only changes whitespace can match. */
  readonly withoutWhitespace: () => string;
};

export function indexSource(raw: string): SourceText {
  const skipped = raw.startsWith(BOM) ? 1 : 0;
  const text = plainText(raw);
  const lines = linesOf(text);
  const starts: number[] = [];
  const rawStarts: number[] = [];
  const shrunk = text.length + skipped !== raw.length;
  let at = 0;
  let rawAt = skipped;
  for (const line of lines) {
    starts.push(at);
    rawStarts.push(rawAt);
    at += line.length + 1;
    rawAt += line.length + (shrunk && raw[rawAt + line.length] === "\r" ? 2 : 1);
  }
  return { raw, text, lines, starts, rawStarts, withoutWhitespace: lazy(() => stripWhitespace(text)) };
}

export const stripWhitespace = (text: string): string => text.replace(/\s+/g, "");

/** The span of whole lines, without the last line break. */
export const wholeLines = ({ starts, lines }: SourceText, first: number, last: number) => ({
  start: starts[first] ?? 0,
  end: (starts[last] ?? 0) + (lines[last]?.length ?? 0),
});

export function lazy<T>(compute: () => T): () => T {
  let result: { value: T } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}

/** The text as strategies compare it: without BOM and with uniform line endings. */
export function plainText(raw: string): string {
  const body = raw.startsWith(BOM) ? raw.slice(1) : raw;
  if (body.includes("\r\n")) return body.replaceAll("\r\n", "\n");
  // Very old files end lines with a carriage return only.
  return body.includes("\r") && !body.includes("\n") ? body.replaceAll("\r", "\n") : body;
}

export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The index of the line at this offset of `text`. An offset past the end belongs to the last line. */
export function lineAt(source: SourceText, offset: number): number {
  let low = 0;
  let high = source.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((source.starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

export const linesOfSpan = (source: SourceText, { start, end }: { start: number; end: number }) => ({
  first: lineAt(source, start),
  last: lineAt(source, Math.max(start, end - 1)),
});

export function rawOffset(source: SourceText, offset: number): number {
  const line = lineAt(source, offset);
  const column = offset - (source.starts[line] ?? 0);
  const length = source.lines[line]?.length ?? 0;
  if (column > length) return source.raw.length;
  return (source.rawStarts[line] ?? 0) + column;
}

/** `\n`, `\r\n`, `\r`, or "" after a last line without an ending. */
export function endingOf(source: SourceText, line: number): string {
  if (line >= source.lines.length) return "";
  const end = (source.rawStarts[line] ?? 0) + (source.lines[line]?.length ?? 0);
  return source.raw.slice(end, source.rawStarts[line + 1] ?? source.raw.length);
}

/** The ending of a new line that has no neighboring line to copy it from. */
export function defaultEnding(source: SourceText): string {
  const firstBreak = source.raw.indexOf("\n");
  if (firstBreak < 0 && source.raw.includes("\r")) return "\r";
  return firstBreak > 0 && source.raw[firstBreak - 1] === "\r" ? "\r\n" : "\n";
}

export const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);

export const isBlank = (line: string): boolean => line.trim() === "";
