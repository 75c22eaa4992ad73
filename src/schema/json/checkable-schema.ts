// Reduces an external JSON Schema to the keywords that can be checked here. Regular expressions are removed, because one
// could run forever on a value, and so is what zod does not support. The result accepts every value that the schema
// accepts, and possibly more, so the sender of the schema must still check the values.
type Schema = Readonly<Record<string, unknown>>;
type Refer = (ref: string) => Schema;

const REMOVED = [
  "pattern",
  "patternProperties",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "unevaluatedItems",
  "unevaluatedProperties",
  "$defs",
  "definitions",
];
/** Keywords with a value that is data, not a schema. */
const DATA = ["default", "examples", "required"];
/** In these drafts, zod finds definitions only under the older keyword. */
const OLDER_DRAFTS = ["http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-04/schema#"];

export function checkableSchema(root: Schema): Schema {
  const keyword = OLDER_DRAFTS.includes(String(root.$schema)) ? "definitions" : "$defs";
  const definitions = new Map<string, unknown>();
  // Zod resolves only references to definitions, so the target of any other reference becomes one.
  const refer: Refer = (ref) => {
    if (ref === "#") return { $ref: ref };
    if (!ref.startsWith("#/")) return {};
    const target = targetOf(root, ref);
    if (target === undefined) return { $ref: ref };
    if (!definitions.has(ref)) {
      // Entered before its content is read, because a definition may refer to itself.
      definitions.set(ref, true);
      definitions.set(ref, cleaned(target, refer));
    }
    return { $ref: `#/${keyword}/${ref.replaceAll("~", "~0").replaceAll("/", "~1")}` };
  };
  const schema = cleaned(root, refer) as Schema;
  return definitions.size === 0 ? schema : { ...schema, [keyword]: Object.fromEntries(definitions) };
}

/** Undefined if the reference leads nowhere, which is a mistake in the schema. */
function targetOf(root: Schema, ref: string): unknown {
  let target: unknown = root;
  for (const part of ref.slice("#/".length).split("/")) {
    const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, name)) return undefined;
    target = (target as Schema)[name];
  }
  return isSchema(target) || typeof target === "boolean" ? target : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function cleaned(value: unknown, refer: Refer): unknown {
  if (Array.isArray(value)) return value.map((one) => cleaned(one, refer));
  if (!isSchema(value)) return value;
  return Object.assign({}, ...Object.entries(value).map(([key, part]) => partOf(value, key, part, refer)));
}

function partOf(schema: Schema, key: string, value: unknown, refer: Refer): Schema {
  if (REMOVED.includes(key)) return {};
  if (DATA.includes(key)) return { [key]: value };
  switch (key) {
    case "$ref":
      return typeof value === "string" ? refer(value) : {};
    case "properties":
      return isSchema(value) ? { properties: mapValues(value, (one) => cleaned(one, refer)) } : {};
    // Zod compares objects by identity.
    case "const":
      return isSchema(value) ? {} : { const: value };
    case "enum":
      return Array.isArray(value) && value.some(isSchema) ? {} : { enum: value };
    // Zod accepts no relative references.
    case "format":
      return value === "uri-reference" ? {} : { format: value };
    // Only the patterns define which names are additional.
    case "additionalProperties":
      return schema.patternProperties === undefined ? { [key]: cleaned(value, refer) } : {};
    case "not":
      return isSchema(value) && Object.keys(value).length === 0 ? { not: {} } : {};
    case "oneOf":
    case "contains":
      return exclusive(schema, key, value, refer);
    case "maxContains":
      return {};
    default:
      return { [key]: cleaned(value, refer) };
  }
}

/**
 * A keyword that excludes values if too many parts of them match is removed or replaced if these parts were reduced,
 * because it would then exclude more values. The part is read only once, so that nested ones take no longer.
 */
function exclusive(schema: Schema, key: "oneOf" | "contains", value: unknown, refer: Refer): Schema {
  const clean = cleaned(value, refer);
  const isReduced = JSON.stringify(clean) !== JSON.stringify(value);
  const { anyOf, maxContains } = schema;
  if (key === "contains") return { contains: clean, ...(!isReduced && maxContains !== undefined && { maxContains }) };
  if (!isReduced) return { oneOf: clean };
  return anyOf === undefined ? { anyOf: clean } : {};
}

const mapValues = (values: Schema, change: (value: unknown) => unknown): Schema =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;
