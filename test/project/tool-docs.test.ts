import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TOOLS_FILE, toolsPage } from "../../scripts/tool-docs.ts";
import { toolkitManifests } from "../../src/toolkits/all.ts";

const written = readFileSync(TOOLS_FILE, "utf8");

test("docs/reference/tools.md matches the manifests; npx node scripts/tool-docs.ts rewrites it", () => {
  expect(toolsPage()).toBe(written);
});

test("it has a section with parameters and an example for every tool", () => {
  for (const { name, input } of toolkitManifests()) {
    const section = written.split(/^#{2,3} /m).find((part) => part.startsWith(`${name}\n`)) ?? "";
    expect(section, name).toContain("```\n");
    for (const parameter of Object.keys((input.properties ?? {}) as object))
      expect(section, name).toContain(`| \`${parameter}\` |`);
  }
});
