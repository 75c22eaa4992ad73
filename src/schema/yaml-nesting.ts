// Recognizes YAML that the parser would take minutes to read, before it is parsed.
const NESTING_MAX = 256;

/** The parser is recursive, and its time grows with the square of the nesting depth. */
export function isNestedDeeply(text: string): boolean {
  let open = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = bracket === "[" || bracket === "{" ? open + 1 : Math.max(0, open - 1);
    if (open > NESTING_MAX) return true;
  }
  return /(?:[-?:][ \t]+){64}/.test(text);
}
