import { describe, expect, test } from "vitest";
import { BROKEN_CHANGES } from "./broken-changes.ts";
import { BROKEN_DERIVED } from "./broken-derived.ts";
import { BROKEN_JOBS } from "./broken-jobs.ts";
import { BROKEN_TURNS } from "./broken-turns.ts";
import { runHistory } from "./history.ts";
import { shrink, violationCode } from "./shrink.ts";

const SEEDS_MAX = 400;

describe("a deliberately broken runtime is detected", () => {
  test.each(
    [...BROKEN_TURNS, ...BROKEN_JOBS, ...BROKEN_CHANGES, ...BROKEN_DERIVED].map(
      (broken) => [broken.name, broken] as const,
    ),
  )("%s", { timeout: 600_000 }, async (_name, { kind = "turns", caughtBy, from = 1, ...options }) => {
    for (let seed = from; seed < from + SEEDS_MAX; seed += 1) {
      const { violations } = await runHistory({ seed, kind }, options);
      if (violations.some((violation) => caughtBy.test(violation))) return;
    }
    expect.unreachable(`not detected in ${SEEDS_MAX} histories`);
  });
});

describe("a failing history", () => {
  test("is reduced and still fails in the same way", { timeout: 600_000 }, async () => {
    const sabotage = BROKEN_TURNS.find(({ name }) => name === "no intended receipt")?.sabotageStore;
    if (!sabotage) throw new Error("no such variant");
    const full = await runHistory({ seed: 1, kind: "turns" }, { sabotageStore: sabotage });
    const plan = await shrink({ seed: 1, kind: "turns" }, { sabotageStore: sabotage }, 60);
    const small = await runHistory(plan, { sabotageStore: sabotage });
    expect(plan.drop_actions?.length).toBeGreaterThan(0);
    expect(small.steps).toBeLessThan(full.steps);
    expect(small.violations.map(violationCode)).toContain(violationCode(full.violations[0] ?? ""));
  });
});
