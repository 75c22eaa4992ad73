// Tests the guard for Postgres as a pure function: every attack is refused, and ordinary queries of the shared subset
// pass.
import postgresql from "node-sql-parser/build/postgresql.js";
import { describe, expect, test } from "vitest";
import { type JudgeSqlOptions, judgeSql } from "../../../src/toolkits/data/sql/judge-sql.ts";
import { BLIND_POSTGRES } from "./blind-attacks-postgres.ts";
import { BLIND_OPTIONS } from "./blind-queries.ts";
import { POSTGRES_ATTACKS } from "./postgres-attacks.ts";

const SOURCE: JudgeSqlOptions = {
  dialect: "postgres",
  tables: ["orders", "customers"],
  masked: ["ssn"],
  columns: ["id", "status", "total", "created", "customer_id", "note"],
};

describe.each(Object.entries(POSTGRES_ATTACKS))("%s", (_what, attacks) => {
  test.each(attacks)("%j is refused", (sql) => {
    expect(judgeSql(sql, SOURCE).verdict).toBe("refuse");
  });
});

test("refuses the attacks that were written without knowledge of the guard", () => {
  const { tables, masked } = BLIND_OPTIONS;
  const options: JudgeSqlOptions = { dialect: "postgres", tables, masked, columns: ["id", "region"] };
  expect(BLIND_POSTGRES.length).toBeGreaterThanOrEqual(140);
  expect(BLIND_POSTGRES.filter((sql) => judgeSql(sql, options).verdict === "allow")).toEqual([]);
});

/** Groups that are attacks only because of grants or masks. All others are refused even without them. */
const BY_GRANTS = ["a table that is not granted", "a masked column", "the whole row"];
test("attacks that grants do not prevent are refused even without grants", () => {
  const passed = Object.entries(POSTGRES_ATTACKS)
    .filter(([what]) => !BY_GRANTS.includes(what))
    .flatMap(([, attacks]) => attacks)
    .filter((sql) => judgeSql(sql, { dialect: "postgres" }).verdict === "allow");
  expect(passed).toEqual([]);
});

const ORDINARY = [
  "SELECT 1",
  "select id, status from orders;",
  "SELECT count(*) AS n, status FROM orders WHERE total > 10.5 AND note LIKE 'a%' GROUP BY status HAVING count(*) > 1 ORDER BY n DESC LIMIT 10 OFFSET 5",
  "SELECT o.id, c.status FROM orders o JOIN customers AS c ON c.id = o.customer_id LEFT JOIN orders p ON p.id = o.id",
  "WITH recent AS (SELECT id, total FROM orders WHERE created >= DATE '2026-01-01') SELECT avg(recent.total) FROM recent",
  "SELECT id, row_number() OVER (PARTITION BY status ORDER BY created DESC) AS n FROM orders",
  "SELECT date_trunc('month', created) AS month, sum(total) FROM orders GROUP BY date_trunc('month', created)",
  "SELECT EXTRACT(YEAR FROM created) FROM orders",
  "SELECT CASE WHEN total > 10 THEN 'a' ELSE 'it''s; -- not' END FROM orders",
  "SELECT id FROM orders WHERE id IN (SELECT customer_id FROM orders) AND NOT EXISTS (SELECT 1 FROM customers)",
  "SELECT coalesce(note, 'none'), CAST(total AS INTEGER) FROM orders WHERE id BETWEEN 1 AND 5 OR status IS NULL",
  'SELECT "id" FROM "orders" WHERE total = -1',
  "SELECT id FROM orders UNION ALL SELECT id FROM customers ORDER BY id",
  "SELECT string_agg(status, ', ') FROM orders",
  "SELECT id FROM public.orders WHERE created < now() AND created <> current_date",
];

/** Statements and the SQL that is sent, which returns the same rows on a real server. */
const OWN_FORMS: readonly (readonly [string, string])[] = [
  ["total * 2::numeric(10,2)", '("total" * CAST(2 AS DECIMAL(10, 2)))'],
  ["-total::int", '(- CAST("total" AS INT))'],
  ["sum(o.total) OVER (ORDER BY id)::int", 'CAST(SUM("o"."total") OVER (ORDER BY "id") AS INT)'],
  ["CASE WHEN id > 1 THEN '1' END::int::text", `CAST(CAST(CASE WHEN ("id" > 1) THEN '1' END AS INT) AS TEXT)`],
  ["created::timestamp with time zone", 'CAST("created" AS TIMESTAMPTZ)'],
  ["(created AT TIME ZONE 'UTC')::date", `CAST(TIMEZONE('UTC', "created") AS DATE)`],
  ["'x' || id::text || note", `(('x' || CAST("id" AS TEXT)) || "note")`],
  ["note ILIKE 'A%' AND note NOT ILIKE '%2'", `(("note" ILIKE 'A%') AND ("note" NOT ILIKE '%2'))`],
  ["note ~ '^a' OR note !~* 'it''s'", `(("note" ~ '^a') OR ("note" !~* 'it''s'))`],
  ["note NOT SIMILAR TO '(a|b)%'", `("note" NOT SIMILAR TO '(a|b)%')`],
  ["note IS DISTINCT FROM 'a'", `("note" IS DISTINCT FROM 'a')`],
  ["note IS NOT DISTINCT FROM status", '("note" IS NOT DISTINCT FROM "status")'],
  ["status = ANY (ARRAY['a', 'b'])", `("status" IN ('a', 'b'))`],
  ["created - interval '7 days'", `("created" - INTERVAL '7 DAY')`],
  ["extract(epoch FROM created)", `DATE_PART('epoch', "created")`],
  ["count(*) FILTER (WHERE total > 1)", 'COUNT(CASE WHEN ("total" > 1) THEN 1 END)'],
  ["count(DISTINCT id) FILTER (WHERE total > 1)", 'COUNT(DISTINCT CASE WHEN ("total" > 1) THEN "id" END)'],
  ["variance(total)", 'VAR_SAMP("total")'],
  ["string_agg(note, ', ' ORDER BY note DESC)", `STRING_AGG("note", ', ' ORDER BY "note" DESC)`],
  ["percentile_cont(0.5) WITHIN GROUP (ORDER BY total)", 'PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY "total")'],
];
const OWN_CLAUSES: readonly (readonly [string, string])[] = [
  ["ORDER BY upper(note) DESC NULLS LAST, id", 'ORDER BY UPPER("note") DESC NULLS LAST, "id"'],
  [
    "GROUP BY ROLLUP (status, id % 2) HAVING count(*) > 1",
    'GROUP BY ROLLUP ("status", ("id" % 2)) HAVING (COUNT(*) > 1)',
  ],
  ["ORDER BY id OFFSET 2 LIMIT 3", 'ORDER BY "id" LIMIT 3 OFFSET 2'],
  ["ORDER BY id FETCH FIRST 3 ROWS ONLY", 'ORDER BY "id" LIMIT 3'],
];

describe("forms that only Postgres has", () => {
  test.each(OWN_FORMS)("%s", (written, sent) => {
    const judged = judgeSql(`SELECT ${written} FROM orders o`, SOURCE);
    expect(judged).toMatchObject({ sql: `SELECT ${sent} FROM "public"."orders" AS "o"` });
    if (judged.verdict === "allow") expect(judgeSql(judged.sql, SOURCE)).toMatchObject({ sql: judged.sql });
  });

  test.each(OWN_CLAUSES)("%s", (written, sent) => {
    expect(judgeSql(`SELECT 1 FROM orders ${written}`, SOURCE)).toMatchObject({
      sql: `SELECT 1 FROM "public"."orders" ${sent}`,
    });
  });

  test("DISTINCT ON", () => {
    expect(judgeSql("SELECT DISTINCT ON (status) id FROM orders ORDER BY status", SOURCE)).toMatchObject({
      sql: 'SELECT DISTINCT ON ("status") "id" FROM "public"."orders" ORDER BY "status"',
    });
  });
});

describe("ordinary queries", () => {
  test.each(ORDINARY)("%s passes, and Postgres can parse what is sent", (sql) => {
    const judged = judgeSql(sql, SOURCE);
    expect(judged).toMatchObject({ verdict: "allow" });
    if (judged.verdict !== "allow") return;
    expect(() => new postgresql.Parser().astify(judged.sql, { database: "postgresql" })).not.toThrow();
    expect(judgeSql(judged.sql, SOURCE)).toMatchObject({ verdict: "allow", sql: judged.sql });
  });

  test("are printed in the spelling of Postgres, with the schema of each table", () => {
    const judged = judgeSql(`SELECT O.Id, 'it''s "x"' AS "The Text" FROM Orders O`, SOURCE);
    expect(judged).toMatchObject({
      sql: `SELECT "o"."id", 'it''s "x"' AS "The Text" FROM "public"."orders" AS "o"`,
    });
    const named = judgeSql("SELECT id FROM orders", { ...SOURCE, database: "shop" });
    expect(named).toMatchObject({ sql: 'SELECT "id" FROM "shop"."orders"' });
  });

  test("a word that Postgres takes for a function is printed as a name", () => {
    expect(judgeSql("SELECT current_role FROM orders", SOURCE)).toMatchObject({
      sql: 'SELECT "current_role" FROM "public"."orders"',
    });
  });

  test("a table of another spelling is the granted one, and never one that is not granted", () => {
    expect(judgeSql('SELECT id FROM "ORDERS"', SOURCE)).toMatchObject({ sql: expect.stringContaining('"orders"') });
  });
});

test("a list of columns counts without masks, too: other names may call a function on the row", () => {
  const judge = (sql: string, columns?: readonly string[]) => judgeSql(sql, { dialect: "postgres", columns }).verdict;
  expect(judge("SELECT o.id FROM orders o", ["ID"])).toBe("allow");
  expect(judge("SELECT o.notify_all FROM orders o", ["id"])).toBe("refuse");
  expect(judge("SELECT x.n FROM (SELECT o.id AS n FROM orders o) x", ["id"])).toBe("allow");
  expect(judge("SELECT o.notify_all FROM orders o")).toBe("allow");
});

test("with masks and without a list of columns, a name with its table is refused", () => {
  const { columns: _, ...rest } = SOURCE;
  expect(judgeSql("SELECT o.id FROM orders o", rest)).toMatchObject({ verdict: "refuse", code: "column_masked" });
  expect(judgeSql("SELECT id FROM orders o", rest)).toMatchObject({ verdict: "allow" });
});

test("no text makes the guard throw", () => {
  const parts = [
    "SELECT ",
    "id ",
    "FROM orders ",
    "'",
    '"',
    "(",
    ")",
    "$$",
    "E'",
    "\\",
    "::",
    "--",
    "\u0000",
    "ssn ",
    ";",
  ];
  let seed = 7;
  const next = (max: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % max;
  };
  for (let i = 0; i < 3_000; i++) {
    const sql = Array.from({ length: 1 + next(12) }, () => parts[next(parts.length)]).join("");
    const judged = judgeSql(sql, SOURCE);
    if (judged.verdict === "allow") expect(judged.sql.replace(/'[^']*'/g, "")).not.toMatch(/ssn|\$|\\|--|::/);
  }
});
