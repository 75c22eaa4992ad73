// Converts an expression of the parser to the checked tree.
import { ARITHMETIC, BITWISE, COLLATION, COMPARISONS, LOGIC } from "../functions.ts";
import { STAND_IN } from "../marks.ts";
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
  readText,
  readUnit,
} from "../node.ts";
import type { Expression } from "../tree.ts";
import { isBitwise, readLogical, readOperand } from "./operand.ts";
import { readAggregate, readFunction } from "./read-call.ts";
import { readCast } from "./read-cast.ts";

export function readExpression(reader: Reader, node: unknown): Expression {
  if (!isNode(node)) return notUnderstood("an expression");
  const collated = takeCollation(node);
  if (collated) return { kind: "collate", value: readExpression(reader, collated.plain), collation: collated.name };
  if ("ast" in node) return { kind: "query", query: reader.query(node) };
  switch (node.type) {
    case "column_ref":
      return readColumn(node);
    case "function":
      return readFunction(reader, node);
    case "aggr_func":
      return readAggregate(reader, node);
    case "binary_expr":
      return readBinary(reader, node);
    case "unary_expr":
      return readUnary(reader, node);
    case "case":
      return readCase(reader, node);
    case "cast":
      return readCast(reader, node);
    case "extract":
      return readExtract(reader, node);
    case "interval":
      return readInterval(reader, node);
    case "expr_list": {
      const { value } = readNode(node, "type", "value", "parentheses");
      return { kind: "row", values: readList(value).map(reader.expression) };
    }
    default:
      return readLiteral(reader, node);
  }
}

/** Removes COLLATE from a node. The parser attaches it to the value or, for a string, to the suffix of the string. */
function takeCollation({ collate, suffix, ...rest }: Node): { readonly plain: Node; readonly name: string } | null {
  const found = collate ?? (isNode(suffix) ? readNode(suffix, "collate").collate : null);
  if (isAbsent(found)) return null;
  const { name, symbol } = readNode(readNode(found, "type", "keyword", "collate").collate, "name", "symbol");
  if (symbol || typeof name !== "string" || !COLLATION.test(name)) return notUnderstood("COLLATE");
  return { plain: rest, name };
}

function readLiteral(reader: Reader, node: Node): Expression {
  const { type, value } = readNode(node, "type", "value", "parentheses");
  switch (type) {
    case "single_quote_string":
      return { kind: "string", value: readText(reader, value) };
    case "number":
      return { kind: "number", value: readNumber(reader, value) };
    case "null":
      return { kind: "keyword", value: "NULL" };
    case "bool":
      return { kind: "keyword", value: value === true ? "TRUE" : "FALSE" };
    case "date":
    case "time":
    case "timestamp":
      return { kind: "temporal", type: TEMPORAL[type], value: readText(reader, value) };
    default:
      return notUnderstood(String(type));
  }
}
const TEMPORAL = { date: "DATE", time: "TIME", timestamp: "TIMESTAMP" } as const;

function readColumn(node: Node): Expression {
  const { db, table, column } = readNode(node, "type", "db", "table", "column", "parentheses");
  const path = [db, table, column].filter((part) => !isAbsent(part)).map(readName);
  if (path.at(-1) === "*") return notUnderstood("* inside an expression");
  return { kind: "column", path };
}

function readBinary(reader: Reader, node: Node): Expression {
  const { operator: parsed, left, right } = readNode(node, "type", "operator", "left", "right", "parentheses");
  if (typeof parsed !== "string") return notUnderstood("an operator");
  const operator = STAND_IN[parsed] ?? parsed;
  if (operator === "IN" || operator === "NOT IN") return readIn(reader, operator, left, right);
  if (operator === "BETWEEN" || operator === "NOT BETWEEN") {
    const [from, to, more] = readList(readNode(right, "type", "value").value);
    if (more !== undefined) return notUnderstood(operator);
    const value = readOperand(reader, left);
    const [low, high] = [readOperand(reader, from), readOperand(reader, to)];
    return { kind: "between", not: operator !== "BETWEEN", value, from: low, to: high };
  }
  if (LOGIC.has(operator)) {
    const [first, second] = [readLogical(reader, left), readLogical(reader, right)];
    return { kind: "binary", operator, left: first, right: second, escape: null };
  }
  if (BITWISE.has(operator) || (ARITHMETIC.has(operator) && [left, right].some(isBitwise))) {
    // MySQL does not give these operators the precedence of plus. Chains of the same operator are read left to right.
    const operands = [left, right].filter((operand) => isNode(operand) && operand.type === "binary_expr");
    if (isNode(left) && left.operator === operator) operands.splice(operands.indexOf(left), 1);
    if (operands.some((operand) => isNode(operand) && operand.parentheses !== true))
      return notUnderstood("bitwise operations without parentheses");
  }
  if (ARITHMETIC.has(operator) || COMPARISONS.has(operator) || BITWISE.has(operator) || operator === "XOR") {
    const pattern = takeEscape(reader, operator, right);
    const [first, second] = [readOperand(reader, left), readOperand(reader, pattern.plain)];
    return { kind: "binary", operator, left: first, right: second, escape: pattern.escape };
  }
  return notUnderstood(`the operator ${operator}`);
}

/** The parser attaches ESCAPE to the pattern. */
function takeEscape(reader: Reader, operator: string, right: unknown): { plain: unknown; escape: string | null } {
  if (!operator.endsWith("LIKE") || !isNode(right) || isAbsent(right.escape)) return { plain: right, escape: null };
  const { escape: escapeNode, ...plain } = right;
  const { value } = readNode(readNode(escapeNode, "type", "value").value, "type", "value");
  return { plain, escape: readText(reader, value) };
}

function readIn(reader: Reader, operator: string, left: unknown, right: unknown): Expression {
  const items = readList(readNode(right, "type", "value", "parentheses").value);
  const value = readOperand(reader, left);
  const not = operator === "NOT IN";
  const [only] = items;
  if (items.length === 0) return notUnderstood(operator);
  if (items.length === 1 && isNode(only) && "ast" in only) return { kind: "in", not, value, list: reader.query(only) };
  return { kind: "in", not, value, list: items.map(reader.expression) };
}

function readUnary(reader: Reader, node: Node): Expression {
  const { operator, expr } = readNode(node, "type", "operator", "expr", "parentheses");
  if (operator === "EXISTS" || operator === "NOT EXISTS")
    return { kind: "exists", not: operator === "NOT EXISTS", query: reader.query(expr) };
  if (operator === "NOT") return { kind: "unary", operator, value: readLogical(reader, expr) };
  if (operator === "-" || operator === "+") return { kind: "unary", operator, value: readOperand(reader, expr) };
  return notUnderstood(`the operator ${String(operator)}`);
}

function readCase(reader: Reader, node: Node): Expression {
  const { expr, args } = readNode(node, "type", "expr", "args", "parentheses");
  const branches = readList(args).map((branch) => readNode(branch, "type", "cond", "result"));
  const last = branches.at(-1);
  const otherwise = last?.type === "else" ? last : null;
  const when = (otherwise ? branches.slice(0, -1) : branches).map((branch) => {
    if (branch.type !== "when") return notUnderstood("CASE");
    return { condition: reader.expression(branch.cond), result: reader.expression(branch.result) };
  });
  const value = isAbsent(expr) ? null : reader.expression(expr);
  return { kind: "case", value, when, else: otherwise && reader.expression(otherwise.result) };
}

function readExtract(reader: Reader, node: Node): Expression {
  const { args } = readNode(node, "type", "args", "parentheses");
  const { field, source } = readNode(args, "field", "source");
  return { kind: "extract", unit: readUnit(field), value: reader.expression(source) };
}

function readInterval(reader: Reader, node: Node): Expression {
  const { unit, expr } = readNode(node, "type", "expr", "unit", "parentheses");
  return { kind: "interval", unit: readUnit(unit), value: reader.expression(expr) };
}
