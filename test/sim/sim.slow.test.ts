import { expect, test } from "vitest";
import { runPool, summarize } from "./pool.ts";

const MINUTE = 60;
/** Even on a slow machine. The printed line shows the actual number. */
const AT_LEAST = 1000;

test("20,000 histories, or as many as a minute allows, violate no invariant", { timeout: 900_000 }, async () => {
  const result = await runPool({ from: 1, histories: 20_000, jobs: 2, seconds: MINUTE, histories_min: AT_LEAST });
  console.log(summarize(result));
  expect(result.failures).toEqual([]);
  expect(result.histories).toBeGreaterThanOrEqual(AT_LEAST);
});
