import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { SECURITY_CLAIMS } from "./security-claims.ts";

const page = readSource("SECURITY.md");
const model = page.slice(page.indexOf("## Threat model"), page.indexOf("## What you have to do yourself"));
const statements = model
  .split(/\n(?=- |\n)/)
  .filter((block) => block.startsWith("- "))
  .map((block) => block.slice(2).replace(/\s+/g, " ").trim());

/** Reports whether a source contains `test("title"`, or the title after the table of a `test.each`. */
const hasTest = (source: string, title: string): boolean =>
  [JSON.stringify(title), `\`${title}\``].some((quoted) => {
    const at = source.indexOf(quoted);
    return at > 0 && /(?:\btest|\)|\btest\.\w+)\(\s*$/.test(source.slice(0, at));
  });

describe("the threat model in SECURITY.md", () => {
  test("states exactly what the tests show", () => {
    expect(statements.length).toBeGreaterThan(50);
    expect(statements).toEqual(SECURITY_CLAIMS.map(([statement]) => statement));
  });

  test("consists of one sentence per statement", () => {
    expect(statements.filter((statement) => /\.\s/.test(statement) || !statement.endsWith("."))).toEqual([]);
  });

  test.each(SECURITY_CLAIMS.map(([statement, ...tests]) => [statement, tests] as const))("%s", (_statement, tests) => {
    expect(tests.length).toBeGreaterThan(0);
    const missing = tests.filter(
      ([file, title]) => !existsSync(join(projectRoot, file)) || !hasTest(readSource(file), title),
    );
    expect(missing).toEqual([]);
  });

  test("finds no test whose title is only mentioned", () => {
    expect(hasTest('const title = "a thing holds";', "a thing holds")).toBe(false);
    expect(hasTest('test("a thing holds", () => {});', "a thing holds")).toBe(true);
    expect(hasTest('test.each([1])(\n  "%i holds",\n  () => {});', "%i holds")).toBe(true);
  });
});
