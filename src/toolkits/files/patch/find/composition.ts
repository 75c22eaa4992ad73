// Normalizes composed letters. A letter with combining marks, such as é, may be one code point or several. Both compare
// as equal, but each string keeps its own form.

/** Hangul syllables, which are composed of letters instead of a letter and marks. */
const HANGUL = "[\\u1100-\\u1112][\\u1161-\\u1175][\\u11a8-\\u11c2]?|[\\uac00-\\ud7a3][\\u11a8-\\u11c2]";
/** A few signs that are duplicates of letters or other signs. */
const SIGNS = "[\\u0340\\u0341\\u0343\\u0374\\u037e\\u0387\\u2126\\u212a\\u212b]";

/** A pattern for every sequence that composition may change, for use in larger patterns. */
export const COMPOSABLE = `\\P{M}\\p{M}+|${HANGUL}|${SIGNS}`;

const anyComposable = new RegExp(COMPOSABLE, "u");

/** True if the same text can be written with different code points. */
export const isComposable = (text: string): boolean => anyComposable.test(text);

export const composed = (text: string): string => text.normalize("NFC");

export type Rewrite = (text: string) => string;
/** A line of the patch and the same line of the file. Style differences are learned from such pairs. */
export type LinePair = { readonly old: string; readonly file: string };

/** Converts new text to the composition form of the file. Null if the patch has the same form. */
export function learnComposition(pairs: readonly LinePair[]): Rewrite | null {
  const differing = pairs.filter(({ old, file }) => old !== file && composed(old) === composed(file));
  const forms = ["NFC", "NFD"] as const;
  const form = forms.find((one) => differing.length > 0 && differing.every(({ file }) => file.normalize(one) === file));
  return form ? (text) => text.normalize(form) : null;
}
