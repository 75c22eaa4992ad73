// Reads MySQL and MariaDB. Each statement uses its own connection, so no session state passes from one caller to the
// next.
import { type Connection, createConnection } from "mysql2";
import { type DataSource, type ReadOptions, type Rows, SQL_MODE } from "../../ports/data/data-source.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { failed } from "./failures.ts";
import type { MysqlAddress } from "./mysql-url.ts";
import { readRows } from "./read-rows.ts";
import { readTables } from "./read-tables.ts";

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
