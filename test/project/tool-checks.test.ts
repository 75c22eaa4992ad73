// The page about checks of tools lists every tool of its toolkits, names tests that exist, and calls pure what is pure.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { toolkitManifests } from "../../src/toolkits/all.ts";

const TOOLKITS = ["data", "memory", "skills", "code", "processes", "powershell", "channels", "images"];
const rows = [...readSource("docs/reference/tool-checks.md").matchAll(/^\| `(\w+)` \|(.+)\|$/gm)].map(
  ([, name = "", cells = ""]) => ({ name, cells: cells.split("|").map((cell) => cell.trim()) }),
);
const manifests = toolkitManifests();

test("every tool of these toolkits has a row", () => {
  const expected = manifests.filter(({ toolkit, name }) => TOOLKITS.includes(toolkit ?? "") || name === "search");
  expect(rows.map(({ name }) => name).sort()).toEqual(expected.map(({ name }) => name).sort());
});

test.each(rows.map(({ name, cells }) => [name, cells] as const))("the row of %s is right", (name, cells) => {
  const [, , hostile = "", crash = ""] = cells;
  const effect = manifests.find((manifest) => manifest.name === name)?.effect;
  expect(crash === "pure").toBe(effect === "pure");
  for (const cell of [hostile, ...(crash === "pure" ? [] : [crash])]) {
    const file = /^`(test\/[\w/.-]+\.test\.ts)`$/.exec(cell)?.[1] ?? "";
    expect(existsSync(join(projectRoot, file)) && file !== "", cell).toBe(true);
  }
  const crashFile = crash.replaceAll("`", "");
  if (crash !== "pure") expect(readSource(crashFile)).toContain("crashMatrix(");
});
