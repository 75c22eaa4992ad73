// Tests that every built-in tool has a manifest, documentation, hostile inputs and, unless it is pure, a crash matrix.
// The page about them is generated.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { checkRows, checksPage } from "../../scripts/tool-checks.ts";
import { toolkitManifests } from "../../src/toolkits/all.ts";
import { TOOLKITS } from "../../src/toolkits/index.ts";

test("docs/reference/tool-checks.md is what npx node scripts/tool-checks.ts writes", () => {
  expect(readSource("docs/reference/tool-checks.md")).toBe(checksPage());
});

/** Reports whether a test calls a tool: the code contains its name or the function that creates it. */
function calls(file: string, tool: string): boolean {
  const factory = tool.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const code = readSource(file).replace(/^import [\s\S]*? from .*$/gm, "");
  return new RegExp(`\\b(?:${tool}|${factory})\\b`).test(code);
}

test.each(checkRows().map((row) => [row.name, row] as const))("%s has its tests", (name, { hostile, crash, pure }) => {
  for (const file of [hostile, crash]) if (file !== null) expect(existsSync(join(projectRoot, file)), file).toBe(true);
  if (hostile !== null) expect(calls(hostile, name), `${hostile} has no hostile input for ${name}`).toBe(true);
  if (pure) return;
  expect(readSource(crash ?? "no test is named")).toContain("crashMatrix(");
  expect(calls(crash ?? "", name), `${crash} has no crash matrix for ${name}`).toBe(true);
});

test.each(toolkitManifests().map((manifest) => [manifest.name, manifest] as const))(
  "%s has an honest manifest and a documented example",
  (name, { permission, effect, outward, output_trust, scope, examples, description }) => {
    expect(examples.length).toBeGreaterThan(0);
    expect(description.length).toBeGreaterThan(10);
    expect(readSource("docs/reference/tools.md")).toContain(`\n### ${name}\n`);
    // Only reads may be repeated freely, except the list of the thread, which is part of the record.
    if (permission !== "READ" && name !== "todo" && effect === "pure") expect(output_trust).toBe("untrusted");
    if (scope === "NONE") expect(outward).toBe(false);
  },
);

test("the facts of a toolkit have at most six lines", () => {
  for (const { name, facts = [] } of TOOLKITS) expect(facts.join("\n").split("\n").length, name).toBeLessThanOrEqual(6);
});
