// Parses a statement. Literals are first replaced by their positions, so that the parser receives no text that it could
// read differently from MySQL.
import mysql from "node-sql-parser/build/mysql.js";
import { FUNCTIONS } from "./functions.ts";
import { lex, type Token } from "./lex.ts";
import { withMarks } from "./marks.ts";
import { notUnderstood, type Reader } from "./node.ts";
import { normalize } from "./normalize.ts";
import { printSql } from "./print-sql.ts";
import { readExpression } from "./read/read-expression.ts";
import { readQuery } from "./read/read-query.ts";
import { refuse } from "./refusal.ts";
import type { Query } from "./tree.ts";

// After any other word or a string, a string would be an alias or belong to a character set or a hexadecimal literal.
const BEFORE_STRING = new Set(
  `select distinct where having on and or not by like regexp rlike escape between in when then else case interval
   separator both leading trailing date time timestamp div mod from`.split(/\s+/),
);

const LOCKS_AND_WRITES: Readonly<Record<string, string>> = {
  into: "SELECT … INTO is not allowed.",
  for: "Locking reads are not allowed.",
  lock: "Locking reads are not allowed.",
  procedure: "PROCEDURE is not allowed.",
};

export const parseSql = (sql: string): Query => parseTokens(lex(sql), { functions: FUNCTIONS, types: new Set() });

/** The functions that may be called, and the types for CAST that the shared grammar does not know. */
type Dialect = Pick<Reader, "functions" | "types">;

/** Parses tokens. Those of another dialect must already be translated to the shared grammar. */
export function parseTokens(given: readonly Token[], { functions, types }: Dialect): Query {
  const statement = normalize(oneStatement(given));
  checkWords(statement);
  const tokens = withMarks(statement, types);
  const numbered = tokens.filter(({ kind }) => kind === "number" || kind === "mark");
  const reader: Reader = {
    functions,
    types,
    strings: tokens.filter(({ kind }) => kind === "string").map(({ text }) => text),
    numbers: numbered.map(({ kind, text }) => (kind === "number" ? text : null)),
    marks: numbered.map(({ kind, text }) => (kind === "mark" ? text : null)),
    expression: (node) => readExpression(reader, node),
    query: (node) => readQuery(reader, node),
  };
  const query = reader.query(parseText(withoutLiterals(tokens)));
  checkNothingLost(statement, query);
  return query;
}

function oneStatement(tokens: readonly Token[]): readonly Token[] {
  const isEnd = (token: Token | undefined): boolean => token?.kind === "symbol" && token.text === ";";
  const statement = isEnd(tokens.at(-1)) ? tokens.slice(0, -1) : tokens;
  if (statement.some(isEnd)) return refuse("multiple_statements", "Only one statement is allowed.");
  return statement.length === 0 ? refuse("not_understood", "The statement is empty.") : statement;
}

function checkWords(tokens: readonly Token[]): void {
  const verb = tokens.find(({ text }) => text !== "(");
  if (verb?.kind !== "word" || !/^(?:select|with)$/i.test(verb.text)) {
    refuse("not_read_only", "Only SELECT and WITH … SELECT are allowed.");
  }
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    if (token.kind === "word") {
      const reason = LOCKS_AND_WRITES[token.text.toLowerCase()];
      if (reason && before?.text !== ".") refuse("not_read_only", reason);
      // The parser reads the operator BINARY as a column.
      if (/^binary$/i.test(token.text)) notUnderstood("BINARY");
    }
    if (token.kind === "string" && !mayPrecedeString(before)) {
      refuse(
        "literal_not_allowed",
        "A string may not follow this word: put aliases in backticks; hexadecimal, bit and charset literals are not allowed.",
      );
    }
    if (token.kind === "number" && before?.text === ".") refuse("not_understood", "A name may not be a number.");
  });
}

function mayPrecedeString(before: Token | undefined): boolean {
  if (before?.kind === "symbol") return before.text !== ")" && before.text !== ".";
  return before?.kind === "word" && BEFORE_STRING.has(before.text.toLowerCase());
}

function withoutLiterals(tokens: readonly Token[]): string {
  let strings = 0;
  let numbers = 0;
  return tokens
    .map(({ kind, text, spaced }, index) => {
      const glued = index === 0 || (!spaced && (text === "(" || text === "." || tokens[index - 1]?.text === "."));
      const space = glued ? "" : " ";
      if (kind === "string") return `${space}'${strings++}'`;
      if (kind === "number" || kind === "mark") return `${space}${++numbers}`;
      return space + (kind === "quoted" ? `\`${text}\`` : text);
    })
    .join("");
}

function parseText(text: string): unknown {
  let tree: unknown;
  try {
    tree = new mysql.Parser().astify(text, { database: "mysql" });
  } catch {
    return notUnderstood("the syntax");
  }
  if (!Array.isArray(tree)) return tree;
  return tree.length === 1 ? tree[0] : refuse("multiple_statements", "Only one statement is allowed.");
}

// Words and symbols that the printed statement may add or omit without changing its meaning.
const OPTIONAL = new Set(["as", "asc", "inner", "outer", "join", "offset", "(", ")", ",", ";"]);

/** The printed statement must have the same words and literals as the text, so that nothing was dropped or misread. */
function checkNothingLost(tokens: readonly Token[], query: Query): void {
  const significant = (list: readonly Token[]): string =>
    JSON.stringify(
      list
        .map(({ kind, text }) => (kind === "string" ? `'${text}` : text.toLowerCase()))
        .filter((text) => !OPTIONAL.has(text))
        .sort(),
    );
  if (significant(tokens) !== significant(lex(printSql(query)))) notUnderstood("part of the statement would be lost");
}
