// Reads a string literal by the rules of MySQL without NO_BACKSLASH_ESCAPES and without ANSI_QUOTES.
import { refuse } from "./refusal.ts";

// \% and \_ keep their backslash, which has a meaning in LIKE patterns.
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "%": "\\%", _: "\\_" };

export function readString(sql: string, start: number): { readonly value: string; readonly length: number } {
  const quote = sql[start];
  let value = "";
  let at = start + 1;
  for (;;) {
    const char = sql[at];
    if (char === undefined) return refuse("not_understood", "A string is not closed.");
    if (char === "\\") {
      value += decodeEscape(sql[at + 1]);
      at += 2;
    } else if (char === quote && sql[at + 1] === quote) {
      value += quote;
      at += 2;
    } else if (char === quote) {
      break;
    } else {
      value += char;
      at += 1;
    }
  }
  checkCharacters(value);
  return { value, length: at + 1 - start };
}

function decodeEscape(char: string | undefined): string {
  if (char === undefined) return refuse("not_understood", "A string is not closed.");
  // If NO_BACKSLASH_ESCAPES were set, the string would end here, and the text after it would be SQL.
  if (char === "'" || char === '"')
    return refuse("literal_not_allowed", "A quote in a string is written twice, not with a backslash.");
  if (char === "0" || char === "Z" || char === "b")
    return refuse("character_not_allowed", `The escape \\${char} is not allowed in a string.`);
  return ESCAPES[char] ?? char;
}

/** Refuses control, format and unassigned characters and lone surrogates, which no query for analytics needs. */
export function checkCharacters(value: string): void {
  if (/[^\P{C}\t\n\r]/u.test(value))
    refuse("character_not_allowed", "A string contains a control or invisible character.");
}
