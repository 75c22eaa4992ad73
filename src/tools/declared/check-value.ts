// Validates a value by a schema that may be asynchronous, such as one that looks something up. A schema that throws refuses the value.
import * as z from "zod";

/** Never synchronously first: the promise of a check that is abandoned could reject without anybody to handle it. */
export const checkValue = (schema: z.ZodType, value: unknown): Promise<z.ZodSafeParseResult<unknown>> =>
  schema.safeParseAsync(value).catch(refusal);

/** Without the message of the error, which may contain what the model must not read. */
const refusal = (): z.ZodSafeParseError<unknown> => ({
  success: false,
  error: new z.ZodError([{ code: "custom", path: [], message: "the schema failed to check the value", input: null }]),
});
