import fc from "fast-check";
import { expect, test } from "vitest";
import { childBudgets } from "../../../src/jobs/crew/child-budget.ts";
import type { BudgetInput } from "../../../src/schema/input.ts";
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

const amount = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined });
const cents = fc.option(
  fc.integer({ min: 1, max: 300 }).map((n) => n / 100),
  { nil: undefined },
);

test("whatever is asked for, the children get it, and together no more than is left", () => {
  const anyTasks = fc.array(fc.record({ turns: amount, tokens: amount, usd: cents, seconds: amount }), {
    minLength: 1,
    maxLength: 8,
  });
  const anyLimit = fc.record({
    turns: fc.integer({ min: 1, max: 99 }),
    tokens: fc.option(fc.nat(200)),
    usd: fc.option(fc.nat(999).map((n) => n / 100)),
    seconds: fc.option(fc.nat(200)),
  });
  const anyShare = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(anyTasks, anyLimit, anyShare, (asked, limit, share) => {
      const usedOf = (value: number | null) => Math.floor(((value ?? 0) * share) / 100);
      const used = {
        turns: usedOf(limit.turns),
        tokens: usedOf(limit.tokens),
        usd: usedOf(limit.usd),
        seconds: usedOf(limit.seconds),
      };
      const given = childBudgets(
        { limit, used },
        asked.map((one) => ({ task: "a", budget: one as BudgetInput })),
      );
      for (const name of ["turns", "tokens", "usd", "seconds"] as const) {
        const left = (limit[name] ?? Number.POSITIVE_INFINITY) - used[name];
        const sum = asked.reduce((total, one) => total + (one[name] ?? 0), 0);
        if (sum > left + 1e-9) expect(given.ok).toBe(false);
        if (!given.ok) continue;
        expect(given.value.reduce((total, one) => total + (one[name] ?? left), 0)).toBeLessThanOrEqual(left + 1e-9);
        for (const [i, one] of given.value.entries()) {
          if (asked[i]?.[name] !== undefined) expect(one[name]).toBe(asked[i]?.[name]);
          else if (limit[name] !== null) expect(one[name]).toBeGreaterThan(0);
        }
      }
    }),
  );
});

test("money that adds up to what is left is not refused for its fractions", () => {
  const usd = { limit: { ...budget.limit, usd: 0.3 }, used: budget.used };
  const asked = [0.1, 0.2].map((each) => ({ task: "a", budget: { usd: each } }));
  expect(unwrap(childBudgets(usd, asked)).map((one) => one.usd)).toEqual([0.1, 0.2]);
  const shared = unwrap(childBudgets(usd, [{ task: "a" }, { task: "b" }, { task: "c" }]));
  expect(shared.map((one) => one.usd)).toEqual([0.1, 0.1, 0.1]);
});
