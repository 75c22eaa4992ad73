import { describe, expect, test } from "vitest";
import { testSize } from "../support/test-size.ts";
import { type HistoryOptions, runHistory } from "./history.ts";
import { createRandom, roll } from "./random.ts";

const COUNT = testSize({ sample: 40, full: 200 });
const SEEDS = Array.from({ length: COUNT }, (_, i) => 50_001 + i);

describe("a seed determines a history", () => {
  test(`${COUNT} seeds give the same trace twice, also without what makes histories fast`, {
    timeout: 600_000,
  }, async () => {
    const run = async (options: HistoryOptions): Promise<readonly [string, readonly string[]][]> => {
      const results: [string, readonly string[]][] = [];
      for (const seed of SEEDS) {
        const { hash, violations } = await runHistory({ seed }, options);
        results.push([hash, violations]);
      }
      return results;
    };
    const first = await run({ validateRows: false });
    // The replay waits for a full round of the event loop between two steps, validates every row that it reads, and uses
    // the platform's requests and responses.
    expect(await run({ fullEventLoop: true, validateRows: true })).toEqual(first);
    expect(new Set(first.map(([hash]) => hash)).size).toBe(SEEDS.length);
  });

  test("a recorded trace has the same hash and describes the history", async () => {
    const { hash } = await runHistory({ seed: 4 });
    const kept = await runHistory({ seed: 4 }, { keepTrace: true });
    expect(kept.hash).toBe(hash);
    expect(kept.lines.length).toBeGreaterThan(kept.steps);
  });

  test("dropping an action or a fault gives another, reproducible history", async () => {
    const full = await runHistory({ seed: 13 });
    const plan = { seed: 13, drop_actions: full.actions.slice(1, 3), drop_faults: full.fired.slice(0, 1) };
    const reduced = await runHistory(plan);
    expect(reduced.hash).not.toBe(full.hash);
    expect((await runHistory(plan)).hash).toBe(reduced.hash);
  });

  test("random numbers are the same on every machine", () => {
    expect([roll(1, 2, 3), roll(1, 2, 4)].map((x) => x.toFixed(9))).toMatchInlineSnapshot(`
      [
        "0.200033497",
        "0.303264459",
      ]
    `);
    const random = createRandom(7, 7);
    expect([random.int(1000), random.int(1000), random.int(1000)]).toMatchInlineSnapshot(`
      [
        573,
        569,
        18,
      ]
    `);
  });
});
