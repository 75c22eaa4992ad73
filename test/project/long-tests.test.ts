import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LONG_TESTS, longRank } from "../../scripts/long-tests.ts";
import { projectRoot, readSource, sourceFiles } from "../../scripts/read-source.ts";

describe("the slowest tests", () => {
  test("are existing files, each listed once", () => {
    expect(LONG_TESTS.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
    expect(new Set(LONG_TESTS).size).toBe(LONG_TESTS.length);
  });

  test("run before all others, in the listed order", () => {
    const paths = ["test/http/edge/doors.test.ts", ...LONG_TESTS.toReversed()].map((path) => join(projectRoot, path));
    const sorted = paths.toSorted((a, b) => longRank(a) - longRank(b));
    expect(sorted).toEqual([...LONG_TESTS, "test/http/edge/doors.test.ts"].map((path) => join(projectRoot, path)));
  });
});

test("no test asserts how long something took", () => {
  const timed = sourceFiles("test").filter((path) =>
    /expect\([^\n]*\b(?:performance|Date)\.now\(\) -/.test(readSource(path)),
  );
  expect(timed).toEqual([]);
});
