// Counts the tests of a vitest JSON report and lists those that failed. A file that could not be loaded counts as one
// failure.
import { z } from "zod";

const Test = z.object({
  fullName: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()).nullish(),
});

const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(Test),
    }),
  ),
});

export type TestSummary = { readonly passed: number; readonly failed: number; readonly failures: readonly string[] };

/** The maximum number of lines per failure, because a build log often keeps only its last lines. */
const SHOWN_LINES = 12;

const describeFailure = (file: string, test: string, message: string): string =>
  [`FAILED ${file} > ${test}`, ...message.split("\n").slice(0, SHOWN_LINES)].join("\n  ");

export function summarizeTests(json: string): TestSummary {
  const report = Report.parse(JSON.parse(json));
  const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  const failures = report.testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => describeFailure(file.name, test.fullName, test.failureMessages?.join("\n") ?? "")),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    failures: [
      ...failures,
      ...unloaded.map((file) => describeFailure(file.name, "the file was not loaded", file.message ?? "")),
    ],
  };
}

export const summaryLine = ({ passed, failed }: TestSummary): string => `${passed} passed, ${failed} failed`;
