// Reads single fields of a decision and tolerates what models do: placeholders, whitespace, text in other types.
import { excerptOf, formatPath, type ParseIssue } from "./parse-issue.ts";

export type JsonObject = Record<string, unknown>;
type Path = readonly (string | number)[];

/** The first issue is the one reported. */
export type ParseContext = { readonly object: JsonObject; readonly path: Path; readonly issues: ParseIssue[] };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads only own keys, because the model did not write an inherited field. */
export const ownValue = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** True for values that models write when they mean "not given". */
export function isPlaceholder(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  return isObject(value) && Object.keys(value).length === 0;
}

export function addIssue(context: ParseContext, path: Path, value: unknown, found: string, legal: string): void {
  context.issues.push({ field: formatPath([...context.path, ...path]), found, legal, excerpt: excerptOf(value) });
}

export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "string") return value.trim() === "" ? "blank text" : "text";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Returns an object to spread: `{key: text}`, or `{}` if the field is absent, so that absent keys stay absent. */
export function optionalText<K extends string>(context: ParseContext, key: K): { [P in K]?: string } {
  const value = ownValue(context.object, key);
  if (value === undefined || value === null) return {};
  if (typeof value === "string") return optionalEntry(key, value.trim());
  addIssue(context, [key], value, describeValue(value), "text");
  return {};
}

export function requiredText<K extends string>(context: ParseContext, key: K): { [P in K]?: string } {
  const before = context.issues.length;
  const read = optionalText(context, key);
  const missing = read[key] === undefined && context.issues.length === before;
  if (missing)
    addIssue(
      context,
      [key],
      ownValue(context.object, key),
      describeValue(ownValue(context.object, key)),
      "non-empty text",
    );
  return read;
}

/** The legal word that was probably meant: in other letters, or only its first word. For the problem's text, never as the value. */
export function meantWord(word: string, legal: readonly string[]): string | undefined {
  const folded = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return legal.find((one) => one === folded) ?? legal.find((one) => folded !== "" && one.startsWith(`${folded}_`));
}

/** Case matters: a near miss is never corrected to a valid value. */
export function enumValue<W extends string>(context: ParseContext, key: string, legal: readonly W[]): W | undefined {
  const value = ownValue(context.object, key);
  const known = typeof value === "string" ? legal.find((candidate) => candidate === value.trim()) : undefined;
  const meant = typeof value === "string" ? meantWord(value, legal) : undefined;
  const unknown = meant ? `an unknown word; write it as ${meant}` : "an unknown word";
  const found = typeof value === "string" && value.trim() !== "" ? unknown : describeValue(value);
  if (known === undefined) addIssue(context, [key], value, found, `one of ${legal.join(", ")}`);
  return known;
}

export function optionalFlag<K extends string>(context: ParseContext, key: K): { [P in K]?: true } {
  const value = ownValue(context.object, key);
  if (isPlaceholder(value) || value === false) return {};
  if (value === true) return { [key]: true } as { [P in K]?: true };
  addIssue(context, [key], value, describeValue(value), "true, or leave it out");
  return {};
}

export function optionalTexts<K extends string>(context: ParseContext, key: K, max: number): { [P in K]?: string[] } {
  const value = ownValue(context.object, key);
  if (isPlaceholder(value) || (Array.isArray(value) && value.length === 0)) return {};
  const texts = Array.isArray(value) ? value.map((one) => (typeof one === "string" ? one.trim() : "")) : [];
  if (texts.length > 0 && texts.length <= max && !texts.includes(""))
    return { [key]: texts } as { [P in K]?: string[] };
  const found = Array.isArray(value) && value.length > max ? `${value.length} entries` : describeValue(value);
  addIssue(context, [key], value, found, `an array of 1 to ${max} texts`);
  return {};
}

/** Accepts an object, array or scalar and converts it to text. */
export function flattenedText<K extends string>(context: ParseContext, key: K): { [P in K]?: string } {
  return optionalEntry(key, flatten(ownValue(context.object, key)));
}

function flatten(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return joinNonEmpty(value.map(flatten), ", ");
  if (!isObject(value)) return String(value).trim();
  const lines = Object.entries(value).map(([key, inner]) => {
    const flattened = flatten(inner);
    return flattened === "" ? "" : `${key}: ${flattened}`;
  });
  return joinNonEmpty(lines, "; ");
}

const joinNonEmpty = (parts: string[], by: string): string => parts.filter((part) => part !== "").join(by);

// The cast states what the compiler cannot infer for a computed key of a generic type.
const optionalEntry = <K extends string>(key: K, value: string): { [P in K]?: string } =>
  value === "" ? {} : ({ [key]: value } as { [P in K]?: string });
