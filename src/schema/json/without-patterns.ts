// Removes regular expressions from external JSON Schemas before they are compiled, because an expression could run forever on a value.
type Schema = Readonly<Record<string, unknown>>;

/** Keywords with a value that maps names to schemas. */
const NAMED = ["properties", "$defs", "definitions", "dependentSchemas"];
/** Keywords with a value that is data, not a schema. */
const DATA = ["const", "enum", "default", "examples", "required"];

/** The result accepts more values than the schema, so the sender of the schema must still check them. */
export function withoutPatterns(schema: Schema): Schema {
  const { pattern: _, patternProperties, additionalProperties, oneOf, not, ...rest } = schema;
  // Only the patterns define which names are additional, so this rule is dropped together with them.
  const additional = patternProperties === undefined && additionalProperties !== undefined && { additionalProperties };
  const entries = Object.entries({ ...rest, ...additional }).map(([key, value]) => [key, cleaned(key, value)]);
  return { ...Object.fromEntries(entries), ...withoutIn("not", not, null), ...withoutIn("oneOf", oneOf, "anyOf") };
}

/** A part that excludes values is removed or replaced, because without its patterns it would exclude more of them. */
function withoutIn(key: string, part: unknown, instead: string | null): Schema {
  if (part === undefined) return {};
  const clean = cleaned(key, part);
  if (JSON.stringify(clean) === JSON.stringify(part)) return { [key]: part };
  return instead === null ? {} : { [instead]: clean };
}

function cleaned(key: string, value: unknown): unknown {
  if (DATA.includes(key)) return value;
  if (Array.isArray(value)) return value.map((one) => cleaned("", one));
  if (!isSchema(value)) return value;
  if (!NAMED.includes(key)) return withoutPatterns(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned("", one)]));
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;
