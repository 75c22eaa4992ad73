import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isHarmlessCode } from "../../../../src/toolkits/shell/risk/parse/inline-code.ts";
import { isSystemTree, normalPath } from "../../../../src/toolkits/shell/risk/parse/paths.ts";
import { printedText } from "../../../../src/toolkits/shell/risk/parse/text-output.ts";
import { RISKS } from "../../../../src/toolkits/shell/risk/reasons.ts";
import { awkRisks, sedRisks } from "../../../../src/toolkits/shell/risk/rules/files/sed-awk.ts";
import { sqlRisks } from "../../../../src/toolkits/shell/risk/rules/network/sql.ts";

describe("sed programs", () => {
  test.each([
    "p",
    "1,5p",
    "$d",
    "/a/,/b/p",
    "s/a/b/g",
    "s|a|b|",
    "y/ab/cd/",
    "/x/!d",
    ":a;N;$!ba;s/\\n/,/g",
    "s/[/]/x/",
    "2q",
    "\\,x,p",
    "a\\ text w file",
  ])("only print: %s", (program) => expect(sedRisks(program)).toEqual([]));
  test.each([
    "w out",
    "s/a/b/w out",
    "s/a/b/e",
    "1e rm x",
    "e",
    "/x/W out",
    "s/a/b/gw out",
    "s/unclosed",
    "1,2{p;w out\n}",
  ])("write or run: %s", (program) => expect(sedRisks(program)).not.toEqual([]));
});

describe("awk programs", () => {
  test.each([
    "{print $1}",
    "$3 > 100",
    "/rm -r/{print NR}",
    "{ if ($1 > m) m = $1 } END { print (m > 3) }",
    'BEGIN{print "a | b > c"}',
    "a || b",
  ])("only print: %s", (program) => expect(awkRisks(program)).toEqual([]));
  test.each([
    'BEGIN{system("x")}',
    '{print > "out"}',
    '{print | "sh"}',
    "{print $1 > $2}",
    '"date" | getline d',
    "@load x",
  ])("write or run: %s", (program) => expect(awkRisks(program)).not.toEqual([]));
});

describe("SQL", () => {
  test.each([
    "select 1",
    "SELECT 'drop table t'",
    "-- drop\nselect 1",
    "with t as (select 1) select * from t",
    "show create table t",
    "insert into t values (1)",
    "create table t (x int)",
    "\\dt",
    "explain select 1",
  ])("that asks or adds: %s", (text) => expect(sqlRisks(text)).toEqual([]));
  test.each([
    "drop table t",
    "select 1; delete from t",
    "/*!50000 drop table t */",
    "with d as (delete from t returning 1) select 1",
    "select 1 into outfile 'x'",
    "update t set a=1",
    "\\! rm x",
    "select load_extension('x')",
    "explain analyze delete from t",
    "grant all on t to u",
  ])("that changes: %s", (text) => expect(sqlRisks(text)).not.toEqual([]));
});

describe("short program text", () => {
  test.each([
    "print(1+1)",
    "import sys; print(sys.version)",
    "import json,sys; print(json.load(sys.stdin)['a'])",
    "print(f'{1+1}')",
  ])("python that only prints: %s", (code) => expect(isHarmlessCode(code, "python")).toBe(true));
  test.each([
    "import os",
    "open('x','w')",
    "__import__('os')",
    "print(f'{exec(\"x\")}')",
    "getattr(1,'x')",
    "eval('1')",
    "print('\\x6f')",
  ])("python that may act: %s", (code) => expect(isHarmlessCode(code, "python")).toBe(false));
  test.each(["console.log(1)", "require('./package.json').version", "[1,2].map(x => x*2)"])(
    "JavaScript that only prints: %s",
    (code) => expect(isHarmlessCode(code, "javascript")).toBe(true),
  );
  test.each([
    "require('fs')",
    "[]['constructor']",
    "a[b]()",
    "`x`",
    "require(x)",
    "process.kill(1)",
    "import('fs')",
    "eval('1')",
  ])("JavaScript that may act: %s", (code) => expect(isHarmlessCode(code, "javascript")).toBe(false));
});

describe("what echo and printf print", () => {
  const print = (name: string, ...values: string[]) =>
    printedText(
      name,
      values.map((value) => ({ value, known: true, wild: "no" })),
    );
  test("is known for plain words, escapes and holes", () => {
    expect(print("echo", "rm", "x")).toBe("rm x\n");
    expect(print("echo", "-e", "r\\x6d")).toBe("rm\n");
    expect(print("printf", "\\162\\155 %s\\n", "x")).toBe("rm x\n");
    expect(print("printf", "%s-", "a", "b")).toBe("a-b-");
  });
  test("is unknown where shells differ", () => {
    expect(print("echo", "a\\nb")).toBeUndefined();
    expect(print("printf", "%d", "1")).toBeUndefined();
    expect(printedText("echo", [{ value: "$x", known: false, wild: "no" }])).toBeUndefined();
  });
});

describe("paths", () => {
  test.each([
    "/",
    "//",
    "/*",
    "/.",
    "/usr/..",
    "/etc",
    "/etc/",
    "~",
    "~/",
    "~/*",
    "$HOME",
    "/home/alice",
    "/home/*",
    "C:\\",
    "c:/Windows",
    "%USERPROFILE%",
  ])("are the system's or a whole home: %s", (path) => expect(isSystemTree(path)).toBe(true));
  test.each([
    "build",
    "./",
    ".",
    "*",
    "/srv/app/old",
    "~/project/dist",
    "$HOME/x/y",
    "/tmp/x",
    "/home/alice/project",
    "/etc/app/x.d",
    "C:\\work\\x",
  ])("are not: %s", (path) => expect(isSystemTree(path)).toBe(false));
  test("count from the folder that was entered", () => {
    expect(isSystemTree("*", "/")).toBe(true);
    expect(isSystemTree(".", "/etc")).toBe(true);
    expect(isSystemTree("..", "/etc/x")).toBe(true);
    expect(isSystemTree("build", "/srv/app")).toBe(false);
    expect(normalPath("a/./b//../c")).toBe("a/c");
  });
});

test("every reason code has its line in the reference", () => {
  const page = readFileSync(new URL("../../../../docs/reference/command-risk.md", import.meta.url), "utf8");
  for (const [code, { verdict, meaning }] of Object.entries(RISKS))
    expect(page).toContain(`| \`${code}\` | ${verdict} | ${meaning} |`);
});
