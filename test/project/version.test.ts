// Tests that there is one version: package.json has it, src/version.ts reads it, and no other source file repeats it.
import { expect, test } from "vitest";
import { readSource, sourceFiles } from "../../scripts/read-source.ts";
import { VERSION } from "../../src/version.ts";

const manifest = JSON.parse(readSource("package.json")) as { version: string };

test("the version constant is the version of package.json", () => {
  expect(VERSION).toBe(manifest.version);
});

test("no source file writes the version down again", () => {
  const repeated = sourceFiles("src").filter((path) => /["'`]v?0\.\d+\.\d+["'`]/.test(readSource(path)));
  expect(repeated).toEqual([]);
});

test("the changelog has a dated section for this version", () => {
  const heading = new RegExp(`^## ${manifest.version.replaceAll(".", "\\.")} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, "m");
  expect(readSource("CHANGELOG.md")).toMatch(heading);
});

test("the lock file names the same version", () => {
  const lock = JSON.parse(readSource("package-lock.json")) as { version: string };
  expect(lock.version).toBe(manifest.version);
});
