// Tests the structure of the source tree: small folders, and imports without cycles.
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { importsOf, isNode, type Node, parseSource, sourceFiles, walk } from "../../scripts/read-source.ts";
import { type ImportGraph, importCycles } from "./cycles.ts";

const FILES_MAX = 20;

/** Folders that may contain more files, each with the reason. */
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
  test("have at most 20 source files each, except those listed", () => {
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

  test("a cycle over several files is found, and so is a file that imports itself", () => {
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

const PARAMETERS_MAX = 4;
const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression", "TSFunctionType"];

function longParameterLists(tree: Node): readonly number[] {
  const counts: number[] = [];
  walk(tree, (node) => {
    if (FUNCTIONS.includes(node.type) && Array.isArray(node.params)) counts.push(node.params.filter(isNode).length);
  });
  return counts.filter((count) => count > PARAMETERS_MAX);
}

describe("functions of a turn", () => {
  test("take at most four parameters: related values are passed in the context", () => {
    const long = sourceFiles("src/turn").filter((file) => longParameterLists(parseSource(file)).length > 0);
    expect(long).toEqual([]);
  });

  test("with five parameters are found, with four are not", () => {
    const lists = (text: string): readonly number[] => longParameterLists(parseSource("x.ts", text));
    expect(lists("function f(a, b, c, d) {} const g = (a, b, c, d) => a;")).toEqual([]);
    expect(lists("function f(a, b, c, d, e) {} const g = ({ a }, b, c, d, e, h) => a;")).toEqual([5, 6]);
  });
});
