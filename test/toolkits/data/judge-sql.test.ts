// Tests the guard of mysql_query for MySQL and MariaDB as a pure function: attacks are refused, and ordinary queries
// pass.
import { describe, expect, test } from "vitest";
import { judgeSql } from "../../../src/toolkits/data/sql/judge-sql.ts";
import { ANALYTICS } from "./analytics.ts";
import { ALLOWED_TABLES, ATTACKS, MASKED_COLUMNS } from "./attacks.ts";
import { BLIND_NAMES } from "./blind-attacks-names.ts";
import { BLIND_STATEMENTS } from "./blind-attacks-statements.ts";
import { BLIND_OPTIONS, BLIND_QUERIES } from "./blind-queries.ts";
import { EVASIONS } from "./evasions.ts";
import { FRESH_ATTACKS } from "./fresh-attacks.ts";
import { FRESH_QUERIES } from "./fresh-queries.ts";
import { ORDINARY } from "./ordinary-queries.ts";
import { REPORTS } from "./reports.ts";
import { REWRITTEN_FORMS } from "./rewritten-forms.ts";

const allow = (sql: string, options: Partial<Parameters<typeof judgeSql>[1]> = {}): string => {
  const verdict = judgeSql(sql, { dialect: "mysql", ...options });
  if (verdict.verdict === "refuse") throw new Error(`${verdict.code}: ${verdict.reason}\n${sql}`);
  return verdict.sql;
};
const codeOf = (sql: string, options: Partial<Parameters<typeof judgeSql>[1]> = {}): string =>
  judgeSql(sql, { dialect: "mysql", ...options }).code;

describe("ordinary queries", () => {
  const queries = [...ORDINARY, ...REPORTS, ...ANALYTICS, ...FRESH_QUERIES];
  test("there are at least 330", () => expect(new Set(queries).size).toBeGreaterThanOrEqual(330));

  test.each(queries.map((sql) => [sql]))("allows %s", (sql) => {
    const printed = allow(sql);
    // The parser needs a plus in front of the first column of a subquery. It has no effect.
    expect(allow(printed).replaceAll("SELECT + (", "SELECT (")).toBe(printed);
    expect(printed).not.toBe(sql);
  });
});

describe("attacks", () => {
  const attacks = [ATTACKS, EVASIONS, REWRITTEN_FORMS, FRESH_ATTACKS].flatMap((groups) =>
    Object.entries(groups).flatMap(([group, list]) => list.map((sql) => [group, sql] as const)),
  );
  const options = { tables: ALLOWED_TABLES, masked: MASKED_COLUMNS };

  test("there are at least 800", () => expect(new Set(attacks.map(([, sql]) => sql)).size).toBeGreaterThanOrEqual(800));

  test.each(attacks)("refuses %s: %s", (_group, sql) => {
    expect(judgeSql(sql, { dialect: "mysql", ...options })).toMatchObject({ verdict: "refuse" });
  });

  // An attack on the server itself must be refused even without grants and masks.
  const general = attacks.filter(([group]) => !/^(masked|objects|names)/.test(group));
  test.each(general)("refuses without grants %s: %s", (_group, sql) => {
    expect(judgeSql(sql.replaceAll("ssn", "id"), { dialect: "mysql" })).toMatchObject({ verdict: "refuse" });
  });

  const blind = Object.entries({ ...BLIND_STATEMENTS, ...BLIND_NAMES });
  test("there are at least 550 that were written without knowledge of the guard", () =>
    expect(new Set(blind.flatMap(([, list]) => list)).size).toBeGreaterThanOrEqual(550));
  test.each(blind)("refuses all of them: %s", (_group, list) => {
    expect(list.filter((sql) => codeOf(sql, BLIND_OPTIONS) === "allowed")).toEqual([]);
  });
  test("allows the queries of analysts of the same kind", () => {
    expect(BLIND_QUERIES.length).toBeGreaterThanOrEqual(110);
    expect(BLIND_QUERIES.filter((sql) => codeOf(sql, BLIND_OPTIONS) !== "allowed")).toEqual([]);
  });

  test.each([
    ["comment_not_allowed", "SELECT 1 /*M! , 2 */"],
    ["multiple_statements", "SELECT 1; DROP TABLE orders"],
    ["character_not_allowed", "SELECT 1\u0000"],
    ["variable_not_allowed", "SELECT @@version"],
    ["literal_not_allowed", "SELECT x'41'"],
    ["not_read_only", "DELETE FROM orders"],
    ["not_read_only", "SELECT id FROM orders INTO OUTFILE '/tmp/x'"],
    ["not_read_only", "SELECT id FROM orders FOR UPDATE"],
    ["function_not_allowed", "SELECT SLEEP(1)"],
    ["system_schema", "SELECT host FROM mysql.user"],
    ["table_not_granted", "SELECT id FROM secrets"],
    ["column_masked", "SELECT ssn FROM accounts"],
    ["column_masked", "SELECT * FROM orders"],
    ["too_long", `SELECT '${"a".repeat(30_000)}'`],
    ["not_understood", "SELECT FROM WHERE"],
  ])("says %s for %s", (code, sql) => expect(codeOf(sql, options)).toBe(code));
});

describe("statements that cost the parser much", () => {
  const casts = (levels: number): string => `SELECT ${"CAST(".repeat(levels)}1${" AS CHAR)".repeat(levels)}`;

  // Each level doubles the time of the parser, so 39 levels would keep it busy for years.
  test("a CAST may be nested five levels deep, and no deeper, in both dialects", () => {
    expect(codeOf(casts(5))).toBe("allowed");
    expect(codeOf(casts(39))).toBe("too_long");
    expect(codeOf(`SELECT ${"CAST (1 + ".repeat(20)}1${" AS CHAR)".repeat(20)}`)).toBe("too_long");
    expect(judgeSql(casts(39).replaceAll("CHAR", "INT"), { dialect: "postgres" }).code).toBe("too_long");
  });

  test("CASTs side by side are not nested", () => {
    expect(codeOf(`SELECT ${Array(30).fill("CAST(1 AS CHAR)").join(", ")}`)).toBe("allowed");
  });

  test.each(["NOT ", "- ", "1 + ", "a -> ", "1 AND "])(
    "a long chain of %j is refused or allowed, never thrown",
    (part) => {
      expect(["too_long", "not_understood", "allowed"]).toContain(codeOf(`SELECT ${part.repeat(1_900)}1`));
    },
  );
});

describe("grants", () => {
  test("a table is printed as it was granted, and keeps the name that the statement uses", () => {
    expect(allow("select Orders.id from Orders", { tables: ["orders"] })).toBe(
      "SELECT `Orders`.`id` FROM `orders` AS `Orders`",
    );
  });

  test("with a default database a table without a database is the granted one", () => {
    const options = { tables: ["shop.orders"], database: "shop" };
    expect(allow("select id from orders", options)).toBe("SELECT `id` FROM `orders`");
    expect(allow("select id from shop.orders", options)).toBe("SELECT `id` FROM `shop`.`orders`");
    expect(codeOf("select id from other.orders", options)).toBe("table_not_granted");
  });

  test("a system schema stays closed when it is granted, or is the default database", () => {
    expect(codeOf("select host from mysql.user", { tables: ["mysql.user"] })).toBe("system_schema");
    expect(codeOf("select host from user", { database: "mysql" })).toBe("system_schema");
  });

  test("a CTE hides the table of its name only where it is visible", () => {
    const options = { tables: ["orders"] };
    allow("with secrets as (select id from orders) select id from secrets", options);
    allow(
      "with recursive secrets as (select 1 as id union all select id + 1 from secrets where id < 3) select id from secrets",
      options,
    );
    expect(codeOf("with Secrets as (select 1 as id) select id from secrets", options)).toBe("table_not_granted");
  });
});

describe("masked columns", () => {
  const masked = ["accounts.ssn"];

  test.each([
    "select id, name from accounts",
    "select count(*) from accounts",
    "select o.ssn from orders o",
    "select ssn from orders",
    "select o.ssn from orders o join accounts a on a.id = o.id",
    "select 'ssn' from accounts",
  ])("allows %s", (sql) => {
    allow(sql, { masked });
  });

  test("a column of two tables counts as masked when it is masked in one of them", () => {
    expect(codeOf("select ssn from orders o join accounts a on a.id = o.id", { masked })).toBe("column_masked");
  });

  test("a column masked in every table is refused everywhere", () => {
    expect(codeOf("select ssn from orders", { masked: ["SSN"] })).toBe("column_masked");
  });
});

describe("masked columns with letters that no statement may contain", () => {
  // Servers that compare names without accents read the column with the unaccented name.
  test.each([
    ["prénom", "prenom"],
    ["customers.Prénom", "PRENOM"],
    ["straße", "strasse"],
    ["straße", "strase"],
    ["café.id", "id"],
  ])("%s is refused as %s", (masked, column) => {
    expect(
      codeOf(`select ${column} from ${masked.startsWith("café") ? "cafe" : "customers"}`, { masked: [masked] }),
    ).toBe("column_masked");
  });

  test("other columns stay readable", () => {
    const masked = ["prénom", "фамилия", "a+b", "名前"];
    allow("select id, prefix, renom, `名` from customers", { masked });
    expect(codeOf("select `名前` from customers", { masked })).toBe("column_masked");
  });
});

describe("columns with the name of a database", () => {
  test("are printed without it: the table is one of the statement", () => {
    expect(allow("select shop.orders.id, shop.o.id from shop.orders, shop.accounts o")).toBe(
      "SELECT `orders`.`id`, `o`.`id` FROM `shop`.`orders`, `shop`.`accounts` AS `o`",
    );
    expect(allow("select shop.orders.* from orders", { database: "shop" })).toBe("SELECT `orders`.* FROM `orders`");
  });

  // MariaDB 10.11 crashes on: … FROM contacts AS accounts LEFT JOIN contacts AS orders USING (id) with shop.orders.name
  // in SELECT.
  test.each([
    "select shop.contacts.id from shop.orders",
    "select other.orders.id from shop.orders",
    "select shop.orders.id from (select id from shop.orders) orders",
    "with orders as (select 1 as id) select shop.orders.id from orders",
    "select id from shop.orders where exists (select 1 from shop.contacts where shop.accounts.id = 1)",
    "select shop.contacts.* from shop.orders",
  ])("are refused when the statement does not read from that table: %s", (sql) => {
    expect(codeOf(sql, { database: "shop" })).toBe("table_not_granted");
  });
});

describe("printing", () => {
  test.each([
    ["select a or b and not c = d", "SELECT (`a` OR (`b` AND (NOT (`c` = `d`))))"],
    ["select a - b - c * -1", "SELECT ((`a` - `b`) - (`c` * (- 1)))"],
    ["select 'it''s \\\\ \\n \\%'", "SELECT 'it''s \\\\ \\n \\\\%'"],
    ['select "a\'b"', "SELECT 'a''b'"],
    ["select a from t limit 5, 10;", "SELECT `a` FROM `t` LIMIT 10 OFFSET 5"],
  ])("%s", (sql, printed) => expect(allow(sql)).toBe(printed));

  test("a comparison of comparisons needs parentheses", () => {
    expect(codeOf("select a = b = c")).toBe("not_understood");
    expect(codeOf("select not (a) = b")).toBe("not_understood");
    expect(allow("select (not (a)) = b")).toBe("SELECT ((NOT `a`) = `b`)");
    expect(allow("select (a = b) = c")).toBe("SELECT ((`a` = `b`) = `c`)");
  });
});
