// How the corpora are written: one command per line of a raw template.

/** ⏎ is a line break, § a dollar before a brace, ´ a back quote, ⟦200B⟧ a character by its code. */
export const lines = (text: TemplateStringsArray): readonly string[] =>
  (text.raw[0] ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => line.replaceAll("⏎", "\n").replaceAll("§", "$").replaceAll("´", "`"))
    .map((line) =>
      line.replace(/⟦([0-9A-F]{4})⟧/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    );
