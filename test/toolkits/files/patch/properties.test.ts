import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../../src/toolkits/files/patch/apply-patch.ts";
import { fuzzyFindAll } from "../../../../src/toolkits/files/patch/find/fuzzy-find.ts";

const words = [
  "if (x) {",
  "}",
  "return a;",
  "const b = 2;",
  "go(a, b);",
  "// a note",
  "",
  "say('hi');",
  "x = 1",
  "end",
];
const indent = fc.constantFrom("", "  ", "    ", "      ");
const line = fc.tuple(indent, fc.constantFrom(...words)).map(([space, word]) => (word === "" ? "" : space + word));
const lines = fc.array(line, { minLength: 1, maxLength: 12 });
const ending = fc.constantFrom("\n", "\r\n");

/** Generates arbitrary text: code, random strings, control characters and unpaired surrogates. */
const anyText = fc.oneof(
  lines.map((list) => list.join("\n")),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom("a", "\\", "n", '"', "\n", "\r", "\t", " ", "“", "…", "$", "\uFEFF", "\uD800"),
    maxLength: 40,
  }),
);

/** Generates a block that occurs once in the middle of a file. Each of its lines has a unique marker. */
const uniqueBlock = fc.record({
  head: lines,
  block: fc.array(fc.tuple(indent, fc.nat({ max: 99 })), { minLength: 1, maxLength: 6 }),
  tail: lines,
  eol: ending,
});

const markedLines = (block: readonly (readonly [string, number])[], marker: string): string[] =>
  block.map(([space, number], index) => `${space}${marker}${index}(${number});`);

describe("arbitrary texts", () => {
  test("never throw, and matches are sorted and equal to the content", () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, fc.boolean(), (content, old, newText, replaceAll) => {
        const result = applyPatch(content, old, newText, { replaceAll });
        if (result.ok) expect(result.content).not.toBe(content);
        let before = 0;
        for (const { startIndex, endIndex, matchedText } of fuzzyFindAll(content, old)) {
          expect(content.slice(startIndex, endIndex)).toBe(matchedText);
          expect(startIndex).toBeGreaterThanOrEqual(before);
          before = endIndex;
        }
      }),
      { numRuns: 1500 },
    );
  });

  test("are found exactly if the content contains them", () => {
    fc.assert(
      fc.property(lines, fc.nat(), fc.nat(), (list, from, length) => {
        const content = list.join("\n");
        const start = from % Math.max(1, content.length);
        const old = content.slice(start, start + 1 + (length % 40));
        fc.pre(old.trim() !== "");
        expect(fuzzyFindAll(content, old)[0]?.strategy).toBe("exact");
      }),
      { numRuns: 500 },
    );
  });
});

describe("text inside a line", () => {
  test("is replaced verbatim, and all other bytes are unchanged", () => {
    const part = fc.string({ unit: fc.constantFrom("a", "b", " ", "$", "\\", "(", "“", "\t", "."), maxLength: 12 });
    const outside = fc.array(fc.oneof(part, ending), { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(outside, part, part, outside, (before, old, newText, after) => {
        const [wanted, written] = [`<${old}>`, `[${newText}]`];
        const result = applyPatch(before + wanted + after, wanted, written);
        expect(result.ok && result.content).toBe(before + written + after);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("block that occurs once", () => {
  test("can be replaced and restored without changing other bytes", () => {
    fc.assert(
      fc.property(
        uniqueBlock,
        fc.array(fc.tuple(indent, fc.nat({ max: 99 })), { minLength: 1, maxLength: 6 }),
        (file, change) => {
          const [before, after] = [markedLines(file.block, "old"), markedLines(change, "new")];
          const [head, tail] = [file.head.join(file.eol) + file.eol, file.eol + file.tail.join(file.eol)];
          const content = head + before.join(file.eol) + tail;
          const there = applyPatch(content, before.join("\n"), after.join("\n"));
          expect(there.ok && there.content).toBe(head + after.join(file.eol) + tail);
          const back = applyPatch(head + after.join(file.eol) + tail, after.join("\n"), before.join("\n"));
          expect(back.ok && back.content).toBe(content);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("with different whitespace changes nothing outside the block", () => {
    fc.assert(
      fc.property(uniqueBlock, indent, (file, shift) => {
        const before = markedLines(file.block, "old");
        const [head, tail] = [file.head.join(file.eol) + file.eol, file.eol + file.tail.join(file.eol)];
        const quoted = before.map((text) => `${shift}${text.trim()} `);
        const result = applyPatch(
          head + before.join(file.eol) + tail,
          quoted.join("\n"),
          [...quoted, "last();"].join("\n"),
        );
        expect(result.ok && result.content.startsWith(head + before.join(file.eol))).toBe(true);
        expect(result.ok && result.content.endsWith(tail)).toBe(true);
        expect(result.ok && result.content.split(/\r?\n/).length).toBe(
          file.head.length + before.length + file.tail.length + 1,
        );
      }),
      { numRuns: 500 },
    );
  });

  test("rejects the same patch the second time", () => {
    fc.assert(
      fc.property(uniqueBlock, (file) => {
        const before = markedLines(file.block, "old").join("\n");
        const content = `${file.head.join("\n")}\n${before}\n${file.tail.join("\n")}`;
        const newText = `${before}\n  added_later(1);`;
        const once = applyPatch(content, before, newText);
        expect(once.ok).toBe(true);
        const twice = applyPatch(once.ok ? once.content : "", before, newText);
        expect(!twice.ok && twice.problem.code).toBe("patch_already_applied");
      }),
      { numRuns: 300 },
    );
  });
});
