// Whether two lines that differ still speak of the same things. Wording, punctuation and keywords may differ; another
// name or another number means another place in the file, however alike the lines look.
import { distance } from "fastest-levenshtein";

const KEYWORDS = new Set(
  `abstract and as async await begin class const constexpr continue declare def default defer do elif else elsif end enum
   except explicit export extends final finally fn for foreach from func function global go if implements import in
   inline instanceof interface internal is lambda let local module mut mutable namespace new not of open operator or
   override package pass private protected pub public raise readonly ref require return sealed self static struct super
   switch then this throw throws try type typeof unsafe unsigned use using var virtual void volatile when where while
   with yield`.split(/\s+/),
);

const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const NUMBER = /(?<![\p{L}\p{N}_$])\d[\p{L}\p{N}_]*(?:\.\d[\p{L}\p{N}_]*)*/gu;

/** A line that holds nothing but a comment, in any of the usual languages. */
export const isComment = (line: string): boolean =>
  /^\s*(\/\/|\/\*|\*(\s|\/|$)|#(\s|$|!)|--\s|<!--|;;|%\s|"""|''')/.test(line);

/** Tells whether the file uses this exact name; a name it knows is never taken for a slip of another one. */
export type KnownName = (name: string) => boolean;

export function sameIdentity(oldLine: string, fileLine: string, known: KnownName): boolean {
  if (isComment(oldLine) && isComment(fileLine)) return sameNumbersInWords(oldLine, fileLine);
  if (isComment(oldLine) !== isComment(fileLine)) return false;
  const before = factsOf(oldLine);
  const after = factsOf(fileLine);
  if (before.numbers !== after.numbers) return false;
  return sameNames(before.names, after.names, known);
}

/** True where nothing but wording in comments and sentences, punctuation, spacing or letter case differs. */
export function sameWords(oldLine: string, fileLine: string): boolean {
  const words = (line: string) => (line.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []).join(" ");
  return words(oldLine) === words(fileLine);
}

function sameNumbersInWords(oldLine: string, fileLine: string): boolean {
  const before = oldLine.match(NUMBER) ?? [];
  const after = fileLine.match(NUMBER) ?? [];
  return before.length === 0 || after.length === 0 || before.join() === after.join();
}

function factsOf(line: string): { names: string[]; numbers: string } {
  const code = line.replace(/(^|\s)(\/\/|#\s|--\s).*$/, "$1");
  // What is quoted and reads as a sentence is wording; a quoted key, path or identifier is a name.
  const bare = code.replace(QUOTED, (quoted) => (/\p{L}[,.:;!?]?\s+\p{L}/u.test(quoted) ? " " : quoted));
  const names = (bare.match(NAME) ?? []).filter((name) => !KEYWORDS.has(name));
  return { names, numbers: (code.match(NUMBER) ?? []).sort().join(" ") };
}

function sameNames(before: readonly string[], after: readonly string[], known: KnownName): boolean {
  const missing = without(before, after);
  const extra = without(after, before);
  for (const name of [...missing]) {
    const twin = extra.findIndex((other) => sameName(name, other, known));
    if (twin < 0) continue;
    extra.splice(twin, 1);
    missing.splice(missing.indexOf(name), 1);
  }
  if (missing.length > 0 && extra.length > 0) return false;
  // A name left out or added is a slip only beside enough names that agree.
  const odd = missing.length + extra.length;
  return odd === 0 || (odd <= 2 && before.length - missing.length >= 2 * odd);
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
