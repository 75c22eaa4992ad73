// Reads CAST and CONVERT. A type that is not in the list is refused.
import { CAST_TYPES, CHARACTER_SETS } from "../functions.ts";
import {
  isAbsent,
  isNode,
  type Node,
  notUnderstood,
  type Reader,
  readList,
  readMark,
  readNode,
  readNumber,
} from "../node.ts";
import type { Expression } from "../tree.ts";

export function readCast(reader: Reader, node: Node): Expression {
  const { keyword, expr, target } = readNode(node, "type", "keyword", "expr", "symbol", "target", "parentheses");
  const [only, more] = readList(target);
  if (keyword !== "cast" || more !== undefined) return notUnderstood("CAST");
  return { kind: "cast", word: "CAST", value: reader.expression(expr), type: readType(reader, only) };
}

/** Reads CONVERT(a, CHAR). CONVERT(a USING ascii) was rewritten as CONVERT(a, CHAR(mark)). */
export function readConvert(reader: Reader, [value, type, more]: readonly unknown[]): Expression {
  const set = isNode(type) && type.dataType === "CHAR" ? readMark(reader, type.length) : null;
  if (set !== null && CHARACTER_SETS.has(set) && more === undefined)
    return { kind: "cast", word: "CONVERT USING", value: reader.expression(value), type: set };
  if (!isNode(type) || type.type !== "datatype" || more !== undefined) return notUnderstood("CONVERT");
  return { kind: "cast", word: "CONVERT", value: reader.expression(value), type: readType(reader, type) };
}

function readType(reader: Reader, node: unknown): string {
  const fields = readNode(node, "type", "dataType", "length", "scale", "parentheses", "suffix");
  const { dataType, length, scale, suffix } = fields;
  const own = dataType === "CHAR" ? readMark(reader, length) : null;
  if (own !== null && reader.types.has(own)) return own.toUpperCase();
  const set = readCharacterSet(readList(suffix).filter((item) => item !== null));
  const name = String(dataType).toLowerCase();
  if (!CAST_TYPES.has(name)) return notUnderstood(`CAST AS ${name}`);
  const sizes = [length, scale].filter((size) => !isAbsent(size)).map((size) => readNumber(reader, size));
  return name.toUpperCase() + (sizes.length > 0 ? `(${sizes.join(", ")})` : "") + set;
}

/** Reads a type with a character set, such as CHAR CHARACTER SET utf8mb4. */
function readCharacterSet([words, name, more]: readonly unknown[]): string {
  if (words === undefined) return "";
  const keyword = readNode(words, "type", "value").value;
  const set = String(readNode(name, "type", "value").value).toLowerCase();
  if (keyword !== "CHARACTER SET" || !CHARACTER_SETS.has(set) || more !== undefined) return notUnderstood("CAST");
  return ` CHARACTER SET ${set}`;
}
