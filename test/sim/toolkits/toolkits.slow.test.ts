import { describe, expect, test } from "vitest";
import { BROKEN_TOOLKITS } from "./broken.ts";
import { playToolkits } from "./toolkits-history.ts";

const SEEDS_MAX = 300;

describe("a deliberately broken toolkit is detected", () => {
  test.each(BROKEN_TOOLKITS.map((broken) => [broken.name, broken] as const))(
    "%s",
    { timeout: 600_000 },
    async (_name, { caughtBy, from = 1, ...sabotage }) => {
      for (let seed = from; seed < from + SEEDS_MAX; seed += 1) {
        const { violations } = await playToolkits({ seed }, { store: "memory" }, sabotage);
        if (violations.some((violation) => caughtBy.test(violation))) return;
      }
      expect.unreachable(`not detected in ${SEEDS_MAX} histories`);
    },
  );
});
