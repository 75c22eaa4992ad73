import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createLocalOperations, type LocalOptions } from "../../src/adapters/operations-local/local-operations.ts";
import { createLinearSearch } from "../../src/adapters/search-linear/linear-search.ts";
import type { Operations } from "../../src/ports/operations.ts";
import { ok } from "../../src/schema/problem.ts";

const base = mkdtempSync(join(tmpdir(), "pawl-local-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let root = "";
let outside = "";
beforeEach(() => {
  const own = mkdtempSync(join(base, "case-"));
  root = join(own, "workspace");
  outside = join(own, "outside");
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "SECRET");
});

function operate(options: Partial<LocalOptions> = {}): Operations {
  const created = createLocalOperations({ root, search: createLinearSearch(), ...options });
  if (!created.ok) throw new Error(created.problem.message);
  return created.value;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const refusedFor = (reason: string) => ({ problem: { code: "path_outside_workspace", details: { reason } } });
const inside = (name: string): string => readFileSync(join(root, name), "utf8");

describe.each([
  ["kept open by handles", true],
  ["checked by names", false],
])("links, with folders %s", (_way, handles) => {
  test("a folder that is a link to the outside is not entered", async () => {
    symlinkSync(outside, join(root, "link"));
    const { files, search } = operate({ handles });
    const refused = refusedFor("link");
    expect(await files.read("link/secret.txt")).toMatchObject(refused);
    expect(await files.stat("link/secret.txt")).toMatchObject(refused);
    expect(await files.list("link")).toMatchObject(refused);
    expect(await files.write("link/new.txt", bytes("x"))).toMatchObject(refused);
    expect(await files.write("link/new/deeper.txt", bytes("x"))).toMatchObject(refused);
    expect(await files.remove("link/secret.txt")).toMatchObject(refused);
    expect(await search.grep({ pattern: "SECRET", under: "link" })).toMatchObject(refused);
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
  });

  test("the blocked folder is not entered, by its name, by a link or by a search", async () => {
    mkdirSync(join(root, "data/deeper"), { recursive: true });
    writeFileSync(join(root, "data/secret"), "SECRET");
    writeFileSync(join(root, "data/deeper/secret"), "SECRET");
    symlinkSync("data", join(root, "link"));
    symlinkSync("data/secret", join(root, "leak"));
    writeFileSync(join(root, "open.txt"), "no SECRET here");
    const { files, search } = operate({ handles, blockedFolder: [join(root, "data")] });
    const refused = refusedFor("closed");
    for (const path of ["data/secret", "data/deeper/secret", "link/secret", "leak", "./data//secret"]) {
      expect(await files.read(path)).toMatchObject(refused);
      expect(await files.write(path, bytes("x"))).toMatchObject(refused);
      expect(await files.remove(path)).toMatchObject(refused);
    }
    expect(await files.list("data")).toMatchObject(refused);
    expect(await files.write("data/new/file", bytes("x"))).toMatchObject(refused);
    expect(await search.grep({ pattern: "SECRET", under: "link" })).toMatchObject(refused);
    const found = await search.grep({ pattern: "SECRET" });
    expect(found).toMatchObject({ value: { matches: [{ path: "open.txt" }] } });
    expect(inside("data/secret")).toBe("SECRET");
  });

  test.each([
    ["relative", () => "../outside/secret.txt"],
    ["absolute", () => join(outside, "secret.txt")],
    ["into the process table", () => "/proc/self/environ"],
    ["through another link", () => "first/secret.txt"],
  ])("a file that is a link to the outside, %s, is neither read nor written", async (_kind, target) => {
    symlinkSync("../outside", join(root, "first"));
    symlinkSync(target(), join(root, "leak"));
    const { files } = operate({ handles });
    expect(await files.read("leak")).toMatchObject(refusedFor("link"));
    expect(await files.write("leak", bytes("x"))).toMatchObject(refusedFor("link"));
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("SECRET");
  });

  test("a dangling link is not written through, wherever it points", async () => {
    symlinkSync(join(outside, "new.txt"), join(root, "out"));
    symlinkSync("later.txt", join(root, "in"));
    symlinkSync("folder-to-come", join(root, "in-folder"));
    const { files } = operate({ handles });
    for (const path of ["out", "in", "in-folder/x"]) {
      expect(await files.write(path, bytes("x"))).toMatchObject(refusedFor("link"));
      expect(await files.rewrite(path, () => ok(bytes("x")))).toMatchObject({ ok: false });
    }
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
    expect(readdirSync(root).sort()).toEqual(["in", "in-folder", "out"]);
  });

  test("a link that stays inside is followed, and writing keeps it a link", async () => {
    mkdirSync(join(root, "real/deep"), { recursive: true });
    writeFileSync(join(root, "real/a.txt"), "a");
    symlinkSync("../real/a.txt", join(root, "real/../real/deep/up.txt"));
    symlinkSync("real", join(root, "near"));
    symlinkSync(join(root, "real/a.txt"), join(root, "absolute.txt"));
    const { files } = operate({ handles });
    expect(await files.read("near/a.txt")).toMatchObject({ value: { size: 1 } });
    expect(await files.read("absolute.txt")).toMatchObject({ value: { size: 1 } });
    expect(await files.write("absolute.txt", bytes("through"))).toMatchObject({ ok: true });
    expect(await files.write("near/deep/new/b.txt", bytes("b"))).toMatchObject({ ok: true });
    expect(inside("real/a.txt")).toBe("through");
    expect(inside("real/deep/new/b.txt")).toBe("b");
    expect(readlinkSync(join(root, "absolute.txt"))).toBe(join(root, "real/a.txt"));
  });

  test("circular links are refused, and searches do not loop in them", async () => {
    symlinkSync("two", join(root, "one"));
    symlinkSync("one", join(root, "two"));
    mkdirSync(join(root, "a"));
    symlinkSync("..", join(root, "a/up"));
    writeFileSync(join(root, "a/x.txt"), "x");
    const { files, search } = operate({ handles });
    expect(await files.read("one")).toMatchObject(refusedFor("link"));
    expect(await files.read(`${"a/up/".repeat(20)}a/x.txt`)).toMatchObject({ ok: true });
    expect(await search.find({ glob: "**/**/**/**/**" })).toMatchObject({
      value: { paths: ["a/x.txt"], stopped: null },
    });
  });

  test("a file with another hard link is not written, and read only if that is allowed", async () => {
    linkSync(join(outside, "secret.txt"), join(root, "hard.txt"));
    const strict = operate({ handles });
    expect(await strict.files.read("hard.txt")).toMatchObject(refusedFor("hard_link"));
    expect(await strict.search.grep({ pattern: "SECRET" })).toMatchObject({
      value: { matches: [], skipped: { unreadable: 1 } },
    });
    const open = operate({ handles, hardLinks: "read" });
    expect(await open.files.read("hard.txt")).toMatchObject({ ok: true });
    for (const { files } of [strict, open]) {
      expect(await files.write("hard.txt", bytes("x"))).toMatchObject(refusedFor("hard_link"));
    }
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("SECRET");
  });

  test("a root reached by a link works, and so do absolute paths below it", async () => {
    symlinkSync(root, join(outside, "way-in"));
    const { files } = operate({ handles, root: join(outside, "way-in") });
    expect(await files.write(join(root, "a.txt"), bytes("x"))).toMatchObject({ value: { path: "a.txt" } });
    expect(await files.read(`${root}-evil/a.txt`)).toMatchObject(refusedFor("absolute"));
    expect(inside("a.txt")).toBe("x");
  });
});

describe("special files", () => {
  test("pipes, sockets and devices are neither read nor written and block nothing", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    symlinkSync("/dev/zero", join(root, "zero"));
    const { files, search } = operate();
    expect(await files.read("pipe")).toMatchObject({ problem: { code: "not_a_file" } });
    expect(await files.write("pipe", bytes("x"))).toMatchObject({ problem: { code: "not_a_file" } });
    expect(await files.stat("pipe")).toMatchObject({ value: { kind: "other", size: 0 } });
    expect(await files.read("zero")).toMatchObject(refusedFor("link"));
    expect(await search.grep({ pattern: "x", under: "pipe" })).toMatchObject({ problem: { code: "not_a_file" } });
    expect(await search.grep({ pattern: "x" })).toMatchObject({ value: { files: 0, stopped: null } });
  });

  test("a file of 2 GB in one line is searched in part, in bounded memory", async () => {
    writeFileSync(join(root, "huge.log"), `${"a".repeat(70_000)}needle`);
    truncateSync(join(root, "huge.log"), 2_147_483_648);
    const before = process.memoryUsage().rss;
    const { files, search } = operate();
    const report = await search.grep({ pattern: "needle" });
    expect(report).toMatchObject({ value: { matches: [], skipped: { partial: 1 } } });
    expect(await files.read("huge.log", { offset: 70_000, limit: 6 })).toMatchObject({
      value: { bytes: Buffer.from("needle") },
    });
    expect(await files.rewrite("huge.log", () => ok(bytes("")))).toMatchObject({ problem: { code: "file_too_large" } });
    expect(await files.write("huge.log", bytes("small"))).toMatchObject({ value: { size: 5, created: false } });
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1_048_576);
  });

  test("a search in a folder with too many files ends with a reason", async () => {
    for (let i = 0; i < 3_000; i++) writeFileSync(join(root, `f${i}`), "x\n");
    const { search } = operate({ search: createLinearSearch({ limits: { grep_files: 500, find_files: 700 } }) });
    expect(await search.grep({ pattern: "y" })).toMatchObject({ value: { files: 500, stopped: "files" } });
    expect(await search.find({ glob: "*z" })).toMatchObject({ value: { files: 700, stopped: "files" } });
    const brief = operate({ search: createLinearSearch({ limits: { ms: 0 } }) });
    expect(await brief.search.grep({ pattern: "y" })).toMatchObject({ value: { stopped: "time" } });
  });
});

describe("writing", () => {
  test("keeps the mode of a file, and leaves no temporary file behind", async () => {
    writeFileSync(join(root, "run.sh"), "old");
    chmodSync(join(root, "run.sh"), 0o754);
    const { files } = operate();
    expect(await files.write("run.sh", bytes("new"))).toMatchObject({ ok: true });
    expect(statSync(join(root, "run.sh")).mode & 0o7777).toBe(0o754);
    expect(readdirSync(root)).toEqual(["run.sh"]);
  });

  test("a reader sees the old or the new text, never a part", async () => {
    const texts = ["a", "b"].map((letter) => letter.repeat(300_000));
    const { files } = operate();
    await files.write("big.txt", bytes(texts[0] ?? ""));
    let writing = true;
    const writer = (async () => {
      for (let i = 0; i < 60; i++) await files.write("big.txt", bytes(texts[i % 2] ?? ""));
      writing = false;
    })();
    let reads = 0;
    while (writing) {
      const seen = await files.read("big.txt");
      if (!seen.ok) throw new Error(seen.problem.message);
      expect(new Set(seen.value.bytes).size).toBe(1);
      expect(seen.value.bytes.length).toBe(300_000);
      reads++;
    }
    await writer;
    expect(reads).toBeGreaterThan(20);
  });

  test("two rewrites through different links to one file are both kept", async () => {
    writeFileSync(join(root, "real.txt"), "");
    symlinkSync("real.txt", join(root, "alias.txt"));
    const { files } = operate();
    const add = (letter: string) => (before: Uint8Array | null) =>
      ok(Buffer.concat([before ?? new Uint8Array(), bytes(letter)]));
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => files.rewrite(i % 2 === 0 ? "real.txt" : "alias.txt", add("x"))),
    );
    expect(inside("real.txt")).toBe("x".repeat(40));
  });

  test("a system error gives a problem with the system's reason", async () => {
    const { files } = operate();
    renameSync(root, `${root}-gone`);
    expect(await files.write("a.txt", bytes("x"))).toMatchObject({ problem: { code: "file_not_found" } });
    expect(existsSync(root)).toBe(false);
  });

  test("no write escapes while a folder is swapped with a link to the outside 10,000 times", async () => {
    mkdirSync(join(root, "dir"));
    const swapper = spawn(
      process.execPath,
      [join(import.meta.dirname, "../support/swap-folder-process.ts"), join(root, "dir"), join(root, "aside"), outside],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    const swaps = new Promise<number>((resolve) => {
      swapper.stdout.on("data", (chunk: Buffer) => resolve(Number(chunk.toString())));
      swapper.once("exit", (code) => resolve(-(code ?? 1)));
    });
    const { files } = operate();
    const outcomes = new Map<string, number>();
    for (let i = 0; i < 2_000; i++) {
      const path = i % 2 === 0 ? `dir/f${i}.txt` : `dir/sub${i % 7}/f${i}.txt`;
      const written = await files.write(path, bytes(`content ${i}`));
      const outcome = written.ok ? "written" : written.problem.code;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    swapper.stdin.end();
    expect(await swaps).toBeGreaterThanOrEqual(10_000);
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
    expect(outcomes.get("written") ?? 0).toBeGreaterThan(20);
    const refused = [...outcomes.keys()].filter((outcome) => outcome !== "written");
    expect(["file_not_found", "not_a_folder", "path_outside_workspace"]).toEqual(expect.arrayContaining(refused));
  });
});
