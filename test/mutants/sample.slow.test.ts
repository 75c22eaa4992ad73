// Tests a fixed sample of the mutants, which the fast tests must notice.
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
/** The number of test files to try, which includes the tests next to the code of every mutant in the sample. */
const TESTS_MAX = "12";

test("the fast tests notice every mutant of the sample", { timeout: 300_000 }, async () => {
  const args = ["scripts/mutate.ts", "--sample", "--histories", "0", "--tests", TESTS_MAX];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  expect(stdout).toContain("12 of 12 mutants were noticed (100.0 %).");
});
