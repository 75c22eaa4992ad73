import fc from "fast-check";
import { expect, test } from "vitest";
import { frozenCopy } from "../../../src/schema/json/frozen-copy.ts";

const readBack = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function objectsIn(value: unknown, found: object[] = []): object[] {
  if (typeof value !== "object" || value === null) return found;
  found.push(value);
  for (const part of Object.values(value)) objectsIn(part, found);
  return found;
}

const oddities = fc.constantFrom<unknown>(
  undefined,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "\ud800",
  () => 1,
  Symbol("s"),
  new Date(0),
  new Map([[1, 2]]),
  new (class Point {
    x = 1;
  })(),
  { toJSON: () => ({ written: "by toJSON" }) },
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.jsonValue(), oddities),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("tree"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

test("a copy is what the JSON of the value reads back as, byte for byte, whatever the value contains", () => {
  fc.assert(
    fc.property(tree, (part) => {
      const copy = frozenCopy({ part });
      expect(JSON.stringify(copy)).toBe(JSON.stringify({ part }));
      expect(copy).toStrictEqual(readBack({ part }));
    }),
    { numRuns: 500 },
  );
});

test("a copy is frozen at every depth and shares no object with the value", () => {
  fc.assert(
    fc.property(tree, (part) => {
      const own = new Set(objectsIn({ part }));
      for (const one of objectsIn(frozenCopy({ part }))) {
        expect(Object.isFrozen(one)).toBe(true);
        expect(own.has(one)).toBe(false);
      }
    }),
    { numRuns: 200 },
  );
});

test("a value that is nested deeper than the stack allows has no copy", () => {
  let deep: unknown[] = [];
  for (let n = 0; n < 100_000; n += 1) deep = [deep];
  expect(frozenCopy(deep)).toBeNull();
});
