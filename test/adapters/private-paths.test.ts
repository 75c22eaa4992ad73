import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { privatePaths } from "../../src/adapters/operations-local/sandbox/bubblewrap.ts";

const root = mkdtempSync(join(tmpdir(), "pawl-private-"));
chmodSync(root, 0o755);
afterEach(() => rmSync(root, { recursive: true }));

test("private files are found at every depth: what is too deep to look at counts as private", () => {
  const paths = [1, 5, 9, 10, 14].map((depth) =>
    join(root, ...Array.from({ length: depth }, (_, n) => `d${n}`), "key"),
  );
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    writeFileSync(path, "secret", { mode: 0o600 });
  }
  writeFileSync(join(root, "open"), "for all", { mode: 0o644 });
  mkdirSync(join(root, "closed"), { mode: 0o700 });
  symlinkSync(join(root, "open"), join(root, "link"));
  const found = privatePaths(root);
  const isHidden = (path: string) => found.some((one) => path === one || path.startsWith(`${one}/`));
  expect(paths.filter((path) => !isHidden(path))).toEqual([]);
  expect(["open", "link"].map((name) => isHidden(join(root, name)))).toEqual([false, false]);
  expect(isHidden(join(root, "closed"))).toBe(true);
});
