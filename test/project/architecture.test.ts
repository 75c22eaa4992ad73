// Tests that the page about the architecture describes the actual tree: one line per folder, and only files that exist.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";

const page = readSource("docs/architecture.md");

const foldersBelow = (root: string): readonly string[] =>
  readdirSync(join(projectRoot, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(projectRoot.length + 1)
        .replaceAll("\\", "/"),
    );

/** Returns the folders that the table lists, in its order. */
const listed = (text: string): readonly string[] =>
  [...text.matchAll(/^\| `((?:src|machines)[\w/-]*)` \| \S.*\. \|$/gm)].map((match) => match[1] ?? "");

test("every folder of src and machines has exactly one line with a sentence", () => {
  const folders = ["machines", ...foldersBelow("machines"), "src", ...foldersBelow("src")];
  expect(listed(page)).toEqual(folders.sort());
});

test("a line without a sentence does not count, and a second line does", () => {
  expect(listed("| `src/x` | Does it. |\n| `src/x` | Again. |\n| `src/y` |  |\n")).toEqual(["src/x", "src/x"]);
});

test("every file that the page names is there", () => {
  const files = [...page.matchAll(/`((?:src|machines|test)\/[\w/.-]+\.ts)`/g)].map((match) => match[1] ?? "");
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
});

test("the README fits on one page of 100 lines and shows the parts in one picture", () => {
  const readme = readSource("README.md");
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(100);
  expect(readme.match(/```mermaid/g)).toHaveLength(1);
});
