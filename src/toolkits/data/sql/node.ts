// Reads the untyped tree of the parser. A node with a field that its reader does not name is refused.
import { UNITS } from "./functions.ts";
import { refuse } from "./refusal.ts";
import type { Expression, Query } from "./tree.ts";

export type Node = Readonly<Record<string, unknown>>;

/** `strings` and `numbers` are the literals of the statement, for which the parsed text contains their positions. */
export type Reader = {
  readonly functions: ReadonlySet<string>;
  /** The types for CAST that only this dialect has. */
  readonly types: ReadonlySet<string>;
  readonly strings: readonly string[];
  /** Null at the positions of marks. */
  readonly numbers: readonly (string | null)[];
  readonly marks: readonly (string | null)[];
  readonly expression: (node: unknown) => Expression;
  readonly query: (node: unknown) => Query;
};

// Fields that describe the source text rather than its meaning.
const IGNORED = new Set(["loc", "tableList", "columnList"]);

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

export function readNode(value: unknown, ...fields: readonly string[]): Node {
  if (!isNode(value)) return notUnderstood("a value");
  for (const [name, held] of Object.entries(value)) {
    if (isAbsent(held) || IGNORED.has(name) || fields.includes(name)) continue;
    notUnderstood(name.replaceAll("_", " ").trim());
  }
  return value;
}

export const notUnderstood = (what: string): never =>
  refuse("not_understood", `This part of the statement is not supported: ${what.slice(0, 60)}.`);

export const readList = (value: unknown): readonly unknown[] => {
  if (isAbsent(value)) return [];
  return Array.isArray(value) ? value : notUnderstood("a list");
};

/** A name is a string or, if quoted, a node that contains the string. */
export function readName(value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  const { type, value: name } = readNode(value, "type", "value");
  const known = type === "default" || type === "backticks_quote_string";
  return known && typeof name === "string" && name !== "" ? name : notUnderstood("a name");
}

export const readOptionalName = (value: unknown): string | null => (isAbsent(value) ? null : readName(value));

export function readNumber(reader: Reader, value: unknown): string {
  const position = Number(value);
  const literal = reader.numbers[Math.abs(position) - 1];
  return isAbsent(literal) ? notUnderstood("a number") : (position < 0 ? "-" : "") + literal;
}

/** Null if the position belongs to a number of the statement. */
export const readMark = (reader: Reader, value: unknown): string | null => reader.marks[Number(value) - 1] ?? null;

export function readText(reader: Reader, value: unknown): string {
  const literal = typeof value === "string" ? reader.strings[Number(value)] : undefined;
  return literal ?? notUnderstood("a string");
}

export function readUnit(value: unknown): string {
  const unit = typeof value === "string" ? value.toLowerCase() : "";
  return UNITS.has(unit) ? unit.toUpperCase() : notUnderstood("a unit of time");
}
