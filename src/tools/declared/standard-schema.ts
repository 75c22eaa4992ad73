// Adapts schemas of libraries other than zod, using the interfaces Standard Schema and Standard JSON Schema. Internally, everything is zod.
import * as z from "zod";

type Issue = {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
};
type Validated<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
type JsonSchemaOptions = { readonly target: "draft-2020-12" };

/** The interface implemented by arktype, valibot (through `toStandardJsonSchema`) and others. */
export type StandardSchema<T = unknown> = {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<T> | Promise<Validated<T>>;
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
};

export type ToolSchema = z.ZodType | StandardSchema;
export type SchemaValue<S extends ToolSchema> = S extends z.ZodType
  ? z.infer<S>
  : S extends StandardSchema<infer T>
    ? T
    : never;

export type ReadSchema = { readonly schema: z.ZodType; readonly json: Record<string, unknown> };

/** A schema without a JSON Schema is a programming error, because the prompt could not describe the input of the tool. */
export function readSchema(schema: ToolSchema, io: "input" | "output"): ReadSchema {
  if (schema instanceof z.ZodType) {
    const options = io === "input" ? ({ io: "input" } as const) : ({ unrepresentable: "any" } as const);
    return { schema, json: z.toJSONSchema(schema, options) as Record<string, unknown> };
  }
  const standard = schema["~standard"];
  if (typeof standard?.jsonSchema?.[io] !== "function")
    throw new Error(
      `the ${io} schema of ${standard?.vendor ?? "the tool"} has no JSON Schema; wrap it, for example with toStandardJsonSchema`,
    );
  // Validates a copy. Stored arguments are frozen, and a library that copies a value to transform it also copies the frozen state.
  const validate = io === "input" ? (value: unknown) => standard.validate(structuredClone(value)) : standard.validate;
  return { schema: wrapped(validate), json: standard.jsonSchema[io]({ target: "draft-2020-12" }) };
}

const wrapped = (validate: StandardSchema["~standard"]["validate"]): z.ZodType =>
  z.unknown().transform((value, context) => {
    const read = (result: Validated<unknown>): unknown => {
      if (!result.issues) return result.value;
      for (const { message, path = [] } of result.issues)
        context.addIssue({
          code: "custom",
          message,
          path: path.map((part) => (typeof part === "object" ? part.key : part)),
        });
      return z.NEVER;
    };
    const result = validate(value);
    return result instanceof Promise ? result.then(read) : read(result);
  });
