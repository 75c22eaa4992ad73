import { expect, test } from "vitest";
import { testSize } from "../support/test-size.ts";
import { runPool, summarize } from "./pool.ts";

/** The number of histories. `npm run sim` accepts any number. */
const HISTORIES = testSize({ sample: 600, full: 20_000 });

test(`${HISTORIES} histories violate no invariant`, { timeout: 3_600_000 }, async () => {
  const result = await runPool({ from: 1, histories: HISTORIES, jobs: 1, seconds: 3600 });
  console.log(summarize(result));
  expect(result.failures).toEqual([]);
  expect(result.histories).toBe(HISTORIES);
});
