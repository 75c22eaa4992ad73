// Reads one table, derived table or join of a FROM clause.
import { notUnderstood, type Reader, readList, readName, readNode, readOptionalName } from "../node.ts";
import type { JoinKind, Source } from "../tree.ts";

const JOINS: readonly JoinKind[] = ["INNER JOIN", "LEFT JOIN", "RIGHT JOIN", "CROSS JOIN"];

export function readSource(reader: Reader, node: unknown, first: boolean): Source {
  const fields = readNode(node, "type", "db", "table", "as", "join", "on", "using", "expr");
  const join = readJoin(fields.join, first);
  const on = fields.on === null || fields.on === undefined ? null : reader.expression(fields.on);
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
  if (value === null || value === undefined) return first ? null : ",";
  return JOINS.find((join) => join === value) ?? notUnderstood(String(value));
}
