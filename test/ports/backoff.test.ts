import { expect, test } from "vitest";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { backoffMs, seededRandom } from "../../src/ports/backoff.ts";

test("delays grow by the factor up to the maximum", () => {
  const backoff = { first_ms: 10, max_ms: 100, factor: 3 };
  expect([1, 2, 3, 4, 2_000].map((failures) => backoffMs(backoff, failures, 0.5))).toEqual([10, 30, 90, 100, 100]);
});

test("the spread is applied to the delay, from its minimum to its maximum", () => {
  const backoff = { first_ms: 100, max_ms: 1_000, spread: [0.8, 1.2] as const };
  expect([0, 0.5, 1].map((random) => Math.round(backoffMs(backoff, 1, random)))).toEqual([80, 100, 120]);
});

test("a seeded random number is reproducible, differs by seed and is from 0 to 1", () => {
  const numbers = Array.from({ length: 100 }, (_, i) => seededRandom(nodeHash, `seed ${i}`));
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, i) => seededRandom(nodeHash, `seed ${i}`)));
  expect(new Set(numbers).size).toBe(100);
  expect(numbers.every((number) => number >= 0 && number <= 1)).toBe(true);
});
