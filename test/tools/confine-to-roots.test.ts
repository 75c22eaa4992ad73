import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createLocalOperations } from "../../src/adapters/operations-local/local-operations.ts";
import { createLinearSearch } from "../../src/adapters/search-linear/linear-search.ts";
import { confineToRoots } from "../../src/tools/confine-to-roots.ts";
import type { ToolContext } from "../../src/tools/define-tool.ts";
import { problemCode, unwrap } from "../support/runtime.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-roots-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const name of ["src/deep", "docs", "secret"]) mkdirSync(join(folder, name), { recursive: true });
for (const name of ["src/a.txt", "src/deep/b.txt", "docs/c.txt", "secret/d.txt", "e.txt"])
  writeFileSync(join(folder, name), `word in ${name}\n`);
symlinkSync("../secret", join(folder, "src/out"));
symlinkSync("../secret/d.txt", join(folder, "src/out.txt"));
symlinkSync("../secret/none.txt", join(folder, "src/none.txt"));
symlinkSync("deep", join(folder, "src/in"));
symlinkSync("..", join(folder, "src/deep/up"));
symlinkSync("secret", join(folder, "alias"));

const local = unwrap(createLocalOperations({ root: folder, search: createLinearSearch() }));
const operations = (roots?: readonly string[]) =>
  confineToRoots(() => local)({ ...(roots ? { roots } : {}) } as ToolContext);
const { files, search, process } = operations(["src", "docs"]);

describe("a thread with folders of its own", () => {
  test.each(["src/a.txt", "src/deep/b.txt", "src/in/b.txt", "./docs/../docs/c.txt"])("reads %s", async (path) => {
    expect(new TextDecoder().decode(unwrap(await files.read(path)).bytes)).toContain("word");
  });

  test.each([
    "e.txt",
    "secret/d.txt",
    "src/../secret/d.txt",
    "src/out/d.txt",
    "src/out.txt",
    "srcx/a.txt",
    "../x",
    ".",
  ])("neither reads, writes nor removes %s", async (path) => {
    const bytes = new TextEncoder().encode("changed");
    for (const result of [
      await files.read(path),
      await files.stat(path),
      await files.write(path, bytes),
      await files.rewrite(path, () => ({ ok: true, value: bytes })),
      await files.remove(path),
    ])
      expect(problemCode(result)).toBe("path_outside_workspace");
    expect(new TextDecoder().decode(unwrap(await local.files.read("secret/d.txt")).bytes)).toBe(
      "word in secret/d.txt\n",
    );
  });

  test.each(["src/deep/up/new.txt", "src/deep/up/a.txt"])("does not follow a link upwards: %s", async (path) => {
    const deep = operations(["src/deep"]).files;
    expect(problemCode(await deep.write(path, new Uint8Array()))).toBe("path_outside_workspace");
    expect(problemCode(await deep.read(path))).toBe("path_outside_workspace");
  });

  test("a folder that does not exist yet is not created behind a link", async () => {
    const missing = operations(["alias/new", "fresh"]).files;
    expect(problemCode(await missing.write("alias/new/f.txt", new Uint8Array()))).toBe("path_outside_workspace");
    unwrap(await missing.write("fresh/f.txt", new Uint8Array()));
  });

  test("does not write through a link to a missing file", async () => {
    expect(problemCode(await files.write("src/none.txt", new Uint8Array()))).toBe("path_outside_workspace");
  });

  test("writes a new file in a new folder of them", async () => {
    unwrap(await files.write("docs/new/f.txt", new TextEncoder().encode("x")));
    unwrap(await files.remove("docs/new/f.txt"));
  });

  test("sees of the folders above only the way to them", async () => {
    expect(unwrap(await files.list(".")).entries.map(({ name }) => name)).toEqual(["docs", "src"]);
    expect(unwrap(await operations(["src/deep"]).files.list("src")).entries.map(({ name }) => name)).toEqual(["deep"]);
    expect(problemCode(await files.list("secret"))).toBe("path_outside_workspace");
  });

  test("searches all of them, one of them, and nothing else", async () => {
    expect([...unwrap(await search.find({ glob: "*.txt" })).paths].sort()).toEqual([
      "docs/c.txt",
      "src/a.txt",
      "src/deep/b.txt",
    ]);
    const found = unwrap(await search.grep({ pattern: "word", under: "docs" }));
    expect(found.matches.map(({ path }) => path)).toEqual(["docs/c.txt"]);
    expect(unwrap(await search.grep({ pattern: "word", limit: 2 })).matches).toHaveLength(2);
    expect(problemCode(await search.grep({ pattern: "word", under: "secret" }))).toBe("path_outside_workspace");
  });

  test("runs no commands", () => expect(process).toBeNull());
});

test.each([[undefined], [["."]], [["src", "."]]])("roots %j confine nothing", (roots) => {
  expect(operations(roots)).toBe(local);
});
