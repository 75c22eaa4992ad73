// Describes a JSON Schema briefly for a model and builds sample values for it. Supports the schemas that zod derives; anything else is "any".
type Schema = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 3;
const ENUM_MAX = 24;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const propertiesOf = (schema: Schema): readonly (readonly [string, Schema])[] =>
  isSchema(schema.properties)
    ? Object.entries(schema.properties)
        .filter((entry): entry is [string, Schema] => isSchema(entry[1]))
        .sort(([a], [b]) => (a < b ? -1 : 1))
    : [];

export const isRequired = (schema: Schema, name: string): boolean =>
  Array.isArray(schema.required) && schema.required.includes(name);

/** For example `integer 1..12`, `string: "a" | "b"` or `array of object {day integer, slot? integer}`. */
export function describeType(schema: Schema, root: Schema, depth = 0): string {
  const resolved = resolveRef(schema, root);
  if (depth > DEPTH_MAX) return "any";
  if ("const" in resolved) return JSON.stringify(resolved.const);
  if (Array.isArray(resolved.enum)) return describeEnum(resolved.enum);
  const branches = resolved.anyOf ?? resolved.oneOf;
  if (Array.isArray(branches)) {
    return [...new Set(branches.filter(isSchema).map((one) => describeType(one, root, depth + 1)))].join(" or ");
  }
  const { type } = resolved;
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array")
    return `array of ${isSchema(resolved.items) ? describeType(resolved.items, root, depth + 1) : "any"}`;
  if (type === "object") return describeObject(resolved, root, depth);
  if (type === "integer" || type === "number") return `${type}${describeRange(resolved)}`;
  return typeof type === "string" ? type : "any";
}

function describeEnum(values: readonly unknown[]): string {
  const shown = values.slice(0, ENUM_MAX).map((value) => JSON.stringify(value));
  const more = values.length > ENUM_MAX ? ` | ${values.length - ENUM_MAX} more` : "";
  const kind = values.every((value) => typeof value === "string") ? "string: " : "";
  return `${kind}${shown.join(" | ")}${more}`;
}

function describeObject(schema: Schema, root: Schema, depth: number): string {
  const properties = propertiesOf(schema);
  if (properties.length === 0 || depth >= DEPTH_MAX) return "object";
  const parts = properties.map(
    ([name, inner]) => `${name}${isRequired(schema, name) ? "" : "?"} ${describeType(inner, root, depth + 1)}`,
  );
  return `object {${parts.join(", ")}}`;
}

// zod limits every integer to the safe integer range; showing that limit adds no information.
function describeRange(schema: Schema): string {
  const low = bound(schema.minimum);
  const high = bound(schema.maximum);
  if (low === null && high === null) return "";
  if (high === null) return ` from ${low}`;
  return low === null ? ` up to ${high}` : ` ${low}..${high}`;
}

const bound = (value: unknown): number | null =>
  typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null;

/** A value of the right type: the required fields of an object, or the first value of an enum. */
export function sampleValue(schema: Schema, root: Schema, depth = 0): unknown {
  const resolved = resolveRef(schema, root);
  if ("const" in resolved) return resolved.const;
  if (Array.isArray(resolved.enum)) return resolved.enum[0];
  if (resolved.default !== undefined) return resolved.default;
  if (depth > DEPTH_MAX) return null;
  const branches = resolved.anyOf ?? resolved.oneOf;
  if (Array.isArray(branches)) return isSchema(branches[0]) ? sampleValue(branches[0], root, depth + 1) : null;
  const type = Array.isArray(resolved.type) ? resolved.type[0] : resolved.type;
  if (type === "object") {
    const needed = propertiesOf(resolved).filter(([name]) => isRequired(resolved, name));
    return Object.fromEntries(needed.map(([name, inner]) => [name, sampleValue(inner, root, depth + 1)]));
  }
  if (type === "array") return isSchema(resolved.items) ? [sampleValue(resolved.items, root, depth + 1)] : [];
  if (type === "integer" || type === "number") return bound(resolved.minimum) ?? 1;
  if (type === "boolean") return true;
  return type === "string" ? "text" : null;
}

/** zod puts references under $defs of the same document. */
function resolveRef(schema: Schema, root: Schema): Schema {
  const ref = schema.$ref;
  if (typeof ref !== "string") return schema;
  const target = ref
    .split("/")
    .slice(1)
    .reduce<unknown>((at, key) => (isSchema(at) && Object.hasOwn(at, key) ? at[key] : null), root);
  return isSchema(target) ? target : {};
}
