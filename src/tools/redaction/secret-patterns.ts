// What keys look like when nobody told us their values: whole, and as an unfinished end of a text. Linear in the text:
// a run of letters is entered at its beginning only, and most text is passed over by looking for a word.

export type SecretPattern = {
  /** Text without this cannot hold the shape. */
  readonly hint: string;
  readonly pattern: RegExp;
};

const WORD = "[A-Za-z0-9_-]";
const ALNUM = "[A-Za-z0-9]";
const START = `(?<!${WORD})`;
const PEM = String.raw`(?:[A-Za-z0-9+/=\s\\:,.]|-(?!----))`;
const PEM_BEGIN = "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----";

/** Each as: how it begins, what follows, how much of that at least. */
const TOKENS: readonly (readonly [prefix: string, letters: string, min: number])[] = [
  ["sk-", WORD, 20],
  ["sk_live_", WORD, 16],
  ["ghp_", ALNUM, 30],
  ["gho_", ALNUM, 30],
  ["ghs_", ALNUM, 30],
  ["ghu_", ALNUM, 30],
  ["github_pat_", "[A-Za-z0-9_]", 30],
  ["glpat-", WORD, 16],
  ["xoxb-", WORD, 16],
  ["xoxp-", WORD, 16],
  ["xoxa-", WORD, 16],
  ["AKIA", "[A-Z0-9]", 16],
  ["AIza", WORD, 30],
  ["npm_", ALNUM, 30],
  ["pawl_", WORD, 22],
];

export const SECRET_PATTERNS: readonly SecretPattern[] = [
  ...TOKENS.map(([hint, letters, min]) => ({
    hint,
    pattern: new RegExp(`${START}${hint}${letters}{${min},4096}`, "g"),
  })),
  // A JSON web token.
  {
    hint: "eyJ",
    pattern: new RegExp(`(?<![A-Za-z0-9_.-])eyJ${WORD}{6,4096}\\.${WORD}{6,8192}\\.${WORD}{6,4096}`, "g"),
  },
  { hint: "earer", pattern: new RegExp(`${START}[Bb]earer[ \\t]{1,8}[A-Za-z0-9._~+/-]{16,4096}=*`, "g") },
  // A private key, also one that breaks off. Its line breaks may be written as \n where it travels inside JSON.
  {
    hint: "PRIVATE KEY-----",
    pattern: new RegExp(`${PEM_BEGIN}${PEM}{0,16000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?`, "g"),
  },
];

const prefixesOf = (prefix: string): string =>
  Array.from(prefix, (_, i) => prefix.slice(0, i + 1))
    .toReversed()
    .join("|");

/** For the last word of a text and a little before it. A shape that is whole counts too: it may be longer still. */
const UNFINISHED_PATTERNS: readonly RegExp[] = [
  ...TOKENS.map(([prefix, letters]) => new RegExp(`${START}(?:${prefix}${letters}*|${prefixesOf(prefix)})$`)),
  /(?<![A-Za-z0-9_.-])(?:eyJ[A-Za-z0-9_.-]*|ey|e)$/,
  new RegExp(`${START}(?:[Bb]earer[ \\t]{1,8}[A-Za-z0-9._~+/=-]*|[Bb](?:e(?:a(?:r(?:e(?:r)?)?)?)?)?)$`),
];
const BEFORE_WORD = 16;
const UNFINISHED_KEY = new RegExp(`^${PEM_BEGIN}${PEM}*(?:-----[A-Z0-9 ]{0,60}-{0,4})?$`);
const UNFINISHED_KEY_HEADER = /(?:-----(?:BEGIN [A-Z0-9 ]{0,60}-{0,4}|BEGIN|BEGI|BEG|BE|B)|-{1,5})$/;
const KEY_HEAD_CHARS = 80;

/** Where the first unfinished shape may begin; the length of the text if none does. */
export function unfinishedPatternStart(text: string): number {
  const word = Math.max(0, lastWord(text) - BEFORE_WORD);
  const end = text.slice(word);
  let first = text.length;
  for (const open of UNFINISHED_PATTERNS) first = Math.min(first, word + (open.exec(end)?.index ?? end.length));
  const head = Math.max(0, text.length - KEY_HEAD_CHARS);
  first = Math.min(first, head + (UNFINISHED_KEY_HEADER.exec(text.slice(head))?.index ?? text.length));
  const key = text.lastIndexOf("-----BEGIN ");
  return key >= 0 && key < first && UNFINISHED_KEY.test(text.slice(key)) ? key : first;
}

function lastWord(text: string): number {
  let at = text.length;
  while (at > 0 && isWordUnit(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Letters, digits and + - . / = _ ~ */
const isWordUnit = (unit: number): boolean =>
  (unit >= 0x2d && unit <= 0x39) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x61 && unit <= 0x7a) ||
  unit === 0x2b ||
  unit === 0x3d ||
  unit === 0x5f ||
  unit === 0x7e;
