import { describe, expect, test } from "vitest";
import { createLinearSearch } from "../../src/adapters/search-linear/linear-search.ts";
import type { FileTree, TreeFile, WalkOptions } from "../../src/ports/file-tree.ts";
import { ok } from "../../src/schema/problem.ts";

type GeneratedTree = { readonly tree: FileTree; readonly reads: () => number };

/** Generates files during the walk, so that there can be any number of them. */
function generatedTree(count: number, text: string): GeneratedTree {
  const bytes = new TextEncoder().encode(text);
  let reads = 0;
  async function* files(walk: WalkOptions): AsyncGenerator<TreeFile> {
    for (let i = 0; i < count && !walk.stop(); i++) {
      const path = `folder/f${i}.txt`;
      yield {
        path,
        relative_path: path,
        async read(limit) {
          reads++;
          return { bytes: bytes.subarray(0, limit), size: bytes.length };
        },
      };
    }
  }
  return { tree: { walk: async (_path, walk) => ok(files(walk)) }, reads: () => reads };
}

describe("a search", () => {
  test("in a million files ends at the file limit", async () => {
    const { tree, reads } = generatedTree(1_000_000, "nothing here\n");
    const search = createLinearSearch({ limits: { ms: 60_000, grep_files: 5_000, find_files: 20_000 } })(tree);
    expect(await search.grep({ pattern: "needle" })).toMatchObject({ value: { files: 5_000, stopped: "files" } });
    expect(reads()).toBe(5_000);
    expect(await search.find({ glob: "*.md" })).toMatchObject({ value: { files: 20_000, stopped: "files" } });
  });

  test("ends at the byte limit", async () => {
    const { tree } = generatedTree(1_000, "x".repeat(10_000));
    const search = createLinearSearch({ limits: { bytes: 95_000 } })(tree);
    expect(await search.grep({ pattern: "y" })).toMatchObject({ value: { bytes: 95_000, stopped: "bytes" } });
  });

  test("with the worst pattern on the worst text ends at the time limit, and can be aborted", async () => {
    let letters = "";
    for (let i = 0, seed = 1; i < 200_000; i++) {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      letters += seed & 0x10000 ? "a" : "b";
      if (i % 5_000 === 4_999) letters += "\n";
    }
    const { tree } = generatedTree(1_000_000, letters);
    const pattern = "(?:a|b)*a(?:a|b){900}$";
    const brief = createLinearSearch({ limits: { ms: 100 } })(tree);
    expect(await brief.grep({ pattern })).toMatchObject({ value: { stopped: "time" } });
    const patient = createLinearSearch({ limits: { ms: 600_000 } })(tree);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    expect(await patient.grep({ pattern, signal: stop.signal })).toMatchObject({ value: { stopped: "aborted" } });
  });

  test("over many small files can be aborted", async () => {
    const { tree } = generatedTree(Number.POSITIVE_INFINITY, "x");
    const limits = { ms: 600_000, find_files: 1e12, grep_files: 1e12, bytes: 1e15 };
    const search = createLinearSearch({ limits })(tree);
    const soon = (): AbortSignal => AbortSignal.timeout(50);
    expect(await search.grep({ pattern: "y", signal: soon() })).toMatchObject({ value: { stopped: "aborted" } });
    expect(await search.find({ glob: "y", signal: soon() })).toMatchObject({ value: { stopped: "aborted" } });
  });

  test("skips folders in which its glob cannot match, and ignored ones unless named", async () => {
    const asked = async (glob: string, folders: readonly string[]): Promise<readonly string[]> => {
      let entered: readonly string[] = [];
      const tree: FileTree = {
        async walk(_path, walk) {
          entered = folders.filter((folder) => walk.enter(folder));
          return ok((async function* () {})());
        },
      };
      await createLinearSearch()(tree).find({ glob });
      return entered;
    };
    const folders = ["src", "src/a", "src/a/b", "test", "node_modules", "node_modules/x", ".git"];
    expect(await asked("*.ts", folders)).toEqual(["src", "src/a", "src/a/b", "test", "node_modules/x"]);
    expect(await asked("src/**/*.ts", folders)).toEqual(["src", "src/a", "src/a/b"]);
    expect(await asked("src/*/x.ts", folders)).toEqual(["src", "src/a"]);
    expect(await asked("node_modules/x/*.js", folders)).toEqual(["node_modules", "node_modules/x"]);
  });
});
