// Rewrites a few forms that the parser does not know as equivalent forms that it knows. Works on tokens, before any
// check.
import { QUOTED_NAME, type Token } from "./lex.ts";

const SYNONYMS: Readonly<Record<string, string>> = { std: "stddev_pop", variance: "var_pop", rlike: "regexp" };

export function normalize(tokens: readonly Token[]): readonly Token[] {
  return withPlus(withCommas(tokens.flatMap((token, index) => replace(token, tokens[index - 1], tokens[index + 1]))));
}

export const isWord = (token: Token | undefined, pattern: RegExp): boolean =>
  token?.kind === "word" && pattern.test(token.text);
export const isSymbol = (token: Token | undefined, text: string): boolean =>
  token?.kind === "symbol" && token.text === text;
export const word = (text: string): Token => ({ kind: "word", text, spaced: true });
export const symbol = (text: string): Token => ({ kind: "symbol", text, spaced: false });

function replace(token: Token, before: Token | undefined, next: Token | undefined): readonly Token[] {
  // ANSI_QUOTES is not set, so a string after AS is an alias.
  if (token.kind === "string" && isWord(before, /^as$/i) && QUOTED_NAME.test(token.text))
    return [{ ...token, kind: "quoted" }];
  if (isWord(token, /^all$/i) && isWord(before, /^select$/i)) return [];
  if (isWord(token, /^(?:int|integer)$/i) && isWord(before, /^(?:signed|unsigned)$/i)) return [];
  if (isSymbol(token, "!=")) return [{ ...token, text: "<>" }];
  const synonym = token.kind === "word" ? SYNONYMS[token.text.toLowerCase()] : undefined;
  const used = synonym === "regexp" || isSymbol(next, "(");
  return [synonym !== undefined && used && !isSymbol(before, ".") ? { ...token, text: synonym } : token];
}

/** Rewrites SUBSTRING(a FROM 1 FOR 2) as SUBSTRING(a, 1, 2). Keeps FROM and FOR inside nested parentheses. */
function withCommas(tokens: readonly Token[]): readonly Token[] {
  const calls: boolean[] = [];
  return tokens.map((token, index) => {
    if (isSymbol(token, "(")) calls.push(isWord(tokens[index - 1], /^(?:substring|substr|mid)$/i));
    if (isSymbol(token, ")")) calls.pop();
    if (!calls.at(-1) || !isWord(token, /^(?:from|for)$/i)) return token;
    return { kind: "symbol", text: ",", spaced: token.spaced };
  });
}

/** SELECT (a) in a subquery becomes SELECT +(a), which means the same. The parser would read SELECT (a) as a call. */
function withPlus(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap((token, index) => {
    const opens = isSymbol(token, "(") && isWord(tokens[index - 1], /^select$/i);
    if (!opens || index < 2 || isWord(tokens[index + 1], /^(?:select|with)$/i)) return [token];
    return [{ kind: "symbol", text: "+", spaced: true }, token];
  });
}
