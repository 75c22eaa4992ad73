import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeText, encodeText, keepTextFormat } from "../../src/tools/text-format.ts";

const BOM = "\uFEFF";

describe("a rewritten text", () => {
  test.each([
    ["keeps CRLF", "a\r\nb\r\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n"],
    ["keeps LF", "a\nb\n", "a\r\nB\r\n", "a\nB\n"],
    ["keeps the byte order mark", `${BOM}a\n`, "b\n", `${BOM}b\n`],
    ["gets no second mark", `${BOM}a\n`, `${BOM}b\n`, `${BOM}b\n`],
    ["gets no mark that was not there", "a\n", `${BOM}b\n`, "b\n"],
    ["keeps the mark with CRLF", `${BOM}a\r\nb`, "a\nc", `${BOM}a\r\nc`],
    ["keeps each line's own ending where lines are mixed", "a\r\nb\nc\nd\r\n", "a\nb\nX\nd\n", "a\r\nb\nX\r\nd\r\n"],
    ["takes the more frequent ending for new lines", "a\nb\nc\r\n", "new\nnewer\n", "new\nnewer\n"],
    ["of nothing is as it was written", "", "a\r\nb\n", "a\r\nb\n"],
    ["of one line without an end is as it was written", "a", "b\r\nc", "b\r\nc"],
    ["has the last line end as its author said", "a\r\nb", "a\nb\n", "a\r\nb\r\n"],
    ["may lose all lines", "a\r\n", "", ""],
    ["keeps old Macintosh endings", "a\rb\r", "a\nc\n", "a\rc\r"],
  ])("%s", (_what, before, after, expected) => {
    expect(keepTextFormat(before, after)).toBe(expected);
  });

  test("that did not change is byte for byte the same, whatever its endings", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "\n", "\r\n", "\r", ""), { maxLength: 12 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, (before) => {
        expect(keepTextFormat(before, before)).toBe(before);
      }),
      { numRuns: 2_000 },
    );
  });

  test("has the words of the new text", () => {
    const text = fc.array(fc.constantFrom("a", "b", "\n", "\r\n"), { maxLength: 12 }).map((all) => all.join(""));
    const plain = (all: string): string => all.replaceAll("\r\n", "\n");
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(plain(keepTextFormat(before, after))).toBe(plain(after));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("bytes", () => {
  test("become text with their mark and back", () => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x61]);
    expect(decodeText(bytes)).toBe(`${BOM}a`);
    expect(encodeText(`${BOM}a`)).toEqual(bytes);
  });

  test("that are not UTF-8 are no text", () => {
    expect(decodeText(new Uint8Array([0x66, 0xfc, 0x72]))).toBeNull();
  });
});
