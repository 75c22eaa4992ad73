// Writes printed tokens as Postgres SQL, and converts placeholders back to the Postgres form.
import type { Token } from "../lex.ts";
import { notUnderstood } from "../node.ts";
import { isSymbol, isWord } from "../normalize.ts";
import { closingOf } from "./operand-start.ts";
import { DISTINCT_ON, NULLS, ORDERED_SET, PATTERN_MARK } from "./shared-form.ts";

type Written = { readonly text: string; readonly length: number };
const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export function writePostgres(tokens: readonly Token[]): string {
  let written = "";
  for (let at = 0; at < tokens.length; ) {
    const { text, length } = write(tokens, at);
    written += (tokens[at]?.spaced && at > 0 ? " " : "") + text;
    at += length;
  }
  return written;
}

function write(tokens: readonly Token[], at: number): Written {
  const token = tokens[at];
  if (token === undefined) return notUnderstood("the syntax");
  const { kind, text } = token;
  if (kind === "quoted") return { text: `"${text}"`, length: 1 };
  if (kind === "string")
    return text.includes(PATTERN_MARK) ? notUnderstood("this pattern") : { text: quote(text), length: 1 };
  if (isSymbol(token, "|")) return { text: "||", length: 1 };
  if (isSymbol(token, "<=>")) return { text: "IS NOT DISTINCT FROM", length: 1 };
  if (isWord(token, /^regexp$/i)) return { text: "IS DISTINCT FROM", length: 1 };
  if (kind !== "word") return { text, length: 1 };
  return (
    writePattern(tokens, at) ??
    writeInterval(tokens, at) ??
    writeRollup(tokens, at) ??
    writeCall(tokens, at) ?? { text, length: 1 }
  );
}

/** Writes LIKE with a marked pattern as the original Postgres operator. */
function writePattern(tokens: readonly Token[], at: number): Written | null {
  const not = isWord(tokens[at], /^not$/i) ? 1 : 0;
  const value = tokens[at + not + 1];
  if (!isWord(tokens[at + not], /^like$/i) || value?.kind !== "string") return null;
  const [before, operator = "", ...rest] = value.text.split(PATTERN_MARK);
  if (before !== "" || rest.length !== 1) return null;
  const sign = operator.startsWith("~") ? "!" : "NOT ";
  return { text: `${not ? sign : ""}${operator} ${quote(rest.join(""))}`, length: not + 2 };
}

function writeInterval(tokens: readonly Token[], at: number): Written | null {
  const [name, count, unit] = tokens.slice(at, at + 3);
  if (!isWord(name, /^interval$/i) || count?.kind !== "number" || unit?.kind !== "word") return null;
  return { text: `INTERVAL '${count.text} ${unit.text}'`, length: 3 };
}

const AFTER_GROUPS = /^(?:having|window|order|limit|union|except|intersect)$/i;

function writeRollup(tokens: readonly Token[], at: number): Written | null {
  if (!isWord(tokens[at], /^group$/i) || !isWord(tokens[at + 1], /^by$/i)) return null;
  let end = at + 2;
  while (end < tokens.length && !isWord(tokens[end], /^with$/i)) {
    if (isWord(tokens[end], AFTER_GROUPS) || isSymbol(tokens[end], ")")) return null;
    end = isSymbol(tokens[end], "(") ? closingOf(tokens, end) + 1 : end + 1;
  }
  if (!isWord(tokens[end + 1], /^rollup$/i)) return null;
  return { text: `GROUP BY ROLLUP (${writePostgres(tokens.slice(at + 2, end))})`, length: end + 2 - at };
}

function writeCall(tokens: readonly Token[], at: number): Written | null {
  const name = tokens[at]?.text ?? "";
  const stands = [NULLS, ORDERED_SET, DISTINCT_ON].some((pattern) => pattern.test(name));
  if (!isSymbol(tokens[at + 1], "(") || !stands) return null;
  const end = closingOf(tokens, at + 1);
  const inner = tokens.slice(at + 2, end);
  if (DISTINCT_ON.test(name)) {
    if (!isWord(tokens[at - 1], /^select$/i) || !isSymbol(tokens[end + 1], ",")) return notUnderstood(name);
    return { text: `DISTINCT ON (${writePostgres(inner)})`, length: end + 2 - at };
  }
  if (ORDERED_SET.test(name)) {
    const order = inner.findIndex((token) => isWord(token, /^order$/i));
    const by = writePostgres(inner.slice(order));
    if (order < 1) return notUnderstood(name);
    return { text: `${name}(${writePostgres(inner.slice(0, order))}) WITHIN GROUP (${by})`, length: end + 1 - at };
  }
  const direction = isWord(tokens[end + 1], /^(?:asc|desc)$/i) ? ` ${tokens[end + 1]?.text}` : "";
  const text = `${writePostgres(inner)}${direction} ${name.replace("_", " ")}`;
  return { text, length: end + 1 - at + (direction ? 1 : 0) };
}
