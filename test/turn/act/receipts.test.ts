// Tests that a summary is one line: every run of whitespace and control characters is one space.
import fc from "fast-check";
import { expect, test } from "vitest";
import { summaryLine } from "../../../src/turn/act/receipts.ts";

test("a line has single spaces, and nothing else is changed", () => {
  const piece = fc.constantFrom(" ", "  ", "\n", "\t", "\u0000", "\u0085", "\u00a0", "\u2028", "a", "é", "🙂");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      expect(summaryLine(text, 200)).toBe(text.replace(/[\s\p{Cc}]+/gu, " ").trim());
    }),
  );
});
