// Defines the cases for finding files by name and lines by pattern.
import assert from "node:assert/strict";
import type { FindReport, GrepQuery, GrepReport, Operations } from "../../ports/operations.ts";
import { succeeded } from "../expect.ts";
import { testCase } from "../test-case.ts";
import { type OperationsCase, writeFiles } from "./helpers.ts";

const PROJECT = {
  "README.md": "# Title\n",
  "src/a.ts": "export const a = 1;\n",
  "src/b.tsx": "export const b = 2;\n",
  "src/deep/c.ts": "import { a } from '../a.ts';\nconst TODO = a;\n",
  "src/deep/d.test.ts": "TODO later\r\ntodo never\r\n",
  "test/a.ts": "// nothing\n",
  ".git/config": "TODO secret\n",
  "node_modules/x/index.js": "TODO vendor\n",
};

const find = async (operations: Operations, glob: string, under?: string): Promise<readonly string[]> => {
  const found: FindReport = succeeded(await operations.search.find({ glob, ...(under ? { under } : {}) }));
  return found.paths;
};

const grep = async (operations: Operations, query: GrepQuery): Promise<GrepReport> =>
  succeeded(await operations.search.grep(query));

const positions = (report: GrepReport): readonly string[] =>
  report.matches.map((match) => `${match.path}:${match.line}`);

const GLOBS: readonly (readonly [string, string | undefined, readonly string[]])[] = [
  ["*.ts", undefined, ["src/a.ts", "src/deep/c.ts", "src/deep/d.test.ts", "test/a.ts"]],
  ["./*.md", undefined, ["README.md"]],
  ["src/*.ts", undefined, ["src/a.ts"]],
  ["src/**/*.ts", undefined, ["src/a.ts", "src/deep/c.ts", "src/deep/d.test.ts"]],
  ["**/a.ts", undefined, ["src/a.ts", "test/a.ts"]],
  ["*.{tsx,md}", undefined, ["README.md", "src/b.tsx"]],
  ["{src,test}/a.ts", undefined, ["src/a.ts", "test/a.ts"]],
  ["src/[!a].ts*", undefined, ["src/b.tsx"]],
  ["src/?.ts", undefined, ["src/a.ts"]],
  ["*.ts", "src/deep", ["src/deep/c.ts", "src/deep/d.test.ts"]],
  ["deep/*.ts", "src", ["src/deep/c.ts", "src/deep/d.test.ts"]],
  ["*", "src/a.ts", ["src/a.ts"]],
  ["node_modules/**", undefined, ["node_modules/x/index.js"]],
  ["src/**", undefined, ["src/a.ts", "src/b.tsx", "src/deep/c.ts", "src/deep/d.test.ts"]],
  ["A.TS", undefined, []],
];

const globCases: readonly OperationsCase[] = GLOBS.map(([glob, under, expected]) => ({
  name: `${glob}${under ? ` under ${under}` : ""} finds ${expected.length} files`,
  run: async (operations) => {
    await writeFiles(operations, PROJECT);
    assert.deepEqual(await find(operations, glob, under), expected);
  },
}));

const BAD_PATTERNS: readonly (readonly [string, string])[] = [
  ["a back-reference", "(.+)\\1\\1\\1"],
  ["an unclosed class", "[[:alpha:]"],
  ["a look-ahead", "a(?=b)"],
  ["a pattern of 1 MB", "(a|b)".repeat(200_000)],
  ["excessive nested repetition", "((a{100}){100}){100}"],
  ["a pattern with too many steps", "(\\w{30}){30}(\\w{30}){30}(\\w{30}){30}"],
  ["an empty pattern", ""],
];

const badPatternCases: readonly OperationsCase[] = BAD_PATTERNS.map(([what, pattern]) => ({
  name: `${what} fails with pattern_invalid`,
  run: async ({ search }) => {
    const result = await search.grep({ pattern });
    assert.ok(!result.ok);
    assert.equal(result.problem.code, "pattern_invalid");
    assert.ok(result.problem.message.length < 2_000);
  },
}));

const HANGING: readonly string[] = ["(a+)+$", "^(\\w+\\s?)*$", "(.*)*x", "(?:a|aa)+$"];

const hangingCases: readonly OperationsCase[] = HANGING.map((pattern) => ({
  name: `${pattern} on 40 and on 60,000 letters ends with the correct result`,
  run: async (operations) => {
    await writeFiles(operations, { "a.txt": `${"a".repeat(40)}!\n${"a".repeat(60_000)}!\n${"a".repeat(30)}\n` });
    const report = await grep(operations, { pattern });
    assert.deepEqual(positions(report), pattern.endsWith("x") ? [] : ["a.txt:3"]);
    assert.equal(report.stopped, null);
  },
}));

const grepCases: readonly OperationsCase[] = [
  testCase("matching lines are returned with path and number, except in .git and node_modules", async (operations) => {
    await writeFiles(operations, PROJECT);
    const report = await grep(operations, { pattern: "\\bTODO\\b" });
    assert.deepEqual(positions(report), ["src/deep/c.ts:2", "src/deep/d.test.ts:1"]);
    assert.equal(report.matches[1]?.text, "TODO later");
    assert.deepEqual([report.stopped, report.files], [null, 6]);
  }),
  testCase("case, literal text, a folder, a file and a glob narrow the search", async (operations) => {
    await writeFiles(operations, PROJECT);
    assert.equal((await grep(operations, { pattern: "todo", ignore_case: true })).matches.length, 3);
    assert.deepEqual(positions(await grep(operations, { pattern: "a = 1;", literal: true })), ["src/a.ts:1"]);
    assert.deepEqual(positions(await grep(operations, { pattern: "{ a }", literal: true })), ["src/deep/c.ts:1"]);
    assert.deepEqual(positions(await grep(operations, { pattern: "export", include: "*.tsx" })), ["src/b.tsx:1"]);
    assert.deepEqual(positions(await grep(operations, { pattern: "nothing", under: "test" })), ["test/a.ts:1"]);
    assert.deepEqual(positions(await grep(operations, { pattern: "later$", under: "src/deep/d.test.ts" })), [
      "src/deep/d.test.ts:1",
    ]);
  }),
  testCase("context lines around a match are included", async (operations) => {
    await writeFiles(operations, { "a.txt": "1\n2\n3 hit\n4 hit\n5\n6\n" });
    const { matches } = await grep(operations, { pattern: "hit", context: 2 });
    assert.deepEqual(matches, [
      { path: "a.txt", line: 3, text: "3 hit", before: ["1", "2"], after: ["4 hit", "5"] },
      { path: "a.txt", line: 4, text: "4 hit", before: ["2", "3 hit"], after: ["5", "6"] },
    ]);
  }),
  testCase("a match never spans several lines", async (operations) => {
    await writeFiles(operations, { "a.txt": "begin\nend\nbegin end\n" });
    assert.deepEqual(positions(await grep(operations, { pattern: "begin\\s+end" })), ["a.txt:3"]);
  }),
  testCase("excess matches are dropped, and the report says so", async (operations) => {
    await writeFiles(operations, { "a.txt": "x\n".repeat(50), "b.txt": "x\n" });
    const cut = await grep(operations, { pattern: "x", limit: 10 });
    assert.deepEqual([cut.matches.length, cut.stopped], [10, "matches"]);
    const exact = await grep(operations, { pattern: "x", limit: 51 });
    assert.deepEqual([exact.matches.length, exact.stopped], [51, null]);
  }),
  testCase("binary files are skipped and counted", async (operations) => {
    await writeFiles(operations, { "a.bin": new Uint8Array([120, 0, 120]), "b.txt": "x" });
    const report = await grep(operations, { pattern: "x" });
    assert.deepEqual(positions(report), ["b.txt:1"]);
    assert.equal(report.skipped.binary, 1);
  }),
  testCase("a long line is cut around its match, and an overlong one is searched in part", async (operations) => {
    await writeFiles(operations, { "a.js": `${"x".repeat(30_000)}needle${"y".repeat(80_000)}late` });
    const report = await grep(operations, { pattern: "needle" });
    assert.ok(report.matches[0]?.text.includes("needle"));
    assert.ok((report.matches[0]?.text.length ?? 0) < 500);
    assert.equal(report.skipped.partial, 1);
    assert.deepEqual((await grep(operations, { pattern: "late" })).matches, []);
  }),
  testCase("text that is not valid UTF-8 is searched too", async (operations) => {
    await writeFiles(operations, { "latin.txt": new Uint8Array([0x66, 0xfc, 0x72, 0x20, 0x78, 0x0a]) });
    assert.deepEqual(positions(await grep(operations, { pattern: " x$" })), ["latin.txt:1"]);
  }),
  testCase("an aborted search ends immediately and reports that", async (operations) => {
    await writeFiles(operations, PROJECT);
    const signal = AbortSignal.abort();
    assert.equal((await grep(operations, { pattern: "x", signal })).stopped, "aborted");
    assert.equal(succeeded(await operations.search.find({ glob: "*", signal })).stopped, "aborted");
  }),
  testCase("found paths are limited, and an invalid glob fails with pattern_invalid", async (operations) => {
    await writeFiles(operations, PROJECT);
    const found = succeeded(await operations.search.find({ glob: "*", limit: 2 }));
    assert.deepEqual([found.paths.length, found.stopped], [2, "matches"]);
    for (const glob of ["{a,b", "[a-", "a}", "", "*".repeat(1_001), "[z-a]"]) {
      const result = await operations.search.find({ glob });
      assert.ok(!result.ok && result.problem.code === "pattern_invalid", glob);
    }
  }),
  testCase("a glob of stars only terminates", async (operations) => {
    await writeFiles(operations, { [`${"a/".repeat(30)}x`]: "", "b/y": "" });
    assert.equal((await find(operations, "**/**/**/**/**")).length, 2);
    assert.equal((await find(operations, `${"**/*".repeat(20)}z`)).length, 0);
    assert.equal((await find(operations, `${"*a".repeat(200)}b`)).length, 0);
  }),
];

export const searchCases: readonly OperationsCase[] = [...globCases, ...grepCases, ...badPatternCases, ...hangingCases];
