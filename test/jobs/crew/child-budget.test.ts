import { expect, test } from "vitest";
import { childBudgets } from "../../../src/jobs/crew/child-budget.ts";
import type { Budget } from "../../../src/schema/thread.ts";
import { problemCode, unwrap } from "../../support/runtime.ts";

const budget: Budget = {
  limit: { turns: 40, tokens: 10_000, usd: null, seconds: null },
  used: { turns: 10, tokens: 4_000, usd: 0, seconds: 0 },
};

test("children share what is left after what the parent used and what other children ask for", () => {
  const tasks = [{ task: "a", budget: { turns: 10, tokens: 3_000 } }, { task: "b" }, { task: "c" }];
  expect(unwrap(childBudgets(budget, tasks))).toEqual([
    { turns: 10, tokens: 3_000 },
    { turns: 10, tokens: 1_500 },
    { turns: 10, tokens: 1_500 },
  ]);
});

test("children that ask for more than is left are refused", () => {
  expect(problemCode(childBudgets(budget, [{ task: "a", budget: { turns: 31 } }]))).toBe("tool_refused");
  expect(problemCode(childBudgets(budget, [{ task: "a", budget: { tokens: 6_000 } }, { task: "b" }]))).toBe(
    "tool_refused",
  );
});
