// Checks every table and column name of a statement. If a name is ambiguous, every meaning must be allowed.
import { checkSchema, type Grants } from "./grants.ts";
import { refuse } from "./refusal.ts";
import type { Expression, Query, Select, Source, TableName } from "./tree.ts";
import { partsOf, partsOfWindow } from "./walk.ts";

/** `table` is null for a derived table or a CTE, because its statement is checked separately. */
export type Visible = { readonly alias: string; readonly table: TableName | null };
type Scope = { readonly ctes: ReadonlySet<string>; readonly sources: readonly Visible[] };

/** Additional refusals of a dialect. `sources` are the tables, derived tables and CTEs that are visible at that point. */
export type DialectRules = {
  readonly select: (select: Select) => void;
  readonly expression: (value: Expression, sources: readonly Visible[]) => void;
};

/** Checks the names and returns the granted spelling of each table. */
export function checkNames(query: Query, grants: Grants, rules?: DialectRules): ReadonlyMap<TableName, TableName> {
  const spellings = new Map<TableName, TableName>();
  const visitQuery = (nested: Query, outer: Scope): void => {
    const ctes = new Set(outer.ctes);
    for (const cte of nested.with) {
      // A CTE that is not recursive may read a table with its own name.
      const visible = nested.recursive ? new Set([...ctes, cte.name]) : new Set(ctes);
      visitQuery(cte.query, { ctes: visible, sources: outer.sources });
      ctes.add(cte.name);
    }
    const scope = { ctes, sources: outer.sources };
    const scopes = nested.parts.map(({ select }) => visitSelect(select, scope));
    const all = { ctes, sources: scopes.flatMap(({ sources }) => sources) };
    for (const { value } of nested.orderBy) visit(value, all);
    // Without parentheses, the ORDER BY of the last SELECT belongs to the whole union.
    for (const { value } of nested.parts.at(-1)?.select.orderBy ?? []) visit(value, all);
  };

  const visitSelect = (select: Select, outer: Scope): Scope => {
    rules?.select(select);
    const own = select.from.map((source) => visitSource(source, outer));
    const scope = { ctes: outer.ctes, sources: [...outer.sources, ...own.filter((source) => source !== null)] };
    for (const column of select.columns) {
      if (column.kind === "column") visit(column.value, scope);
      else checkStar(column.path, scope, grants);
    }
    for (const { on, using } of select.from) {
      if (on) visit(on, scope);
      for (const name of using) checkColumn([name], scope, grants);
    }
    for (const value of expressionsOf(select)) visit(value, scope);
    return scope;
  };

  const visitSource = ({ from, alias }: Source, outer: Scope): Visible | null => {
    if (from.kind === "dual") return null;
    if (from.kind === "query") {
      visitQuery(from.query, outer);
      return { alias: alias ?? "", table: null };
    }
    const name = alias ?? from.table.table;
    if (from.table.database === null && outer.ctes.has(from.table.table)) return { alias: name, table: null };
    spellings.set(from.table, grants.table(from.table));
    return { alias: name, table: from.table };
  };

  const visit = (value: Expression, scope: Scope): void => {
    rules?.expression(value, scope.sources);
    if (value.kind === "column") checkColumn(value.path, scope, grants);
    const { expressions, queries } = partsOf(value);
    for (const part of expressions) visit(part, scope);
    for (const nested of queries) visitQuery(nested, scope);
  };

  visitQuery(query, { ctes: new Set(), sources: [] });
  return spellings;
}

const expressionsOf = (select: Select): readonly Expression[] => [
  ...[select.where, select.having].filter((value) => value !== null),
  ...select.groupBy,
  ...select.windows.flatMap(({ window }) => partsOfWindow(window)),
  ...select.orderBy.map(({ value }) => value),
];

function checkStar(path: readonly string[], { sources }: Scope, grants: Grants): void {
  checkDatabase([...path].reverse(), sources, grants);
  if (grants.masks) refuse("column_masked", "* is not allowed on a source with masked columns: name the columns.");
}

function checkColumn(path: readonly string[], scope: Scope, grants: Grants): void {
  const [column = "", qualifier, database] = [...path].reverse();
  checkDatabase([qualifier, database], scope.sources, grants);
  if (grants.isMasked(column, candidates(qualifier, scope)))
    refuse("column_masked", `The column ${column} is masked and cannot be used, not even in a condition.`);
}

/**
 * Refuses `db.table.column` unless the statement reads that table in that database, because some versions of MariaDB
 * crash on such names.
 */
function checkDatabase(
  [qualifier, database]: readonly (string | undefined)[],
  sources: readonly Visible[],
  grants: Grants,
): void {
  if (database === undefined) return;
  checkSchema(database);
  const named = sources.filter(({ alias }) => alias.toLowerCase() === qualifier?.toLowerCase());
  if (!named.some(({ table }) => table && grants.mayBeIn(table, database)))
    refuse("table_not_granted", `The statement does not read from ${database}.${qualifier}.`);
}

/** `checkNames` has already checked that the table which the column names is in the statement. */
export const withoutDatabase = (path: readonly string[]): readonly string[] => path.slice(-2);

/** The tables that a column may belong to, including tables with shadowed names. */
function candidates(qualifier: string | undefined, { sources }: Scope): readonly TableName[] {
  const same = sources.filter(({ alias }) => alias.toLowerCase() === qualifier?.toLowerCase());
  // The server refuses an unknown qualifier anyway. Here, it may stand for any table.
  const meant = qualifier === undefined || same.length === 0 ? sources : same;
  return meant.map(({ table }) => table).filter((table) => table !== null);
}
