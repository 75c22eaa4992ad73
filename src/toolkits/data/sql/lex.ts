// Splits a statement into tokens as MySQL does with the pinned sql_mode. Refuses any text that none of its patterns
// matches.
import { readString } from "./lex-string.ts";
import { refuse } from "./refusal.ts";

/** `text` is the decoded value of a string or the name of a quoted identifier. Only `withMarks` creates marks. */
export type Token = {
  readonly kind: "word" | "quoted" | "string" | "number" | "symbol" | "mark";
  readonly text: string;
  /** True if white space precedes the token. */
  readonly spaced: boolean;
};

const MAX_CHARACTERS = 20_000;
const MAX_TOKENS = 4_000;
const MAX_DEPTH = 40;

const COMMENT = /(?:--|#|\/\*|\*\/)/y;
const SPACE = /[ \t\r\n]+/y;
// Letters with accents or of full width are refused, because MySQL ignores both when it compares names: "ssń" would
// read the column ssn. Of the other scripts, only those without such variants are allowed.
const WORD = /[A-Za-z_\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3][A-Za-z0-9_$\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]*/y;
const QUOTED = /`([^`]*)`(?!`)/y;
export const QUOTED_NAME =
  /^[A-Za-z0-9_$\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3](?:[A-Za-z0-9_$ \-\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]{0,62}[A-Za-z0-9_$\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3])?$/;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_$.`'"\u0080-\uffff])/y;
const SYMBOL = /(?:->>|->|<=>|<=|>=|<>|!=|<<|>>|&(?!&)|\|(?!\|)|\^|[(),.*+\-/%=<>;])/y;

export type Take = (pattern: RegExp) => RegExpExecArray | null;
type Read = { readonly token: Token; readonly length: number };
/** Reads the token at `at`. `take` matches a sticky pattern there. */
export type ReadToken = (sql: string, at: number, take: Take, spaced: boolean) => Read;

export const lex = (sql: string): readonly Token[] => tokenize(sql, COMMENT, readToken);

export function tokenize(sql: string, comment: RegExp, read: ReadToken): readonly Token[] {
  if (sql.length > MAX_CHARACTERS) refuse("too_long", `The statement is longer than ${MAX_CHARACTERS} characters.`);
  const tokens: Token[] = [];
  let at = 0;
  const take: Take = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(sql);
  };
  while (at < sql.length) {
    const space = take(SPACE)?.[0] ?? "";
    at += space.length;
    if (at >= sql.length) break;
    if (take(comment)) refuse("comment_not_allowed", "Comments are not allowed, in any form.");
    const { token, length } = read(sql, at, take, space !== "");
    tokens.push(token);
    if (tokens.length > MAX_TOKENS) refuse("too_long", `The statement has more than ${MAX_TOKENS} parts.`);
    at += length;
  }
  checkDepth(tokens);
  return tokens;
}

const readToken: ReadToken = (sql, at, take, spaced) => {
  const first = sql[at] ?? "";
  if (first === "'" || first === '"') {
    const { value, length } = readString(sql, at);
    return { token: { kind: "string", text: value, spaced }, length };
  }
  const quoted = take(QUOTED);
  if (quoted) return { token: { kind: "quoted", text: quotedName(quoted[1] ?? ""), spaced }, length: quoted[0].length };
  const [word] = take(WORD) ?? [];
  if (word) return { token: { kind: "word", text: word, spaced }, length: word.length };
  const [number] = take(NUMBER) ?? [];
  if (number && !(number.startsWith(".") && /[A-Za-z0-9_$`]/.test(sql[at - 1] ?? " ")))
    return { token: { kind: "number", text: number, spaced }, length: number.length };
  const [symbol] = take(SYMBOL) ?? [];
  if (symbol) return { token: { kind: "symbol", text: symbol, spaced }, length: symbol.length };
  if (first === "@" || first === ":" || first === "?")
    refuse("variable_not_allowed", "Variables, parameters and assignments are not allowed.");
  if (/[0-9]/.test(first))
    refuse("literal_not_allowed", "Only decimal numbers are allowed; put names that begin with a digit in backticks.");
  return refuseCharacter(first);
};

export function refuseCharacter(first: string): never {
  const code = first.codePointAt(0)?.toString(16).padStart(4, "0");
  return refuse("character_not_allowed", `The character U+${code} is not allowed outside of a string.`);
}

export const quotedName = (name: string): string =>
  QUOTED_NAME.test(name)
    ? name
    : refuse(
        "character_not_allowed",
        "A quoted name may contain at most 64 characters: letters, digits, _, $, - and inner spaces.",
      );

/** The levels that each CAST( counts as. The parser tries several readings of it, so each nested one doubles the time. */
const CAST_LEVELS = 8;

/** Limits the depth of a statement, because the parser is recursive and must not exhaust the stack. */
export function checkDepth(tokens: readonly Token[]): void {
  const open: number[] = [];
  let depth = 0;
  tokens.forEach(({ kind, text }, index) => {
    const before = tokens[index - 1];
    const word = kind === "word" ? text.toLowerCase() : "";
    const isOpening = (kind === "symbol" && text === "(") || word === "case";
    const isClosing = (kind === "symbol" && text === ")") || word === "end";
    if (isOpening) open.push(before?.kind === "word" && /^cast$/i.test(before.text) ? CAST_LEVELS : 1);
    depth += isOpening ? (open.at(-1) ?? 0) : isClosing ? -(open.pop() ?? 0) : 0;
    if (depth > MAX_DEPTH) {
      const limit = `more than ${MAX_DEPTH} levels deep; a CAST counts as ${CAST_LEVELS}`;
      refuse("too_long", `The statement is nested ${limit}.`);
    }
  });
}
