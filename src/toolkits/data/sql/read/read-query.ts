// Converts SELECT statements, their unions and their WITH clauses to the checked tree.
import {
  isAbsent,
  isNode,
  type Node,
  notUnderstood,
  type Reader,
  readList,
  readName,
  readNode,
  readNumber,
  readOptionalName,
} from "../node.ts";
import { refuse } from "../refusal.ts";
import type { Cte, JoinKind, Limit, Query, Select, Selected, SetOperator, SetPart, Source } from "../tree.ts";
import { readOrders, readWindow } from "./read-window.ts";

const SELECT_FIELDS =
  "with type distinct columns into from where groupby having window orderby limit locking_read parentheses_symbol parentheses _next set_op _orderby _limit".split(
    " ",
  );

const OPERATORS: readonly SetOperator[] = ["UNION", "UNION ALL", "UNION DISTINCT", "INTERSECT", "EXCEPT"];
const JOINS: readonly JoinKind[] = ["INNER JOIN", "LEFT JOIN", "RIGHT JOIN", "CROSS JOIN"];

export function readQuery(reader: Reader, node: unknown): Query {
  if (isNode(node) && "ast" in node) return readQuery(reader, readNode(node, "ast", "parentheses").ast);
  const head = readNode(node, ...SELECT_FIELDS);
  const ctes = readList(head.with).map((cte) => readCte(reader, cte));
  return {
    with: ctes.map(({ cte }) => cte),
    recursive: ctes.some(({ recursive }) => recursive),
    parts: readParts(reader, head),
    orderBy: readOrders(reader, head._orderby),
    limit: readLimit(reader, head._limit),
  };
}

function readCte(reader: Reader, node: unknown): { readonly cte: Cte; readonly recursive: boolean } {
  const { name, stmt, columns, recursive } = readNode(node, "name", "stmt", "columns", "recursive");
  const names = readList(columns).map((column) => readName(readNode(column, "type", "column").column));
  return { cte: { name: readName(name), columns: names, query: reader.query(stmt) }, recursive: recursive === true };
}

function readParts(reader: Reader, head: Node): readonly SetPart[] {
  const parts: SetPart[] = [];
  let operator: SetOperator | null = null;
  let node: unknown = head;
  while (!isAbsent(node)) {
    const select = readNode(node, ...SELECT_FIELDS);
    if (node !== head && (select.with || select._orderby || select._limit)) return notUnderstood("a nested union");
    const parentheses = select.parentheses_symbol === true;
    parts.push({ operator, select: readSelect(reader, select), parentheses });
    node = select._next;
    if (!isAbsent(node)) operator = readSetOperator(select.set_op);
  }
  return parts;
}

function readSetOperator(value: unknown): SetOperator {
  const text = String(value).toUpperCase();
  return OPERATORS.find((operator) => operator === text) ?? notUnderstood("a set operator");
}

function readSelect(reader: Reader, node: Node): Select {
  if (node.type !== "select") return refuse("not_read_only", "Only SELECT is allowed.");
  if (node.locking_read) return refuse("not_read_only", "Locking reads are not allowed.");
  if (node.into && Object.values(readNode(node.into, "position")).some((value) => value !== null))
    return refuse("not_read_only", "SELECT … INTO is not allowed.");
  const optional = (value: unknown) => (isAbsent(value) ? null : reader.expression(value));
  return {
    distinct: readDistinct(node.distinct),
    columns: readList(node.columns).map((column) => readSelected(reader, column)),
    from: readList(node.from).map((source, index) => readSource(reader, source, index === 0)),
    where: optional(node.where),
    ...readGroups(reader, node.groupby),
    having: optional(node.having),
    windows: readWindows(reader, node.window),
    orderBy: readOrders(reader, node.orderby),
    limit: readLimit(reader, node.limit),
  };
}

function readDistinct(value: unknown): boolean {
  if (isAbsent(value)) return false;
  return value === "DISTINCT" ? true : notUnderstood("DISTINCT");
}

function readSelected(reader: Reader, node: unknown): Selected {
  const { expr, as } = readNode(node, "expr", "as", "type");
  if (isNode(expr) && expr.type === "column_ref" && expr.column === "*") {
    const { db, table } = readNode(expr, "type", "db", "table", "column");
    if (as) return notUnderstood("an alias of *");
    return { kind: "star", path: [readOptionalName(db), readOptionalName(table)].filter((name) => name !== null) };
  }
  return { kind: "column", value: reader.expression(expr), alias: readOptionalName(as) };
}

function readSource(reader: Reader, node: unknown, first: boolean): Source {
  const fields = readNode(node, "type", "db", "table", "as", "join", "on", "using", "expr");
  const join = readJoin(fields.join, first);
  const on = isAbsent(fields.on) ? null : reader.expression(fields.on);
  const using = readList(fields.using).map(readName);
  const alias = readOptionalName(fields.as);
  if (fields.type === "dual") return { join, from: { kind: "dual" }, alias, on, using };
  if (fields.type) return notUnderstood("FROM");
  if (fields.expr) {
    if (alias === null || fields.table) return notUnderstood("a derived table without a name");
    return { join, from: { kind: "query", query: reader.query(fields.expr) }, alias, on, using };
  }
  const table = { database: readOptionalName(fields.db), table: readName(fields.table) };
  return { join, from: { kind: "table", table }, alias, on, using };
}

function readJoin(value: unknown, first: boolean): JoinKind | null {
  if (isAbsent(value)) return first ? null : ",";
  return JOINS.find((join) => join === value) ?? notUnderstood(String(value));
}

function readGroups(reader: Reader, node: unknown): Pick<Select, "groupBy" | "rollup"> {
  if (isAbsent(node)) return { groupBy: [], rollup: false };
  const { columns, modifiers } = readNode(node, "columns", "modifiers");
  const words = readList(modifiers).filter((modifier) => !isAbsent(modifier));
  const rollup = words.map((word) => String(readNode(word, "type", "value").value).toLowerCase());
  if (rollup.length > 1 || (rollup[0] !== undefined && rollup[0] !== "with rollup")) return notUnderstood("GROUP BY");
  return { groupBy: readList(columns).map(reader.expression), rollup: rollup.length === 1 };
}

function readWindows(reader: Reader, node: unknown): Select["windows"] {
  if (isAbsent(node)) return [];
  return readList(readNode(node, "keyword", "type", "expr").expr).map((item) => {
    const { name, as_window_specification: window } = readNode(item, "name", "as_window_specification");
    return { name: readName(name), window: readWindow(reader, window) };
  });
}

function readLimit(reader: Reader, node: unknown): Limit | null {
  if (isAbsent(node)) return null;
  const { seperator, value } = readNode(node, "seperator", "value");
  const numbers = readList(value).map((item) => {
    const { type, value: position } = readNode(item, "type", "value");
    const literal = type === "number" ? readNumber(reader, position) : "";
    return /^\d{1,18}$/.test(literal) ? literal : notUnderstood("LIMIT");
  });
  const [first, second] = numbers;
  if (first === undefined) return null;
  if (second === undefined) return { count: first, offset: null };
  return seperator === "," ? { count: second, offset: first } : { count: first, offset: second };
}
