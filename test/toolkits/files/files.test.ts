import { describe, expect, test } from "vitest";
import { edit } from "../../../src/toolkits/files/edit.ts";
import { findFiles } from "../../../src/toolkits/files/find-files.ts";
import { grep } from "../../../src/toolkits/files/grep.ts";
import { listDir } from "../../../src/toolkits/files/list-dir.ts";
import { patch } from "../../../src/toolkits/files/patch-file.ts";
import { READ_BYTES_MAX, readFile } from "../../../src/toolkits/files/read-file.ts";
import { writeFile } from "../../../src/toolkits/files/write-file.ts";
import type { Tool } from "../../../src/tools/define-tool.ts";
import { contextWith, filesOf, readText, runBuiltin, virtualOperations } from "../../support/run-builtin.ts";

const tools = { readFile, writeFile, listDir, findFiles, grep, edit, patch };
const made = Object.fromEntries(Object.entries(tools).map(([name, make]) => [name, make(virtualOperations)])) as Record<
  keyof typeof tools,
  Tool
>;
const bench = (texts: Readonly<Record<string, string>>) => {
  const files = filesOf(texts);
  const context = contextWith(files);
  return {
    files,
    context,
    text: (path: string) => readText(files, path),
    run: (name: keyof typeof tools, args: unknown) => runBuiltin(made[name], args, context),
  };
};
const lines = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join("");

describe("read_file", () => {
  test("returns a whole file and its length", async () => {
    const ran = await bench({ "a.txt": "one\ntwo\n" }).run("readFile", { path: "a.txt" });
    expect(ran.text).toBe("a.txt, lines 1-2 of 2 (8 bytes)\none\ntwo\n");
  });

  test("returns a range of lines and says where the rest begins", async () => {
    const ran = await bench({ "a.txt": lines(100) }).run("readFile", { path: "a.txt", start_line: 10, lines: 2 });
    expect(ran.text).toMatch(
      /^a\.txt, lines 10-11 of 100 \(\d+ bytes; go on with start_line 12\)\nline 10\nline 11\n$/,
    );
    const beyond = await bench({ "a.txt": lines(3) }).run("readFile", { path: "a.txt", start_line: 9 });
    expect(beyond.text).toBe("a.txt has 3 lines (21 bytes); there is no line 9.");
  });

  test("returns of a long file what one observation can show, and at most 512 KB on request", async () => {
    const long = bench({ "a.txt": lines(200_000) });
    const first = await long.run("readFile", { path: "a.txt" });
    expect(first.text.length).toBeLessThan(31_000);
    expect(first.text).toContain("go on with start_line");
    const most = await long.run("readFile", { path: "a.txt", start_line: 1, lines: 20_000 });
    expect(most.text.length).toBeLessThan(READ_BYTES_MAX + 200);
    const wide = await bench({ "a.txt": "x".repeat(600_000) }).run("readFile", { path: "a.txt", lines: 1 });
    expect(wide.text).toContain("the line is longer than what is shown");
    expect(wide.text.length).toBeLessThan(READ_BYTES_MAX + 200);
  });

  test("an empty file is empty, and a byte order mark is not shown", async () => {
    expect((await bench({ "a.txt": "" }).run("readFile", { path: "a.txt" })).text).toBe(
      "a.txt has 0 lines (0 bytes); there is no line 1.",
    );
    expect((await bench({ "a.txt": "\uFEFFone" }).run("readFile", { path: "a.txt" })).raw).toMatchObject({
      text: "one",
    });
  });

  test("files that are missing, outside or not text are refused", async () => {
    const { run, files } = bench({ "a/b.txt": "x" });
    files.set("c.bin", new Uint8Array([0xff, 0xfe, 0]));
    expect((await run("readFile", { path: "none.txt" })).text).toContain('"none.txt" does not exist');
    expect((await run("readFile", { path: "../x" })).text).toContain("is not a path inside the workspace");
    expect((await run("readFile", { path: "c.bin" })).text).toContain("not UTF-8 text");
    expect((await run("readFile", { path: "a" })).text).toContain("is a folder");
    expect((await run("readFile", { path: "a" })).how).toBe("refused");
  });
});

describe("write_file", () => {
  test("creates, replaces and notices when there is nothing to change", async () => {
    const { run, text } = bench({});
    expect((await run("writeFile", { path: "a/b.txt", content: "one\n" })).text).toBe("Created a/b.txt (4 bytes).");
    expect((await run("writeFile", { path: "a/b.txt", content: "two\n" })).text).toBe("Replaced a/b.txt (4 bytes).");
    expect((await run("writeFile", { path: "a/b.txt", content: "two\n" })).text).toContain("Left as it was");
    expect(text("a/b.txt")).toBe("two\n");
  });

  test("keeps byte order mark and line endings of the file it replaces", async () => {
    const { run, text } = bench({ "a.txt": "\uFEFFone\r\ntwo\r\n" });
    await run("writeFile", { path: "a.txt", content: "one\nthree\n" });
    expect(text("a.txt")).toBe("\uFEFFone\r\nthree\r\n");
  });

  test("after a crash it can tell whether it happened", async () => {
    const asked = (context: ReturnType<typeof bench>["context"], content: string) =>
      made.writeFile.reconcile?.({ path: "a.txt", content }, "key", context);
    expect(await asked(bench({ "a.txt": "one\r\n" }).context, "one\n")).toMatchObject({ happened: true });
    expect(await asked(bench({}).context, "one\n")).toEqual({ happened: false });
    expect(await asked(bench({ "a.txt": "other" }).context, "one\n")).toBeNull();
  });
});

test("list_dir shows files with sizes and folders", async () => {
  const { run } = bench({ "a.txt": "one", "src/b.ts": "x", "src/lib/c.ts": "y" });
  expect((await run("listDir", {})).text).toBe(".: 2 entries\na.txt 3\nsrc/");
  expect((await run("listDir", { path: "src" })).text).toBe("src: 2 entries\nb.ts 1\nlib/");
  expect((await run("listDir", { path: "none" })).success).toBe(false);
});

test("find_files returns only matches of the pattern, sorted and limited", async () => {
  const { run } = bench({ "b.ts": "", "a.ts": "", "src/c.ts": "", "src/d.js": "" });
  expect((await run("findFiles", { pattern: "**/*.ts" })).raw).toMatchObject({ paths: ["a.ts", "b.ts", "src/c.ts"] });
  expect((await run("findFiles", { pattern: "*.ts", under: "src" })).text).toContain("src/c.ts");
  const few = await run("findFiles", { pattern: "*.ts", limit: 1 });
  expect(few.raw).toMatchObject({ paths: [expect.any(String)], stopped: "matches" });
});

test("grep returns file, line and text; an invalid pattern is refused", async () => {
  const { run } = bench({ "a.ts": "one\nTODO two\nthree\n", "b.md": "todo\n" });
  expect((await run("grep", { pattern: "TODO" })).text).toBe("1 match in 2 files\na.ts:2: TODO two");
  expect((await run("grep", { pattern: "todo", ignore_case: true, include: "*.md" })).text).toContain("b.md:1: todo");
  expect((await run("grep", { pattern: "TODO", context: 1 })).text).toContain(
    "a.ts-1- one\na.ts:2: TODO two\na.ts-3- three",
  );
  expect((await run("grep", { pattern: "two(", literal: true })).text).toContain("0 matches");
  expect(await run("grep", { pattern: "(" })).toMatchObject({ how: "refused", success: false });
});

describe("edit", () => {
  test("replaces the one place, or all of them when asked", async () => {
    const { run, text } = bench({ "a.ts": "port = 80\nport = 80\nhost = x\n" });
    expect((await run("edit", { path: "a.ts", old_string: "host = x", new_string: "host = $& y" })).text).toBe(
      "a.ts: 1 place changed.",
    );
    expect(text("a.ts")).toContain("host = $& y");
    expect((await run("edit", { path: "a.ts", old_string: "port = 80", new_string: "port = 8080" })).text).toContain(
      "2 times",
    );
    expect(
      (await run("edit", { path: "a.ts", old_string: "port = 80", new_string: "port = 8080", replace_all: true })).text,
    ).toContain("2 places");
    expect(text("a.ts")).toBe("port = 8080\nport = 8080\nhost = $& y\n");
  });

  test("guesses nothing: different whitespace is different text", async () => {
    const { run, text } = bench({ "a.ts": "  port = 80\n" });
    expect((await run("edit", { path: "a.ts", old_string: "port  = 80", new_string: "x" })).text).toContain(
      "is not in a.ts",
    );
    expect((await run("edit", { path: "a.ts", old_string: "80", new_string: "80" })).success).toBe(false);
    expect((await run("edit", { path: "none.ts", old_string: "a", new_string: "b" })).text).toContain("There is no");
    expect(text("a.ts")).toBe("  port = 80\n");
  });

  test("keeps the line endings of the file", async () => {
    const { run, text } = bench({ "a.txt": "one\r\ntwo\r\nthree\r\n" });
    await run("edit", { path: "a.txt", old_string: "one\ntwo\n", new_string: "one\n2\n" });
    expect(text("a.txt")).toBe("one\r\n2\r\nthree\r\n");
  });

  test("after a crash it can tell whether it happened", async () => {
    const asked = (texts: Record<string, string>) =>
      made.edit.reconcile?.({ path: "a.ts", old_string: "80", new_string: "81" }, "key", bench(texts).context);
    expect(await asked({ "a.ts": "p = 80" })).toEqual({ happened: false });
    expect(await asked({ "a.ts": "p = 81" })).toMatchObject({ happened: true });
    expect(await asked({ "a.ts": "p = 99" })).toBeNull();
  });
});

describe("patch", () => {
  const change = {
    path: "a.ts",
    old_string: "function a() {\n return 1;\n}",
    new_string: "function a() {\n return 2;\n}",
  };

  test("finds the place although the indentation differs, and shows what it changed", async () => {
    const { run, text } = bench({ "a.ts": "function a() {\n    return 1;\n}\n" });
    const ran = await run("patch", change);
    expect(ran.success).toBe(true);
    expect(text("a.ts")).toBe("function a() {\n    return 2;\n}\n");
    expect(ran.text).toMatch(/^a\.ts: 1 place changed[\s\S]*-\s+return 1;\n\+\s+return 2;/);
  });

  test("reports a repeated patch as already applied, and refuses a missing place", async () => {
    const { run, text } = bench({ "a.ts": "function a() {\n    return 1;\n}\n" });
    await run("patch", change);
    expect(await run("patch", change)).toMatchObject({ how: "refused", text: expect.stringContaining("already") });
    const before = text("a.ts");
    expect((await run("patch", { ...change, old_string: "class Unknown {\n  x = 1;\n}" })).success).toBe(false);
    expect(text("a.ts")).toBe(before);
  });

  test("two patches of the same file are both applied", async () => {
    const { run, text } = bench({ "a.ts": "const a = 1;\nconst b = 1;\n" });
    await Promise.all([
      run("patch", { path: "a.ts", old_string: "const a = 1;", new_string: "const a = 2;" }),
      run("patch", { path: "a.ts", old_string: "const b = 1;", new_string: "const b = 2;" }),
    ]);
    expect(text("a.ts")).toBe("const a = 2;\nconst b = 2;\n");
  });

  test("after a crash it can tell whether it happened", async () => {
    const asked = (text: string) => made.patch.reconcile?.(change, "key", bench({ "a.ts": text }).context);
    expect(await asked("function a() {\n    return 1;\n}\n")).toEqual({ happened: false });
    expect(await asked("function a() {\n    return 2;\n}\n")).toEqual({ happened: true });
    expect(await asked("nothing alike\n")).toBeNull();
  });
});
