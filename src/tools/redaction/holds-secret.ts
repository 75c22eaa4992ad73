// Finds secrets that text contains in another form: encoded, escaped, in full-width letters, or split by invisible characters.
import { createRedactor } from "./redact.ts";

const { text: redact } = createRedactor();
/** Maximum number of nested encodings that are decoded, so that a secret encoded twice is found, too. */
const DEPTH_MAX = 2;

export const holdsSecret = (text: string): boolean => isSecretWithin(text, DEPTH_MAX);

function isSecretWithin(text: string, depth: number): boolean {
  if (redact(text) !== text) return true;
  return depth > 0 && otherForms(text).some((form) => form !== text && isSecretWithin(form, depth - 1));
}

const otherForms = (text: string): readonly string[] => [
  text.normalize("NFKC").replace(/\p{Cf}/gu, ""),
  unescaped(text),
  ...runs(text, /[\w+/-]{16,}/g, fromBase64),
  ...runs(text, /(?:[0-9a-f]{2}){8,}/gi, (run) => [run.replace(/../g, (code) => fromHex(code))]),
];

/** Escapes such as %2d, &#45;, &#x2d;, \x2d and \u002d. */
const unescaped = (text: string): string =>
  text
    .replace(/(?:%|\\x|\\u00|&#x)([0-9a-f]{2});?/gi, (_, code: string) => fromHex(code))
    .replace(/&#(\d{1,3});/g, (_, code: string) => String.fromCharCode(Number(code)));

const fromHex = (code: string): string => String.fromCharCode(Number.parseInt(code, 16));

/** A run may begin with characters that do not belong to the encoding, so it is decoded from each of its first four characters. */
const fromBase64 = (run: string): readonly string[] =>
  [0, 1, 2, 3].map((start) => {
    const letters = run.slice(start).replaceAll("-", "+").replaceAll("_", "/");
    return atob(letters.length % 4 === 1 ? letters.slice(0, -1) : letters);
  });

/** Only runs that encode ASCII text can be secrets. */
const runs = (text: string, pattern: RegExp, decode: (run: string) => readonly string[]): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(([run]) => decode(run)).filter((decoded) => /^[\t\n\r\x20-\x7e]+$/.test(decoded));
