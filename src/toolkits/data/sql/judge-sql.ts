// Decides whether a statement of MySQL (with the sql_mode SQL_MODE) or Postgres reads only what it may. The check is
// pure and refuses every form that it does not understand.
import { checkNames, withoutDatabase } from "./check-names.ts";
import { createGrants, type GrantOptions } from "./grants.ts";
import { parseSql } from "./parse.ts";
import { checkPostgres } from "./postgres/check-postgres.ts";
import { printSql } from "./print-sql.ts";
import { type RefusalCode, SqlRefusal } from "./refusal.ts";

export type JudgeSqlOptions = GrantOptions & {
  readonly dialect: "mysql" | "postgres";
  /**
   * For Postgres: the only columns that may be read as `table.column`, because any other such name may be a function
   * call on the whole row. Without a list, such names are refused only if columns are masked.
   */
  readonly columns?: readonly string[] | undefined;
};

export type SqlVerdict =
  /** `sql` is printed from the checked tree. Send this text, never the original. */
  | { readonly verdict: "allow"; readonly code: "allowed"; readonly reason: string; readonly sql: string }
  | { readonly verdict: "refuse"; readonly code: RefusalCode; readonly reason: string };

export function judgeSql(sql: string, options: JudgeSqlOptions): SqlVerdict {
  if (options.dialect !== "mysql" && options.dialect !== "postgres")
    return refused("not_understood", "The dialect is not supported.");
  try {
    const printed = options.dialect === "mysql" ? checkMysql(sql, options) : checkPostgres(sql, options);
    return { verdict: "allow", code: "allowed", reason: "The statement only reads what is granted.", sql: printed };
  } catch (error) {
    if (error instanceof SqlRefusal) return refused(error.code, error.message);
    // A long chain of operators is parsed as deeply as nested parentheses, and may exhaust the stack.
    if (error instanceof RangeError)
      return refused("too_long", "The statement has too many operations in one expression.");
    throw error;
  }
}

/** Returns the statement to send, or throws a refusal. */
function checkMysql(sql: string, options: JudgeSqlOptions): string {
  const query = parseSql(sql);
  const spellings = checkNames(query, createGrants(options));
  return printSql(query, { table: (table) => spellings.get(table) ?? table, column: withoutDatabase });
}

const refused = (code: RefusalCode, reason: string): SqlVerdict => ({ verdict: "refuse", code, reason });
