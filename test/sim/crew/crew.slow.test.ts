import { describe, expect, test } from "vitest";
import { BROKEN_CREW } from "./broken.ts";
import { playCrew } from "./crew-history.ts";

const SEEDS_MAX = 200;

describe("a deliberately broken runtime is detected", () => {
  test.each(BROKEN_CREW.map((broken) => [broken.name, broken] as const))(
    "%s",
    { timeout: 600_000 },
    async (_name, { caughtBy, ...sabotage }) => {
      for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
        const { violations } = await playCrew({ seed }, {}, sabotage);
        if (violations.some((violation) => caughtBy.test(violation))) return;
      }
      expect.unreachable(`not detected in ${SEEDS_MAX} histories`);
    },
  );
});
