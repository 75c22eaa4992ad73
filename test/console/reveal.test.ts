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
    ["a direction override", "a\u202eb", "a\\u202eb"],
    ["a byte order mark", "\ufeffa", "\\ufeffa"],
    ["a control character", "a\u0007b", "a\\u0007b"],
    ["a no-break space", "a\u00a0b", "a\\u00a0b"],
    ["a tag character, as a surrogate pair", "a\u{e0041}b", "a\\udb40\\udc41b"],
    ["an unpaired surrogate", "a\ud800b", "a\\ud800b"],
    ["a Hangul filler", "a\u3164b", "a\\u3164b"],
  ])("%s is shown as an escape", (_name, text, expected) => {
    expect(shown(text)).toBe(expected);
    expect(revealHidden(text).some((part) => part.hidden)).toBe(true);
  });

  test.each(["plain text", "two\nlines\tand a tab", "Zürich, 北京, naïve", "😀"])("%s is not changed", (text) => {
    expect(revealHidden(text)).toEqual([{ text, hidden: false }]);
  });

  test("editable JSON parses to the same value, whatever it contains", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary", maxDepth: 2 }), (text) => {
        const value: unknown = JSON.parse(text);
        expect(JSON.parse(visibleJson(value))).toEqual(value);
        expect(revealHidden(visibleJson(value)).every((part) => !part.hidden)).toBe(true);
      }),
    );
  });

  test("an escaped backslash before u200b is not an escape", () => {
    expect(countHidden({ line: "\\u200b" })).toBe(0);
    expect(countHidden({ line: "\\\u200b" })).toBe(1);
    expect(revealJson('"a\\\\u200b"')).toEqual([{ text: '"a\\\\u200b"', hidden: false }]);
  });
});
