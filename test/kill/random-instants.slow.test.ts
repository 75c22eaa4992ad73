import { expect, test } from "vitest";
import { testSize } from "../support/test-size.ts";
import { killAtRandom, killTable } from "./kills.ts";
import { bundleTarget } from "./target-process.ts";

const KILLS = testSize({ sample: 12, full: 40 });

test("a server killed at any instant under load loses nothing and repeats no effect", {
  timeout: 600_000,
}, async () => {
  const row = await killAtRandom(await bundleTarget(), KILLS);
  console.log(killTable([row]));
  expect(row).toMatchObject({ lost: 0, half: 0, double: 0, notes: [] });
});
