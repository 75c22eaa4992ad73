import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../../src/toolkits/files/patch/apply-patch.ts";

/** Returns the milliseconds of the fastest of three runs, which load on the machine affects less. */
function fastest(run: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

const codeLine = (n: number): string =>
  `${"  ".repeat(n % 4)}const value${n} = compute(${n}, "name ${n % 97}"); // step ${n % 13} of the work`;

const megabyte = Array.from({ length: 17_000 }, (_, n) => (n % 9 === 0 ? "}" : codeLine(n))).join("\n");

describe("large files", () => {
  test("an absent block of 60 lines in a megabyte is rejected", () => {
    const absent = Array.from({ length: 60 }, (_, n) => `  other${n}(missing, ${n}); // step ${n % 13} of the work`);
    expect(megabyte.length).toBeGreaterThan(1_000_000);
    expect(applyPatch(megabyte, absent.join("\n"), "x").ok).toBe(false);
  });

  test("a block of 60 lines with a typo is found in a megabyte", () => {
    const block = megabyte.split("\n").slice(9_001, 9_061);
    const old = block.map((line, at) => (at === 30 ? line.replace(";", "") : line)).join("\n");
    expect(applyPatch(megabyte, old, `${old}\nmore();`).ok).toBe(true);
  });

  test("the cost of long lines is not quadratic", () => {
    const file = (length: number) =>
      Array.from({ length: 40 }, (_, n) => `a${n} (b, c) `.repeat(length).slice(0, length)).join("\n");
    const wanted = (length: number) =>
      Array.from({ length: 20 }, (_, n) => `a${n} (d, e) `.repeat(length).slice(0, length)).join("\n");
    const cost = (length: number) => fastest(() => applyPatch(file(length), wanted(length), "x"));
    // The ratio is measured three times, because a quadratic cost would show a ratio of sixteen every time.
    const ratios = [1, 2, 3].map(() => (cost(24_000) + 1) / (cost(6_000) + 1));
    expect(Math.min(...ratios)).toBeLessThan(11);
  });

  test.each([
    ["one letter repeated a million times", "a".repeat(1_000_000), `${"a".repeat(5_000)}b`],
    ["one repeated line", "foo(bar)\n".repeat(100_000), `${"foo(bar)\n".repeat(59)}baz`],
    ["a pattern that nearly repeats", "(aa ".repeat(200_000), `${"(aa(aa ".repeat(20_000)}(a`],
    ["only line breaks", "\n".repeat(500_000), "x\n\n\n\ny"],
    ["backslashes", megabyte, `${"\\".repeat(100_000)}n`],
    ["the whole file with one typo", megabyte, megabyte.replace("value8000", "valeu8000")],
  ])("%s ends before the time limit of a test", (_name, content, old) => {
    expect(applyPatch(content, old, "x").ok).toEqual(expect.any(Boolean));
  });

  test("replaces thousands of matches", () => {
    const result = applyPatch(megabyte, "const", "let", { replaceAll: true });
    expect(result.ok && result.content).toBe(megabyte.replaceAll("const", "let"));
  });
});
