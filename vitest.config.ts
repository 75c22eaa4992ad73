import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/longest-first.ts";
import { isFullSize } from "./test/support/test-size.ts";

/** These load other test files and run them on another store or host, so they need modules of their own. */
const ISOLATED = [
  "test/adapters/store-dynamodb-stories.slow.test.ts",
  "test/hosts/cloudflare/shared-stories.slow.test.ts",
];
/** Conformance suites of `npm test -- --full` only. */
const FULL_ONLY = ["test/adapters/store-dynamodb-local.slow.test.ts"];

const slow = {
  // More than the cores of a small machine: about half of the time a page, a timer or a disk is waited for.
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // What a page or a process will show soon is asked for again until it does.
  expect: { poll: { timeout: 30_000, interval: 50 } },
};

// "fast" is pure code and runs on every save; "slow" starts processes, servers and browsers. Test files leave nothing behind,
// so the sources are loaded once for all files instead of once for each: half of the CPU time of a usual file.
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.slow.test.ts"],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          // No fast test takes long; the limit only has to be out of reach of a machine that is busy with other things.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...slow,
          name: "slow",
          include: ["test/**/*.slow.test.ts"],
          exclude: isFullSize() ? ISOLATED : [...ISOLATED, ...FULL_ONLY],
          isolate: false,
        },
      },
      { test: { ...slow, name: "isolated", include: ISOLATED } },
    ],
  },
});
