import { expect, test } from "vitest";
import { summarizeTests, summaryLine } from "../../scripts/test-report.ts";

const report = (passed: number, failed: number, file: object): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults: [{ name: "a.test.ts", ...file }] });

test("passed and failed tests are counted, and the failed ones are named with their message", () => {
  const summary = summarizeTests(
    report(1, 1, {
      status: "failed",
      assertionResults: [
        { fullName: "adds", status: "passed", failureMessages: [] },
        { fullName: "subtracts", status: "failed", failureMessages: ["expected 1 to be 2\n    at a.test.ts:3"] },
      ],
    }),
  );
  expect(summaryLine(summary)).toBe("1 passed, 1 failed");
  expect(summary.failures).toEqual(["FAILED a.test.ts > subtracts\n  expected 1 to be 2\n      at a.test.ts:3"]);
});

test("a file that cannot be loaded counts as a failure although none of its tests ran", () => {
  const summary = summarizeTests(report(3, 0, { status: "failed", message: "no such module", assertionResults: [] }));
  expect(summary).toEqual({
    passed: 3,
    failed: 1,
    failures: ["FAILED a.test.ts > the file was not loaded\n  no such module"],
  });
});
