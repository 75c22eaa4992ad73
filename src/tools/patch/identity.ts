// Whether two lines that differ still speak of the same things. Wording, punctuation and keywords may differ; another
// name or another number means another place in the file, however alike the lines look.
import { distance } from "fastest-levenshtein";

const KEYWORDS = new Set(
  `abstract and as async await begin class const constexpr continue declare def default defer do elif else elsif end enum
   except explicit export extends extern final finally fn for foreach func function if implements import in inline
   instanceof interface internal is lambda let mut mutable new not of operator or override pass private protected pub
   public raise readonly ref return sealed static struct switch then throw throws try typeof unsafe unsigned using var
   virtual void volatile when where while with yield`.split(/\s+/),
);

const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const NUMBER = /(?<![\p{L}\p{N}_$])\d[\p{L}\p{N}_]*(?:\.\d[\p{L}\p{N}_]*)*/gu;

/** A line that holds nothing but a comment, in any of the usual languages. */
export const isComment = (line: string): boolean =>
  /^\s*(\/\/|\/\*|\*(\s|\/|$)|#(\s|$|!)|--\s|<!--|;;|%\s|"""|''')/.test(line);

/** Tells whether the file uses this exact name; a name it knows is never taken for a slip of another one. */
export type KnownName = (name: string) => boolean;

/** How two lines that differ relate: the same but for wording, the same with a name more or less, or not the same. */
export type Likeness = "same" | "partly" | "other";

export function compareIdentity(oldLine: string, fileLine: string, known: KnownName): Likeness {
  if (isComment(oldLine) && isComment(fileLine)) return sameNumbersInWords(oldLine, fileLine) ? "same" : "other";
  if (isComment(oldLine) !== isComment(fileLine)) return "other";
  const before = factsOf(oldLine);
  const after = factsOf(fileLine);
  if (before.numbers !== after.numbers || !sameProse(before.prose, after.prose, known)) return "other";
  return compareNames(before.names, after.names, known);
}

/** Whether two lines have the same operators in the same order; brackets, quotes, commas and semicolons do not count. */
export function sameOperators(oldLine: string, fileLine: string): boolean {
  const operators = (line: string) => line.replace(QUOTED, "").replace(/[\s\p{L}\p{N}_$()[\]{}"'`,;]+/gu, " ");
  return operators(oldLine).trim() === operators(fileLine).trim();
}

function sameNumbersInWords(oldLine: string, fileLine: string): boolean {
  const before = oldLine.match(NUMBER) ?? [];
  const after = fileLine.match(NUMBER) ?? [];
  return before.length === 0 || after.length === 0 || before.join() === after.join();
}

type Facts = { readonly names: readonly string[]; readonly prose: readonly string[]; readonly numbers: string };

function factsOf(line: string): Facts {
  const code = line.replace(/(^|\s)(\/\/|#\s|--\s).*$/, "$1");
  const prose: string[] = [];
  // What is quoted and reads as a sentence is wording; a quoted key, path or identifier is a name.
  const bare = code.replace(QUOTED, (quoted) => {
    if (!/\p{L}[,.:;!?]?\s+\p{L}/u.test(quoted)) return quoted;
    prose.push(...(quoted.match(NAME) ?? []));
    return " ";
  });
  return { names: bare.match(NAME) ?? [], prose, numbers: (code.match(NUMBER) ?? []).sort().join(" ") };
}

const SMALL_WORDS = new Set(
  `a an and are as at be been but by can for from has have if in into is it its must no of on or should that the their
   then there this to was were when which will with would`.split(/\s+/),
);

/** A sentence may have words more, or less, or in another order; another word in place of one is another sentence. */
function sameProse(before: readonly string[], after: readonly string[], known: KnownName): boolean {
  const { missing, extra } = unmatched(before, after, known);
  if ([...missing, ...extra].some((word) => /\p{Ll}\p{Lu}|_|\p{N}|^\p{Lu}{2,}$/u.test(word))) return false;
  const small = [...missing, ...extra].every((word) => SMALL_WORDS.has(word.toLowerCase()));
  return small || missing.length === 0 || extra.length === 0;
}

function compareNames(before: readonly string[], after: readonly string[], known: KnownName): Likeness {
  const { missing, extra } = unmatched(before, after, known);
  const odd = [...missing, ...extra].filter((name) => !KEYWORDS.has(name)).length;
  if (odd === 0) return "same";
  if (odd > 1 || (missing.length > 0 && extra.length > 0)) return "other";
  // A name left out or added is a slip only beside enough names that agree.
  return before.length - missing.length >= 3 ? "partly" : "other";
}

/** What each side has that the other has not, slips of one name for another left out. */
function unmatched(before: readonly string[], after: readonly string[], known: KnownName) {
  const missing = without(before, after);
  const extra = without(after, before);
  const slips = missing.filter((name) => {
    const twin = extra.findIndex((other) => sameName(name, other, known));
    if (twin >= 0) extra.splice(twin, 1);
    return twin >= 0;
  });
  return { missing: without(missing, slips), extra };
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return names.filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function sameName(name: string, other: string, known: KnownName): boolean {
  const words = wordsOf(name);
  const others = wordsOf(other);
  const [whole, otherWhole] = [words.join(""), others.join("")];
  if (whole === otherWhole) return true;
  if (known(name) || digitsOf(name) !== digitsOf(other)) return false;
  if (words.length === others.length && words.every((word, index) => sameWord(word, others[index] ?? ""))) return true;
  return isSlip(whole, otherWhole) && !differInShortWord(words, others);
}

const digitsOf = (name: string): string => name.replace(/\P{N}+/gu, " ");

/** `rowA` and `rowB` are one letter apart and still two things. */
const differInShortWord = (words: readonly string[], others: readonly string[]): boolean =>
  words.length === others.length &&
  words.some((word, index) => word !== others[index] && Math.max(word.length, others[index]?.length ?? 0) < 3);

const wordsOf = (name: string): string[] =>
  (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\p{N}+/gu) ?? []).map((word) => word.toLowerCase());

/** A slip of the pen, an ending or an abbreviation. */
function sameWord(word: string, other: string): boolean {
  const [short, long] = word.length <= other.length ? [word, other] : [other, word];
  if (short === long) return true;
  if (short.length < 3) return false;
  if (`${short}s` === long || `${short}es` === long || isSlip(short, long)) return true;
  return long.length >= 5 && long.length > short.length + 1 && short[0] === long[0] && isSubsequence(short, long);
}

const isSlip = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= 5 && (distance(a, b) === 1 || isSwap(a, b));

function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
}
