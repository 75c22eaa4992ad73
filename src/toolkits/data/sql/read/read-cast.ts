// Reads CAST and CONVERT. A type that is not in the list is refused.
import { CAST_TYPES } from "../functions.ts";
import { isNode, type Node, notUnderstood, type Reader, readList, readNode, readNumber } from "../node.ts";
import type { Expression } from "../tree.ts";

export function readCast(reader: Reader, node: Node): Expression {
  const { keyword, expr, target } = readNode(node, "type", "keyword", "expr", "symbol", "target", "parentheses");
  const [only, more] = readList(target);
  if (keyword !== "cast" || more !== undefined) return notUnderstood("CAST");
  return { kind: "cast", word: "CAST", value: reader.expression(expr), type: readType(reader, only) };
}

/** CONVERT(a, CHAR): the parser gives the type as an argument. */
export function readConvert(reader: Reader, [value, type, more]: readonly unknown[]): Expression {
  if (!isNode(type) || type.type !== "datatype" || more !== undefined) return notUnderstood("CONVERT");
  return { kind: "cast", word: "CONVERT", value: reader.expression(value), type: readType(reader, type) };
}

function readType(reader: Reader, node: unknown): string {
  const fields = readNode(node, "type", "dataType", "length", "scale", "parentheses", "suffix");
  const { dataType, length, scale, suffix } = fields;
  if (readList(suffix).some((item) => item !== null)) return notUnderstood("CAST");
  const name = String(dataType).toLowerCase();
  if (!CAST_TYPES.has(name)) return notUnderstood(`CAST AS ${name}`);
  const sizes = [length, scale]
    .filter((size) => size !== null && size !== undefined)
    .map((size) => readNumber(reader, size));
  return name.toUpperCase() + (sizes.length > 0 ? `(${sizes.join(", ")})` : "");
}
