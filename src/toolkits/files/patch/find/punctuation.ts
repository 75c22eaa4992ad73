// Maps typographic characters to their plain equivalents. Spaces are not listed, because `\s` matches them.
const PLAIN: ReadonlyMap<string, string> = new Map([
  ...[..."‘’‚‛′ʼ"].map((mark) => [mark, "'"] as const),
  ...[..."“”„‟″"].map((mark) => [mark, '"'] as const),
  ...[..."‐‑‒–—―−"].map((mark) => [mark, "-"] as const),
  ["…", "..."],
  // Fullwidth forms, which Chinese and Japanese text uses.
  ...[..."！＂＃＄％＆＇（）＊＋，－．／：；＜＝＞？＠［＼］＾＿｀｛｜｝～"].map(
    (mark) => [mark, String.fromCharCode(mark.charCodeAt(0) - 0xfee0)] as const,
  ),
  ...[..."\u200B\u200C\u200D\u2060\u00AD"].map((mark) => [mark, ""] as const),
]);

const MARKS = [...PLAIN.keys()].join("");

const anyTypographic = new RegExp(`[${MARKS}]|(?! )[\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000]`, "u");
const everyTypographic = new RegExp(`[${MARKS}]|[\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000]`, "gu");

/** A part of larger patterns. It includes the double hyphen, which a dash may replace. */
export const TYPOGRAPHIC_CLASS = `-{2}|[${MARKS}]`;

export const hasTypographic = (text: string): boolean => anyTypographic.test(text);

export const plainMark = (mark: string): string => (mark === "--" ? "-" : (PLAIN.get(mark) ?? " "));

/** Replaces typographic characters with plain ones, and a long dash with `dash`. */
export function plainPunctuation(text: string, dash: "-" | "--"): string {
  return text.replace(everyTypographic, (mark) => (mark === "—" || mark === "―" ? dash : plainMark(mark)));
}
