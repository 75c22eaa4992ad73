// Checks a Postgres statement and prints it. The statement is parsed as the SQL that both dialects share. This file
// refuses forms that only MySQL has or that Postgres would read differently.
import { checkNames, type DialectRules, type Visible, withoutDatabase } from "../check-names.ts";
import { words } from "../functions.ts";
import { createGrants, type GrantOptions } from "../grants.ts";
import { lex } from "../lex.ts";
import { notUnderstood } from "../node.ts";
import { parseTokens } from "../parse.ts";
import { printSql } from "../print-sql.ts";
import { refuse } from "../refusal.ts";
import type { Expression, Select, TableName } from "../tree.ts";
import { lexPostgres } from "./lex-postgres.ts";
import { toSharedForm } from "./shared-form.ts";
import { POSTGRES_TYPES } from "./types.ts";
import { writePostgres } from "./write-postgres.ts";

/** None of these functions writes, waits, locks, reads a file or a setting, or builds a large value from a small one. */
const FUNCTIONS = words(`
  abs ceil ceiling floor round trunc sign mod power sqrt exp ln log pi random greatest least degrees radians sin cos tan
  lower upper length char_length character_length octet_length substring substr left right position strpos split_part replace
  reverse trim ltrim rtrim btrim initcap ascii concat concat_ws md5 starts_with
  nullif coalesce now current_date current_time current_timestamp date_trunc date_part age timezone justify_days justify_hours justify_interval to_char to_date to_timestamp to_number
  make_date make_timestamp date_bin width_bucket cbrt
  array_length cardinality array_to_string json_build_object jsonb_build_object
  json_extract_path_text jsonb_extract_path_text json_array_length jsonb_array_length json_typeof jsonb_typeof
  count sum avg min max stddev stddev_pop stddev_samp var_pop var_samp variance bool_and bool_or every string_agg array_agg
  json_agg jsonb_agg json_object_agg jsonb_object_agg corr covar_pop covar_samp regr_slope regr_intercept regr_r2 percentile_cont percentile_disc nulls_first nulls_last distinct_on
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
`);
const OPERATORS: ReadonlySet<string> = new Set([
  ...words("= < > <= >= <> <=> IS REGEXP LIKE AND OR + - * / % -> ->> & | << >>"),
  ...["IS NOT", "NOT LIKE"],
]);
const SHARED_TYPE = /^(?:DATE|TIME|INT|INTEGER|FLOAT|JSON|DECIMAL(?:\(\d+(?:, \d+)?\))?)$/;
const isType = (type: string): boolean => SHARED_TYPE.test(type) || POSTGRES_TYPES.has(type.toLowerCase());
const UNIT = /^(?:SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)$/;
const HIDDEN_COLUMNS = words("ctid xmin xmax cmin cmax tableoid oid");
const SYSTEM = /^(?:pg_|information_schema$)/i;

export type PostgresOptions = GrantOptions & { readonly columns?: readonly string[] | undefined };

export function checkPostgres(sql: string, options: PostgresOptions): string {
  const tokens = toSharedForm(lexPostgres(sql));
  if (tokens.some(({ kind }, at) => kind === "string" && /^as$/.test(tokens[at - 1]?.text ?? "")))
    refuse("literal_not_allowed", "An alias is written in double quotes.");
  const query = parseTokens(tokens, { functions: FUNCTIONS, types: POSTGRES_TYPES });
  const schema = options.database ?? "public";
  const grants = createGrants({ ...options, database: schema });
  const spellings = checkNames(query, grants, postgresRules(options));
  const spelling = (table: TableName): TableName => {
    const spelled = spellings.get(table);
    // The schema is always printed. Without it, the search_path would decide which table is meant.
    return spelled ? { ...spelled, database: spelled.database ?? schema } : table;
  };
  return writePostgres(lex(printSql(query, { table: spelling, column: withoutDatabase })));
}

const postgresRules = (options: PostgresOptions): DialectRules => ({
  select: checkSelect,
  expression: (value, sources) => checkExpression(value, sources, options),
});

function checkSelect({ from }: Select): void {
  for (const { from: source } of from) {
    if (source.kind === "dual") notUnderstood("DUAL");
    if (source.kind !== "table") continue;
    const { database, table } = source.table;
    // Tables such as pg_class need no schema, because pg_catalog is always searched.
    if (SYSTEM.test(table) || SYSTEM.test(database ?? ""))
      refuse("system_schema", "The system schemas of the server are not readable.");
  }
}

function checkExpression(value: Expression, sources: readonly Visible[], options: PostgresOptions): void {
  if (value.kind === "column") checkColumn(value.path, sources, options);
  const foreign = unsupportedPart(value);
  if (foreign !== null) notUnderstood(foreign);
}

/** The part of an expression that Postgres does not have or writes differently, or null if there is none. */
function unsupportedPart(value: Expression): string | null {
  switch (value.kind) {
    case "binary":
      return OPERATORS.has(value.operator) ? null : `the operator ${value.operator}`;
    case "cast":
      return value.word === "CAST" && isType(value.type) ? null : `CAST AS ${value.type}`;
    case "extract":
      return UNIT.test(value.unit) ? null : value.unit;
    case "interval":
      return value.value.kind === "number" && UNIT.test(value.unit) ? null : "INTERVAL";
    case "call":
      return value.call.unit === null && value.call.separator === null ? null : value.call.name;
    default:
      return null;
  }
}

function checkColumn(path: readonly string[], sources: readonly Visible[], options: PostgresOptions): void {
  const [column = "", qualifier] = [...path].reverse();
  const lower = column.toLowerCase();
  if (HIDDEN_COLUMNS.has(lower) || SYSTEM.test(column))
    refuse("system_schema", "System columns and functions are not readable.");
  if (path.length > 2) notUnderstood("a column with a schema; name the table only");
  if (qualifier === undefined) {
    // In Postgres, the name of a table also denotes its whole row with every column.
    if (sources.some(({ alias }) => alias.toLowerCase() === lower))
      refuse("column_masked", `${column} is the name of a table: name its columns.`);
    return;
  }
  const meant = sources.filter(({ alias }) => alias.toLowerCase() === qualifier.toLowerCase());
  const isDerived = meant.length > 0 && meant.every(({ table }) => table === null);
  const hasMasks = (options.masked ?? []).length > 0;
  if ((hasMasks || options.columns) && !isDerived && !options.columns?.some((name) => name.toLowerCase() === lower))
    refuse("column_masked", `${column} is not among the columns that may be read with the name of their table.`);
}
