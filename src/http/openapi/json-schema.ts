// Schemas as OpenAPI wants them: JSON Schema by zod itself, named ones once and by reference everywhere else.
import { z } from "zod";
import { COMPONENTS } from "./response-schemas.ts";

export type Json = Record<string, unknown>;

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });

const REF_PREFIX = "#/components/schemas/";
// "input": an answer may grow a field without breaking whoever checks it, while strict bodies stay strict.
const JSON_SCHEMA_OPTIONS = {
  io: "input",
  override: ({ jsonSchema }: { jsonSchema: object }) => removeRedundantBounds(jsonSchema as Json),
} as const;

export function componentSchemas(): Readonly<Record<string, Json>> {
  const { schemas } = z.toJSONSchema(registry, { ...JSON_SCHEMA_OPTIONS, uri: (id) => `${REF_PREFIX}${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema as Json)]));
}

export function toJsonSchema(schema: z.ZodType): Json {
  const id = registry.get(schema)?.id;
  if (id) return { $ref: `${REF_PREFIX}${id}` };
  const { $defs: _, ...shape } = withoutDialect(
    z.toJSONSchema(schema, { ...JSON_SCHEMA_OPTIONS, metadata: registry }) as Json,
  );
  return JSON.parse(JSON.stringify(shape).replaceAll("#/$defs/", REF_PREFIX)) as Json;
}

/** OpenAPI says itself which dialect it speaks and where a schema lives. */
const withoutDialect = ({ $schema: _, $id: __, ...rest }: Json): Json => rest;

/** Bounds that only say what a number in JavaScript is, and a pattern that only repeats the format. */
function removeRedundantBounds(schema: Json): void {
  const { format, maximum, minimum } = schema;
  if (format === "date-time") Reflect.deleteProperty(schema, "pattern");
  if (maximum === Number.MAX_SAFE_INTEGER) Reflect.deleteProperty(schema, "maximum");
  if (minimum === Number.MIN_SAFE_INTEGER) Reflect.deleteProperty(schema, "minimum");
}
