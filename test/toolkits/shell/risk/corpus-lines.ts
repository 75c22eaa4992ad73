// Defines how the corpora are written: one command per line of a raw template.

/**
 * Splits the lines and replaces ⏎ with a line break, § with a dollar before a brace, ´ with a back quote, and ⟦200B⟧
 * with the character of that code.
 */
export const lines = (text: TemplateStringsArray): readonly string[] =>
  (text.raw[0] ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => line.replaceAll("⏎", "\n").replaceAll("§", "$").replaceAll("´", "`"))
    .map((line) =>
      line.replace(/⟦([0-9A-F]{4})⟧/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    );
