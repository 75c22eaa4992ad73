// Validates a value against a schema that may be asynchronous, such as one that looks something up. If a schema throws, the value is refused.
import * as z from "zod";

/** Always uses the asynchronous parser, because after a failed synchronous attempt the promise of a check could reject without a handler. */
export const checkValue = (schema: z.ZodType, value: unknown): Promise<z.ZodSafeParseResult<unknown>> =>
  schema.safeParseAsync(value).catch(refusal);

/** Omits the message of the error, which may contain text that the model must not read. */
const refusal = (): z.ZodSafeParseError<unknown> => ({
  success: false,
  error: new z.ZodError([{ code: "custom", path: [], message: "the schema failed to check the value", input: null }]),
});
