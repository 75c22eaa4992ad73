// Validates a value against the part of JSON Schema that the OpenAPI document uses. An unknown keyword is an error.
type Schema = Record<string, unknown>;
type Check = (value: unknown, rule: never, at: string, root: Document, schema: Schema) => readonly string[];

export type Document = { readonly components: { readonly schemas: Readonly<Record<string, unknown>> } };

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
};
const isOfType = (value: unknown, type: string): boolean =>
  typeOf(value) === type || (type === "number" && typeof value === "number");
const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === "object";
const failUnless = (isValid: boolean, at: string, what: string): readonly string[] =>
  isValid ? [] : [`${at}: ${what}`];
const sizeOf = (value: unknown): number | null =>
  typeof value === "string" || Array.isArray(value) ? value.length : null;

const CHECKS: Readonly<Record<string, Check>> = {
  $ref: (value, rule: string, at, root) => {
    const name = rule.replace("#/components/schemas/", "");
    const schema = root.components.schemas[name];
    return schema ? violations(root, schema as Schema, value, at) : [`${at}: no component ${name}`];
  },
  type: (value, rule: string | string[], at) =>
    failUnless(
      [rule].flat().some((type) => isOfType(value, type)),
      at,
      `${typeOf(value)} is not ${[rule].flat().join("|")}`,
    ),
  enum: (value, rule: unknown[], at) =>
    failUnless(rule.includes(value), at, `${JSON.stringify(value)} is not an allowed value`),
  const: (value, rule: unknown, at) => failUnless(value === rule, at, `is not ${JSON.stringify(rule)}`),
  pattern: (value, rule: string, at) =>
    failUnless(typeof value !== "string" || new RegExp(rule, "u").test(value), at, `does not match ${rule}`),
  format: (value, rule: string, at) =>
    failUnless(rule !== "date-time" || !Number.isNaN(Date.parse(String(value))), at, `is not a ${rule}`),
  minimum: (value, rule: number, at) => failUnless(typeof value !== "number" || value >= rule, at, `is below ${rule}`),
  maximum: (value, rule: number, at) => failUnless(typeof value !== "number" || value <= rule, at, `is above ${rule}`),
  exclusiveMinimum: (value, rule: number, at) =>
    failUnless(typeof value !== "number" || value > rule, at, `is not above ${rule}`),
  minLength: (value, rule: number, at) => failUnless((sizeOf(value) ?? rule) >= rule, at, "is too short"),
  maxLength: (value, rule: number, at) => failUnless((sizeOf(value) ?? rule) <= rule, at, "is too long"),
  minItems: (value, rule: number, at) => failUnless((sizeOf(value) ?? rule) >= rule, at, "has too few items"),
  maxItems: (value, rule: number, at) => failUnless((sizeOf(value) ?? rule) <= rule, at, "has too many items"),
  items: (value, rule: Schema, at, root) =>
    Array.isArray(value) ? value.flatMap((item, i) => violations(root, rule, item, `${at}[${i}]`)) : [],
  required: (value, rule: string[], at) =>
    isObject(value)
      ? rule.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name}: is missing`)
      : [],
  properties: (value, rule: Record<string, Schema>, at, root) =>
    isObject(value)
      ? Object.entries(rule).flatMap(([name, schema]) =>
          Object.hasOwn(value, name) ? violations(root, schema, value[name], `${at}.${name}`) : [],
        )
      : [],
  propertyNames: () => [],
  // A property that the document does not name is undocumented.
  additionalProperties: (value, rule: Schema | boolean, at, root, schema) => {
    if (!isObject(value) || rule === true) return [];
    const known = Object.keys((schema.properties as object | undefined) ?? {});
    const others = Object.entries(value).filter(([name]) => !known.includes(name));
    if (rule === false) return others.map(([name]) => `${at}.${name}: is not in the document`);
    return others.flatMap(([name, inner]) => violations(root, rule, inner, `${at}.${name}`));
  },
  anyOf: (value, rule: Schema[], at, root) => matchesAny(rule, value, at, root),
  oneOf: (value, rule: Schema[], at, root) => matchesAny(rule, value, at, root),
  description: () => [],
  title: () => [],
  default: () => [],
};

function matchesAny(rule: Schema[], value: unknown, at: string, root: Document): readonly string[] {
  const tries = rule.map((schema) => violations(root, schema, value, at));
  if (tries.some((found) => found.length === 0)) return [];
  const nearest = tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
  return [`${at}: matches none of ${rule.length}`, ...nearest];
}

/** Returns all differences between the value and the schema. An undocumented property is a difference. */
export function violations(root: Document, schema: Schema, value: unknown, at = "$"): readonly string[] {
  const closed = schema.properties && schema.additionalProperties === undefined;
  const rules = Object.entries(closed ? { ...schema, additionalProperties: false } : schema);
  return rules.flatMap(([keyword, rule]) => {
    const check = CHECKS[keyword];
    return check ? check(value, rule as never, at, root, schema) : [`${at}: the keyword ${keyword} is not supported`];
  });
}
