// Tests which file `pawl workflow check|run` reads: a path, or a name in the nearest `.workflows` folder up to the
// repository.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readWorkflowFile } from "../../src/cli/workflow.ts";
import { problemCode, unwrap } from "../support/runtime.ts";

const PAIR = readFileSync(new URL("../fixtures/workflows/pair.yaml", import.meta.url), "utf8");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-workflow-file-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, description: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), PAIR.replace(/^description: .*$/m, `description: ${description}`));
}
const described = (name: string, from: string) =>
  unwrap(readWorkflowFile(name, join(folder, from))).workflow.description;

test("the nearest folder wins, and the search ends at the repository", () => {
  put(".workflows/pair.yaml", "outside");
  put("repository/.workflows/pair.yml", "root");
  put("repository/packages/one/.workflows/pair/index.yaml", "one");
  mkdirSync(join(folder, "repository/.git"), { recursive: true });
  mkdirSync(join(folder, "repository/packages/one/src"), { recursive: true });
  expect(described("pair", "repository/packages/one/src")).toBe("one");
  expect(described("pair", "repository/packages")).toBe("root");
  rmSync(join(folder, "repository/.workflows"), { recursive: true });
  expect(problemCode(readWorkflowFile("pair", join(folder, "repository/packages")))).toBe("file_not_found");
});

test("a file of that name comes first, and a folder of that name is no file", () => {
  put(".workflows/pair.yaml", "found by name");
  mkdirSync(join(folder, "pair"));
  expect(described("pair", ".")).toBe("found by name");
  put("pair.yaml", "by path");
  expect(described("pair.yaml", ".")).toBe("by path");
});

test.each(["../pair", "a/b", "..", "/pair"])("%s is a path and is not looked up", (name) => {
  put(".workflows/pair.yaml", "x");
  expect(problemCode(readWorkflowFile(name, folder))).toBe("file_not_found");
});
