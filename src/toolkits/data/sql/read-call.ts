// Reads function calls, aggregates and windows. A function that is not in the list is refused.
import { BARE_FUNCTIONS, FUNCTIONS, UNIT_FUNCTIONS, UNITS } from "./functions.ts";
import { isNode, type Node, notUnderstood, type Reader, readList, readNode, readText } from "./node.ts";
import { readOrders, readOver } from "./read-window.ts";
import { refuse } from "./refusal.ts";
import type { Call, Expression } from "./tree.ts";

const EMPTY = {
  bare: false,
  star: false,
  distinct: false,
  unit: null,
  args: [],
  orderBy: [],
  separator: null,
} as const;

export function readFunction(reader: Reader, node: Node): Expression {
  const { name, args, over } = readNode(node, "type", "name", "args", "over", "parentheses");
  const called = readCalledName(name);
  const list = args === null || args === undefined ? null : readArguments(args);
  const [first] = list ?? [];
  if (isNode(first) && "ast" in first && list?.length === 1) {
    const query = (): ReturnType<Reader["query"]> => reader.query(first);
    if (called === "exists") return { kind: "exists", not: false, query: query() };
    if (called === "any" || called === "all" || called === "some") {
      return { kind: "quantified", word: called === "any" ? "ANY" : called === "all" ? "ALL" : "SOME", query: query() };
    }
  }
  // The parser takes NOT (a) for a call. Operands that begin like this are refused by the reader of comparisons.
  if (called === "not" && list?.length === 1)
    return { kind: "unary", operator: "NOT", value: reader.expression(first) };
  checkFunction(called);
  if (called === "trim" && list && list.length > 1) return readTrim(reader, list);
  const window = readOver(reader, over);
  if (list === null) {
    if (!BARE_FUNCTIONS.has(called)) return notUnderstood(called);
    return { kind: "call", call: { ...EMPTY, name: called, bare: true }, over: window };
  }
  return { kind: "call", call: readCall(reader, called, list), over: window };
}

/** The parser binds NOT (a) tighter than MySQL does. */
export const isNotCall = (node: Node): boolean =>
  node.type === "function" && isNode(node.name) && readCalledName(node.name) === "not";

function readCalledName(node: unknown): string {
  const { name, schema } = readNode(node, "name", "schema");
  const [only, more] = readList(name);
  const { type, value } = readNode(only, "type", "value");
  if (schema || more !== undefined || typeof value !== "string") {
    return refuse("function_not_allowed", "Functions of a schema are not allowed.");
  }
  if (type !== "default" && type !== "origin") {
    return refuse("function_not_allowed", "A function name in quotes is not allowed.");
  }
  return value.toLowerCase();
}

export function checkFunction(name: string): void {
  if (!FUNCTIONS.has(name)) refuse("function_not_allowed", `The function ${name.slice(0, 60)} is not allowed.`);
}

const readArguments = (node: unknown): readonly unknown[] =>
  readList(readNode(node, "type", "value", "parentheses").value);

function readCall(reader: Reader, name: string, list: readonly unknown[]): Call {
  if (!UNIT_FUNCTIONS.has(name)) return { ...EMPTY, name, args: list.map(reader.expression) };
  const [first, ...rest] = list;
  const { type, value } = readNode(first, "type", "value");
  const unit = String(value).toLowerCase();
  if (type !== "origin" || !UNITS.has(unit)) return notUnderstood(`the unit of ${name}`);
  return { ...EMPTY, name, unit: unit.toUpperCase(), args: rest.map(reader.expression) };
}

/** TRIM(BOTH 'x' FROM a): the parser gives the keywords as arguments. */
function readTrim(reader: Reader, list: readonly unknown[]): Expression {
  const [side, remove, from, value, more] = list;
  const word = (node: unknown): string => {
    const { type, value: text } = readNode(node, "type", "value");
    return type === "origin" ? String(text).toUpperCase() : notUnderstood("TRIM");
  };
  const sideWord = word(side);
  const known = ["BOTH", "LEADING", "TRAILING"].includes(sideWord) && word(from) === "FROM";
  if (!known || more !== undefined) return notUnderstood("TRIM");
  return { kind: "trim", side: sideWord, remove: reader.expression(remove), value: reader.expression(value) };
}

export function readAggregate(reader: Reader, node: Node): Expression {
  const { name, args, over } = readNode(node, "type", "name", "args", "over", "parentheses");
  const called = String(name).toLowerCase();
  checkFunction(called);
  const { expr, distinct, orderby, separator } = readNode(
    args,
    "expr",
    "distinct",
    "orderby",
    "separator",
    "parentheses",
  );
  const star = isNode(expr) && expr.type === "star";
  const list = isNode(expr) && expr.type === "expr_list" ? readArguments(expr) : [expr];
  const call: Call = {
    ...EMPTY,
    name: called,
    star,
    distinct: distinct === "DISTINCT",
    args: star ? [] : list.map(reader.expression),
    orderBy: readOrders(reader, orderby),
    separator: readSeparator(reader, separator),
  };
  return { kind: "call", call, over: readOver(reader, over) };
}

function readSeparator(reader: Reader, node: unknown): string | null {
  if (node === null || node === undefined) return null;
  const { value } = readNode(node, "keyword", "value");
  return readText(reader, readNode(value, "type", "value").value);
}
