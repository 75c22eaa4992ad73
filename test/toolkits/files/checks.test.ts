import { describe, expect, test } from "vitest";
import type { Failed } from "../../../src/schema/problem.ts";
import { edit } from "../../../src/toolkits/files/edit.ts";
import { patch } from "../../../src/toolkits/files/patch-file.ts";
import { writeFile } from "../../../src/toolkits/files/write-file.ts";
import { bash } from "../../../src/toolkits/shell/bash.ts";
import { contextWith, filesOf, virtualOperations } from "../../support/run-builtin.ts";

const TOOLS = { writeFile, edit, patch, bash };
const context = contextWith(filesOf({ "a.txt": "one\ntwo\n", "src/b.txt": "b\n", ".env": "TOKEN=secret-value\n" }));

async function check(name: keyof typeof TOOLS, args: unknown): Promise<string> {
  const problem = (await TOOLS[name](virtualOperations).check?.(args, context)) as Failed | null;
  return problem ? problem.problem.code : "none";
}

describe("checks of file tools before a person is asked", () => {
  test("a path outside the workspace is refused", async () => {
    expect(await check("writeFile", { path: "../x", content: "" })).toBe("path_outside_workspace");
    expect(await check("edit", { path: "../x", old_string: "a", new_string: "b" })).toBe("path_outside_workspace");
    expect(await check("patch", { path: "/etc/x", old_string: "a", new_string: "b" })).toBe("path_outside_workspace");
    expect(await check("bash", { command: "ls", folder: "../x" })).toBe("path_outside_workspace");
    expect(await check("bash", { command: "ls", folder: "src" })).toBe("none");
  });

  test("a new file and an existing one may be written, a folder may not", async () => {
    expect(await check("writeFile", { path: "new/c.txt", content: "c" })).toBe("none");
    expect(await check("writeFile", { path: "a.txt", content: "c" })).toBe("none");
    expect(await check("writeFile", { path: "src", content: "c" })).toBe("not_a_file");
  });

  test("a change of text that is not in the file is refused", async () => {
    expect(await check("edit", { path: "a.txt", old_string: "two", new_string: "2" })).toBe("none");
    expect(await check("edit", { path: "a.txt", old_string: "three", new_string: "3" })).toBe("tool_refused");
    expect(await check("edit", { path: "b.txt", old_string: "b", new_string: "c" })).toBe("file_not_found");
    expect(await check("patch", { path: "a.txt", old_string: "two\n", new_string: "2\n" })).toBe("none");
    expect(await check("patch", { path: "a.txt", old_string: "nothing like it", new_string: "3" })).toMatch(/^patch_/);
  });

  test("a sensitive file is not read before a person allowed it", async () => {
    expect(await check("patch", { path: ".env", old_string: "nothing like it", new_string: "3" })).toBe("none");
    expect(await check("edit", { path: ".env", old_string: "TOKEN=guess", new_string: "3" })).toBe("none");
  });
});

describe("the preview of write_file", () => {
  const preview = (path: string, content: string) =>
    writeFile(virtualOperations).preview?.({ path, content }, context) ?? null;

  test("shows the size and the lines of a new file", async () => {
    expect(await preview("new/c.txt", "c\nd\n")).toBe("New file new/c.txt (2 lines, 4 bytes):\n+c\n+d");
    const long = await preview("long.txt", "line\n".repeat(40));
    expect(long?.split("\n").at(-1)).toBe("(16 more lines)");
  });

  test("shows which lines of an existing file change", async () => {
    const files = contextWith(filesOf({ "list.txt": "a\nb\nc\nd\ne\nf\ng\n" }));
    const text = await writeFile(virtualOperations).preview?.(
      { path: "list.txt", content: "a\nb\nc\nd\nE!\nf\ng\nh\n" },
      files,
    );
    expect(text?.split("\n")).toEqual([
      "Replaces list.txt (7 lines, 14 bytes) with 8 lines, 17 bytes: 1 removed, 2 added.",
      "@@ line 3 @@",
      " c",
      " d",
      "-e",
      "+E!",
      " f",
      " g",
      "+h",
    ]);
  });

  test("says when nothing would change, and shows nothing of a sensitive file or of bytes", async () => {
    expect(await preview("a.txt", "one\ntwo\n")).toBe("a.txt already has this content; nothing would change.");
    expect(await preview("a.txt", "one\ntwo")).toBe("Replaces a.txt: only line endings change.");
    expect(await preview(".env", "TOKEN=other")).toBe("Replaces .env (19 bytes) with 11 bytes.");
    const bytes = contextWith(new Map([["x.bin", new Uint8Array([0xff, 0xfe, 0])]]));
    const replaced = writeFile(virtualOperations).preview?.({ path: "x.bin", content: "text" }, bytes);
    expect(await replaced).toBe("Replaces x.bin, which is not text, with 1 line, 4 bytes.");
  });
});
