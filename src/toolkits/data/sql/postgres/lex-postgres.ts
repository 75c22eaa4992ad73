// Splits a Postgres statement into tokens. Refuses any text that none of its patterns matches.
import { quotedName, type ReadToken, refuseCharacter, type Take, type Token, tokenize } from "../lex.ts";
import { checkCharacters } from "../lex-string.ts";
import { refuse } from "../refusal.ts";

const COMMENT = /(?:--|\/\*|\*\/)/y;
// Names with other letters must be quoted. They need no further check, because Postgres compares names byte by byte.
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED = /"([^"]*)"(?!")/y;
// Backslashes are refused, because with standard_conforming_strings off, one would move the end of the string.
const STRING = /'((?:[^'\\]|'')*)'/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_$.'"\u0080-\uffff])/y;
const SYMBOL = /(?:->>|->|<=|>=|<>|!=|<<|>>|&(?!&)|\|\||!?~\*?|::|[[\](),.*+\-/%=<>;])/y;
// The characters that Postgres reads as one operator. A run longer than a known symbol may be an operator of a user.
const OPERATOR_RUN = /[+\-*/<>=~!@#%^&|`?]+/y;

export const lexPostgres = (sql: string): readonly Token[] => tokenize(sql, COMMENT, readToken);

const readToken: ReadToken = (sql, at, take, spaced) => {
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
  return refuseStart(sql[at] ?? "");
};

function checkedWord(sql: string, at: number, word: string): string {
  const next = sql[at + word.length] ?? "";
  if (next === "$" || /[\u0080-\uffff]/.test(next)) {
    const reason = "A name with characters other than letters, digits and _ must be in double quotes.";
    refuse("character_not_allowed", reason);
  }
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
  checkCharacters(text);
  return text.replaceAll("''", "'");
}

function refuseStart(first: string): never {
  if (first === "$" || first === "@" || first === "?")
    refuse("variable_not_allowed", "Parameters, variables and dollar quotes are not allowed.");
  if (first === ":") refuse("character_not_allowed", "A colon is not allowed outside of a string.");
  if (first === "'") refuse("literal_not_allowed", "A string is not closed, or has a backslash.");
  if (/[0-9]/.test(first)) refuse("literal_not_allowed", "Only decimal numbers are allowed.");
  return refuseCharacter(first);
}
