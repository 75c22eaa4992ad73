// Counts the tests of a vitest JSON report. A file that could not be loaded counts as one failure.
import { z } from "zod";

const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

export type Counts = { readonly passed: number; readonly failed: number };

export function countTests(json: string): Counts {
  const report = Report.parse(JSON.parse(json));
  const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}

/** On its own line, in a form that build logs can be searched for. */
export const summaryLine = ({ passed, failed }: Counts): string => `${passed} passed, ${failed} failed`;
