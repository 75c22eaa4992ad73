import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { correctFactor, estimateTokens } from "../../src/prompt/estimate.ts";

const anyText = fc.string({ unit: fc.constantFrom("a", " ", "\n", "é", "日", "한", "😀") });

describe("the estimate of tokens", () => {
  test.each([
    ["", 1],
    ["   \n\t", 1],
    ["abcd", 1],
    ["abcde", 2],
    ["a b c d", 1],
    ["20261118", 4],
    ["12:30 3 × 405", 5],
    ["日程安排", 4],
    ["日程 ab", 3],
    ["éüöä", 2],
    ["한국어", 3],
    ["😀", 1],
    ["（全角）", 4],
  ])("of %j is %i", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  test("text never costs more than its parts together, so a sum of parts is a safe bound", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(estimateTokens(a + b)).toBeLessThanOrEqual(estimateTokens(a) + estimateTokens(b));
      }),
    );
  });
});

describe("the correction factor", () => {
  test("the first measurement is used as it is", () => {
    expect(correctFactor(null, 1000, 1400)).toBeCloseTo(1.4);
  });

  test("later measurements change it by a part of the difference", () => {
    const next = correctFactor(1.4, 1000, 1000);
    expect(next).toBeLessThan(1.4);
    expect(next).toBeGreaterThan(1);
  });

  test("it converges to a repeated measurement", () => {
    let factor = 3;
    for (let i = 0; i < 40; i++) factor = correctFactor(factor, 1000, 1200);
    expect(factor).toBeCloseTo(1.2, 3);
  });

  test.each([
    [null, 0, 500, 1],
    [1.3, 1000, 0, 1.3],
    [1.3, Number.NaN, 10, 1.3],
  ])(
    "without a usable measurement %s is unchanged: %s estimated, %s reported",
    (previous, estimated, reported, expected) => {
      expect(correctFactor(previous, estimated, reported)).toBe(expected);
    },
  );

  test("it stays within bounds for any reported usage", () => {
    fc.assert(
      fc.property(fc.option(fc.double({ min: 0.01, max: 100, noNaN: true })), fc.nat(), fc.nat(), (p, e, r) => {
        const factor = correctFactor(p, e, r);
        expect(factor).toBeGreaterThanOrEqual(0.5);
        expect(factor).toBeLessThanOrEqual(3);
      }),
    );
  });
});
