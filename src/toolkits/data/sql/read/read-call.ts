// Reads function calls, aggregates and windows. A function that is not in the list is refused.
import { BARE_FUNCTIONS, UNIT_FUNCTIONS, UNITS } from "../functions.ts";
import {
  isAbsent,
  isNode,
  type Node,
  notUnderstood,
  type Reader,
  readList,
  readMark,
  readNode,
  readText,
} from "../node.ts";
import { refuse } from "../refusal.ts";
import type { Call, Expression } from "../tree.ts";
import { readCalledName, readOperand } from "./operand.ts";
import { readConvert } from "./read-cast.ts";
import { readOrders, readOver } from "./read-window.ts";

const EMPTY = {
  bare: false,
  star: false,
  distinct: false,
  unit: null,
  args: [],
  orderBy: [],
  separator: null,
} as const;
const QUANTIFIERS = new Map<string, "ANY" | "ALL" | "SOME">([
  ["any", "ANY"],
  ["all", "ALL"],
  ["some", "SOME"],
]);

export function readFunction(reader: Reader, node: Node): Expression {
  const { name, args, over } = readNode(node, "type", "name", "args", "over", "parentheses");
  const called = readCalledName(name);
  const list = isAbsent(args) ? null : readArguments(args);
  const [first] = list ?? [];
  if (isNode(first) && "ast" in first && list?.length === 1) {
    const query = (): ReturnType<Reader["query"]> => reader.query(first);
    if (called === "exists") return { kind: "exists", not: false, query: query() };
    const word = QUANTIFIERS.get(called);
    if (word) return { kind: "quantified", word, query: query() };
  }
  // The parser reads NOT (a) as a call. `readOperand` refuses such a call as the operand of a comparison.
  if (called === "not" && list?.length === 1)
    return { kind: "unary", operator: "NOT", value: reader.expression(first) };
  if (called === "convert" && list) return readConvert(reader, list);
  if (called === "position" && list?.length === 1) return readPosition(reader, first);
  checkFunction(reader, called);
  if (called === "trim" && list && list.length > 1) return readTrim(reader, list);
  const window = readOver(reader, over);
  if (list === null) {
    if (!BARE_FUNCTIONS.has(called)) return notUnderstood(called);
    return { kind: "call", call: { ...EMPTY, name: called, bare: true }, over: window };
  }
  return { kind: "call", call: readCall(reader, called, list), over: window };
}

function checkFunction({ functions }: Reader, name: string): void {
  if (!functions.has(name)) refuse("function_not_allowed", `The function ${name.slice(0, 60)} is not allowed.`);
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

/** Reads POSITION('x' IN a). */
function readPosition(reader: Reader, node: unknown): Expression {
  const { operator, left, right } = readNode(node, "type", "operator", "left", "right");
  if (operator !== "IN" || !isNode(right) || right.type === "expr_list") return notUnderstood("POSITION");
  return { kind: "position", find: readOperand(reader, left), value: readOperand(reader, right) };
}

/** Reads TRIM(BOTH 'x' FROM a). The parser returns the keywords as arguments. */
function readTrim(reader: Reader, list: readonly unknown[]): Expression {
  const wordOf = (node: unknown): string | null =>
    isNode(node) && node.type === "origin" ? String(readNode(node, "type", "value").value).toUpperCase() : null;
  const from = list.findIndex((item) => wordOf(item) === "FROM");
  const side = wordOf(list[0]);
  const named = side === "BOTH" || side === "LEADING" || side === "TRAILING";
  const [remove, more] = list.slice(named ? 1 : 0, from);
  const [value, rest] = list.slice(from + 1);
  if (from < 1 || more !== undefined || value === undefined || rest !== undefined) return notUnderstood("TRIM");
  return {
    kind: "trim",
    side: named ? side : null,
    remove: remove === undefined ? null : reader.expression(remove),
    value: reader.expression(value),
  };
}

export function readAggregate(reader: Reader, node: Node): Expression {
  const { name, args, over } = readNode(node, "type", "name", "args", "over", "parentheses");
  const fields = readNode(args, "expr", "distinct", "orderby", "separator", "parentheses");
  const { expr, distinct, orderby, separator } = fields;
  const star = isNode(expr) && expr.type === "star";
  const given = isNode(expr) && expr.type === "expr_list" ? readArguments(expr) : [expr];
  // SUM(DISTINCT a) was rewritten as COUNT(DISTINCT mark, a).
  const mark = isNode(given[0]) && given[0].type === "number" ? readMark(reader, given[0].value) : null;
  const list = mark === null ? given : given.slice(1);
  const called = mark ?? String(name).toLowerCase();
  checkFunction(reader, called);
  if (called !== "group_concat" && separator) return notUnderstood("SEPARATOR");
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
  if (isAbsent(node)) return null;
  const { value } = readNode(node, "keyword", "value");
  return readText(reader, readNode(value, "type", "value").value);
}
