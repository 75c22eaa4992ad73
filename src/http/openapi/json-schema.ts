// Converts zod schemas to JSON Schema for the OpenAPI document. Named schemas are defined once and referenced.
import * as z from "zod";
import * as named from "./response-schemas.ts";

export type Json = Record<string, unknown>;

const { COMPONENTS, ...schemas } = named;
const RESPONSES: Readonly<Record<string, z.ZodType>> = schemas;

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });

const REF_PREFIX = "#/components/schemas/";
// In "input" schemas, only strict objects refuse unknown fields, so clients accept fields that later releases add.
const JSON_SCHEMA_OPTIONS = {
  io: "input",
  override: ({ jsonSchema }: { jsonSchema: object }) => removeRedundantBounds(jsonSchema as Json),
} as const;

export function componentSchemas(): Readonly<Record<string, Json>> {
  const { schemas } = z.toJSONSchema(registry, { ...JSON_SCHEMA_OPTIONS, uri: (id) => `${REF_PREFIX}${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema as Json)]));
}

/** A string is the name of an export of `response-schemas.ts`. */
export function toJsonSchema(given: z.ZodType | string): Json {
  const schema = typeof given === "string" ? RESPONSES[given] : given;
  if (!schema) throw new Error(`${given} is not the name of a response schema`);
  const id = registry.get(schema)?.id;
  if (id) return { $ref: `${REF_PREFIX}${id}` };
  const { $defs: _, ...shape } = withoutDialect(
    z.toJSONSchema(schema, { ...JSON_SCHEMA_OPTIONS, metadata: registry }) as Json,
  );
  return JSON.parse(JSON.stringify(shape).replaceAll("#/$defs/", REF_PREFIX)) as Json;
}

/** The OpenAPI document defines the dialect and the location of its schemas. */
const withoutDialect = ({ $schema: _, $id: __, ...rest }: Json): Json => rest;

/** Removes bounds that only repeat the range of safe integers, and patterns that only repeat the format. */
function removeRedundantBounds(schema: Json): void {
  const { format, maximum, minimum } = schema;
  if (format === "date-time") Reflect.deleteProperty(schema, "pattern");
  if (maximum === Number.MAX_SAFE_INTEGER) Reflect.deleteProperty(schema, "maximum");
  if (minimum === Number.MIN_SAFE_INTEGER) Reflect.deleteProperty(schema, "minimum");
}
