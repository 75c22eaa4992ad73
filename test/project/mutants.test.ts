// Tests that the catalog of mutants matches the sources. `npm run mutate` and a slow test apply them.
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { catalogErrors, readCatalog } from "../../scripts/mutate/catalog.ts";

const ROOT = resolve(import.meta.dirname, "../..");

test("the catalog has at least 120 mutants, and 12 of them are the sample", () => {
  const mutants = readCatalog(ROOT);
  expect(mutants.length).toBeGreaterThanOrEqual(120);
  expect(mutants.filter(({ sample }) => sample)).toHaveLength(12);
});

test("every mutant can be applied: after a change of its line, change the catalog in test/mutants too", () => {
  expect(catalogErrors(ROOT, readCatalog(ROOT))).toEqual([]);
});
