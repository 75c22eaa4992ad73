// Reads an expression of the parser into the checked tree.
import { ARITHMETIC, CAST_TYPES, COMPARISONS, LOGIC, UNITS } from "./functions.ts";
import {
  isNode,
  type Node,
  notUnderstood,
  type Reader,
  readList,
  readName,
  readNode,
  readNumber,
  readText,
} from "./node.ts";
import { isNotCall, readAggregate, readFunction } from "./read-call.ts";
import type { Expression } from "./tree.ts";

export function readExpression(reader: Reader, node: unknown): Expression {
  if (!isNode(node)) return notUnderstood("an expression");
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
      return { kind: "temporal", type: "DATE", value: readText(reader, value) };
    case "time":
      return { kind: "temporal", type: "TIME", value: readText(reader, value) };
    case "timestamp":
      return { kind: "temporal", type: "TIMESTAMP", value: readText(reader, value) };
    default:
      return notUnderstood(String(type));
  }
}

function readColumn(node: Node): Expression {
  const { db, table, column } = readNode(node, "type", "db", "table", "column", "parentheses");
  const path = [db, table, column].filter((part) => part !== null && part !== undefined).map(readName);
  if (path.at(-1) === "*") return notUnderstood("* inside an expression");
  return { kind: "column", path };
}

function readBinary(reader: Reader, node: Node): Expression {
  const { operator, left, right } = readNode(node, "type", "operator", "left", "right", "parentheses");
  if (typeof operator !== "string") return notUnderstood("an operator");
  if (operator === "IN" || operator === "NOT IN") return readIn(reader, operator, left, right);
  if (operator === "BETWEEN" || operator === "NOT BETWEEN") {
    const [from, to, more] = readList(readNode(right, "type", "value").value);
    if (more !== undefined) return notUnderstood(operator);
    const value = readOperand(reader, left);
    return {
      kind: "between",
      not: operator !== "BETWEEN",
      value,
      from: readOperand(reader, from),
      to: readOperand(reader, to),
    };
  }
  if (LOGIC.has(operator)) {
    return { kind: "binary", operator, left: reader.expression(left), right: reader.expression(right), escape: null };
  }
  if (ARITHMETIC.has(operator) || COMPARISONS.has(operator)) {
    const pattern = takeEscape(reader, operator, right);
    return {
      kind: "binary",
      operator,
      left: readOperand(reader, left),
      right: readOperand(reader, pattern.plain),
      escape: pattern.escape,
    };
  }
  return notUnderstood(`the operator ${operator}`);
}

/** Which of two comparisons binds first differs between SQL dialects: the writer has to say it with parentheses. */
function readOperand(reader: Reader, node: unknown): Expression {
  if (isNode(node) && node.parentheses !== true) {
    const loose = node.type === "binary_expr" && !ARITHMETIC.has(String(node.operator));
    if (loose || isNotCall(node) || (node.type === "unary_expr" && node.operator === "NOT")) {
      return notUnderstood("a condition inside a comparison without parentheses");
    }
  }
  return reader.expression(node);
}

/** The parser attaches ESCAPE to the pattern. */
function takeEscape(reader: Reader, operator: string, right: unknown): { plain: unknown; escape: string | null } {
  if (!operator.endsWith("LIKE") || !isNode(right) || right.escape === null || right.escape === undefined) {
    return { plain: right, escape: null };
  }
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
  if (operator === "EXISTS" || operator === "NOT EXISTS") {
    return { kind: "exists", not: operator === "NOT EXISTS", query: reader.query(expr) };
  }
  if (operator === "NOT") return { kind: "unary", operator, value: reader.expression(expr) };
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
  const value = expr === null || expr === undefined ? null : reader.expression(expr);
  return { kind: "case", value, when, else: otherwise && reader.expression(otherwise.result) };
}

function readCast(reader: Reader, node: Node): Expression {
  const { keyword, expr, target } = readNode(node, "type", "keyword", "expr", "symbol", "target", "parentheses");
  const [only, more] = readList(target);
  if (keyword !== "cast" || more !== undefined) return notUnderstood("CAST");
  const { dataType, length, scale, suffix } = readNode(only, "dataType", "length", "scale", "parentheses", "suffix");
  if (readList(suffix).some((item) => item !== null)) return notUnderstood("CAST");
  const name = String(dataType).toLowerCase();
  if (!CAST_TYPES.has(name)) return notUnderstood(`CAST AS ${name}`);
  const sizes = [length, scale]
    .filter((size) => size !== null && size !== undefined)
    .map((size) => readNumber(reader, size));
  const type = name.toUpperCase() + (sizes.length > 0 ? `(${sizes.join(", ")})` : "");
  return { kind: "cast", value: reader.expression(expr), type };
}

export function readUnit(value: unknown): string {
  const unit = typeof value === "string" ? value.toLowerCase() : "";
  return UNITS.has(unit) ? unit.toUpperCase() : notUnderstood("a unit of time");
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
