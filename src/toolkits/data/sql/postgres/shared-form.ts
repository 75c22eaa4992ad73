// Rewrites forms that only Postgres has into forms that both dialects share. `writePostgres` converts the forms with
// placeholders back.
import { checkDepth, type Token } from "../lex.ts";
import { notUnderstood } from "../node.ts";
import { isSymbol, isWord, symbol, word } from "../normalize.ts";
import { closingOf, openingOf, operandStart } from "./operand-start.ts";
import { readType } from "./types.ts";

const string = (text: string): Token => ({ kind: "string", text, spaced: true });
const OPEN = symbol("(");
const CLOSE = symbol(")");

/** Matches the placeholder for NULLS FIRST and NULLS LAST, written as a function of the value. */
export const NULLS = /^nulls_(?:first|last)$/i;
/** Marks a pattern whose operator is not LIKE. Strings of a statement cannot contain a backslash. */
export const PATTERN_MARK = "\\";
/** Matches the placeholder for DISTINCT ON, written as the first selected value. */
export const DISTINCT_ON = /^distinct_on$/i;
/** Matches functions that Postgres calls with WITHIN GROUP (ORDER BY …). */
export const ORDERED_SET = /^percentile_(?:cont|disc)$/i;

const INTERVAL = /^(\d{1,6}) (second|minute|hour|day|week|month|year)s?$/i;
const FIELDS = /^(?:epoch|dow|doy|isodow|isoyear|decade|century|millennium)$/i;
const AGGREGATES =
  /^(?:count|sum|avg|min|max|stddev|stddev_pop|stddev_samp|variance|var_pop|var_samp|bool_and|bool_or|every)$/i;

type Rewrite = (out: Token[], tokens: readonly Token[], at: number) => number;

export function toSharedForm(tokens: readonly Token[]): readonly Token[] {
  const out: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const taken = REWRITES.map((rewrite) => rewrite(out, tokens, at)).find((length) => length > 0) ?? 0;
    if (taken === 0) out.push(tokens[at] ?? notUnderstood("the syntax"));
    at += Math.max(1, taken);
  }
  checkDepth(out);
  return out;
}

const is = (tokens: readonly Token[], at: number, ...words: readonly string[]): boolean =>
  words.every((text, index) => {
    const token = tokens[at + index];
    return (token?.kind === "word" || token?.kind === "symbol") && token.text === text;
  });

/** Rewrites a::text as CAST(a AS text). */
const cast: Rewrite = (out, tokens, at) => {
  if (!is(tokens, at, "::")) return 0;
  const type = readType(tokens, at + 1) ?? notUnderstood("this type after ::");
  out.splice(operandStart(out), 0, word("cast"), OPEN);
  out.push(word("as"), ...type.tokens, CLOSE);
  return 1 + type.length;
};

const castType: Rewrite = (out, tokens, at) => {
  const type = is(tokens, at, "as") ? readType(tokens, at + 1) : null;
  if (type === null || !is(tokens, at + 1 + type.length, ")")) return 0;
  out.push(word("as"), ...type.tokens);
  return 1 + type.length;
};

/** Rewrites INTERVAL '7 days' as INTERVAL 7 DAY. */
const interval: Rewrite = (out, tokens, at) => {
  const value = tokens[at + 1];
  if (is(tokens, at, "interval") && value?.kind === "number") return notUnderstood("an interval without quotes");
  if (!is(tokens, at, "interval") || value?.kind !== "string") return 0;
  const [, count = "", unit = ""] = INTERVAL.exec(value.text) ?? notUnderstood("an interval that is not like '7 days'");
  out.push(word("interval"), { kind: "number", text: count, spaced: true }, word(unit.toLowerCase()));
  return 2;
};

/** Rewrites a AT TIME ZONE 'UTC' as timezone('UTC', a). */
const timeZone: Rewrite = (out, tokens, at) => {
  const zone = tokens[at + 3];
  if (!is(tokens, at, "at", "time", "zone") || zone?.kind !== "string") return 0;
  out.splice(operandStart(out), 0, word("timezone"), OPEN, string(zone.text), symbol(","));
  out.push(CLOSE);
  return 4;
};

/** Rewrites ILIKE, SIMILAR TO and the operators with ~ as LIKE with a marked pattern. */
const pattern: Rewrite = (out, tokens, at) => {
  const length = is(tokens, at, "similar", "to") ? 2 : 1;
  const operator = length === 2 ? "similar to" : (tokens[at]?.text ?? "");
  const value = tokens[at + length];
  if (!/^(?:ilike|similar to|!?~\*?)$/.test(operator) || tokens[at]?.kind === "quoted" || value?.kind !== "string")
    return 0;
  if (operator.startsWith("!")) out.push(word("not"));
  const mark = `${PATTERN_MARK}${operator.replace("!", "").toUpperCase()}${PATTERN_MARK}`;
  out.push(word("like"), string(mark + value.text));
  return length + 1;
};

/** count(a) FILTER (WHERE b) becomes count(CASE WHEN b THEN a END), because these aggregates ignore nulls. */
const filter: Rewrite = (out, tokens, at) => {
  if (!is(tokens, at, "filter", "(", "where")) return 0;
  const open = openingOf(out, out.length - 1);
  if (open < 1 || !isWord(out[open - 1], AGGREGATES)) return notUnderstood("FILTER after this function");
  const end = closingOf(tokens, at + 1);
  const condition = toSharedForm(tokens.slice(at + 3, end));
  const distinct = isWord(out[open + 1], /^distinct$/i) ? 1 : 0;
  const args = out.splice(open + 1 + distinct);
  const value = is(args, 0, "*") ? [{ kind: "number", text: "1", spaced: true } as const] : args.slice(0, -1);
  out.push(word("case"), word("when"), ...condition, word("then"), ...value, word("end"), CLOSE);
  return end + 1 - at;
};

/** Rewrites percentile_cont(0.5) WITHIN GROUP (ORDER BY a) as percentile_cont(0.5 ORDER BY a). */
const withinGroup: Rewrite = (out, tokens, at) => {
  if (!is(tokens, at, "within", "group", "(", "order")) return 0;
  if (!isWord(out[openingOf(out, out.length - 1) - 1], ORDERED_SET)) return notUnderstood("WITHIN GROUP");
  out.pop();
  return 3;
};

const nulls: Rewrite = (out, tokens, at) => {
  if (!is(tokens, at, "nulls", "first") && !is(tokens, at, "nulls", "last")) return 0;
  const direction = isWord(out.at(-1), /^(?:asc|desc)$/i) ? out.splice(-1) : [];
  out.splice(itemStart(out), 0, word(`nulls_${tokens[at + 1]?.text}`), OPEN);
  out.push(CLOSE, ...direction);
  return 2;
};

/** The start of the last item of a list, which follows a comma or BY. */
function itemStart(tokens: readonly Token[]): number {
  let at = tokens.length - 1;
  while (at >= 0 && !isSymbol(tokens[at], ",") && !isWord(tokens[at], /^by$/i)) {
    if (isSymbol(tokens[at], "(")) return notUnderstood("NULLS FIRST");
    at = (isSymbol(tokens[at], ")") ? openingOf(tokens, at) : at) - 1;
  }
  return at + 1;
}

/** Rewrites FETCH FIRST 5 ROWS ONLY as LIMIT 5. */
const fetchRows: Rewrite = (out, tokens, at) => {
  const count = tokens[at + 2];
  const first = is(tokens, at, "fetch", "first") || is(tokens, at, "fetch", "next");
  const rows = is(tokens, at + 3, "rows", "only") || is(tokens, at + 3, "row", "only");
  if (!first || !rows || count?.kind !== "number") return 0;
  out.push(word("limit"), count);
  return 5;
};

/** Rewrites OFFSET 2 LIMIT 3 as LIMIT 3 OFFSET 2. */
const offset: Rewrite = (out, tokens, at) => {
  const [skipped, count] = [tokens[at + 1], tokens[at + 3]];
  const hasWords = is(tokens, at, "offset") && is(tokens, at + 2, "limit");
  if (!hasWords || skipped?.kind !== "number" || count?.kind !== "number") return 0;
  out.push(word("limit"), count, word("offset"), skipped);
  return 4;
};

/** Rewrites EXTRACT(epoch FROM a) as date_part('epoch', a). */
const field: Rewrite = (out, tokens, at) => {
  const name = tokens[at + 2];
  if (!is(tokens, at, "extract", "(") || !isWord(name, FIELDS) || !is(tokens, at + 3, "from")) return 0;
  out.push(word("date_part"), OPEN, string(name?.text ?? ""), symbol(","));
  return 4;
};

/** IS DISTINCT FROM becomes REGEXP, and IS NOT DISTINCT FROM becomes <=>. Postgres has neither operator. */
const distinctFrom: Rewrite = (out, tokens, at) => {
  if (isWord(tokens[at], /^(?:regexp|rlike)$/)) return notUnderstood("REGEXP");
  const not = is(tokens, at, "is", "not") ? 1 : 0;
  if (!is(tokens, at, "is") || !is(tokens, at + 1 + not, "distinct", "from")) return 0;
  out.push(not ? symbol("<=>") : word("regexp"));
  return 3 + not;
};

/** Rewrites a = ANY (ARRAY[1, 2]) as a IN (1, 2). Refuses other arrays. */
const anyOf: Rewrite = (out, tokens, at) => {
  if (!is(tokens, at, "=", "any", "(", "array", "[")) return 0;
  const end = tokens.findIndex((token, index) => index > at + 5 && isSymbol(token, "]"));
  if (!is(tokens, end + 1, ")")) return notUnderstood("an array");
  out.push(word("in"), OPEN, ...toSharedForm(tokens.slice(at + 5, end)), CLOSE);
  return end + 2 - at;
};

/** Rewrites GROUP BY ROLLUP (a, b) as GROUP BY a, b WITH ROLLUP. */
const rollup: Rewrite = (out, tokens, at) => {
  if (is(tokens, at, "with", "rollup")) return notUnderstood("WITH ROLLUP");
  if (!is(tokens, at, "group", "by", "rollup", "(")) return 0;
  const end = closingOf(tokens, at + 3);
  if (is(tokens, end + 1, ",")) return notUnderstood("ROLLUP beside other columns");
  out.push(word("group"), word("by"), ...toSharedForm(tokens.slice(at + 4, end)), word("with"), word("rollup"));
  return end + 1 - at;
};

/** Rewrites SELECT DISTINCT ON (a) b as SELECT distinct_on(a), b. */
const distinctOn: Rewrite = (out, tokens, at) => {
  if (!is(tokens, at, "select", "distinct", "on", "(")) return 0;
  const end = closingOf(tokens, at + 3);
  const values = toSharedForm(tokens.slice(at + 4, end));
  out.push(word("select"), word("distinct_on"), OPEN, ...values, CLOSE, symbol(","));
  return end + 1 - at;
};

/** Refuses statements that contain the placeholders of the other rewrites. */
const reserved: Rewrite = (_out, tokens, at) => {
  const name = tokens[at];
  const isReserved = isWord(name, NULLS) || isWord(name, DISTINCT_ON);
  return isReserved && is(tokens, at + 1, "(") ? notUnderstood("this function") : 0;
};

/** Renames variance, which has another meaning in MySQL. Refuses std and arrays. */
const variance: Rewrite = (out, tokens, at) => {
  if (is(tokens, at, "[") || is(tokens, at, "]")) return notUnderstood("an array");
  if (is(tokens, at, "std", "(")) return notUnderstood("std");
  if (!is(tokens, at, "variance", "(")) return 0;
  out.push(word("var_samp"));
  return 1;
};

const join: Rewrite = (out, tokens, at) => {
  if (!is(tokens, at, "||")) return 0;
  out.push(symbol("|"));
  return 1;
};

const REWRITES: readonly Rewrite[] = [
  ...[cast, castType, interval, timeZone, pattern, filter, withinGroup],
  ...[nulls, fetchRows, offset, field, distinctFrom, anyOf, rollup, distinctOn, reserved, variance, join],
];
