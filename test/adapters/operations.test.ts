import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createLocalOperations } from "../../src/adapters/operations-local/local-operations.ts";
import { createVirtualOperations } from "../../src/adapters/operations-virtual/virtual-operations.ts";
import { createLinearSearch } from "../../src/adapters/search-linear/linear-search.ts";
import type { Operations } from "../../src/ports/operations.ts";
import type { VirtualFiles } from "../../src/ports/virtual-files.ts";
import { fail, ok } from "../../src/schema/problem.ts";
import { operationsContract } from "../../src/testing/operations.contract.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-operations-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const search = createLinearSearch({ limits: { ms: 20_000 } });

function local(handles: boolean): Operations {
  const created = createLocalOperations({ root: mkdtempSync(join(folder, "w-")), search, handles });
  if (!created.ok) throw new Error(created.problem.message);
  return created.value;
}

function memoryFiles(): VirtualFiles {
  const files = new Map<string, Uint8Array>();
  return {
    get: async (path) => ok(files.get(path) ?? null),
    put: async (path, bytes) => ok(void files.set(path, bytes.slice())),
    delete: async (path) => ok(void files.delete(path)),
    list: async () => ok([...files].map(([path, { length }]) => ({ path, size: length }))),
  };
}

const workspaces: Readonly<Record<string, () => Operations>> = {
  "a folder with handles": () => local(true),
  "a folder without handles": () => local(false),
  "virtual files": () => createVirtualOperations({ store: memoryFiles(), search }),
};

describe.each(Object.entries(workspaces))("operations on %s", (_name, create) => {
  test.each(operationsContract.map((one) => [one.name, one] as const))("%s", (_name, one) => one.run(create()));
});

describe("virtual files", () => {
  const bytes = new TextEncoder().encode("twelve bytes");

  test("cannot run commands", () => {
    expect(createVirtualOperations({ store: memoryFiles(), search }).process).toBeNull();
  });

  test("are limited in number and in total size, and replacing a file counts it once", async () => {
    const { files } = createVirtualOperations({ store: memoryFiles(), search, limits: { files: 2, bytes: 30 } });
    expect((await files.write("a", bytes)).ok).toBe(true);
    expect((await files.write("b", bytes)).ok).toBe(true);
    expect((await files.write("b", bytes.toReversed())).ok).toBe(true);
    expect(await files.write("c", bytes)).toMatchObject({ problem: { code: "file_too_large" } });
    expect(await files.write("b", new Uint8Array(19))).toMatchObject({ problem: { code: "file_too_large" } });
  });

  test("pass on problems of their store", async () => {
    const away = async () => fail("store_unavailable", "no answer");
    const store: VirtualFiles = { get: away, put: away, delete: away, list: away };
    const { files, search: found } = createVirtualOperations({ store, search });
    for (const result of [await files.read("a"), await files.write("a", bytes), await found.grep({ pattern: "x" })]) {
      expect(result).toMatchObject({ problem: { code: "store_unavailable" } });
    }
  });
});

describe("a local workspace", () => {
  test("that is not a folder cannot be created", () => {
    expect(createLocalOperations({ root: join(folder, "none"), search })).toMatchObject({
      problem: { code: "config_invalid" },
    });
  });

  test("runs no commands by default", () => {
    expect(local(true).process).toBeNull();
  });
});
