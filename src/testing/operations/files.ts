// Defines the cases for reading, writing, rewriting, removing and listing files.
import assert from "node:assert/strict";
import { fail, ok } from "../../schema/problem.ts";
import { succeeded } from "../expect.ts";
import { testCase } from "../test-case.ts";
import { codeOf, decode, encode, type OperationsCase, readText, writeFiles } from "./helpers.ts";

export const fileCases: readonly OperationsCase[] = [
  testCase("written content is read back, with its size", async (operations) => {
    const written = succeeded(await operations.files.write("src/deep/a.txt", encode("grüß dich\n")));
    assert.deepEqual(written, { path: "src/deep/a.txt", size: 12, created: true, changed: true });
    const read = succeeded(await operations.files.read("src/deep/a.txt"));
    assert.equal(decode(read.bytes), "grüß dich\n");
    assert.deepEqual(
      { path: read.path, offset: read.offset, size: read.size },
      { path: "src/deep/a.txt", offset: 0, size: 12 },
    );
  }),
  testCase("binary content is read back unchanged", async ({ files }) => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    succeeded(await files.write("all.bin", all));
    assert.deepEqual([...succeeded(await files.read("all.bin")).bytes], [...all]);
  }),
  testCase("an empty file is a file", async ({ files }) => {
    succeeded(await files.write("empty", encode("")));
    assert.equal(succeeded(await files.read("empty")).size, 0);
    assert.equal(succeeded(await files.stat("empty")).kind, "file");
  }),
  testCase("offset and limit select a range, which is empty beyond the end", async (operations) => {
    await writeFiles(operations, { "a.txt": "0123456789" });
    const part = async (offset: number, limit: number) =>
      decode(succeeded(await operations.files.read("a.txt", { offset, limit })).bytes);
    assert.equal(await part(3, 4), "3456");
    assert.equal(await part(8, 100), "89");
    assert.equal(await part(50, 10), "");
    assert.equal(await part(0, 0), "");
    assert.equal(succeeded(await operations.files.read("a.txt", { offset: 3, limit: 4 })).size, 10);
  }),
  testCase("a read returns at most 512 KB by default, and reports the full size", async ({ files }) => {
    succeeded(await files.write("large.txt", encode("x".repeat(600_000))));
    const read = succeeded(await files.read("large.txt"));
    assert.equal(read.bytes.length, 524_288);
    assert.equal(read.size, 600_000);
  }),
  testCase("content above the limit is refused and the old file is kept", async (operations) => {
    await writeFiles(operations, { "a.txt": "old" });
    assert.equal(codeOf(await operations.files.write("a.txt", new Uint8Array(16_777_217))), "file_too_large");
    assert.equal(await readText(operations, "a.txt"), "old");
  }),
  testCase(
    "reading, inspecting, removing, listing or searching a missing path fails with file_not_found",
    async ({ files, search }) => {
      assert.equal(codeOf(await files.read("none.txt")), "file_not_found");
      assert.equal(codeOf(await files.stat("none/deeper.txt")), "file_not_found");
      assert.equal(codeOf(await files.remove("none.txt")), "file_not_found");
      assert.equal(codeOf(await files.list("none")), "file_not_found");
      assert.equal(codeOf(await search.find({ glob: "*", under: "none" })), "file_not_found");
    },
  ),
  testCase("a folder is not a file, and a file is not a folder", async (operations) => {
    await writeFiles(operations, { "src/a.txt": "x" });
    const { files } = operations;
    assert.equal(codeOf(await files.read("src")), "not_a_file");
    assert.equal(codeOf(await files.read(".")), "not_a_file");
    assert.equal(codeOf(await files.write("src", encode("x"))), "not_a_file");
    assert.equal(codeOf(await files.write(".", encode("x"))), "not_a_file");
    assert.equal(codeOf(await files.remove("src")), "not_a_file");
    assert.equal(codeOf(await files.list("src/a.txt")), "not_a_folder");
    assert.equal(codeOf(await files.read("src/a.txt/b")), "not_a_folder");
    assert.equal(codeOf(await files.write("src/a.txt/b", encode("x"))), "not_a_folder");
  }),
  testCase("a percent-encoded path is a literal name", async (operations) => {
    const path = "src/%2e%2e/%2e%2e/etc/hosts";
    assert.equal(codeOf(await operations.files.read(path)), "file_not_found");
    await writeFiles(operations, { [path]: "literal" });
    assert.equal(await readText(operations, path), "literal");
    assert.deepEqual(
      succeeded(await operations.files.list("src")).entries.map((entry) => entry.name),
      ["%2e%2e"],
    );
  }),
  testCase("different spellings of a path name the same file", async (operations) => {
    await writeFiles(operations, { "src/a.txt": "one" });
    for (const path of ["./src/a.txt", "src//a.txt", "src/./a.txt", "src/b/../a.txt", "x/../src/a.txt"]) {
      assert.equal(await readText(operations, path), "one");
      assert.equal(succeeded(await operations.files.stat(path)).path, "src/a.txt");
    }
  }),
  testCase("names with spaces, dots and non-ASCII letters are accepted", async (operations) => {
    const names = ["my file.txt", ".hidden", "...", "日程.md", "#~x", "console", "nulls"];
    await writeFiles(operations, Object.fromEntries(names.map((name) => [name, name])));
    for (const name of names) assert.equal(await readText(operations, name), name);
  }),
  testCase("writing the same content again changes nothing and reports that", async ({ files }) => {
    succeeded(await files.write("a.txt", encode("same")));
    const again = succeeded(await files.write("a.txt", encode("same")));
    assert.deepEqual([again.created, again.changed], [false, false]);
    const other = succeeded(await files.write("a.txt", encode("else")));
    assert.deepEqual([other.created, other.changed], [false, true]);
  }),
  testCase("a rewrite receives the current content, or null", async (operations) => {
    const seen: (string | null)[] = [];
    const append = (before: Uint8Array | null) => {
      seen.push(before === null ? null : decode(before));
      return ok(encode(`${before === null ? "" : decode(before)}+`));
    };
    succeeded(await operations.files.rewrite("a.txt", append));
    succeeded(await operations.files.rewrite("a.txt", append));
    assert.deepEqual(seen, [null, "+"]);
    assert.equal(await readText(operations, "a.txt"), "++");
  }),
  testCase("a failed rewrite keeps the file and creates no folder", async (operations) => {
    await writeFiles(operations, { "a.txt": "old" });
    const refuse = () => fail("pattern_invalid", "no such text");
    assert.equal(codeOf(await operations.files.rewrite("a.txt", refuse)), "pattern_invalid");
    assert.equal(codeOf(await operations.files.rewrite("new/folder/a.txt", refuse)), "pattern_invalid");
    assert.equal(await readText(operations, "a.txt"), "old");
    assert.equal(codeOf(await operations.files.stat("new")), "file_not_found");
  }),
  testCase("no concurrent rewrite of a file is lost", async (operations) => {
    const add = (line: number) => (before: Uint8Array | null) => ok(encode(`${before ? decode(before) : ""}${line}\n`));
    const paths = ["log/all.txt", "./log/all.txt", "log//all.txt"];
    const done = Array.from({ length: 60 }, (_, i) => operations.files.rewrite(paths[i % 3] ?? "", add(i)));
    for (const result of await Promise.all(done)) succeeded(result);
    const lines = (await readText(operations, "log/all.txt")).trim().split("\n").map(Number);
    assert.deepEqual(
      lines.sort((a, b) => a - b),
      Array.from({ length: 60 }, (_, i) => i),
    );
  }),
  testCase("a failed write does not block the next one", async ({ files }) => {
    const [refused, written] = await Promise.all([
      files.rewrite("a.txt", () => fail("pattern_invalid", "no")),
      files.write("a.txt", encode("yes")),
    ]);
    assert.equal(codeOf(refused), "pattern_invalid");
    succeeded(written);
  }),
  testCase("removing a file deletes it and keeps its neighbors", async (operations) => {
    await writeFiles(operations, { "src/a.txt": "a", "src/b.txt": "b" });
    succeeded(await operations.files.remove("src/a.txt"));
    assert.equal(codeOf(await operations.files.read("src/a.txt")), "file_not_found");
    assert.equal(await readText(operations, "src/b.txt"), "b");
  }),
  testCase("a folder is listed in order with kinds and sizes, up to the limit", async (operations) => {
    await writeFiles(operations, { "b.txt": "22", "a/x.txt": "1", "c.txt": "", "B.txt": "333" });
    const all = succeeded(await operations.files.list("."));
    assert.deepEqual(all.entries, [
      { name: "B.txt", kind: "file", size: 3 },
      { name: "a", kind: "folder", size: 0 },
      { name: "b.txt", kind: "file", size: 2 },
      { name: "c.txt", kind: "file", size: 0 },
    ]);
    assert.equal(all.truncated, false);
    const two = succeeded(await operations.files.list("", { limit: 2 }));
    assert.deepEqual([two.entries.length, two.truncated], [2, true]);
  }),
];
