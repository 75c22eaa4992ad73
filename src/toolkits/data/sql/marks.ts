// Rewrites forms that the parser does not support by means of marks. To the parser, a mark is a number; it stands for
// text that the parser does not see.
import { CHARACTER_SETS } from "./functions.ts";
import type { Token } from "./lex.ts";
import { notUnderstood, readUnit } from "./node.ts";
import { isSymbol, isWord, symbol, word } from "./normalize.ts";

const mark = (text: string): Token => ({ kind: "mark", text, spaced: true });
const COMMA = symbol(",");
const ORDERED_AGGREGATE =
  /^(?:json_arrayagg|json_agg|jsonb_agg|string_agg|array_agg|percentile_cont|percentile_disc)$/i;

/** Operators that stand for another one in the parsed text. `!=` is free for that, because `normalize` replaced it. */
export const STAND_IN: Readonly<Record<string, string>> = { "!=": "<=>" };

export function withMarks(tokens: readonly Token[], types: ReadonlySet<string>): readonly Token[] {
  const marked: Token[] = [];
  let at = 0;
  while (at < tokens.length) {
    const token = tokens[at];
    if (token === undefined) break;
    const { put, length } = withType(tokens, at, types) ?? replaceAt(tokens, at, token);
    marked.push(...put);
    at += length;
  }
  return marked;
}

/** Rewrites CAST(a AS text) as CAST(a AS CHAR(mark)). */
function withType(tokens: readonly Token[], at: number, types: ReadonlySet<string>): Replaced | null {
  const name = tokens[at + 1];
  const isCast = isWord(tokens[at], /^as$/i) && name?.kind === "word" && isSymbol(tokens[at + 2], ")");
  if (!isCast || !types.has(name.text)) return null;
  return { put: [word("as"), word("char"), symbol("("), mark(name.text), symbol(")")], length: 2 };
}

type Replaced = { readonly put: readonly Token[]; readonly length: number };

function replaceAt(tokens: readonly Token[], at: number, token: Token): Replaced {
  const next = tokens.slice(at + 1, at + 4);
  // ROWS and RANGE are reserved words, so unquoted they can only begin a frame.
  if (isWord(token, /^(?:rows|range)$/i) && !isSymbol(tokens[at - 1], ".")) return readFrame(tokens, at);
  // COUNT is the only function that the parser reads with DISTINCT. The mark is its first argument.
  if (isWord(token, /^(?:sum|avg|min|max)$/i) && isSymbol(next[0], "(") && isWord(next[1], /^distinct$/i)) {
    const put = [word("count"), ...next.slice(0, 2), mark(token.text.toLowerCase())];
    return { put: [...put, COMMA], length: 3 };
  }
  // GROUP_CONCAT is the only aggregate that the parser reads with ORDER BY.
  if (isWord(token, ORDERED_AGGREGATE) && isSymbol(next[0], "(")) {
    const distinct = next.slice(1, 2).filter((found) => isWord(found, /^distinct$/i));
    const put = [word("group_concat"), ...next.slice(0, 1), ...distinct, mark(token.text.toLowerCase()), COMMA];
    return { put, length: 2 + distinct.length };
  }
  if (isWord(token, /^using$/i) && CHARACTER_SETS.has(next[0]?.text.toLowerCase() ?? "") && isSymbol(next[1], ")"))
    return { put: [COMMA, word("char"), symbol("("), mark(next[0]?.text.toLowerCase() ?? ""), symbol(")")], length: 2 };
  if (isWord(token, /^over$/i) && isSymbol(next[0], "(") && next[1]?.kind === "word" && isSymbol(next[2], ")"))
    return { put: [token, next[1]], length: 4 };
  if (isSymbol(token, "<=>")) return { put: [{ ...token, text: "!=" }], length: 1 };
  return { put: [token], length: 1 };
}

/** The frame of a window becomes a mark for the text to print. Its bounds must be constants. */
function readFrame(tokens: readonly Token[], start: number): Replaced {
  let at = start + 1;
  const take = (pattern: RegExp): string | null => {
    const found = tokens[at];
    if (!isWord(found, pattern)) return null;
    at += 1;
    return found?.text.toUpperCase() ?? null;
  };
  const number = (): string => {
    const found = tokens[at++];
    return found?.kind === "number" ? found.text : notUnderstood("a window frame");
  };
  const amount = (): string => {
    if (take(/^unbounded$/i)) return "UNBOUNDED";
    if (!take(/^interval$/i)) return number();
    return `INTERVAL ${number()} ${readUnit(tokens[at++]?.text)}`;
  };
  const bound = (): string => {
    if (take(/^current$/i)) return take(/^row$/i) ? "CURRENT ROW" : notUnderstood("a window frame");
    return `${amount()} ${take(/^(?:preceding|following)$/i) ?? notUnderstood("a window frame")}`;
  };
  const unit = tokens[start]?.text.toUpperCase();
  const range = (): string => `BETWEEN ${bound()} ${take(/^and$/i) ?? notUnderstood("a window frame")} ${bound()}`;
  const frame = `${unit} ${take(/^between$/i) ? range() : bound()}`;
  return { put: [word("rows"), mark(frame), word("preceding")], length: at - start };
}
