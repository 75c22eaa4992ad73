// Decides whether two names are variants of one name, which differ in case, a typo, a plural, or a common abbreviation.
import { distance } from "fastest-levenshtein";

/** True if the file uses this exact name. A known name is never treated as a typo of another one. */
export type KnownName = (name: string) => boolean;

/** Groups of words with the same meaning. */
const ABBREVIATIONS = [
  "arg argument, arr array, attr attribute, btn button, cb callback, cfg conf config configuration, ctx context",
  "cur curr current, dir directory, doc document, dst dest destination, el elem element, env environment, err error",
  "fn func function, idx index, len length, msg message, num number, obj object, opt option, param parameter",
  "prev previous, prop property, ref reference, req request, res resp response, src source, str string",
  "tmp temp temporary, val value",
].flatMap((line) => line.split(", ").map((group) => group.split(" ")));

const FULL_WORD = new Map(ABBREVIATIONS.flatMap((group) => group.map((word) => [word, group[0] ?? word] as const)));

/** The names that only one side has, after matching all equal names and variants. */
export function unmatched(
  before: readonly string[],
  after: readonly string[],
  known: KnownName,
): { missing: string[]; extra: string[] } {
  const missing = without(before, after);
  const extra = without(after, before);
  const typos = missing.filter((name) => {
    const match = extra.findIndex((other) => sameName(name, other, known));
    if (match >= 0) extra.splice(match, 1);
    return match >= 0;
  });
  return { missing: without(missing, typos), extra };
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const remaining = [...others];
  return names.filter((name) => {
    const at = remaining.indexOf(name);
    if (at >= 0) remaining.splice(at, 1);
    return at < 0;
  });
}

function sameName(name: string, other: string, known: KnownName): boolean {
  const words = wordsOf(name);
  const others = wordsOf(other);
  const [joined, otherJoined] = [words.join(""), others.join("")];
  if (joined === otherJoined) return true;
  if (known(name) || digitsOf(name) !== digitsOf(other)) return false;
  if (words.length === others.length && words.every((word, index) => sameWord(word, others[index] ?? ""))) return true;
  return isTypo(joined, otherJoined) && !differInShortWord(words, others);
}

const digitsOf = (name: string): string => name.replace(/\P{N}+/gu, " ");

/** `rowA` and `rowB` differ in only one letter, but are different names. */
const differInShortWord = (words: readonly string[], others: readonly string[]): boolean =>
  words.length === others.length &&
  words.some((word, index) => word !== others[index] && Math.max(word.length, others[index]?.length ?? 0) < 3);

const wordsOf = (name: string): string[] =>
  (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\p{N}+/gu) ?? []).map((word) => word.toLowerCase());

function sameWord(word: string, other: string): boolean {
  const [a, b] = [singular(word), singular(other)];
  return a === b || fullWord(a) === fullWord(b) || isTypo(word, other);
}

const singular = (word: string): string => (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word);

const fullWord = (word: string): string => FULL_WORD.get(word) ?? word;

const isTypo = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= 5 && (distance(a, b) === 1 || isTransposition(a, b));

function isTransposition(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
