// Reads one JSON value. Also refuses what JSON.parse accepts: duplicate keys, numbers that lose digits, and lone surrogates.
import { excerptAt, formatPath, type ParseIssue } from "./parse-issue.ts";

/** `end` is the position after the token, or the position of the error. */
type Token =
  | { readonly ok: true; readonly value: string | number; readonly end: number }
  | { readonly ok: false; readonly found: string; readonly legal: string; readonly end: number };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Reads one JSON string or number at a position. Refuses values that could not be stored or compared exactly. */
function readString(text: string, open: number): Token {
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

function readNumber(text: string, start: number): Token {
  NUMBER.lastIndex = start;
  const match = NUMBER.exec(text);
  if (!match) return invalidToken(start, "a malformed number", "a JSON number");
  const value = Number(match[0]);
  const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (!exact) return invalidToken(start, "a number beyond ±(2^53−1)", "a smaller number, or the digits as a string");
  return { ok: true, value, end: start + match[0].length };
}

const invalidToken = (end: number, found: string, legal: string): Token => ({ ok: false, found, legal, end });

type Reader = {
  readonly text: string;
  readonly depthMax: number;
  readonly path: (string | number)[];
  at: number;
  depth: number;
  keys: number;
  issue: ParseIssue | null;
};

/** Limits the keys of all objects together. Checking an object with a hundred thousand keys takes a second, and no valid reply has so many. */
const KEYS_MAX = 10_000;

/** Returned through the recursion once `reader.issue` is set. An invalid reply is expected, so nothing throws. */
const INVALID = Symbol("bad");

const LITERALS = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

/** `path` is the position of the text inside the decision; the field of every issue starts with it. */
export function readStrictJson(
  text: string,
  depthMax: number,
  path: readonly (string | number)[] = [],
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issue: ParseIssue } {
  const reader: Reader = { text, depthMax, path: [...path], at: 0, depth: 0, keys: 0, issue: null };
  skipWhitespace(reader);
  const value = readValue(reader);
  skipWhitespace(reader);
  if (value !== INVALID && reader.at < text.length) unexpected(reader, "nothing after the value");
  return reader.issue ? { ok: false, issue: reader.issue } : { ok: true, value };
}

function readValue(reader: Reader): unknown {
  const char = reader.text[reader.at];
  if (char === "{") return readNested(reader, readObject);
  if (char === "[") return readNested(reader, readArray);
  if (char === '"') return acceptToken(reader, readString(reader.text, reader.at));
  if (char !== undefined && "-0123456789".includes(char))
    return acceptToken(reader, readNumber(reader.text, reader.at));
  for (const [word, value] of LITERALS) {
    if (!reader.text.startsWith(word, reader.at)) continue;
    reader.at += word.length;
    return value;
  }
  return unexpected(reader, "a JSON value");
}

function readNested(reader: Reader, read: (reader: Reader) => unknown): unknown {
  if (reader.depth === reader.depthMax)
    return markInvalid(reader, "brackets nested too deep", `at most ${reader.depthMax} levels`);
  reader.depth += 1;
  reader.at += 1;
  const value = read(reader);
  reader.depth -= 1;
  return value;
}

function readObject(reader: Reader): unknown {
  const object: Record<string, unknown> = {};
  if (consume(reader, "}")) return object;
  while (true) {
    const key = readKey(reader, object);
    if (typeof key !== "string") return INVALID;
    reader.path.push(key);
    const value = readValue(reader);
    if (value === INVALID) return INVALID;
    reader.path.pop();
    // Assigning to __proto__ would set the prototype. As a defined property it stays data.
    if (key === "__proto__")
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    else object[key] = value;
    if (consume(reader, "}")) return object;
    if (!consume(reader, ",")) return unexpected(reader, "a comma or }");
  }
}

function readKey(reader: Reader, object: Record<string, unknown>): string | typeof INVALID {
  skipWhitespace(reader);
  const start = reader.at;
  if (reader.text[start] !== '"') return unexpected(reader, "a key in double quotes");
  const key = acceptToken(reader, readString(reader.text, start));
  if (typeof key !== "string") return INVALID;
  reader.keys += 1;
  if (reader.keys > KEYS_MAX) return markInvalid(reader, "too many keys", `at most ${KEYS_MAX} keys in all`);
  if (Object.hasOwn(object, key)) {
    reader.at = start;
    reader.path.push(key);
    return markInvalid(reader, "the same key twice", "every key once");
  }
  if (!consume(reader, ":")) return unexpected(reader, "a colon after the key");
  skipWhitespace(reader);
  return key;
}

function readArray(reader: Reader): unknown {
  const array: unknown[] = [];
  if (consume(reader, "]")) return array;
  while (true) {
    skipWhitespace(reader);
    reader.path.push(array.length);
    const value = readValue(reader);
    if (value === INVALID) return INVALID;
    reader.path.pop();
    array.push(value);
    if (consume(reader, "]")) return array;
    if (!consume(reader, ",")) return unexpected(reader, "a comma or ]");
  }
}

function acceptToken(reader: Reader, token: Token): unknown {
  reader.at = token.end;
  return token.ok ? token.value : markInvalid(reader, token.found, token.legal);
}

function consume(reader: Reader, char: string): boolean {
  skipWhitespace(reader);
  if (reader.text[reader.at] !== char) return false;
  reader.at += 1;
  return true;
}

function skipWhitespace(reader: Reader): void {
  while (reader.at < reader.text.length && " \n\r\t".includes(reader.text.charAt(reader.at))) reader.at += 1;
}

const FULL_WIDTH = /[\u2018-\u201f\u3000-\u3002\u300a-\u300f\uff01-\uff5e]/;

function unexpected(reader: Reader, legal: string): typeof INVALID {
  const char = reader.text[reader.at];
  if (char === undefined) return markInvalid(reader, "the end of the text: the object is cut off", legal);
  if (FULL_WIDTH.test(char)) return markInvalid(reader, "full-width punctuation", `${legal}, in ASCII punctuation`);
  if (char === "'") return markInvalid(reader, "a single quote", legal);
  if (char === "/" || char === "#") return markInvalid(reader, "a comment", legal);
  if (/,\s*$/.test(reader.text.slice(Math.max(0, reader.at - 20), reader.at)) && "]}".includes(char))
    return markInvalid(reader, "a trailing comma", legal);
  return markInvalid(reader, "something that is not JSON", legal);
}

function markInvalid(reader: Reader, found: string, legal: string): typeof INVALID {
  const { text, at, path } = reader;
  reader.issue ??= { field: formatPath(path), found, legal, excerpt: excerptAt(text, at) };
  return INVALID;
}
