import { expect, test } from "vitest";
import { deepFreeze } from "../../../src/schema/json/deep-freeze.ts";

test("no part of a frozen value can be changed", () => {
  const value = deepFreeze({ list: [{ a: 1 }, null, "text"], inner: { deep: { b: 2 } } });
  expect(() => value.list.push("more")).toThrow(TypeError);
  expect(() => Object.assign(value.list[0] ?? {}, { a: 2 })).toThrow(TypeError);
  expect(() => Object.assign(value.inner.deep, { c: 3 })).toThrow(TypeError);
  expect(value).toEqual({ list: [{ a: 1 }, null, "text"], inner: { deep: { b: 2 } } });
});

test("a value that is nested deeper than the stack allows is frozen, too", () => {
  let value: unknown[] = [];
  const innermost = value;
  for (let n = 0; n < 100_000; n += 1) value = [value];
  deepFreeze(value);
  expect(Object.isFrozen(innermost)).toBe(true);
});
