import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countHidden, revealHidden, revealJson, visibleJson } from "../../src/console/parts/reveal-hidden.ts";

const shown = (text: string): string =>
  revealHidden(text)
    .map((part) => part.text)
    .join("");

describe("hidden characters", () => {
  test.each([
    ["a zero width space", "a\u200bb", "a\\u200bb"],
    ["an override of direction", "a\u202eb", "a\\u202eb"],
    ["a byte order mark", "\ufeffa", "\\ufeffa"],
    ["a control", "a\u0007b", "a\\u0007b"],
    ["a space that does not break", "a\u00a0b", "a\\u00a0b"],
    ["a tag, as both its halves", "a\u{e0041}b", "a\\udb40\\udc41b"],
    ["half of a pair", "a\ud800b", "a\\ud800b"],
    ["a Hangul filler", "a\u3164b", "a\\u3164b"],
  ])("%s is shown as an escape", (_what, text, expected) => {
    expect(shown(text)).toBe(expected);
    expect(revealHidden(text).some((part) => part.hidden)).toBe(true);
  });

  test.each(["plain text", "two\nlines\tand a tab", "Zürich, 北京, naïve", "😀"])("%s stays as it is", (text) => {
    expect(revealHidden(text)).toEqual([{ text, hidden: false }]);
  });

  test("JSON to edit means the same as before, whatever is in it", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary", maxDepth: 2 }), (text) => {
        const value: unknown = JSON.parse(text);
        expect(JSON.parse(visibleJson(value))).toEqual(value);
        expect(revealHidden(visibleJson(value)).every((part) => !part.hidden)).toBe(true);
      }),
    );
  });

  test("the text of an escape is no escape", () => {
    expect(countHidden({ line: "\\u200b" })).toBe(0);
    expect(countHidden({ line: "\\\u200b" })).toBe(1);
    expect(revealJson('"a\\\\u200b"')).toEqual([{ text: '"a\\\\u200b"', hidden: false }]);
  });
});
