import { describe, expect, test } from "vitest";
import { parseSource, readSource, sourceFiles } from "../../scripts/read-source.ts";
import { brokenImports, folderOf, PURE_FOLDERS } from "./dependency-rule.ts";
import { hiddenInputs } from "./hidden-inputs.ts";
import { MAY_NAME, namedToolkits, toolkitImports } from "./toolkit-names.ts";

const sources = () =>
  [...sourceFiles("machines"), ...sourceFiles("src")].map((path) => ({ path, tree: parseSource(path) }));

describe("the dependency rule", () => {
  test("every file imports only what its folder may depend on", () => {
    expect(sources().flatMap(({ path, tree }) => brokenImports(path, tree))).toEqual([]);
  });

  test("pure folders use no clock, randomness, timer, network or process", () => {
    const impure = sources()
      .filter(({ path }) => PURE_FOLDERS.includes(folderOf(path)))
      .flatMap(({ path, tree }) => hiddenInputs(tree).map((input) => `${path} uses ${input}`));
    expect(impure).toEqual([]);
  });
});

describe("toolkits", () => {
  test("are known outside of their folders by the list only", () => {
    expect(sources().flatMap(({ path, tree }) => toolkitImports(path, tree))).toEqual([]);
  });

  test("the words calendar and timetable are used by that toolkit only, exceptions are named", () => {
    expect(sources().flatMap(({ path }) => namedToolkits(path, readSource(path)))).toEqual([]);
  });

  test("every exception is needed", () => {
    const naming = sources().filter(({ path }) => /calendar|timetable/i.test(readSource(path)));
    const unused = MAY_NAME.filter(([pattern]) => !naming.some(({ path }) => pattern.test(path)));
    expect(unused).toEqual([]);
  });

  test.each([
    ["src/hosts/x.ts", 'import { bash } from "../toolkits/shell/bash.ts";'],
    ["src/http/routes/x.ts", 'import type { C } from "../../toolkits/timetable/schema/calendar.ts";'],
    ["src/toolkits/web/x.ts", 'import { edit } from "../files/edit.ts";'],
  ])("%s with %s is found", (path, text) => {
    expect(toolkitImports(path, parseSource(path, text))).toHaveLength(1);
    expect(namedToolkits("src/http/x.ts", "const calendar = 1;\nconst other = 2;")).toHaveLength(1);
  });

  test.each([
    ["src/hosts/x.ts", 'import { TOOLKITS } from "../toolkits/index.ts";'],
    ["src/toolkits/files/x.ts", 'import { y } from "./patch/y.ts";'],
  ])("%s with %s is fine", (path, text) => {
    expect(toolkitImports(path, parseSource(path, text))).toEqual([]);
  });
});

describe("the import checker", () => {
  const broken = (path: string, text: string): readonly string[] => brokenImports(path, parseSource(path, text));

  test.each([
    ["machines/x.ts", 'import { z } from "zod";'],
    ["machines/x.ts", 'import type { A } from "../src/schema/thread.ts";'],
    ["src/schema/x.ts", 'import { createHash } from "node:crypto";'],
    ["src/ports/x.ts", 'import { judge } from "../turn/judge.ts";'],
    ["src/tools/x.ts", 'import type { T } from "../turn/judge/judge.ts";'],
    ["src/toolkits/files/x.ts", 'import type { T } from "../../turn/judge/judge.ts";'],
    ["src/turn/x.ts", 'import { readFile } from "node:fs/promises";'],
    ["src/turn/x.ts", 'import OpenAI from "openai";'],
    ["src/turn/x.ts", 'export { x } from "../adapters/hash-node.ts";'],
    ["src/turn/x.ts", 'const host = await import("../hosts/node.ts");'],
    ["src/turn/x.ts", 'type Host = import("../hosts/node.ts").Host;'],
    ["src/adapters/store-a/x.ts", 'import { y } from "../store-b/y.ts";'],
    ["src/adapters/store-a.ts", 'import { y } from "./store-b.ts";'],
    ["src/adapters/store-a.ts", 'import { judge } from "../turn/judge.ts";'],
    ["src/http/x.ts", 'import { y } from "../adapters/store-memory.ts";'],
    ["src/client/x.ts", 'import { Problem } from "../schema/problem.ts";'],
    ["src/cli/x.ts", 'import { advance } from "../turn/advance.ts";'],
    ["src/elsewhere/x.ts", ""],
  ])("%s with %s breaks the rule", (path, text) => {
    expect(broken(path, text)).toHaveLength(1);
  });

  test.each([
    ["machines/x.ts", 'import { setup } from "xstate"; import type { S } from "./y.ts";'],
    ["src/turn/x.ts", 'import { m } from "../../machines/m.ts"; import { s } from "../schema/s.ts";'],
    ["src/turn/x.ts", 'import { distance } from "fastest-levenshtein"; import { w } from "../prompt/window.ts";'],
    ["src/adapters/store-a/x.ts", 'import { y } from "./y.ts"; import { DatabaseSync } from "node:sqlite";'],
    ["src/client/x.ts", 'import type { Problem } from "../schema/problem.ts";'],
    ["src/client/x.ts", 'import { type Problem } from "../schema/problem.ts";'],
    ["src/hosts/x.ts", 'import { y } from "../adapters/store-memory.ts"; import { app } from "../http/app.ts";'],
  ])("%s with %s keeps it", (path, text) => {
    expect(broken(path, text)).toEqual([]);
  });
});

describe("the hidden input checker", () => {
  const inputs = (text: string): readonly string[] => hiddenInputs(parseSource("x.ts", text));

  test.each([
    ["Date.now()", "Date.now"],
    ["new Date()", "Date"],
    ["String(Date())", "Date"],
    ["Math.random()", "Math.random"],
    ["setTimeout(() => {}, 1)", "setTimeout"],
    ["AbortSignal.timeout(5)", "AbortSignal.timeout"],
    ["fetch('/x')", "fetch"],
    ["const get = fetch;", "fetch"],
    ["process.env.X", "process"],
    ["const { env } = process;", "process"],
    ["({ fetch })", "fetch"],
    ["performance.now()", "performance"],
    ["crypto.randomUUID()", "crypto"],
  ])("%s is found", (text, input) => {
    expect(inputs(text)).toEqual([input]);
  });

  test.each([
    "new Date(0)",
    "new Date(text).toISOString()",
    "Date.parse(text)",
    "Math.max(1, 2)",
    "fetcher.fetch('/x')",
    "const row = { process: 1, fetch: 2 };",
    "function run(process) { return process.start(); }",
    "const use = ({ fetch }) => fetch('/x');",
    "type Port = { fetch: (url: string) => void; process: string };",
    "// setTimeout(1)\nconst words = 'Date.now()';",
  ])("%s is not reported", (text) => {
    expect(inputs(text)).toEqual([]);
  });
});
