import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../src/schema/json/canonical-json.ts";

describe("canonicalJson", () => {
  test("keys are sorted by UTF-16 units at every level", () => {
    const value = { "€": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\u0080": 6, ö: { b: [{ z: 1, a: 2 }], a: null } };
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"ö":{"a":null,"b":[{"a":2,"z":1}]},"€":1,"😀":5,"\ufb33":3}',
    );
  });

  test.each([
    [1.0, "1"],
    [-0, "0"],
    [JSON.parse("333333333.33333329"), "333333333.3333333"],
    [1e30, "1e+30"],
    [4.5, "4.5"],
    [2e-3, "0.002"],
    [0.000000000000000000000000001, "1e-27"],
    [true, "true"],
    [null, "null"],
    [[], "[]"],
    [{}, "{}"],
    ['\u20ac$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
  ])("%j becomes %s", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test("members that are undefined are skipped", () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  test("a member named __proto__ is written like any other", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"b":1}');
  });

  test.each([
    ["undefined", undefined],
    ["undefined in an array", [undefined]],
    ["a hole in an array", new Array(1)],
    ["NaN", Number.NaN],
    ["Infinity", { a: Number.POSITIVE_INFINITY }],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("a")],
    ["a lone surrogate", "\ud800"],
    ["a lone surrogate in a key", { "\udfff": 1 }],
    ["a date", new Date(0)],
    ["a map", new Map()],
  ])("%s is a bug and throws", (_title, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  test("the text parses back to an equal value and is stable", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        const text = canonicalJson(parsed);
        expect(JSON.parse(text)).toEqual(parsed);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});
