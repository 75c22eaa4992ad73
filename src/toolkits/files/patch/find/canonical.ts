// Searches a normalized form of the text (whitespace, indentation, punctuation) and maps the offsets back to the
// original. A form rewrites only what its pattern matches; all other text is compared verbatim.
import { COMPOSABLE, composed } from "./composition.ts";
import { plainMark, TYPOGRAPHIC_CLASS } from "./punctuation.ts";

export type Span = { readonly start: number; readonly end: number };

/** All matches, and further matches that overlap one of them. */
export type Occurrences = { readonly spans: readonly Span[]; readonly overlapping: readonly Span[] };

export type NormalForm = {
  readonly pattern: RegExp;
  readonly replace: (found: string, offset: number, whole: string) => string;
};

const isSpace = (text: string): boolean => text.trim() === "" && text !== "";

/** True for CJK and fullwidth punctuation. */
const isWideMark = (code: number): boolean =>
  (code >= 0x3000 && code <= 0x303f) || (code >= 0xff01 && code <= 0xff65 && !isWordChar(code - 0xfee0));

export function isWordChar(code: number): boolean {
  if (code >= 128) return code !== 0x2026 && !(code >= 0x2010 && code <= 0x2033) && code !== 0xa0 && !isWideMark(code);
  const isDigit = code >= 48 && code <= 57;
  return isDigit || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 36;
}

const betweenWords = (found: string, offset: number, whole: string): boolean =>
  isWordChar(whole.charCodeAt(offset - 1)) && isWordChar(whole.charCodeAt(offset + found.length));

const collapseUnlessBetweenWords: NormalForm["replace"] = (found, offset, whole) =>
  betweenWords(found, offset, whole) ? " " : "";

/** Every run of whitespace becomes one space. */
export const ONE_SPACE: NormalForm = { pattern: /\s+/g, replace: () => " " };

/** Whitespace disappears unless it separates two words. */
export const TIGHT: NormalForm = { pattern: /\s+/g, replace: collapseUnlessBetweenWords };

export const NO_INDENT: NormalForm = { pattern: /^[^\S\n]+/gm, replace: () => "" };

const typographic = new RegExp(`\\s+|${TYPOGRAPHIC_CLASS}|${COMPOSABLE}`, "gu");
const composable = new RegExp(`^(?:${COMPOSABLE})$`, "u");

const toPlainCharacter = (found: string): string => (composable.test(found) ? composed(found) : plainMark(found));

export const PLAIN_ONE_SPACE: NormalForm = {
  pattern: typographic,
  replace: (found) => (isSpace(found) ? " " : toPlainCharacter(found)),
};

export const PLAIN_TIGHT: NormalForm = {
  pattern: typographic,
  replace: (found, offset, whole) =>
    isSpace(found) ? collapseUnlessBetweenWords(found, offset, whole) : toPlainCharacter(found),
};

export const normalize = (text: string, form: NormalForm): string => text.replace(form.pattern, form.replace);

export function findNormalized(text: string, wanted: string, form: NormalForm): Occurrences {
  const needle = normalize(wanted, form).trim();
  if (needle === "") return { spans: [], overlapping: [] };
  const found = occurrences(normalize(text, form), needle, { wholeWords: true });
  if (found.spans.length === 0) return found;
  return mapBack(text, form, found);
}

/** Periodic text can reject a match at every character, so the search stops after this many rejected characters. */
const MAX_REJECTED_CHARS = 20_000_000;

/** Occurrences from left to right. Those that overlap an earlier one are listed separately. */
export function occurrences(text: string, needle: string, options?: { wholeWords: boolean }): Occurrences {
  const spans: Span[] = [];
  const overlapping: Span[] = [];
  let from = 0;
  let rejected = 0;
  for (;;) {
    const start = text.indexOf(needle, from);
    if (start < 0 || rejected > MAX_REJECTED_CHARS) return { spans, overlapping };
    const end = start + needle.length;
    if (options?.wholeWords && cutsWord(text, start, end)) {
      rejected += needle.length;
      from = start + 1;
      continue;
    }
    const previous = spans.at(-1);
    if (previous && start < previous.end) {
      // One overlapping match makes the edit ambiguous. A search for all of them could take quadratic time.
      overlapping.push({ start, end });
      from = previous.end;
      continue;
    }
    spans.push({ start, end });
    from = start + 1;
  }
}

function cutsWord(text: string, start: number, end: number): boolean {
  const cutsStart = isWordChar(text.charCodeAt(start)) && isWordChar(text.charCodeAt(start - 1));
  return cutsStart || (isWordChar(text.charCodeAt(end - 1)) && isWordChar(text.charCodeAt(end)));
}

type Piece = { from: number; to: number; at: number; length: number };

function mapBack(text: string, form: NormalForm, found: Occurrences): Occurrences {
  const pieces = rewrittenPieces(text, form);
  const toTextSpan = (span: Span): Span => ({
    start: textStart(pieces, span.start),
    end: textEnd(pieces, span.end - 1),
  });
  return { spans: found.spans.map(toTextSpan), overlapping: found.overlapping.map(toTextSpan) };
}

/** Each piece has its range in `text` and its place and length in the normalized text. */
function rewrittenPieces(text: string, form: NormalForm): Piece[] {
  const pieces: Piece[] = [];
  let shift = 0;
  for (const match of text.matchAll(form.pattern)) {
    const from = match.index;
    const { length } = form.replace(match[0], from, text);
    pieces.push({ from, to: from + match[0].length, at: from + shift, length });
    shift += length - match[0].length;
  }
  return pieces;
}

function pieceBefore(pieces: readonly Piece[], offset: number): Piece | undefined {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const piece = pieces[middle];
    if (piece && piece.at <= offset) low = middle + 1;
    else high = middle;
  }
  return pieces[low - 1];
}

function textStart(pieces: readonly Piece[], offset: number): number {
  const piece = pieceBefore(pieces, offset);
  if (!piece) return offset;
  return offset < piece.at + piece.length ? piece.from : piece.to + (offset - piece.at - piece.length);
}

function textEnd(pieces: readonly Piece[], last: number): number {
  const piece = pieceBefore(pieces, last);
  if (!piece) return last + 1;
  return last < piece.at + piece.length ? piece.to : piece.to + (last - piece.at - piece.length) + 1;
}
