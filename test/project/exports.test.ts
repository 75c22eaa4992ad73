import { expect, test } from "vitest";
import { exportedNames, parseSource, readSource } from "../../scripts/read-source.ts";
import { EXPORTS_FILE, listExports } from "../../scripts/update-exports.ts";

test("the exported names match exports.txt; npm run exports:update rewrites it", () => {
  expect(listExports()).toBe(readSource(EXPORTS_FILE));
});

test("a barrel that exports everything of a file is refused", () => {
  expect(() => exportedNames(parseSource("x.ts", 'export * from "./a.ts";'))).toThrow("export *");
});

test("types are distinguished from values", () => {
  const tree = parseSource("x.ts", 'export { b, type C } from "./b.ts"; export type { A } from "./a.ts";');
  expect(exportedNames(tree)).toEqual(["type A", "type C", "b"]);
});
