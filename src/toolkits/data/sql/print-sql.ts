// Prints the checked tree as SQL, with every name quoted and every operation in parentheses.
import {
  type Printer,
  printExpression,
  printOrders,
  printWindow,
  quoteName,
  type Spelling,
  windowName,
} from "./print-expression.ts";
import type { Query, Select, Selected, SetPart, Source } from "./tree.ts";

const AS_WRITTEN: Spelling = { table: (table) => table, column: (path) => path };

export function printSql(query: Query, spelling: Spelling = AS_WRITTEN): string {
  const print: Printer = { ...spelling, query: (nested) => printSql(nested, spelling) };
  const ctes = query.with.map(({ name, columns, query: nested }) => {
    const list = columns.length > 0 ? ` (${columns.map(quoteName).join(", ")})` : "";
    return `${quoteName(name)}${list} AS (${print.query(nested)})`;
  });
  const clauses = [
    ctes.length > 0 ? `WITH ${query.recursive ? "RECURSIVE " : ""}${ctes.join(", ")}` : "",
    ...query.parts.map((part) => printPart(part, print)),
    printOrders(query.orderBy, print),
    printLimit(query),
  ];
  return clauses.filter((clause) => clause !== "").join(" ");
}

function printPart(part: SetPart, print: Printer): string {
  const select = printSelect(part.select, print);
  return (part.operator ? `${part.operator} ` : "") + (part.parentheses ? `(${select})` : select);
}

function printSelect(select: Select, print: Printer): string {
  const expression = (value: Parameters<typeof printExpression>[0]): string => printExpression(value, print);
  const groups = select.groupBy.map(expression).join(", ");
  const windows = select.windows.map(({ name, window }) => `${windowName(name)} AS ${printWindow(window, print)}`);
  const clauses = [
    `SELECT ${select.distinct ? "DISTINCT " : ""}${select.columns.map((column) => printSelected(column, print)).join(", ")}`,
    select.from.length > 0 ? `FROM ${select.from.map((source) => printSource(source, print)).join("")}` : "",
    select.where ? `WHERE ${expression(select.where)}` : "",
    groups ? `GROUP BY ${groups}${select.rollup ? " WITH ROLLUP" : ""}` : "",
    select.having ? `HAVING ${expression(select.having)}` : "",
    windows.length > 0 ? `WINDOW ${windows.join(", ")}` : "",
    printOrders(select.orderBy, print),
    printLimit(select),
  ];
  return clauses.filter((clause) => clause !== "").join(" ");
}

function printSelected(selected: Selected, print: Printer): string {
  if (selected.kind === "star") {
    const path = print.column([...selected.path, ""]).slice(0, -1);
    return [...path.map(quoteName), "*"].join(".");
  }
  return printExpression(selected.value, print) + (selected.alias === null ? "" : ` AS ${quoteName(selected.alias)}`);
}

function printSource(source: Source, print: Printer): string {
  const join = source.join === null ? "" : source.join === "," ? ", " : ` ${source.join} `;
  const on = source.on ? ` ON ${printExpression(source.on, print)}` : "";
  const using = source.using.length > 0 ? ` USING (${source.using.map(quoteName).join(", ")})` : "";
  return join + printFrom(source, print) + on + using;
}

function printFrom({ from, alias }: Source, print: Printer): string {
  const named = alias === null ? "" : ` AS ${quoteName(alias)}`;
  if (from.kind === "dual") return `DUAL${named}`;
  if (from.kind === "query") return `(${print.query(from.query)})${named}`;
  const { database, table } = print.table(from.table);
  const path = [database, table].filter((name) => name !== null).map(quoteName);
  // The rest of the statement refers to the table by its original spelling, so that spelling becomes the alias.
  const renamed = alias === null && table !== from.table.table ? ` AS ${quoteName(from.table.table)}` : named;
  return path.join(".") + renamed;
}

function printLimit({ limit }: Pick<Query, "limit">): string {
  if (limit === null) return "";
  return `LIMIT ${limit.count}${limit.offset === null ? "" : ` OFFSET ${limit.offset}`}`;
}
