// Reads ORDER BY lists, OVER clauses and the frames of windows.
import { isAbsent, notUnderstood, type Reader, readList, readMark, readName, readNode } from "../node.ts";
import type { Order, Window } from "../tree.ts";

export function readOrders(reader: Reader, node: unknown): readonly Order[] {
  return readList(node).map((item) => {
    const { expr, type } = readNode(item, "expr", "type");
    if (!isAbsent(type) && type !== "ASC" && type !== "DESC") return notUnderstood("ORDER BY");
    return { value: reader.expression(expr), direction: type ?? null };
  });
}

export function readOver(reader: Reader, node: unknown): Window | null {
  if (isAbsent(node)) return null;
  const { type, as_window_specification: window } = readNode(node, "type", "as_window_specification");
  return type === "window" ? readWindow(reader, window) : notUnderstood("OVER");
}

export function readWindow(reader: Reader, node: unknown): Window {
  if (typeof node === "string") return { name: readName(node), partitionBy: [], orderBy: [], frame: null };
  const { window_specification: specification } = readNode(node, "window_specification", "parentheses");
  const fields = readNode(specification, "name", "partitionby", "orderby", "window_frame_clause");
  if (fields.name) return notUnderstood("a window based on another");
  const partitionBy = readList(fields.partitionby).map((item) =>
    reader.expression(readNode(item, "expr", "type").expr),
  );
  const orderBy = readOrders(reader, fields.orderby);
  return { name: null, partitionBy, orderBy, frame: readFrame(reader, fields.window_frame_clause) };
}

/** A window frame was replaced with a mark. In ROWS 3 PRECEDING, 3 is the position of the mark. */
function readFrame(reader: Reader, node: unknown): string | null {
  if (isAbsent(node)) return null;
  const { type, expr } = readNode(node, "type", "expr");
  const position = /^(\d+) preceding$/i.exec(String(readNode(expr, "type", "value").value))?.[1];
  const frame = String(type).toLowerCase() === "rows" ? readMark(reader, position) : null;
  return frame ?? notUnderstood("a window frame");
}
