// Splits a Postgres statement into tokens. Refuses any text that none of its patterns matches.
import { checkDepth, QUOTED_NAME, type Token } from "../lex.ts";
import { refuse } from "../refusal.ts";

const MAX_CHARACTERS = 20_000;
const MAX_TOKENS = 4_000;

const SPACE = /[ \t\r\n]+/y;
const COMMENT = /(?:--|\/\*|\*\/)/y;
// Names with other letters must be quoted. They need no further check, because Postgres compares names byte by byte.
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED = /"([^"]*)"(?!")/y;
// Matches standard strings. Backslashes are refused, because with standard_conforming_strings off, one would move the
// end of the string.
const STRING = /'((?:[^'\\]|'')*)'/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_$.'"\u0080-\uffff])/y;
const SYMBOL = /(?:->>|->|<=|>=|<>|!=|<<|>>|&(?!&)|\|\||!?~\*?|::|[[\](),.*+\-/%=<>;])/y;
// The characters that Postgres reads as one operator. A run that is longer than a known symbol may be an operator that
// a user has defined.
const OPERATOR_RUN = /[+\-*/<>=~!@#%^&|`?]+/y;

export function lexPostgres(sql: string): readonly Token[] {
  if (sql.length > MAX_CHARACTERS) refuse("too_long", `The statement is longer than ${MAX_CHARACTERS} characters.`);
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(sql);
  };
  while (at < sql.length) {
    const space = take(SPACE)?.[0] ?? "";
    at += space.length;
    if (at >= sql.length) break;
    if (take(COMMENT)) refuse("comment_not_allowed", "Comments are not allowed, in any form.");
    const { token, length } = readToken(sql, at, take, space !== "");
    tokens.push(token);
    if (tokens.length > MAX_TOKENS) refuse("too_long", `The statement has more than ${MAX_TOKENS} parts.`);
    at += length;
  }
  checkDepth(tokens);
  return tokens;
}

type Read = { readonly token: Token; readonly length: number };
type Take = (pattern: RegExp) => RegExpExecArray | null;

function readToken(sql: string, at: number, take: Take, spaced: boolean): Read {
  const string = take(STRING);
  if (string)
    return { token: { kind: "string", text: stringValue(string[1] ?? ""), spaced }, length: string[0].length };
  const quoted = take(QUOTED);
  if (quoted) return { token: { kind: "quoted", text: quotedName(quoted[1] ?? ""), spaced }, length: quoted[0].length };
  const [word] = take(WORD) ?? [];
  // Postgres converts a name without quotes to lower case.
  if (word) return { token: { kind: "word", text: checkedWord(sql, at, word), spaced }, length: word.length };
  const [number] = take(NUMBER) ?? [];
  if (number && !(number.startsWith(".") && /[A-Za-z0-9_"]/.test(sql[at - 1] ?? " ")))
    return { token: { kind: "number", text: number, spaced }, length: number.length };
  const [symbol] = take(SYMBOL) ?? [];
  if (symbol) return { token: { kind: "symbol", text: checkedSymbol(symbol, take), spaced }, length: symbol.length };
  return refuseCharacter(sql, at);
}

function checkedWord(sql: string, at: number, word: string): string {
  const next = sql[at + word.length] ?? "";
  if (next === "$" || /[\u0080-\uffff]/.test(next))
    refuse(
      "character_not_allowed",
      "A name with characters other than letters, digits and _ must be in double quotes.",
    );
  // E'…', B'…', X'…', N'…' and U&'…' follow different rules from plain strings, and U&"…" is an escaped name.
  if (next === "'" || next === '"' || (/^u$/i.test(word) && next === "&"))
    refuse("literal_not_allowed", "Only plain strings and names are allowed, without a prefix.");
  return word.toLowerCase();
}

function checkedSymbol(symbol: string, take: Take): string {
  const run = take(OPERATOR_RUN)?.[0] ?? symbol;
  const isSign = /^[=<>+\-*/%(,]+[-+]$/.test(run) && run.length === symbol.length + 1;
  if (run.length > symbol.length && !isSign)
    refuse("not_understood", `This part of the statement is not supported: the operator ${run.slice(0, 20)}.`);
  return symbol;
}

function stringValue(text: string): string {
  if (/[^\P{C}\t\n\r]/u.test(text))
    refuse("character_not_allowed", "A string contains a control or invisible character.");
  return text.replaceAll("''", "'");
}

const quotedName = (name: string): string =>
  QUOTED_NAME.test(name)
    ? name
    : refuse(
        "character_not_allowed",
        "A quoted name may contain at most 64 characters: letters, digits, _, $, - and inner spaces.",
      );

function refuseCharacter(sql: string, at: number): never {
  const first = sql[at] ?? "";
  if (first === "$" || first === "@" || first === "?")
    refuse("variable_not_allowed", "Parameters, variables and dollar quotes are not allowed.");
  if (first === ":") refuse("character_not_allowed", "A colon is not allowed outside of a string.");
  if (first === "'") refuse("literal_not_allowed", "A string is not closed, or has a backslash.");
  if (/[0-9]/.test(first)) refuse("literal_not_allowed", "Only decimal numbers are allowed.");
  const code = first.codePointAt(0)?.toString(16).padStart(4, "0");
  return refuse("character_not_allowed", `The character U+${code} is not allowed outside of a string.`);
}
