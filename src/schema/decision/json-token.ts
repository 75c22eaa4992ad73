// Reads one JSON string or number at a position. Refuses values that could not be stored or compared exactly.
/** `end` is the position after the token, or the position of the error. */
export type Token =
  | { readonly ok: true; readonly value: string | number; readonly end: number }
  | { readonly ok: false; readonly found: string; readonly legal: string; readonly end: number };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

export function readString(text: string, open: number): Token {
  let at = open + 1;
  let escaped = false;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') return stringToken(text.slice(open, at + 1), escaped, open, at + 1);
    if (char < " ")
      return invalidToken(at, "a raw line break or control character in a string", "an escape such as \\n");
    if (char !== "\\") {
      at += 1;
      continue;
    }
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text))
      return invalidToken(
        at,
        "an unknown or unfinished escape in a string",
        'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX',
      );
    at = ESCAPE.lastIndex;
    escaped = true;
  }
  return invalidToken(at, "the end of the text inside a string: the object is cut off", "a closing quote");
}

function stringToken(quoted: string, escaped: boolean, open: number, end: number): Token {
  // All escapes have been validated, so this cannot throw.
  const value = escaped ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  // A lone surrogate has no UTF-8 form, so the stored and hashed text would differ from what the model wrote.
  if (!value.isWellFormed()) return invalidToken(open, "a lone surrogate in a string", "whole characters only");
  return { ok: true, value, end };
}

export function readNumber(text: string, start: number): Token {
  NUMBER.lastIndex = start;
  const match = NUMBER.exec(text);
  if (!match) return invalidToken(start, "a malformed number", "a JSON number");
  const value = Number(match[0]);
  const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (!exact) return invalidToken(start, "a number beyond ±(2^53−1)", "a smaller number, or the digits as a string");
  return { ok: true, value, end: start + match[0].length };
}

const invalidToken = (end: number, found: string, legal: string): Token => ({ ok: false, found, legal, end });
