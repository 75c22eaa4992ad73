// Prints expressions. Strings follow the rules of the pinned sql_mode.
import { QUOTED_NAME } from "./lex.ts";
import { notUnderstood } from "./node.ts";
import type { Call, Expression, Order, Query, TableName, Window } from "./tree.ts";

/** The spelling of names in the printed statement. */
export type Spelling = {
  readonly table: (table: TableName) => TableName;
  /** The name of a column, preceded by its table and database if the statement names them. */
  readonly column: (path: readonly string[]) => readonly string[];
};
export type Printer = Spelling & { readonly query: (query: Query) => string };

export const quoteName = (name: string): string => (QUOTED_NAME.test(name) ? `\`${name}\`` : notUnderstood("a name"));

/** Refuses a window name that needs quotes, which the parser does not support. */
export const windowName = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : notUnderstood("a window name");

const ESCAPED: Readonly<Record<string, string>> = { "\\": "\\\\", "'": "''", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const quoteString = (value: string): string => `'${value.replace(/[\\'\n\r\t]/g, (char) => ESCAPED[char] ?? char)}'`;

export function printExpression(value: Expression, print: Printer): string {
  const inner = (expression: Expression): string => printExpression(expression, print);
  const not = (is: boolean): string => (is ? "NOT " : "");
  switch (value.kind) {
    case "column":
      return print.column(value.path).map(quoteName).join(".");
    case "string":
      return quoteString(value.value);
    case "number":
      return value.value;
    case "keyword":
      return value.value;
    case "temporal":
      return `${value.type} ${quoteString(value.value)}`;
    case "unary":
      // The parser does not accept parentheses around a subquery that begins with SELECT ( (see `normalize`).
      if (value.operator === "+") return `+ ${inner(value.value)}`;
      return `(${value.operator} ${inner(value.value)})`;
    case "binary":
      return `(${inner(value.left)} ${value.operator} ${inner(value.right)}${value.escape === null ? "" : ` ESCAPE ${quoteString(value.escape)}`})`;
    case "between":
      return `(${inner(value.value)} ${not(value.not)}BETWEEN ${inner(value.from)} AND ${inner(value.to)})`;
    case "in":
      return `(${inner(value.value)} ${not(value.not)}IN (${"parts" in value.list ? print.query(value.list) : value.list.map(inner).join(", ")}))`;
    case "row":
      return `(${value.values.map(inner).join(", ")})`;
    case "query":
      return `(${print.query(value.query)})`;
    case "exists":
      return `(${not(value.not)}EXISTS (${print.query(value.query)}))`;
    case "quantified":
      return `${value.word} (${print.query(value.query)})`;
    case "case":
      return printCase(value, inner);
    case "cast":
      return printCast(value, inner(value.value));
    case "collate":
      return `(${inner(value.value)} COLLATE ${value.collation})`;
    case "extract":
      return `EXTRACT(${value.unit} FROM ${inner(value.value)})`;
    case "interval":
      return `INTERVAL ${inner(value.value)} ${value.unit}`;
    case "trim":
      return `TRIM(${[value.side, value.remove && inner(value.remove), "FROM", inner(value.value)].filter((part) => part !== null).join(" ")})`;
    case "position":
      return `POSITION(${inner(value.find)} IN ${inner(value.value)})`;
    case "call":
      return printCall(value.call, print) + (value.over ? ` OVER ${printWindow(value.over, print)}` : "");
  }
}

function printCast({ word, type }: Extract<Expression, { kind: "cast" }>, value: string): string {
  if (word === "CONVERT USING") return `CONVERT(${value} USING ${type})`;
  return word === "CAST" ? `CAST(${value} AS ${type})` : `CONVERT(${value}, ${type})`;
}

function printCase(value: Extract<Expression, { kind: "case" }>, inner: (expression: Expression) => string): string {
  const start = value.value ? `CASE ${inner(value.value)}` : "CASE";
  const when = value.when.map((branch) => ` WHEN ${inner(branch.condition)} THEN ${inner(branch.result)}`).join("");
  return `${start}${when}${value.else ? ` ELSE ${inner(value.else)}` : ""} END`;
}

function printCall(call: Call, print: Printer): string {
  const name = call.name.toUpperCase();
  if (call.bare) return name;
  const args = call.star ? ["*"] : call.args.map((value) => printExpression(value, print));
  const list = (call.unit === null ? args : [call.unit, ...args]).join(", ");
  const orders = printOrders(call.orderBy, print);
  const separator = call.separator === null ? "" : ` SEPARATOR ${quoteString(call.separator)}`;
  return `${name}(${call.distinct ? "DISTINCT " : ""}${list}${orders && ` ${orders}`}${separator})`;
}

export function printOrders(orders: readonly Order[], print: Printer): string {
  if (orders.length === 0) return "";
  const items = orders.map((one) => printExpression(one.value, print) + (one.direction ? ` ${one.direction}` : ""));
  return `ORDER BY ${items.join(", ")}`;
}

export function printWindow(window: Window, print: Printer): string {
  if (window.name !== null) return windowName(window.name);
  const parts = window.partitionBy.map((value) => printExpression(value, print));
  const clauses = [
    parts.length > 0 ? `PARTITION BY ${parts.join(", ")}` : "",
    printOrders(window.orderBy, print),
    window.frame ?? "",
  ];
  return `(${clauses.filter((clause) => clause !== "").join(" ")})`;
}
