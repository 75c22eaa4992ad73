// Schemas as OpenAPI wants them: JSON Schema by zod itself, named ones once and by reference everywhere else.
import { z } from "zod";
import { COMPONENTS } from "./bodies.ts";

export type Json = Record<string, unknown>;

const named = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(COMPONENTS)) named.add(schema, { id });

const PLACE = "#/components/schemas/";
// "input": an answer may grow a field without breaking whoever checks it, while strict bodies stay strict.
const OPTIONS = {
  io: "input",
  override: ({ jsonSchema }: { jsonSchema: object }) => tidy(jsonSchema as Json),
} as const;

export function componentShapes(): Readonly<Record<string, Json>> {
  const { schemas } = z.toJSONSchema(named, { ...OPTIONS, uri: (id) => `${PLACE}${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, plain(schema as Json)]));
}

export function shapeOf(schema: z.ZodType): Json {
  const id = named.get(schema)?.id;
  if (id) return { $ref: `${PLACE}${id}` };
  const { $defs: _, ...shape } = plain(z.toJSONSchema(schema, { ...OPTIONS, metadata: named }) as Json);
  return JSON.parse(JSON.stringify(shape).replaceAll("#/$defs/", PLACE)) as Json;
}

/** OpenAPI says itself which dialect it speaks and where a schema lives. */
const plain = ({ $schema: _, $id: __, ...rest }: Json): Json => rest;

/** Bounds that only say what a number in JavaScript is, and a pattern that only repeats the format. */
function tidy(schema: Json): void {
  const { format, maximum, minimum } = schema;
  if (format === "date-time") Reflect.deleteProperty(schema, "pattern");
  if (maximum === Number.MAX_SAFE_INTEGER) Reflect.deleteProperty(schema, "maximum");
  if (minimum === Number.MIN_SAFE_INTEGER) Reflect.deleteProperty(schema, "minimum");
}
