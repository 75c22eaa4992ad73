// Reads the tables of a source that are granted, and finds one of them by name.
import type { NamedSource, TableInfo } from "../../ports/data/data-source.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { ToolContext } from "../../tools/define-tool.ts";
import { SYSTEM_SCHEMAS } from "./sql/functions.ts";
import { createGrants, type Grants } from "./sql/grants.ts";

export const grantsOf = ({ tables, masked, database }: NamedSource): Grants =>
  createGrants({ masked, database, tables: tables ?? undefined });

export async function readGrantedTables(
  source: NamedSource,
  context: ToolContext,
): Promise<Result<readonly TableInfo[]>> {
  const named = (source.tables ?? []).flatMap((entry) => (entry.includes(".") ? (entry.split(".")[0] ?? []) : []));
  const databases = [...new Set([source.database, ...named])].filter((name) => !SYSTEM_SCHEMAS.has(name.toLowerCase()));
  const { timeout_ms } = source;
  const found = await source.source.tables(databases, { max_rows: 1, timeout_ms, signal: context.signal });
  if (!found.ok) return found;
  const grants = grantsOf(source);
  return ok(found.value.filter((table) => grants.isGranted(table)));
}

/** The name as a statement would write it. */
export const shownName = (source: NamedSource, { database, table }: TableInfo): string =>
  database === source.database ? table : `${database}.${table}`;

export function findTable(source: NamedSource, tables: readonly TableInfo[], name: string): TableInfo | undefined {
  const matches = (table: TableInfo, fold: (text: string) => string): boolean =>
    [shownName(source, table), `${table.database}.${table.table}`].some((shown) => fold(shown) === fold(name));
  return (
    tables.find((table) => matches(table, (text) => text)) ??
    tables.find((table) => matches(table, (text) => text.toLowerCase()))
  );
}
