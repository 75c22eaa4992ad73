// Prints the checked tree as SQL: every name quoted, every operation in parentheses.
import { printExpression, printOrders, printWindow, quoteName, windowName } from "./print-expression.ts";
import type { Query, Select, Selected, SetPart, Source, TableName } from "./tree.ts";

/** The spelling of a table as it was granted; the same table when the statement spells it like that. */
export type Spelling = (table: TableName) => TableName;

export function printSql(query: Query, spelling: Spelling = (table) => table): string {
  const print = (nested: Query): string => printSql(nested, spelling);
  const ctes = query.with.map(({ name, columns, query: nested }) => {
    const list = columns.length > 0 ? ` (${columns.map(quoteName).join(", ")})` : "";
    return `${quoteName(name)}${list} AS (${print(nested)})`;
  });
  const clauses = [
    ctes.length > 0 ? `WITH ${query.recursive ? "RECURSIVE " : ""}${ctes.join(", ")}` : "",
    ...query.parts.map((part) => printPart(part, print, spelling)),
    printOrders(query.orderBy, print),
    printLimit(query),
  ];
  return clauses.filter((clause) => clause !== "").join(" ");
}

function printPart(part: SetPart, print: (query: Query) => string, spelling: Spelling): string {
  const select = printSelect(part.select, print, spelling);
  return (part.operator ? `${part.operator} ` : "") + (part.parentheses ? `(${select})` : select);
}

function printSelect(select: Select, print: (query: Query) => string, spelling: Spelling): string {
  const expression = (value: Parameters<typeof printExpression>[0]): string => printExpression(value, print);
  const groups = select.groupBy.map(expression).join(", ");
  const windows = select.windows.map(({ name, window }) => `${windowName(name)} AS ${printWindow(window, print)}`);
  const clauses = [
    `SELECT ${select.distinct ? "DISTINCT " : ""}${select.columns.map((column) => printSelected(column, print)).join(", ")}`,
    select.from.length > 0 ? `FROM ${select.from.map((source) => printSource(source, print, spelling)).join("")}` : "",
    select.where ? `WHERE ${expression(select.where)}` : "",
    groups ? `GROUP BY ${groups}${select.rollup ? " WITH ROLLUP" : ""}` : "",
    select.having ? `HAVING ${expression(select.having)}` : "",
    windows.length > 0 ? `WINDOW ${windows.join(", ")}` : "",
    printOrders(select.orderBy, print),
    printLimit(select),
  ];
  return clauses.filter((clause) => clause !== "").join(" ");
}

function printSelected(selected: Selected, print: (query: Query) => string): string {
  if (selected.kind === "star") return [...selected.path.map(quoteName), "*"].join(".");
  return printExpression(selected.value, print) + (selected.alias === null ? "" : ` AS ${quoteName(selected.alias)}`);
}

function printSource(source: Source, print: (query: Query) => string, spelling: Spelling): string {
  const join = source.join === null ? "" : source.join === "," ? ", " : ` ${source.join} `;
  const on = source.on ? ` ON ${printExpression(source.on, print)}` : "";
  const using = source.using.length > 0 ? ` USING (${source.using.map(quoteName).join(", ")})` : "";
  return join + printFrom(source, print, spelling) + on + using;
}

function printFrom({ from, alias }: Source, print: (query: Query) => string, spelling: Spelling): string {
  const named = alias === null ? "" : ` AS ${quoteName(alias)}`;
  if (from.kind === "dual") return `DUAL${named}`;
  if (from.kind === "query") return `(${print(from.query)})${named}`;
  const { database, table } = spelling(from.table);
  const path = [database, table].filter((name) => name !== null).map(quoteName);
  // The rest of the statement uses the spelling of its writer.
  const renamed = alias === null && table !== from.table.table ? ` AS ${quoteName(from.table.table)}` : named;
  return path.join(".") + renamed;
}

function printLimit({ limit }: Pick<Query, "limit">): string {
  if (limit === null) return "";
  return `LIMIT ${limit.count}${limit.offset === null ? "" : ` OFFSET ${limit.offset}`}`;
}
