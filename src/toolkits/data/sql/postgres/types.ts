// Defines the types to which a value may be cast. None of them looks up anything in the catalog, as regclass does.
import type { Token } from "../lex.ts";
import { isSymbol } from "../normalize.ts";

/** Types that the shared grammar does not know. */
export const POSTGRES_TYPES: ReadonlySet<string> = new Set(
  "text varchar bigint smallint real float8 boolean timestamp timestamptz timetz interval uuid jsonb".split(" "),
);
const SYNONYMS: Readonly<Record<string, string>> = {
  ...{ numeric: "decimal", int4: "int", int8: "bigint", int2: "smallint", bool: "boolean", float4: "real" },
  ...{ "double precision": "float8", "character varying": "varchar" },
  ...{ "timestamp with time zone": "timestamptz", "timestamp without time zone": "timestamp" },
};
const SHARED = /^(?:date|time|int|integer|float|json|decimal)$/;

type Type = { readonly tokens: readonly Token[]; readonly length: number };

export function readType(tokens: readonly Token[], at: number): Type | null {
  const words = (count: number): string => {
    const named = tokens.slice(at, at + count);
    return named.map(({ kind, text }) => (kind === "word" ? text : "?")).join(" ");
  };
  for (const count of [4, 2, 1]) {
    const written = words(count);
    const name = Object.hasOwn(SYNONYMS, written) ? (SYNONYMS[written] ?? "") : written;
    if (!POSTGRES_TYPES.has(name) && !SHARED.test(name)) continue;
    const size = name === "decimal" ? sizeLength(tokens, at + count) : 0;
    const length = count + size;
    return { tokens: [{ kind: "word", text: name, spaced: true }, ...tokens.slice(at + count, at + length)], length };
  }
  return null;
}

/** The number of tokens of a size such as (10, 2), or 0 if there is none. */
function sizeLength(tokens: readonly Token[], at: number): number {
  if (!isSymbol(tokens[at], "(") || tokens[at + 1]?.kind !== "number") return 0;
  if (isSymbol(tokens[at + 2], ")")) return 3;
  const two = isSymbol(tokens[at + 2], ",") && tokens[at + 3]?.kind === "number" && isSymbol(tokens[at + 4], ")");
  return two ? 5 : 0;
}
