import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runHistory } from "./history.ts";
import type { HistoryPlan } from "./world.ts";

type RegressionSeed = HistoryPlan & { readonly showed: string };

const seeds = JSON.parse(
  readFileSync(new URL("../fixtures/seeds.json", import.meta.url), "utf8"),
) as readonly RegressionSeed[];

test.each(seeds.map((plan) => [plan.seed, plan.showed, plan] as const))(
  "seed %i no longer shows: %s",
  async (_seed, _showed, plan) => {
    expect((await runHistory(plan)).violations).toEqual([]);
  },
);
