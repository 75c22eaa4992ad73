// Prints the store contract as a table of cases and stores from a vitest JSON report. Prints nothing if no case ran.
import { z } from "zod";

const Report = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

const SUITE_PREFIX = "ThreadStore contract: ";
const TITLE_WIDTH = 92;
const COLUMN_WIDTH = 17;

export function storeTable(json: string): string | null {
  const verdicts = new Map<string, Map<string, boolean>>();
  const stores = new Set<string>();
  for (const { assertionResults } of Report.parse(JSON.parse(json)).testResults) {
    for (const { ancestorTitles, title, status } of assertionResults) {
      const suite = ancestorTitles.find((name) => name.startsWith(SUITE_PREFIX));
      if (suite === undefined) continue;
      const store = suite.slice(SUITE_PREFIX.length).replace(/,.*/, "");
      stores.add(store);
      const row = verdicts.get(title) ?? new Map<string, boolean>();
      verdicts.set(title, row.set(store, status === "passed"));
    }
  }
  if (stores.size === 0) return null;
  const line = (first: string, cells: readonly string[]): string =>
    `${first.slice(0, TITLE_WIDTH - 2).padEnd(TITLE_WIDTH)}${cells.map((cell) => cell.padStart(COLUMN_WIDTH)).join("")}`;
  const cellOf = (passed: boolean | undefined): string => (passed === undefined ? "-" : passed ? "ok" : "FAILED");
  const rows = [...verdicts].map(([title, row]) =>
    line(
      title,
      [...stores].map((store) => cellOf(row.get(store))),
    ),
  );
  return [line("store contract", [...stores]), ...rows].join("\n");
}
