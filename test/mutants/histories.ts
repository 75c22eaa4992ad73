// Runs simulated histories as a test for a mutant. Only scripts/mutate runs this file.
import { expect, test } from "vitest";
import { runHistory } from "../sim/history.ts";
import type { HistoryKind } from "../sim/history-kinds.ts";

const FIRST_SEED = 1;

/** Returns the kind of history that runs the defective code, if only one kind does. */
function kindFor(file: string): { readonly kind?: HistoryKind } {
  if (file.startsWith("src/toolkits/")) return { kind: "toolkits" };
  return /^src\/(?:jobs\/crew|workflow|turn\/workflow)\//.test(file) ? { kind: "crew" } : {};
}

test("histories hold", { timeout: 600_000 }, async () => {
  const count = Number(process.env.PAWL_MUTANT_HISTORIES ?? 0);
  const kind = kindFor(process.env.PAWL_MUTANT_FILE ?? "");
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed += 1)
    expect((await runHistory({ seed, ...kind })).violations, `seed ${seed}`).toEqual([]);
});
