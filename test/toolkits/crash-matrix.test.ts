// Ends the process at every step of a call of the tools that change files or run commands. The runtime must never claim
// what did not happen.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createLocalOperations } from "../../src/adapters/operations-local/local-operations.ts";
import { lazySearch } from "../../src/hosts/shared/lazy-adapters.ts";
import { crashMatrix, crashTable } from "../../src/testing/crash-matrix.ts";
import { fileTools } from "../../src/toolkits/all.ts";
import { unwrap } from "../support/runtime.ts";

const root = mkdtempSync(join(tmpdir(), "pawl-crash-"));
afterAll(() => rmSync(root, { recursive: true }));
const file = join(root, "a.txt");
const written = (): string => readFileSync(file, "utf8");

test.each<[string, Record<string, unknown>]>([
  ["bash", { command: "echo x >> a.txt" }],
  ["edit", { path: "a.txt", old_string: "start", new_string: "start x" }],
  ["patch", { path: "a.txt", old_string: "start", new_string: "start x" }],
])("%s is honest in every crash", async (name, args) => {
  writeFileSync(file, "start\n");
  const env = { PATH: process.env.PATH ?? "" };
  const operations = unwrap(createLocalOperations({ root, search: lazySearch, process: { env, graceMs: 100 } }));
  const tool = fileTools(() => operations).find(({ manifest }) => manifest.name === name);
  if (!tool) throw new Error(name);
  expect(tool.input.safeParse(args), name).toMatchObject({ success: true });
  const effects = (): number => written().split("x").length - 1;
  const matrix = await crashMatrix({ tool, arguments: args, effects });
  expect(matrix.honest, crashTable(matrix)).toBe(true);
});

test("write_file changes the file once at most, and a person decides where that is unknown", async () => {
  const operations = unwrap(createLocalOperations({ root, search: lazySearch, process: { env: {}, graceMs: 100 } }));
  let changes = 0;
  const files: typeof operations.files = {
    ...operations.files,
    rewrite: async (...request) => {
      const written = await operations.files.rewrite(...request);
      if (written.ok && written.value.changed) changes += 1;
      return written;
    },
  };
  const tool = fileTools(() => ({ ...operations, files })).find(({ manifest }) => manifest.name === "write_file");
  if (!tool) throw new Error("write_file");
  const matrix = await crashMatrix({
    tool,
    arguments: () => {
      writeFileSync(file, "start\n");
      return { path: "a.txt", content: "start x\n" };
    },
    effects: () => changes,
  });
  expect(matrix.honest, crashTable(matrix)).toBe(true);
});
