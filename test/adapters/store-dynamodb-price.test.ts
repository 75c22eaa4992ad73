// Checks every product and every sum in the calculations on the page about stores.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/read-source.ts";

const page = readFileSync(join(projectRoot, "docs/reference/stores.md"), "utf8");
const [, sums = ""] = /### In money.*?```\n(.*?)```/s.exec(page) ?? [];
const products = [...sums.matchAll(/([\d.]+) (?:units?|GB) × ([\d.]+) += {2}([\d.]+)/g)].map((match) =>
  match.slice(1).map(Number),
);
const cents = (dollars: number): string => (Math.round(dollars * 100 + 1e-6) / 100).toFixed(2);

test("each product of units and price is correct", () => {
  expect(products.length).toBeGreaterThanOrEqual(6);
  for (const [units = 0, price = 0, stated = 0] of products) expect(cents(units * price)).toBe(stated.toFixed(2));
});

test("each sum matches the products above it", () => {
  const parts = sums.split(/^(?=a million)/m).filter((part) => part.includes("sum"));
  expect(parts).toHaveLength(2);
  for (const part of parts) {
    const [above = "", below = ""] = part.split(/sum +=/);
    const lines = [...above.matchAll(/([\d.]+) units × ([\d.]+)/g)];
    const total = lines.reduce((sum, [, units, price]) => sum + Number(units) * Number(price), 0);
    expect(cents(total)).toBe(/([\d.]+) dollars/.exec(below)?.[1]);
  }
});

test("the sum with claims adds one small write", () => {
  const [, sum, claims, both] =
    /sum {2}= +([\d.]+) dollars\nwith claims .*= +([\d.]+) +→ +([\d.]+) dollars/.exec(sums) ?? [];
  expect(cents(Number(sum) + Number(claims))).toBe(both);
});

test("the cost of a second of the function is correct", () => {
  const [, seconds, price, stated] =
    /turn of (\d+) seconds in a function of 1 GB is\s+\d+ GB-seconds, at ([\d.]+) dollars each \(arm64\) ([\d.]+)/.exec(
      page,
    ) ?? [];
  expect(cents(Number(seconds) * Number(price) * 1_000_000)).toBe(stated);
});
