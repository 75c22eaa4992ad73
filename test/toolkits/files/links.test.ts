// Tests that a file whose name requires an approval also requires it under another name.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLocalOperations } from "../../../src/adapters/operations-local/local-operations.ts";
import { createLinearSearch } from "../../../src/adapters/search-linear/linear-search.ts";
import { edit } from "../../../src/toolkits/files/edit.ts";
import { patch } from "../../../src/toolkits/files/patch-file.ts";
import type { OperationsFor } from "../../../src/toolkits/files/workspace.ts";
import { writeFile } from "../../../src/toolkits/files/write-file.ts";
import type { Tool } from "../../../src/tools/define-tool.ts";
import { contextWith, filesOf, runBuiltin } from "../../support/run-builtin.ts";
import { unwrap } from "../../support/runtime.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pawl-links-"));
  mkdirSync(join(root, ".git/hooks"), { recursive: true });
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, ".env"), "KEY=1\n");
  writeFileSync(join(root, "src/app.ts"), "KEY=1\n");
  symlinkSync(".git/hooks", join(root, "tools"));
  symlinkSync(".env", join(root, "settings"));
  symlinkSync("src", join(root, "source"));
});
afterEach(() => rmSync(root, { recursive: true }));

const CHANGE = { old_string: "KEY=1", new_string: "KEY=2" };

describe.each([
  ["held by handles", true],
  ["checked by names", false],
])("with folders %s", (_way, handles) => {
  const use = (make: (operations: OperationsFor) => Tool, args: unknown) => {
    const local = unwrap(createLocalOperations({ root, search: createLinearSearch(), handles }));
    return runBuiltin(
      make(() => local),
      args,
      contextWith(filesOf({})),
    );
  };

  test("nothing is written through a link to a sensitive place", async () => {
    const tries = [
      await use(writeFile, { path: "tools/pre-commit", content: "#!/bin/sh\n" }),
      await use(writeFile, { path: "tools/deeper/file", content: "x" }),
      await use(edit, { path: "settings", ...CHANGE }),
      await use(patch, { path: "settings", ...CHANGE }),
    ];
    for (const ran of tries) {
      expect(ran.success).toBe(false);
      expect(ran.text).toContain("Name it by that path");
    }
    expect(readFileSync(join(root, ".env"), "utf8")).toBe("KEY=1\n");
    expect(readdirSync(join(root, ".git/hooks"))).not.toContain("pre-commit");
  });

  test("by its own name, and through a harmless link, it is", async () => {
    expect((await use(writeFile, { path: ".git/hooks/pre-commit", content: "x" })).success).toBe(true);
    expect((await use(edit, { path: "source/app.ts", ...CHANGE })).success).toBe(true);
    expect(readFileSync(join(root, "src/app.ts"), "utf8")).toBe("KEY=2\n");
  });
});
