// The shape of the source tree: folders that can be taken in at a glance, and imports that go one way.
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { importsOf, parseSource, sourceFiles } from "../../scripts/read-source.ts";
import { type ImportGraph, importCycles } from "./cycles.ts";

const FILES_MAX = 20;

/** Folders that may hold more files, each with the reason. */
const LARGE_FOLDERS: Readonly<Record<string, string>> = {};

const sources = (): readonly string[] => [...sourceFiles("machines"), ...sourceFiles("src")];

const countByFolder = (files: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
  return counts;
};

const largeFolders = (files: readonly string[]): readonly string[] =>
  [...countByFolder(files)].filter(([, count]) => count > FILES_MAX).map(([folder]) => folder);

describe("source folders", () => {
  test("hold at most 20 source files each, exceptions are named", () => {
    expect(largeFolders(sources())).toEqual(Object.keys(LARGE_FOLDERS));
  });

  test("with 21 files are too large, with 20 are not", () => {
    const files = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `src/x/${n}.ts`);
    expect(largeFolders(files(20))).toEqual([]);
    expect(largeFolders(files(21))).toEqual(["src/x"]);
  });
});

describe("imports between source files", () => {
  const graph = (): ImportGraph => {
    const files = new Set(sources());
    const targets = (file: string): readonly string[] =>
      importsOf(parseSource(file))
        .map(({ from }) => posix.join(posix.dirname(file), from))
        .filter((target) => files.has(target));
    return new Map([...files].map((file) => [file, targets(file)]));
  };

  test("form no cycle, type-only imports included", () => {
    expect(importCycles(graph())).toEqual([]);
  });

  test("a cycle is found over several files, and a file that imports itself is one", () => {
    const edges: ImportGraph = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["a", "d"]],
      ["d", []],
      ["e", ["e"]],
    ]);
    expect(importCycles(edges)).toEqual([["a", "b", "c"], ["e"]]);
  });
});
