import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/longest-first.ts";

// "fast" is pure code and runs on every save; "slow" starts processes, servers and browsers; "minute" tells as many
// histories as a minute allows.
const MINUTE = "test/sim/sim.slow.test.ts";

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.slow.test.ts"],
          // Pure code leaves nothing behind: read once for all files instead of once for each.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          // No fast test takes long; the limit only has to be out of reach of a machine that is busy with other things.
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "minute",
          include: [MINUTE],
          // Alone, because it keeps all cores busy by itself.
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "slow",
          include: ["test/**/*.slow.test.ts"],
          exclude: [MINUTE],
          // More than the cores of a small machine: about half of the time a page, a timer or a disk is waited for.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // What a page or a process will show soon is asked for again until it does.
          expect: { poll: { timeout: 30_000, interval: 50 } },
        },
      },
    ],
  },
});
