import { describe, expect, test } from "vitest";
import { escapeHidden, formatArguments, isFullyShown } from "../../../src/tools/redaction/escape-hidden.ts";

describe("characters that do not show are written out", () => {
  test.each([
    ["zero width space", "pay\u200bpal", "pay\\u{200b}pal"],
    ["zero width joiner", "a\u200db", "a\\u{200d}b"],
    ["right-to-left override", "txt.\u202eexe", "txt.\\u{202e}exe"],
    ["isolates", "\u2066x\u2069", "\\u{2066}x\\u{2069}"],
    ["the tag block", "hi\u{e0041}\u{e0042}", "hi\\u{e0041}\\u{e0042}"],
    ["variation selectors", "a\ufe0f\u{e0100}", "a\\u{fe0f}\\u{e0100}"],
    ["a soft hyphen", "rm\u00ad -rf", "rm\\u{ad} -rf"],
    ["a byte order mark", "\ufeffx", "\\u{feff}x"],
    ["no-break space", "a\u00a0b", "a\\u{a0}b"],
    ["Hangul filler", "a\u3164b", "a\\u{3164}b"],
    ["blank braille", "a\u2800b", "a\\u{2800}b"],
    ["controls", "a\u0007\u001b[2Kb", "a\\u{7}\\u{1b}[2Kb"],
    ["line separator", "a\u2028b", "a\\u{2028}b"],
    ["half a character", "a\ud800b", "a\\u{d800}b"],
  ])("%s", (_name, text, shown) => {
    expect(escapeHidden(text)).toBe(shown);
  });

  test.each(["Grüße, 世界! naïve — “quoted” 🎉", "line\n\tindented", "شكرا", "x = y ≤ z"])(
    "%s stays as it is",
    (text) => {
      expect(escapeHidden(text)).toBe(text);
    },
  );
});

describe("arguments for a person", () => {
  test("are JSON in which nothing is hidden", () => {
    const shown = formatArguments({ path: "a\u202e.ts", text: "one\ntwo" });
    expect(shown).toBe('{\n  "path": "a\\u{202e}.ts",\n  "text": "one\\ntwo"\n}');
  });

  test("long ones keep head and tail and say how much is missing", () => {
    const shown = formatArguments({ text: `begin ${"世".repeat(5_000)} end` });
    expect(shown).toMatch(/^\{\n {2}"text": "begin 世/);
    expect(shown).toMatch(/世 end"\n\}$/);
    expect(shown).toMatch(/… \d+ of \d+ bytes are not shown here …/);
    expect(new TextEncoder().encode(shown).length).toBeLessThanOrEqual(3_072);
    expect(isFullyShown(shown)).toBe(false);
    expect(isFullyShown(formatArguments({ text: "short" }))).toBe(true);
  });
});
