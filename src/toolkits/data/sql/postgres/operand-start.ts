// Scans backward from an operator to find where its left operand starts.
import type { Token } from "../lex.ts";
import { notUnderstood } from "../node.ts";
import { isSymbol, isWord } from "../normalize.ts";

/** Keywords that do not name a function if a parenthesis follows. */
const KEYWORDS =
  /^(?:select|distinct|where|having|on|and|or|not|by|like|between|in|when|then|else|case|from|join|any|all|some|exists|as|using|is|limit|offset|union|except|intersect|with|recursive)$/i;

/** The index of the opening parenthesis for the one at `close`, or -1 if there is none. */
export function openingOf(tokens: readonly Token[], close: number): number {
  if (!isSymbol(tokens[close], ")")) return -1;
  let depth = 0;
  for (let at = close; at >= 0; at -= 1) {
    if (isSymbol(tokens[at], ")")) depth += 1;
    if (isSymbol(tokens[at], "(")) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

export function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    depth += isSymbol(tokens[at], "(") ? 1 : isSymbol(tokens[at], ")") ? -1 : 0;
    if (depth === 0) return at;
  }
  return notUnderstood("the syntax");
}

export function operandStart(tokens: readonly Token[], end = tokens.length): number {
  const last = tokens[end - 1];
  if (last?.kind === "string") return isWord(tokens[end - 2], /^(?:date|time|timestamp)$/i) ? end - 2 : end - 1;
  if (last?.kind === "number") return end - 1;
  if (isSymbol(last, ")")) {
    const open = openingOf(tokens, end - 1);
    const before = tokens[open - 1];
    if (open < 0) return notUnderstood("the syntax");
    if (isWord(before, /^over$/i)) return operandStart(tokens, open - 1);
    return before?.kind === "word" && !KEYWORDS.test(before.text) ? open - 1 : open;
  }
  if (isWord(last, /^end$/i)) return caseStart(tokens, end - 1);
  if (last?.kind !== "quoted" && (last?.kind !== "word" || KEYWORDS.test(last.text)))
    return notUnderstood("the syntax");
  // The operand has the form INTERVAL 7 DAY.
  if (isWord(tokens[end - 3], /^interval$/i) && tokens[end - 2]?.kind === "number") return end - 3;
  return isSymbol(tokens[end - 2], ".") ? operandStart(tokens, end - 2) : end - 1;
}

function caseStart(tokens: readonly Token[], end: number): number {
  let depth = 0;
  for (let at = end; at >= 0; at -= 1) {
    if (isWord(tokens[at], /^end$/i)) depth += 1;
    if (isWord(tokens[at], /^case$/i)) depth -= 1;
    if (depth === 0) return at;
  }
  return notUnderstood("CASE");
}
