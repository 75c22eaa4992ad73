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

export function lex(sql: string): readonly Token[] {
  if (sql.length > MAX_CHARACTERS) refuse("too_long", `The statement is longer than ${MAX_CHARACTERS} characters.`);
  const tokens: Token[] = [];
  let at = 0;
  let spaced = false;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(sql)?.[0] ?? null;
  };
  while (at < sql.length) {
    const space = take(SPACE);
    if (space) {
      at += space.length;
      spaced = true;
      continue;
    }
    if (take(COMMENT)) refuse("comment_not_allowed", "Comments are not allowed, in any form.");
    const { token, length } = readToken(sql, at, take, spaced);
    tokens.push(token);
    if (tokens.length > MAX_TOKENS) refuse("too_long", `The statement has more than ${MAX_TOKENS} parts.`);
    at += length;
    spaced = false;
  }
  checkDepth(tokens);
  return tokens;
}

type Read = { readonly token: Token; readonly length: number };

function readToken(sql: string, at: number, take: (pattern: RegExp) => string | null, spaced: boolean): Read {
  const first = sql[at] ?? "";
  if (first === "'" || first === '"') {
    const { value, length } = readString(sql, at);
    return { token: { kind: "string", text: value, spaced }, length };
  }
  const quoted = take(QUOTED);
  if (quoted) return { token: { kind: "quoted", text: quotedName(quoted), spaced }, length: quoted.length };
  const word = take(WORD);
  if (word) return { token: { kind: "word", text: word, spaced }, length: word.length };
  const number = take(NUMBER);
  if (number && !(number.startsWith(".") && /[A-Za-z0-9_$`]/.test(sql[at - 1] ?? " "))) {
    return { token: { kind: "number", text: number, spaced }, length: number.length };
  }
  const symbol = take(SYMBOL);
  if (symbol) return { token: { kind: "symbol", text: symbol, spaced }, length: symbol.length };
  return refuseCharacter(first);
}

function refuseCharacter(first: string): never {
  if (first === "@" || first === ":" || first === "?") {
    refuse("variable_not_allowed", "Variables, parameters and assignments are not allowed.");
  }
  if (/[0-9]/.test(first)) {
    refuse("literal_not_allowed", "Only decimal numbers are allowed; put names that begin with a digit in backticks.");
  }
  const code = first.codePointAt(0)?.toString(16).padStart(4, "0");
  return refuse("character_not_allowed", `The character U+${code} is not allowed outside of a string.`);
}

function quotedName(text: string): string {
  const name = text.slice(1, -1);
  if (!QUOTED_NAME.test(name)) {
    refuse(
      "character_not_allowed",
      "A quoted name may contain at most 64 characters: letters, digits, _, $, - and inner spaces.",
    );
  }
  return name;
}

/**
 * The number of levels that each CAST( counts as. The parser tries several readings of it, so every nested CAST doubles
 * the time.
 */
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
    if (depth > MAX_DEPTH)
      refuse(
        "too_long",
        `The statement is nested more than ${MAX_DEPTH} levels deep; a CAST counts as ${CAST_LEVELS}.`,
      );
  });
}
