import { describe, expect, test } from "vitest";
import { testSize } from "../../support/test-size.ts";
import { BROKEN_CREW } from "./broken.ts";
import { runCrewHistory } from "./crew-history.ts";

const HISTORIES = testSize({ sample: 30, full: 300 });
const SEEDS_MAX = 200;

test(`${HISTORIES} histories of parents, sub-agents and workflows violate no invariant`, {
  timeout: 900_000,
}, async () => {
  const failures: string[] = [];
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const violations = await runCrewHistory(seed);
    if (violations.length > 0) failures.push(`seed ${seed}: ${violations.join("; ")}`);
  }
  expect(failures).toEqual([]);
});

describe("a deliberately broken runtime is detected", () => {
  test.each(BROKEN_CREW.map((broken) => [broken.name, broken] as const))(
    "%s",
    { timeout: 600_000 },
    async (_name, { caughtBy, ...sabotage }) => {
      for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
        const violations = await runCrewHistory(seed, sabotage);
        if (violations.some((violation) => caughtBy.test(violation))) return;
      }
      expect.unreachable(`not detected in ${SEEDS_MAX} histories`);
    },
  );
});
