// Decides whether two differing lines still refer to the same things. Wording, punctuation and keywords may differ; a
// different name or number means a different position in the file, however similar the lines are.
import { type KnownName, unmatched } from "./names.ts";
import { plainPunctuation } from "./punctuation.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

const KEYWORDS = words(
  `abstract and as async await begin class const constexpr continue declare def default defer do elif else elsif end enum
   except explicit export extends extern final finally fn for foreach func function if implements import in inline
   instanceof interface internal is lambda let mut mutable new not of operator or override pass private protected pub
   public raise readonly ref return sealed static struct switch then throw throws try typeof unsafe unsigned using var
   virtual void volatile when where while with yield`,
);

const SMALL_WORDS = words(
  `a an and are as at be been but by can for from has have if in into is it its must no of on or should that the their
   then there this to was were when which will with would`,
);

const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const NUMBER = /(?<![\p{L}\p{N}_$])\d[\p{L}\p{N}_]*(?:\.\d[\p{L}\p{N}_]*)*/gu;
const COMMENT = /^\s*(?:\/\/+|\/\*+|\*+(?=\s|\/|$)|#(?=\s|$|!)|--(?=\s)|<!--|;;|%(?=\s)|"""|''')\s*/;

export const isComment = (line: string): boolean => COMMENT.test(line);

/** Two differing lines are equal except for wording ("same"), have an extra or missing word ("partly"), or differ. */
export type LineRelation = "same" | "partly" | "other";

export function compareIdentity(oldLine: string, fileLine: string, known: KnownName): LineRelation {
  if (isComment(oldLine) !== isComment(fileLine)) return "other";
  if (!isComment(oldLine)) return compareCode(oldLine, fileLine, known);
  return compareComments(oldLine.replace(COMMENT, ""), fileLine.replace(COMMENT, ""), known);
}

/** Comments may be reworded, but must keep their numbers and the code that they name. */
function compareComments(before: string, after: string, known: KnownName): LineRelation {
  const [oldNumbers, fileNumbers] = [before.match(NUMBER) ?? [], after.match(NUMBER) ?? []];
  if (oldNumbers.length > 0 && fileNumbers.length > 0 && oldNumbers.join() !== fileNumbers.join()) return "other";
  // A comment that omits a name is merely shorter. A comment that adds a name describes something else.
  return unmatched(codeWords(before), codeWords(after), known).missing.length > 0 ? "other" : "same";
}

/** Comments with significant words that the other lacks describe different blocks if they are at the edge of a block. */
export function describesOther(before: string, after: string, known: KnownName): boolean {
  const wordsOf = (comment: string) => (comment.match(NAME) ?? []).map((word) => word.toLowerCase());
  const isSignificant = (word: string) => !SMALL_WORDS.has(word);
  const { missing, extra } = unmatched(wordsOf(before), wordsOf(after), known);
  return missing.some(isSignificant) && extra.some(isSignificant);
}

/** The words of a comment that refer to code, recognized by their spelling or adjacent punctuation. */
const codeWords = (comment: string): string[] => [
  ...(comment.match(/(?<=[.`@{]|\}\s)[\p{L}_$][\p{L}\p{N}_$]*|[\p{L}_$][\p{L}\p{N}_$]*(?=[([`}]|\.\p{L})/gu) ?? []),
  ...(comment.match(NAME) ?? []).filter(looksLikeCode),
];

const looksLikeCode = (word: string): boolean => /\p{Ll}\p{Lu}|_|\p{N}|^\p{Lu}{2,}$/u.test(word);

function compareCode(oldLine: string, fileLine: string, known: KnownName): LineRelation {
  const before = tokensOf(oldLine);
  const after = tokensOf(fileLine);
  const symbols = (line: LineTokens) => `${line.numbers}\n${line.separators}\n${line.arithmetic}`;
  if (symbols(before) !== symbols(after)) return "other";
  if (!sameQuoted(before, after, known)) return "other";
  const kind = compareNames(before.names, after.names, known);
  const logicDiffers = before.conditions !== after.conditions || before.braces !== after.braces;
  return kind === "same" && logicDiffers ? "partly" : kind;
}

/** Brackets, quotes, commas and semicolons are ignored. */
export function sameOperators(oldLine: string, fileLine: string): boolean {
  const operators = (line: string) => line.replace(QUOTED, "").replace(/[\s\p{L}\p{N}_$()[\]{}"'`,;]+/gu, " ");
  return operators(oldLine).trim() === operators(fileLine).trim();
}

/** An extra `!`, `<` or backslash changes the meaning. */
export function sameLogic(oldLine: string, fileLine: string): boolean {
  const logicOf = (line: string) => {
    const plain = plainPunctuation(line, "-");
    return isComment(plain) ? "" : `${tokensOf(plain).conditions} ${plain.split("\\").length}`;
  };
  return oldLine.trim() === fileLine.trim() || logicOf(oldLine) === logicOf(fileLine);
}

type LineTokens = {
  readonly names: readonly string[];
  /** Quoted keys, paths and identifiers. */
  readonly keys: readonly string[];
  /** The words of quoted sentences. */
  readonly sentences: readonly string[];
  readonly numbers: string;
  /** Arithmetic operators and optional chaining. */
  readonly arithmetic: string;
  /** Comparison and logical operators. */
  readonly conditions: string;
  /** The characters between the words of quoted keys and paths, because `a=b` differs from `a:b`. */
  readonly separators: string;
  readonly braces: string;
};

function tokensOf(line: string): LineTokens {
  const code = line.replace(/(^|\s)(\/\/|#\s).*$/, "$1");
  const [keys, sentences]: [string[], string[]] = [[], []];
  let separators = "";
  const bare = code.replace(QUOTED, (quoted) => {
    const isProse = /\p{L}[,.:;!?]?\s+\p{L}/u.test(quoted);
    if (!isProse) separators += quoted.slice(1, -1).replace(/[\s\p{L}\p{N}_$]+/gu, "");
    (isProse ? sentences : keys).push(...(quoted.match(NAME) ?? [quoted.slice(1, -1)]));
    return " ";
  });
  const tests = bare.replace(/=>|->/g, "").match(/!|<|>|&&|\|\|/g) ?? [];
  const numbers = code.match(NUMBER) ?? [];
  const braces = (bare.match(/[{}]/g) ?? []).join("");
  const tokens = { names: bare.match(NAME) ?? [], keys, sentences, separators, braces };
  return { ...tokens, numbers: numbers.sort().join(" "), conditions: tests.join(""), arithmetic: arithmeticOf(bare) };
}

/** Matches arithmetic operators, but not hyphens within words, bullets, or question marks at the end of a sentence. */
const ARITHMETIC =
  /\+\+|(?<=\S)--|--(?=\S)|(?<![\p{L}\p{N}_$)\]*+-])[-+](?=[\p{L}\p{N}_$(])|(?<=\S\s)[-+*%](?=\s)|\?(?=[.:?])/gu;

const arithmeticOf = (code: string): string => {
  const plain = plainPunctuation(code, "-")
    .replace(/=>|->/g, " ")
    .replace(/\s--\s/g, " - ");
  return (plain.match(ARITHMETIC) ?? []).join("");
};

/** Quoted text may differ in small words and word order. */
function sameQuoted(before: LineTokens, after: LineTokens, known: KnownName): boolean {
  const keys = unmatched(before.keys, after.keys, known);
  const prose = unmatched(before.sentences, after.sentences, known);
  const differing = [...keys.missing, ...keys.extra, ...prose.missing, ...prose.extra];
  return differing.every((word) => SMALL_WORDS.has(word.toLowerCase()));
}

function compareNames(before: readonly string[], after: readonly string[], known: KnownName): LineRelation {
  const { missing, extra } = unmatched(before, after, known);
  const unmatchedCount = [...missing, ...extra].filter((name) => !KEYWORDS.has(name)).length;
  if (unmatchedCount === 0) return "same";
  if (unmatchedCount > 1 || (missing.length > 0 && extra.length > 0)) return "other";
  // An omitted or added name is tolerated only if enough other names agree.
  return before.length - missing.length >= 3 ? "partly" : "other";
}
