// Maps errors of the database to problems. The server's messages can name its users and hosts, so only messages about
// the statement are shown.
import { type Failed, fail } from "../../schema/problem.ts";

// Errors about the names, the grouping or the values in a statement.
const ABOUT_THE_STATEMENT = new Set([
  "ER_BAD_FIELD_ERROR",
  "ER_NO_SUCH_TABLE",
  "ER_NON_UNIQ_ERROR",
  "ER_WRONG_FIELD_WITH_GROUP",
  "ER_INVALID_GROUP_FUNC_USE",
  "ER_MIX_OF_GROUP_FUNC_AND_FIELDS",
  "ER_OPERAND_COLUMNS",
  "ER_SUBQUERY_NO_1_ROW",
  "ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT",
  "ER_DUP_FIELDNAME",
  "ER_NONUNIQ_TABLE",
  "ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT",
  "ER_PARSE_ERROR",
  "ER_SP_DOES_NOT_EXIST",
  "ER_DATA_OUT_OF_RANGE",
  "ER_TOO_MANY_TABLES",
  "ER_CANT_AGGREGATE_2COLLATIONS",
  "ER_UNKNOWN_COLLATION",
  "ER_COLLATION_CHARSET_MISMATCH",
]);
// The SQLSTATE classes of data exceptions, cardinality violations, and syntax errors or missing privileges. The
// messages of these errors may name users, hosts or values.
const REFUSED_BY_THE_SERVER = /^(?:21|22|42)/;
const TIMEOUTS = new Set(["ER_STATEMENT_TIMEOUT", "ER_QUERY_TIMEOUT", "ER_QUERY_INTERRUPTED"]);
// The driver has no names for some MariaDB errors, such as 1969, which reports that max_statement_time was exceeded.
const TIMEOUT_NUMBERS = new Set([1969, 3024, 1317]);

export function failed(error: unknown, aborted: boolean): Failed {
  if (!(error instanceof Error)) throw error;
  const {
    code = "",
    errno = 0,
    sqlMessage = "",
    sqlState = "",
  } = error as Error & Partial<Record<"code" | "sqlMessage" | "sqlState", string>> & { errno?: number };
  if (aborted) return fail("query_failed", "The query was stopped.", { reason: "aborted" });
  if (TIMEOUTS.has(code) || TIMEOUT_NUMBERS.has(errno)) {
    return fail("query_failed", "The query took too long and was stopped.", { reason: "timeout" });
  }
  if (ABOUT_THE_STATEMENT.has(code)) return fail("query_failed", sqlMessage, { reason: "statement" });
  if (REFUSED_BY_THE_SERVER.test(sqlState) && !code.includes("DENIED")) {
    return fail("query_failed", "The database does not accept the statement.", { reason: "statement" });
  }
  return fail("query_failed", "The database cannot be read at the moment.", { reason: "connection" });
}
