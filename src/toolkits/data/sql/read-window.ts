// Reads ORDER BY lists, OVER clauses and the frames of windows.
import { notUnderstood, type Reader, readList, readName, readNode } from "./node.ts";
import type { FrameBound, Order, Window } from "./tree.ts";

export function readOrders(reader: Reader, node: unknown): readonly Order[] {
  return readList(node).map((item) => {
    const { expr, type } = readNode(item, "expr", "type");
    if (type !== null && type !== undefined && type !== "ASC" && type !== "DESC") return notUnderstood("ORDER BY");
    return { value: reader.expression(expr), direction: type ?? null };
  });
}

export function readOver(reader: Reader, node: unknown): Window | null {
  if (node === null || node === undefined) return null;
  const { type, as_window_specification: window } = readNode(node, "type", "as_window_specification");
  return type === "window" ? readWindow(reader, window) : notUnderstood("OVER");
}

export function readWindow(reader: Reader, node: unknown): Window {
  if (typeof node === "string") return { name: readName(node), partitionBy: [], orderBy: [], frame: null };
  const { window_specification: specification } = readNode(node, "window_specification", "parentheses");
  const { name, partitionby, orderby, window_frame_clause } = readNode(
    specification,
    "name",
    "partitionby",
    "orderby",
    "window_frame_clause",
  );
  if (name) return notUnderstood("a window based on another");
  const partitionBy = readList(partitionby).map((item) => reader.expression(readNode(item, "expr", "type").expr));
  return {
    name: null,
    partitionBy,
    orderBy: readOrders(reader, orderby),
    frame: readFrame(reader, window_frame_clause),
  };
}

function readFrame(reader: Reader, node: unknown): Window["frame"] {
  if (node === null || node === undefined) return null;
  const { type, operator, left, right, expr } = readNode(node, "type", "operator", "left", "right", "expr");
  if (type !== "binary_expr") return { unit: readFrameUnit(type), from: readBound(reader, expr), to: null };
  const [from, to, more] = readList(readNode(right, "type", "value").value);
  if (operator !== "BETWEEN" || more !== undefined) return notUnderstood("a window frame");
  const unit = readFrameUnit(readNode(left, "type", "value").value);
  return { unit, from: readBound(reader, from), to: readBound(reader, to) };
}

function readFrameUnit(value: unknown): "ROWS" | "RANGE" {
  const unit = String(value).toUpperCase();
  return unit === "ROWS" || unit === "RANGE" ? unit : notUnderstood("a window frame");
}

/** The parser gives a bound as text: "3 PRECEDING", where 3 is the position of the literal. */
function readBound(reader: Reader, node: unknown): FrameBound {
  const { value } = readNode(node, "type", "value");
  const match = /^(?:(current row)|(unbounded|\d+) (preceding|following))$/i.exec(String(value));
  if (!match) return notUnderstood("a window frame");
  const [, current, start = "", side = ""] = match;
  if (current) return "CURRENT ROW";
  if (start.toLowerCase() === "unbounded") return `UNBOUNDED ${side.toUpperCase()}`;
  const literal = reader.numbers[Number(start) - 1];
  return literal === undefined ? notUnderstood("a window frame") : `${literal} ${side.toUpperCase()}`;
}
