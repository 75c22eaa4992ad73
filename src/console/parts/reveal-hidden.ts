// Makes characters visible that a reader would not see, or would see elsewhere than they are. Approvals are given by eye.

/** First and last code point of each stretch. Line breaks, tabs and the plain space stay as they are. */
const HIDDEN_RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x08], // controls
  [0x0b, 0x1f],
  [0x7f, 0xa0], // delete, more controls, the space that does not break
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f], // joins what is not joined
  [0x61c, 0x61c], // turns the direction of writing
  [0x115f, 0x1160], // fillers that look like nothing
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f], // odd spaces, zero width, direction marks
  [0x2028, 0x202f], // other line breaks, overrides of direction
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xd800, 0xdfff], // half of a pair
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffd],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff], // tags: whole sentences fit into them
];

const codePointEscape = (code: number): string => `\\u{${code.toString(16)}}`;
const HIDDEN = new RegExp(
  `[${HIDDEN_RANGES.map(([a, b]) => `${codePointEscape(a)}-${codePointEscape(b)}`).join("")}]`,
  "gu",
);

export type TextSegment = { readonly text: string; readonly hidden: boolean };

const escapeUnits = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");

/** The text in pieces: what can be seen as it is, what cannot as an escape. */
export function revealHidden(text: string): readonly TextSegment[] {
  const parts: TextSegment[] = [];
  let position = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > position) parts.push({ text: text.slice(position, match.index), hidden: false });
    parts.push({ text: escapeUnits(match[0]), hidden: true });
    position = match.index + match[0].length;
  }
  if (position < text.length) parts.push({ text: text.slice(position), hidden: false });
  return parts;
}

/** JSON to read and to edit: hidden characters are escapes, so that it still means the same when it is read back. */
export const visibleJson = (value: unknown, indent = 2): string =>
  (JSON.stringify(value, null, indent) ?? "null").replace(HIDDEN, (found) => escapeUnits(found));

const COMPACT_CHARS = 90;

/** On one line where it fits. */
export function compactJson(value: unknown): string {
  const line = visibleJson(value, 0);
  return line.length > COMPACT_CHARS ? visibleJson(value) : line;
}

/** An escape, not the text of one: an even number of backslashes before it. */
const ESCAPE = /(?<!\\)(?:\\\\)*\\u[0-9a-f]{4}/g;
const ESCAPE_CHARS = 6;

/** Such JSON in pieces, every escape apart: also those that JSON itself writes. */
export function revealJson(text: string): readonly TextSegment[] {
  const parts: TextSegment[] = [];
  let position = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const end = match.index + match[0].length;
    if (end - ESCAPE_CHARS > position) parts.push({ text: text.slice(position, end - ESCAPE_CHARS), hidden: false });
    parts.push({ text: text.slice(end - ESCAPE_CHARS, end), hidden: true });
    position = end;
  }
  if (position < text.length) parts.push({ text: text.slice(position), hidden: false });
  return parts;
}

export const countHidden = (value: unknown): number =>
  revealJson(visibleJson(value)).filter((part) => part.hidden).length;
