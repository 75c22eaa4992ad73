import { expect, test } from "vitest";
import { storeTable } from "../../scripts/store-table.ts";

const report = (...tests: readonly (readonly [suite: string, title: string, status: string])[]): string =>
  JSON.stringify({
    testResults: [
      {
        assertionResults: tests.map(([suite, title, status]) => ({ ancestorTitles: ["outer", suite], title, status })),
      },
    ],
  });

test("the table shows each case by store, including failed and skipped ones", () => {
  const table = storeTable(
    report(
      ["ThreadStore contract: memory", "a case", "passed"],
      ["ThreadStore contract: memory", "another", "passed"],
      ["ThreadStore contract: durable object, in workerd", "a case", "failed"],
      ["something else", "a case", "failed"],
    ),
  );
  const lines = (table ?? "").split("\n").map((line) => line.trim().split(/ {2,}/));
  expect(lines).toEqual([
    ["store contract", "memory", "durable object"],
    ["a case", "ok", "FAILED"],
    ["another", "ok", "-"],
  ]);
});

test("a run without the contract gives no table", () => {
  expect(storeTable(report(["something else", "a case", "passed"]))).toBeNull();
});
