import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { crashMatrix, crashTable, createRaceTarget, raceSuite } from "../../src/testing/index.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

const page = readSource("docs/reference/guarantees.md");
const scripts = Object.keys((JSON.parse(readSource("package.json")) as { scripts: Record<string, string> }).scripts);
const testFiles = readdirSync(join(projectRoot, "test"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `test/${name}`);
const commands = [...page.matchAll(/`((?:npm run|npx) [^`]+)`/g)].map((match) => match[1] ?? "");
const named = [...page.matchAll(/`(test\/[^`]+\.ts)`/g)].map((match) => match[1] ?? "");

describe("the page about guarantees", () => {
  test.each([...new Set(commands)])("%s is a script of the package, or runs tests of the suite", (command) => {
    const script = /^npm run ([\w:]+)/.exec(command)?.[1];
    if (script !== undefined) return expect(scripts).toContain(script);
    const filters = /^npx vitest run (.+)$/.exec(command)?.[1]?.split(" ") ?? [];
    const empty = filters.filter((filter) => !testFiles.some((file) => file.includes(filter)));
    expect(filters.length).toBeGreaterThan(0);
    expect(empty).toEqual([]);
  });

  test.each([...new Set(named)])("%s exists", (file) => {
    expect(existsSync(join(projectRoot, file))).toBe(true);
  });

  test("names a command for every guarantee and a test for every fault", () => {
    const rows = page
      .split("\n")
      .filter((line) => /^\| (?!fault |guarantee |failure |---)/.test(line) && !line.startsWith("|---"));
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter((row) => !/`(?:npm run|npx vitest run|test\/)[^`]*` \|$/.test(row))).toEqual([]);
  });

  test("has markers around the generated table of kills", () => {
    expect(page).toMatch(/<!-- written by npm run kill -- --full: begin -->\n[\s\S]+\n<!-- end -->/);
  });

  test("shows the real output of the crash matrix for a tool with a wrong declaration", async () => {
    let invoices = 0;
    const tool = defineTool(
      {
        name: "post_invoice",
        description: "Posts an invoice.",
        permission: "WRITE",
        effect: "keyed",
        input: z.object({ cents: z.int() }),
        output: z.string(),
      },
      () => {
        invoices += 1;
        return "posted";
      },
    );
    const report = await crashMatrix({ tool, arguments: { cents: 100 }, effects: () => invoices });
    expect(page).toContain(`\`\`\`\n${crashTable(report)}\n\`\`\``);
  });

  test.each(raceSuite.map((one) => [one.name, one] as const))("its races run on any store: %s", async (_name, one) => {
    const store = createMemoryStore();
    const target = await createRaceTarget(async () => store, 2);
    await one.run(target, { callers: 4, approvers: 4, rounds: 3, mutations: 20 });
  });
});
