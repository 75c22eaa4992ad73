import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../../src/toolkits/files/patch/apply-patch.ts";
import { fuzzyFindAll } from "../../../../src/toolkits/files/patch/find/fuzzy-find.ts";

const decomposed = (text: string): string => text.normalize("NFD");
const FORMS = [
  ["composed in the text, decomposed in the file", (text: string) => text.normalize("NFC"), decomposed],
  ["decomposed in the text, composed in the file", decomposed, (text: string) => text.normalize("NFC")],
] as const;

const FILE = "# Menü\n\nLe café\nà côté de l'hôtel, forêt\nשָׁלוֹם 한국어\n";

function patched(content: string, old: string, newText: string) {
  const result = applyPatch(content, old, newText);
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result;
}

describe.each(FORMS)("letters with combining marks: %s", (_name, inText, inFile) => {
  test("text is found, and the rest of the file keeps its bytes", () => {
    const result = patched(inFile(FILE), inText("à côté de l'hôtel, forêt"), inText("à côté du château, forêt"));
    expect(result.strategy).toBe("unicode_normalized");
    expect(result.content).toBe(inFile(FILE.replace("de l'hôtel", "du château")));
  });

  test.each(["Le café", "hôtel", "한국어", "שָׁלוֹם"])("%s is found completely", (word) => {
    const [match, ...more] = fuzzyFindAll(inFile(FILE), inText(word));
    expect([match?.matchedText, more]).toEqual([inFile(word), []]);
  });

  test("shared lines keep the file's bytes in a block with a typo", () => {
    const block = "function été(a) {\n  const début = 1;\n  return début + a;\n}\n";
    const old = inText(block.replace("const début = 1;", "var début = 1"));
    const result = patched(inFile(block), old, old.replace("+ a", "- a"));
    expect(result.content).toBe(inFile(block.replace("+ a", "- a")));
  });

  test("two matches are ambiguous", () => {
    const result = applyPatch(inFile("né ici\n\nné ici\n"), inText("né ici"), "born here");
    expect(result).toMatchObject({ ok: false, problem: { code: "patch_ambiguous", details: { lines: [1, 3] } } });
  });

  test("a letter without its mark is not the same letter", () => {
    const found = fuzzyFindAll(inFile("un élève passé\n"), inText("un élève passe"));
    expect(found.map(({ strategy }) => strategy)).not.toContain("unicode_normalized");
  });
});

test("a file with both forms keeps each of them", () => {
  const content = `${decomposed("été")} un\nété deux\n${decomposed("hiver à côté")}\n`;
  const result = patched(content, "été un\nété deux\nhiver à côté", "été un\nété 2\nhiver à côté");
  expect(result.content).toBe(content.replace("deux", "2"));
});
