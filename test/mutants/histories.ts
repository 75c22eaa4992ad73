// Simulated histories as a test, for trying a mutant: run by scripts/mutate only.
import { expect, test } from "vitest";
import { runHistory } from "../sim/history.ts";

const FIRST_SEED = 1;

test("histories hold", { timeout: 600_000 }, async () => {
  const count = Number(process.env.PAWL_MUTANT_HISTORIES ?? 0);
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed += 1)
    expect((await runHistory({ seed })).violations, `seed ${seed}`).toEqual([]);
});
