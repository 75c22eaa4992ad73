import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findMariadb } from "../../../scripts/mariadb.ts";
import { createMysqlSource } from "../../../src/adapters/data-mysql/mysql-source.ts";
import { openDataSources } from "../../../src/hosts/node/data-sources.ts";
import { type DataAttempt, type DataSources, SQL_MODE } from "../../../src/ports/data/data-source.ts";
import { DataSourceConfig } from "../../../src/schema/toolkits/toolkit-config.ts";
import { judgeSql } from "../../../src/toolkits/data/sql/judge-sql.ts";
import { data } from "../../../src/toolkits/data/toolkit.ts";
import type { ToolContext } from "../../../src/tools/define-tool.ts";
import { type Mariadb, startMariadb } from "../../support/mariadb.ts";
import { ANALYTICS, SHOP_TABLES } from "./analytics.ts";
import { BLIND_OPTIONS, BLIND_QUERIES, BLIND_TABLES, OTHER_MASKED_VALUES } from "./blind-queries.ts";
import { FRESH_QUERIES } from "./fresh-queries.ts";
import { ORDINARY } from "./ordinary-queries.ts";
import { REPORTS } from "./reports.ts";

const server = findMariadb();
if (!server) console.log("MariaDB is not installed: run apt-get install mariadb-server to enable these tests.");

const PASSWORD = "s3cret@pass/word";
const USER = "reader_user";

describe.skipIf(!server)("the toolkit data on a real MariaDB", () => {
  let mariadb: Mariadb;
  let sources: DataSources;
  const attempts: DataAttempt[] = [];

  beforeAll(async () => {
    mariadb = await startMariadb(server ?? "");
    await mariadb.run(
      "CREATE DATABASE shop CHARACTER SET utf8mb4",
      `CREATE TABLE shop.orders (id INT PRIMARY KEY COMMENT 'number', tenantId INT, status VARCHAR(20), total DECIMAL(10,2),
        data JSON, created_at DATETIME, KEY by_tenant (tenantId, status)) COMMENT 'all orders'`,
      "CREATE TABLE shop.accounts (id INT PRIMARY KEY, name VARCHAR(50), ssn VARCHAR(20))",
      "CREATE TABLE shop.items (id INT PRIMARY KEY, order_id INT, FOREIGN KEY (order_id) REFERENCES shop.orders (id))",
      "CREATE TABLE shop.secrets (id INT)",
      `INSERT INTO shop.orders VALUES (1, 7, 'paid', 10.50, '{"a":1}', '2026-01-02 03:04:05'), (2, 7, 'it''s', 1, NULL, NULL),
        (3, 8, 'a\\b', 2, NULL, NULL)`,
      "INSERT INTO shop.accounts VALUES (1, 'Ann', '123-45'), (2, 'Bob', '678-90')",
      ...SHOP_TABLES,
      // The account may write, but the session must not.
      `CREATE USER ${USER}@'%' IDENTIFIED BY '${PASSWORD}'`,
      `GRANT ALL ON *.* TO ${USER}@'%'`,
    );
    const url = `mysql://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${mariadb.port}/shop`;
    const config = DataSourceConfig.parse({
      url_env: "SHOP_URL",
      description: "The shop",
      agents: ["analyst"],
      tables: ["orders", "accounts", "items"],
      masked: ["accounts.ssn"],
      limits: { max_rows: 50, timeout_ms: 1_000 },
    });
    const opened = openDataSources({ data_sources: { shop: config } }, { SHOP_URL: url }, (line) =>
      attempts.push(line),
    );
    if (!opened.ok || !opened.value) throw new Error("not opened");
    sources = opened.value;
  }, 90_000);
  afterAll(() => mariadb?.stop());

  const address = (): Parameters<typeof createMysqlSource>[0] => ({
    ...{ host: "127.0.0.1", port: mariadb.port, database: "shop", ssl: false },
    ...{ user: USER, password: PASSWORD },
  });
  const call = async (tool: string, input: unknown, agent = "analyst"): Promise<unknown> => {
    const found = data.tools({ data: sources } as never).find(({ manifest }) => manifest.name === tool);
    const context = { tenant: "t", thread: "thr_1", agent, now: Date.now, signal: new AbortController().signal };
    return found?.run(input, context as unknown as ToolContext);
  };
  const query = (sql: string, more: object = {}): Promise<unknown> =>
    call("mysql_query", { source: "shop", sql, ...more });

  test("lists sources without anything about the server", async () => {
    const listed = JSON.stringify(await call("mysql_list_sources", {}));
    expect(listed).toBe('[{"source":"shop","description":"The shop","masks_columns":true}]');
    expect(await call("mysql_list_sources", {}, "writer")).toEqual([]);
    expect(await call("mysql_query", { source: "shop", sql: "select 1" }, "writer")).toMatchObject({
      problem: { code: "source_not_found" },
    });
  });

  test("shows granted tables, with each comment where it belongs, and marks masked columns", async () => {
    expect(await call("mysql_schema", { source: "shop" })).toMatchObject({
      tables: [{ table: "accounts" }, { table: "items" }, { table: "orders", comment: "all orders" }],
    });
    const orders = await call("mysql_schema", { source: "shop", table: "ORDERS" });
    expect(orders).toMatchObject({
      details: {
        comment: "all orders",
        columns: [{ name: "id", comment: "number" }, { name: "tenantId", comment: "", masked: false }, {}, {}, {}, {}],
        primary_key: ["id"],
      },
    });
    expect(JSON.stringify(orders).split("all orders")).toHaveLength(2);
    expect(await call("mysql_schema", { source: "shop", table: "items" })).toMatchObject({
      details: { foreign_keys: [{ column: "order_id", references: "orders.id" }] },
    });
    const accounts = (await call("mysql_schema", { source: "shop", table: "accounts" })) as {
      details: { columns: { name: string; masked: boolean }[] };
    };
    expect(accounts.details.columns.find(({ name }) => name === "ssn")?.masked).toBe(true);
    expect(await call("mysql_schema", { source: "shop", table: "secrets" })).toMatchObject({
      problem: { code: "source_not_found" },
    });
  });

  test("samples rows without masked columns, in the spelling of the database", async () => {
    expect(await call("mysql_table_sample", { source: "shop", table: "accounts", rows: 1 })).toEqual({
      columns: ["id", "name"],
      rows: [[1, "Ann"]],
      truncated: false,
    });
    expect(await call("mysql_table_sample", { source: "shop", table: "orders" })).toMatchObject({
      columns: ["id", "tenantId", "status", "total", "data", "created_at"],
    });
  });

  test("answers queries, whatever the sql_mode of the server", async () => {
    expect(await query("select Orders.status s, sum(total) n from Orders group by s order by s;")).toEqual({
      columns: ["s", "n"],
      rows: [
        ["a\\b", "2.00"],
        ["it's", "1.00"],
        ["paid", "10.50"],
      ],
      truncated: false,
    });
    expect(await query("select id from orders where status = 'a\\\\b' or status = \"it's\" order by id")).toMatchObject(
      {
        rows: [[2], [3]],
      },
    );
  });

  test("every ordinary query of the list is syntax that the server understands", async () => {
    const broken: unknown[] = [];
    for (const sql of [...ORDINARY, ...REPORTS]) {
      const verdict = judgeSql(sql, { dialect: "mysql" });
      if (verdict.verdict === "refuse") throw new Error(sql);
      try {
        await mariadb.run("SET SESSION sql_mode = ''", "USE shop", `EXPLAIN ${verdict.sql}`);
      } catch (error) {
        // Errors about tables and columns that do not exist here, and about features of MySQL only, are not syntax
        // errors.
        const { code } = error as { code: string };
        if (!/ER_BAD_FIELD_ERROR|ER_NO_SUCH_TABLE|ER_BAD_TABLE/.test(code) && !/->|any_value/.test(sql))
          broken.push([code, verdict.sql]);
      }
    }
    expect(broken).toEqual([]);
  });

  test("the printed SQL returns the same rows as the statement", async () => {
    const queries = [...ANALYTICS, ...FRESH_QUERIES];
    const printed = queries.map((sql) => {
      const verdict = judgeSql(sql, { dialect: "mysql" });
      return verdict.verdict === "allow" ? verdict.sql : verdict.reason;
    });
    const rowsOf = async (statements: readonly string[]): Promise<unknown[]> => {
      const results = await mariadb.run(`SET SESSION sql_mode = '${SQL_MODE}'`, "USE shop", ...statements);
      // The name of a column without an alias is the text of its expression.
      return results.slice(2).map((rows) => (rows as object[]).map((row) => Object.values(row)));
    };
    expect(await rowsOf(printed)).toEqual(await rowsOf(queries));
  });

  test("no result of an allowed query depends on the values of masked columns and of tables that are not granted", async () => {
    await mariadb.run(...BLIND_TABLES);
    const source = createMysqlSource({ ...address(), database: "blind" });
    const statements = BLIND_QUERIES.filter((sql) => !/\bnow\(|curdate|current_|shop\./i.test(sql)).map((sql) => {
      const verdict = judgeSql(sql, { dialect: "mysql", ...BLIND_OPTIONS });
      if (verdict.verdict === "refuse") throw new Error(`${verdict.reason} ${sql}`);
      return verdict.sql;
    });
    const readAll = async (): Promise<unknown[]> => {
      const results: unknown[] = [];
      for (const sql of statements) {
        const read = await source.read(sql, { max_rows: 50, timeout_ms: 1_000 });
        // Rows that a statement does not sort may be returned in any order.
        results.push(read.ok ? read.value.rows.map((row) => JSON.stringify(row)).sort() : read.problem.details);
      }
      return results;
    };
    const first = await readAll();
    expect(first.filter((rows) => Array.isArray(rows) && rows.length > 0).length).toBeGreaterThan(80);
    await mariadb.run(...OTHER_MASKED_VALUES);
    expect(await readAll()).toEqual(first);
  }, 30_000);

  test("the session has its own character set, whatever the server sets for new connections", async () => {
    // In GBK the second byte of a character can be a backslash. The string would then continue, and its text would be
    // SQL.
    await mariadb.run(
      "SET GLOBAL init_connect = 'SET NAMES gbk'",
      `GRANT SELECT ON *.* TO plain@'%' IDENTIFIED BY 'p'`,
    );
    const plain = createMysqlSource({ ...address(), user: "plain", password: "p" });
    const verdict = judgeSql("select '中\\\\' as a, ', ssn as b from accounts -- ' as c from orders", {
      dialect: "mysql",
      tables: ["orders"],
    });
    const read = await plain.read(verdict.verdict === "allow" ? verdict.sql : "", { max_rows: 1, timeout_ms: 1_000 });
    await mariadb.run("SET GLOBAL init_connect = ''");
    expect(read).toMatchObject({ value: { rows: [["中\\", ", ssn as b from accounts -- "]] } });
  });

  test("stops at the limit of bytes: a short statement can make rows of any size", async () => {
    const wide = Array.from({ length: 100 }, (_, column) => `rpad('a', 2000, 'b') c${column}`).join(", ");
    const many = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 900) select ${wide} from n`;
    const verdict = judgeSql(many, { dialect: "mysql" });
    const source = createMysqlSource(address());
    const read = await source.read(verdict.verdict === "allow" ? verdict.sql : "", {
      max_rows: 900,
      timeout_ms: 5_000,
    });
    if (!read.ok) throw new Error(read.problem.message);
    expect(read.value.truncated).toBe(true);
    expect(read.value.rows.length).toBeGreaterThan(10);
    expect(JSON.stringify(read.value.rows).length).toBeLessThan(9_000_000);
  }, 20_000);

  test("stops at the limit of rows, also with a larger LIMIT", async () => {
    const many =
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 900) select i from n limit 800";
    expect(await query(many)).toMatchObject({ truncated: true, rows: { length: 50 } });
    expect(await query(many, { max_rows: 3 })).toMatchObject({ truncated: true, rows: { length: 3 } });
  });

  test("stops at the limit of time", async () => {
    const slow = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
      select count(*) from n a, n b, n c, n d where a.i + b.i + c.i + d.i = 5`;
    expect(await query(slow)).toMatchObject({ problem: { code: "query_failed", details: { reason: "timeout" } } });
  }, 20_000);

  test("reports errors of the statement, and nothing about the server", async () => {
    expect(await query("select nothing from orders")).toMatchObject({ problem: { details: { reason: "statement" } } });
    expect(await query("select any_value(id) from orders")).toMatchObject({
      problem: { details: { reason: "statement" } },
    });
    const wrong = createMysqlSource({ ...address(), password: "wrong" });
    const refused = await wrong.read("SELECT 1", { max_rows: 1, timeout_ms: 1_000 });
    expect(refused).toMatchObject({ problem: { code: "query_failed", details: { reason: "connection" } } });
    expect(JSON.stringify(refused)).not.toMatch(/reader_user|127\.0\.0\.1|wrong/);
  });

  test("the session itself refuses to write, although the account may", async () => {
    const [named] = sources.sources;
    const written = await named?.source.read("DELETE FROM shop.orders", { max_rows: 1, timeout_ms: 1_000 });
    expect(written).toMatchObject({ ok: false });
    expect(await query("select count(*) from orders")).toMatchObject({ rows: [[3]] });
  });

  test("writes one audit line per attempt, without statement and values", async () => {
    attempts.length = 0;
    await query("select id from orders where status = 'paid'");
    await query("select ssn from accounts where ssn = '123-45'");
    await query("update orders set total = 0");
    expect(attempts.map(({ tool, source, agent, code, rows }) => [tool, source, agent, code, rows])).toEqual([
      ["mysql_query", "shop", "analyst", "allowed", 1],
      ["mysql_query", "shop", "analyst", "column_masked", null],
      ["mysql_query", "shop", "analyst", "not_read_only", null],
    ]);
    expect(JSON.stringify(attempts)).not.toMatch(/paid|123-45|ssn|update/);
  });
});
