// Tests eval files by other authors. Files that would cost a YAML parser minutes or gigabytes are refused; the example
// files are read.
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectRoot } from "../../../scripts/read-source.ts";
import { readSuite } from "../../../src/cli/eval/dialogues/suite.ts";
import { readTask } from "../../../src/cli/eval/task.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-eval-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HOSTILE = [
  ["keys that are maps", `${"? ".repeat(12)}a\n`, "a key must be a string"],
  ["lists in lists", `name: ${"[".repeat(400)}${"]".repeat(400)}\n`, "is nested too deeply"],
  [
    "an alias bomb",
    `a: &a [x, x]\n${[..."bcdefghij"].map((name, i) => `${name}: &${name} [${`*${"abcdefghij"[i]},`.repeat(9)}]`).join("\n")}\n`,
    "repeats its anchors too often",
  ],
  ["a key that is there twice", "name: a\nname: b\n", "the key name is there twice"],
] as const;

test.each(HOSTILE)("%s: a task and a suite are refused", (_, text, why) => {
  const path = join(folder, "task.yaml");
  writeFileSync(path, text);
  expect(() => readTask(path)).toThrow(`${path} cannot be read: `);
  expect(() => readTask(path)).toThrow(why);
  expect(() => readSuite(path)).toThrow(why);
});

test("the files of the examples are valid", () => {
  const paths = globSync("examples/evals/**/*.yaml", { cwd: projectRoot }).map((path) => join(projectRoot, path));
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths) expect(readSuite(path) ?? readTask(path)).toMatchObject({ name: expect.any(String) });
});

test("a file that does not exist is named with the reason", () => {
  expect(() => readTask("none.yaml")).toThrow("none.yaml cannot be read: ENOENT");
});
