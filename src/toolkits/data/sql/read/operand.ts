// Reads the operands of comparisons and operations. Where the parser and MySQL could disagree on precedence, parentheses
// are required.
import { ARITHMETIC, BITWISE } from "../functions.ts";
import { isNode, type Node, notUnderstood, type Reader, readList, readNode } from "../node.ts";
import { refuse } from "../refusal.ts";
import type { Expression } from "../tree.ts";

export const isBitwise = (node: unknown): boolean =>
  isNode(node) && node.type === "binary_expr" && BITWISE.has(String(node.operator));

/** The precedence of two comparisons differs between SQL dialects, so parentheses are required. */
export function readOperand(reader: Reader, node: unknown): Expression {
  if (isNode(node) && node.parentheses !== true) {
    const loose = node.type === "binary_expr" && !ARITHMETIC.has(String(node.operator)) && !isBitwise(node);
    if (loose || isNotCall(node) || (node.type === "unary_expr" && node.operator === "NOT"))
      return notUnderstood("a condition inside a comparison without parentheses");
  }
  return reader.expression(node);
}

/** The parser binds XOR like a comparison, but MySQL binds it more loosely than AND, so XOR needs parentheses. */
export function readLogical(reader: Reader, node: unknown): Expression {
  if (isNode(node) && node.operator === "XOR" && node.parentheses !== true)
    return notUnderstood("XOR beside another condition without parentheses");
  return reader.expression(node);
}

/** True for NOT (a), which the parser binds more tightly than MySQL does. */
const isNotCall = (node: Node): boolean =>
  node.type === "function" && isNode(node.name) && readCalledName(node.name) === "not";

export function readCalledName(node: unknown): string {
  const { name, schema } = readNode(node, "name", "schema");
  const [only, more] = readList(name);
  const { type, value } = readNode(only, "type", "value");
  if (schema || more !== undefined || typeof value !== "string")
    return refuse("function_not_allowed", "Functions of a schema are not allowed.");
  if (type !== "default" && type !== "origin")
    return refuse("function_not_allowed", "A function name in quotes is not allowed.");
  return value.toLowerCase();
}
