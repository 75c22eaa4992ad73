import { defineConfig } from "vitest/config";

// "fast" is pure code and runs on every save; "slow" starts processes, servers and browsers.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      // No fast test takes long; the limit only has to be out of reach of a machine that is busy with other things.
      {
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.slow.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "slow",
          include: ["test/**/*.slow.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // What a page or a process will show soon is asked for again until it does.
          expect: { poll: { timeout: 30_000, interval: 50 } },
        },
      },
    ],
  },
});
