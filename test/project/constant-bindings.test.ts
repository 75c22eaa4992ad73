// Tests that the build makes only those variables constant that nothing assigns.
import { expect, test } from "vitest";
import { withConstants } from "../../scripts/constant-bindings.ts";

const converted = (text: string): string => withConstants(text, "built.js");

test("a variable that is declared once and never assigned becomes constant", () => {
  expect(converted("var a = 1, b = () => a;\nexport { a, b };\n")).toBe(
    "const a = 1, b = () => a;\nexport { a, b };\n",
  );
});

test.each([
  ["without a value", "var a;\n"],
  ["declared twice", "var a = 1;\nvar a = 2;\n"],
  ["declared again in a block", "var a = 1;\nif (a) {\n  var a = 2;\n}\n"],
  ["assigned", "var a = 1;\na = 2;\n"],
  ["assigned by a function", "var a = 1;\nfunction set(b) {\n  a ??= b;\n}\n"],
  ["counted", "var a = 1;\nvar next = () => ++a;\n"],
  ["assigned by a pattern", "var a = 1;\n[{ b: [a] }] = [{ b: [2] }];\n"],
  ["assigned by the rest of a pattern", "var a = 1;\n({ b: a.c, ...a } = {});\n"],
  ["assigned by a pattern with a default", "var a = 1;\n({ b: a = 2 } = {});\n"],
  ["assigned by a loop", "var a = 1;\nfor (a of [2]) ;\nfor (a in {}) ;\n"],
  ["made from a pattern", "var [a] = [1];\n"],
])("a variable %s stays as it is", (_title, text) => {
  expect(converted(text)).toBe(text.replace("var next", "const next"));
});

test("a string, a comment and a local variable that look like declarations stay as they are", () => {
  const text = "const text = `\nvar a = 1;\n`;\n/*\nvar b = 1;\n*/\nfunction run() {\n  var c = 1;\n  return c;\n}\n";
  expect(converted(text)).toBe(text);
});

test("a local variable does not keep a constant of the same name from being one", () => {
  const local = "function run() {\n  var a = 2;\n  return a;\n}\n";
  expect(converted(`var a = "€ 漢 🙂";\n${local}`)).toBe(`const a = "€ 漢 🙂";\n${local}`);
});
