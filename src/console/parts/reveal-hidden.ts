// Makes invisible and reordering characters visible, because users must see exactly what they approve.

/** The first and last code point of each range. Line breaks, tabs and ordinary spaces are not included. */
const HIDDEN_RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x08], // control characters
  [0x0b, 0x1f],
  [0x7f, 0xa0], // delete, C1 controls, no-break space
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f], // combining grapheme joiner
  [0x61c, 0x61c], // Arabic letter mark
  [0x115f, 0x1160], // Hangul fillers
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f], // unusual spaces, zero-width characters, direction marks
  [0x2028, 0x202f], // line and paragraph separators, direction overrides
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xd800, 0xdfff], // unpaired surrogates
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffd],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff], // tag characters, which can encode whole sentences
];

const codePointEscape = (code: number): string => `\\u{${code.toString(16)}}`;
const HIDDEN = new RegExp(
  `[${HIDDEN_RANGES.map(([a, b]) => `${codePointEscape(a)}-${codePointEscape(b)}`).join("")}]`,
  "gu",
);

export type TextSegment = { readonly text: string; readonly hidden: boolean };

const escapeUnits = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");

/** Splits text at the matches of a pattern. `hiddenPart` returns how the hidden end of a match is shown. */
function splitAt(text: string, pattern: RegExp, hiddenPart: (match: string) => string): readonly TextSegment[] {
  const parts: TextSegment[] = [];
  const addVisible = (from: number, to?: number): void => {
    const visible = text.slice(from, to);
    if (visible) parts.push({ text: visible, hidden: false });
  };
  let position = 0;
  for (const match of text.matchAll(pattern)) {
    const escaped = hiddenPart(match[0]);
    const end = match.index + match[0].length;
    addVisible(position, Math.max(match.index, end - escaped.length));
    parts.push({ text: escaped, hidden: true });
    position = end;
  }
  addVisible(position);
  return parts;
}

export const revealHidden = (text: string): readonly TextSegment[] => splitAt(text, HIDDEN, escapeUnits);

/** Returns JSON for display and editing. Hidden characters are escaped, so parsing it returns the same value. */
export const visibleJson = (value: unknown, indent = 2): string =>
  (JSON.stringify(value, null, indent) ?? "null").replace(HIDDEN, (found) => escapeUnits(found));

const COMPACT_CHARS = 90;

export function compactJson(value: unknown): string {
  const line = visibleJson(value, 0);
  return line.length > COMPACT_CHARS ? visibleJson(value) : line;
}

/** Matches a real escape, which is preceded by an even number of backslashes. */
const ESCAPE = /(?<!\\)(?:\\\\)*\\u[0-9a-f]{4}/g;
const ESCAPE_CHARS = 6;

/** Splits the output of `visibleJson` into segments, with each escape as a separate hidden segment. */
export const revealJson = (text: string): readonly TextSegment[] =>
  splitAt(text, ESCAPE, (match) => match.slice(-ESCAPE_CHARS));

export const countHidden = (value: unknown): number =>
  revealJson(visibleJson(value)).filter((part) => part.hidden).length;
