// Reads MySQL and MariaDB. Each statement uses its own connection, so no session state passes from one caller to the
// next.
import { type Connection, createConnection } from "mysql2";
import {
  type Cell,
  type DataSource,
  type ReadOptions,
  type Rows,
  SQL_MODE,
  type TableInfo,
} from "../../ports/data/data-source.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import type { MysqlAddress } from "./mysql-url.ts";
import { readRows } from "./read-rows.ts";

const CONNECT_TIMEOUT_MS = 5_000;

export function createMysqlSource(address: MysqlAddress): DataSource {
  const inSession = async <T>(
    options: ReadOptions,
    work: (connection: Connection) => Promise<T>,
  ): Promise<Result<T>> => {
    const connection = connect(address);
    const stop = (): void => connection.destroy();
    options.signal?.addEventListener("abort", stop, { once: true });
    // The server stops a slow statement itself; this timer ends the wait for a server that does not answer.
    const timer = setTimeout(stop, options.timeout_ms + CONNECT_TIMEOUT_MS);
    try {
      await prepareSession(connection, options.timeout_ms);
      return ok(await work(connection));
    } catch (error) {
      return failed(error, options.signal?.aborted === true);
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", stop);
      // No COMMIT is needed, because the server rolls back when the connection ends.
      connection.destroy();
    }
  };
  return {
    read: (sql, options) => inSession(options, (connection): Promise<Rows> => readRows(connection, sql, options)),
    tables: (databases, options) => inSession(options, (connection) => readTables(connection, databases)),
  };
}

function connect({ ssl, ...address }: MysqlAddress): Connection {
  const connection = createConnection({
    ...address,
    ...(ssl ? { ssl: {} } : {}),
    charset: "utf8mb4",
    connectTimeout: CONNECT_TIMEOUT_MS,
    multipleStatements: false,
    // LOCAL INFILE is disabled, because with it the server could request files from this machine.
    flags: ["-LOCAL_FILES"],
    infileStreamFactory: () => {
      throw new Error("Local files are not sent.");
    },
    dateStrings: true,
    supportBigNumbers: true,
    /* JSON and binary values are text, not objects of this process. */
    jsonStrings: true,
  });
  // The pending statement receives the error, but without a listener the error would end the process.
  connection.on("error", () => undefined);
  return connection;
}

async function prepareSession(connection: Connection, timeoutMs: number): Promise<void> {
  const [[version = ""] = []] = (await readRows(connection, "SELECT VERSION()", { max_rows: 1 })).rows;
  const limit = /mariadb/i.test(String(version))
    ? `max_statement_time = ${timeoutMs / 1_000}`
    : `max_execution_time = ${timeoutMs}`;
  // Overrides the character set that init_connect or the server has chosen. Escaping is unsafe in GBK or Shift JIS,
  // where a backslash can be the second half of a character.
  await readRows(connection, "SET NAMES utf8mb4", { max_rows: 1 });
  await readRows(connection, `SET SESSION sql_mode = '${SQL_MODE}', ${limit}`, { max_rows: 1 });
  await readRows(connection, "START TRANSACTION READ ONLY", { max_rows: 1 });
}

// Errors about the names, the grouping or the values in a statement.
const STATEMENT_ERRORS = new Set([
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
const REFUSAL_CLASSES = /^(?:21|22|42)/;
const TIMEOUTS = new Set(["ER_STATEMENT_TIMEOUT", "ER_QUERY_TIMEOUT", "ER_QUERY_INTERRUPTED"]);
// The driver has no names for some MariaDB errors, such as 1969, which reports that max_statement_time was exceeded.
const TIMEOUT_NUMBERS = new Set([1969, 3024, 1317]);

/**
 * Maps errors of the database to problems. The server's messages can name its users and hosts, so only messages about
 * the statement are shown.
 */
function failed(error: unknown, aborted: boolean): Failed {
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
  if (STATEMENT_ERRORS.has(code)) return fail("query_failed", sqlMessage, { reason: "statement" });
  if (REFUSAL_CLASSES.test(sqlState) && !code.includes("DENIED")) {
    return fail("query_failed", "The database does not accept the statement.", { reason: "statement" });
  }
  return fail("query_failed", "The database cannot be read at the moment.", { reason: "connection" });
}

const MAX_ROWS = 50_000;
const MAX_BYTES = 64_000_000;

const TABLES = `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_COMMENT FROM information_schema.TABLES
  WHERE TABLE_SCHEMA IN (?) ORDER BY TABLE_SCHEMA, TABLE_NAME`;
const COLUMNS = `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT
  FROM information_schema.COLUMNS WHERE TABLE_SCHEMA IN (?) ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`;
const INDEXES = `SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, NON_UNIQUE, COLUMN_NAME
  FROM information_schema.STATISTICS WHERE TABLE_SCHEMA IN (?) ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`;
const FOREIGN_KEYS = `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
  FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA IN (?) AND REFERENCED_TABLE_NAME IS NOT NULL
  ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`;

type Row = readonly Cell[];
const text = (cell: Cell | undefined): string => String(cell ?? "");

/** Reads the server's metadata about its tables. Tables and columns are read separately because both have comments. */
async function readTables(connection: Connection, databases: readonly string[]): Promise<readonly TableInfo[]> {
  const read = async (sql: string): Promise<ReadonlyMap<string, readonly Row[]>> => {
    const { rows } = await readRows(connection, sql, { max_rows: MAX_ROWS, max_bytes: MAX_BYTES, values: [databases] });
    return Map.groupBy(rows, ([database, table]) => `${database}.${table}`);
  };
  const tables = await read(TABLES);
  const columns = await read(COLUMNS);
  const indexes = await read(INDEXES);
  const keys = await read(FOREIGN_KEYS);
  return [...tables].flatMap(([id, [row]]) => {
    if (!row) return [];
    return {
      database: text(row[0]),
      table: text(row[1]),
      comment: text(row[2]),
      columns: (columns.get(id) ?? []).map(([, , name, type, nullable, comment]) => ({
        name: text(name),
        type: text(type),
        nullable: nullable === "YES",
        comment: text(comment),
      })),
      indexes: readIndexes(indexes.get(id) ?? []),
      foreign_keys: (keys.get(id) ?? []).map(([, , column, table, referenced]) => ({
        column: text(column),
        references: `${text(table)}.${text(referenced)}`,
      })),
    };
  });
}

const readIndexes = (rows: readonly Row[]): TableInfo["indexes"] =>
  [...Map.groupBy(rows, ([, , name]) => text(name))].map(([name, parts]) => ({
    name,
    unique: String(parts[0]?.[3]) === "0",
    columns: parts.map((part) => text(part[4])),
  }));
