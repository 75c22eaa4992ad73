import { expect, test } from "vitest";
import { countTests, summaryLine } from "../../scripts/test-report.ts";

const report = (passed: number, failed: number, files: readonly unknown[]): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults: files });

test("passed and failed tests are counted", () => {
  const counts = countTests(report(3, 1, [{ status: "failed", assertionResults: [{}, {}, {}, {}] }]));
  expect(summaryLine(counts)).toBe("3 passed, 1 failed");
});

test("a file that cannot be loaded counts as a failure although none of its tests ran", () => {
  expect(countTests(report(3, 0, [{ status: "failed", assertionResults: [] }]))).toEqual({ passed: 3, failed: 1 });
});
