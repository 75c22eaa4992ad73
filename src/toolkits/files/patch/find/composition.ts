// A letter with its marks may be one character or several (é); both are the same text. Made equal for comparing only: what
// is written keeps the form it has.

/** Hangul syllables are composed of letters, not of a letter and marks; a few signs are other names of a letter. */
const HANGUL = "[\\u1100-\\u1112][\\u1161-\\u1175][\\u11a8-\\u11c2]?|[\\uac00-\\ud7a3][\\u11a8-\\u11c2]";
const SIGNS = "[\\u0340\\u0341\\u0343\\u0374\\u037e\\u0387\\u2126\\u212a\\u212b]";

/** For patterns that also look at other characters: every stretch that composing may change. */
export const COMPOSABLE = `\\P{M}\\p{M}+|${HANGUL}|${SIGNS}`;

const anyComposable = new RegExp(COMPOSABLE, "u");

/** Whether the text could be written with fewer or other characters and be the same. */
export const isComposable = (text: string): boolean => anyComposable.test(text);

export const composed = (text: string): string => text.normalize("NFC");

export type Rewrite = (text: string) => string;

/** The file has letters in another form than the writer: what is new gets the file's form. Null where they agree. */
export function learnComposition(twins: readonly { readonly old: string; readonly file: string }[]): Rewrite | null {
  const telling = twins.filter(({ old, file }) => old !== file && composed(old) === composed(file));
  const forms = ["NFC", "NFD"] as const;
  const form = forms.find((one) => telling.length > 0 && telling.every(({ file }) => file.normalize(one) === file));
  return form ? (text) => text.normalize(form) : null;
}
