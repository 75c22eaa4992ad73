// Tests hostile paths for every tool of the toolkit `files` on a real folder. Nothing outside of it may be read, listed
// or written.
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLocalOperations } from "../../../src/adapters/operations-local/local-operations.ts";
import { createLinearSearch } from "../../../src/adapters/search-linear/linear-search.ts";
import { fileTools } from "../../../src/toolkits/all.ts";
import { contextWith, filesOf, runBuiltin } from "../../support/run-builtin.ts";
import { unwrap } from "../../support/runtime.ts";

const base = mkdtempSync(join(tmpdir(), "pawl-hostile-"));
const root = join(base, "work");
const CANARY = "canary-of-another-folder";

beforeAll(() => {
  for (const folder of ["work/src", "outside", "work-evil"]) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(root, "src/a.txt"), "inside\n");
  for (const file of ["outside/a.txt", "work-evil/a.txt", "a.txt"]) writeFileSync(join(base, file), `${CANARY}\n`);
  symlinkSync("../outside", join(root, "folder"));
  symlinkSync("../outside/a.txt", join(root, "file"));
  symlinkSync("../outside/new.txt", join(root, "dangling"));
  symlinkSync("..", join(root, "src/up"));
  symlinkSync("loop", join(root, "loop"));
});
afterAll(() => rmSync(base, { recursive: true }));

const PATHS = [
  ...["../a.txt", "../outside/a.txt", "src/../../a.txt", "src/./../..//outside/a.txt", "src/ ../../a.txt", ".."],
  ...["folder", "folder/a.txt", "file", "dangling", "src/up/../a.txt", "src/up/up/../a.txt", "loop", "loop/a.txt"],
  ...[
    `${base}/a.txt`,
    `${base}/work-evil/a.txt`,
    `${base}/work-evil`,
    "/etc/passwd",
    "/proc/self/environ",
    "/dev/stdin",
  ],
  ...[
    "..\\a.txt",
    "..\\..\\outside\\a.txt",
    "%2e%2e/a.txt",
    "C:\\Windows\\win.ini",
    "file.txt::$DATA",
    "~root/.bashrc",
  ],
  ...["a\u0000.txt", "../a.txt\u0000", "\u202e../a.txt", "．．/a.txt", "..\u2215a.txt", "src/\n../../a.txt"],
  ...["x".repeat(900), `${"d/".repeat(400)}a.txt`, "__proto__", "constructor/a.txt", ""],
];

/** A call of every tool of the toolkit, with a path if it takes one. */
const CALLS: Readonly<Record<string, (path: string) => object>> = {
  read_file: (path) => ({ path }),
  list_dir: (path) => ({ path }),
  find_files: (path) => ({ pattern: "**/*", path }),
  grep: (path) => ({ pattern: "canary|root:", path }),
  write_file: (path) => ({ path, content: "written" }),
  edit: (path) => ({ path, old_string: CANARY, new_string: "written" }),
  patch: (path) => ({ path, old_string: CANARY, new_string: "written" }),
};

describe.each([
  ["held by handles", true],
  ["checked by names", false],
])("with folders %s", (_way, handles) => {
  const operations = () => unwrap(createLocalOperations({ root, search: createLinearSearch(), handles }));
  const tools = fileTools(() => operations()).filter(({ manifest }) => manifest.name !== "bash");

  test("these are all tools of the toolkit", () => {
    expect(tools.map(({ manifest }) => manifest.name).sort()).toEqual(Object.keys(CALLS).sort());
  });

  test.each(Object.entries(CALLS))("%s stays in the workspace", async (name, argsOf) => {
    const tool = tools.find(({ manifest }) => manifest.name === name);
    if (!tool) throw new Error(name);
    for (const path of PATHS) {
      const args = argsOf(path);
      if (!tool.input.safeParse(args).success) continue;
      const shown = JSON.stringify(await runBuiltin(tool, args, contextWith(filesOf({}))));
      expect(shown.replaceAll(JSON.stringify(path).slice(1, -1), ""), path).not.toMatch(/canary-of|root:x:/);
    }
    expect(readdirSync(join(base, "outside"))).toEqual(["a.txt"]);
    for (const file of ["outside/a.txt", "work-evil/a.txt", "a.txt"]) {
      expect(readFileSync(join(base, file), "utf8")).toBe(`${CANARY}\n`);
    }
  });
});

test("a pattern of find_files and grep leads no further than a path", async () => {
  linkSync(join(root, "src/a.txt"), join(root, "src/b.txt"));
  const local = unwrap(createLocalOperations({ root, search: createLinearSearch() }));
  const find = fileTools(() => local).find(({ manifest }) => manifest.name === "find_files");
  if (!find) throw new Error("find_files");
  for (const pattern of ["../**", "../*.txt", "/etc/*", "folder/**", "**/../**", "{..,.}/*.txt", "src/up/../../*"]) {
    if (!find.input.safeParse({ pattern }).success) continue;
    const shown = JSON.stringify(await runBuiltin(find, { pattern }, contextWith(filesOf({}))));
    expect(shown.replaceAll(pattern, ""), pattern).not.toMatch(/outside|work-evil|passwd/);
  }
});
