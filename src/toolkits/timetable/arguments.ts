// Parses the arguments of calendar tools. It accepts integers as text, rejects unknown names, and names the field in
// errors.
import * as z from "zod";

const INTEGER_TEXT = /^\s*[+-]?\d{1,9}\s*$/;

/** Models sometimes quote integers: "35" is accepted, but "3.5", "soon" and "" are not. */
const readInteger = (value: unknown): unknown =>
  typeof value === "string" && INTEGER_TEXT.test(value) ? Number(value) : value;

const nullToUndefined = (value: unknown): unknown => (value === null ? undefined : value);

/** One message for all invalid values, and a separate one for a missing argument. */
const errorFor = (text: string) => (issue: { readonly input?: unknown }) =>
  issue.input === undefined ? "is missing" : text;

function boundedInteger(min: number, max: number) {
  const error = errorFor(`must be an integer from ${min} to ${max}`);
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** Null counts as a missing argument. */
const optional = <S extends z.ZodType>(schema: S, description: string, read = nullToUndefined) =>
  z.preprocess(read, schema.optional()).optional().describe(description);

export const integer = (min: number, max: number, description: string) =>
  z.preprocess(readInteger, boundedInteger(min, max)).describe(description);

export const optionalInteger = (min: number, max: number, description: string) =>
  optional(boundedInteger(min, max), description, (value) => readInteger(nullToUndefined(value)));

export const optionalIntegers = (min: number, max: number, description: string) =>
  optional(z.array(z.preprocess(readInteger, boundedInteger(min, max))).max(60), description);

export const optionalText = (description: string) =>
  optional(z.string({ error: "must be text" }).max(200), description);

export const optionalFlag = (description: string) =>
  optional(z.boolean({ error: "must be true or false" }), description);

export const taskId = (description: string) => integer(1, 1_000_000, description);
export const dayArgument = (description: string) => integer(1, 366, description);
export const slotArgument = (description: string) => integer(1, 12, description);

export const taskIds = z
  .array(taskId("number of the task"), { error: errorFor("must be a list of task numbers") })
  .min(2, { error: "must name at least two tasks" })
  .max(40, { error: "must name at most 40 tasks" })
  .describe("numbers of the suggested tasks to arrange, at least two, each once");

export type Aliases = Readonly<Record<string, string>>;

/** Unknown arguments are rejected, because ignoring one would silently drop part of the request. */
export function argumentSchema<S extends z.core.$ZodLooseShape>(
  shape: S,
  extra: { aliases?: Aliases; hints?: Aliases } = {},
) {
  const known = Object.keys(shape).join(", ") || "none";
  const object = z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => `${key} is not an argument${hintText(extra.hints?.[key], known)}`).join("; ")
        : undefined,
  });
  return z.preprocess((value) => applyAliases(value, extra.aliases ?? {}), object);
}

const hintText = (suggestion: string | undefined, known: string): string =>
  suggestion ? `, use ${suggestion}` : ` (the arguments are: ${known})`;

function applyAliases(value: unknown, aliases: Aliases): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const given = new Map(Object.entries(value));
  for (const [alias, name] of Object.entries(aliases)) {
    if (!given.has(alias)) continue;
    const aliasValue = given.get(alias);
    const chosenValue = given.get(name) ?? aliasValue;
    // If the alias and the argument have different values, the alias is kept, so that the call is rejected.
    if (JSON.stringify(chosenValue) !== JSON.stringify(aliasValue)) continue;
    given.delete(alias);
    given.set(name, chosenValue);
  }
  return Object.fromEntries(given);
}

/** Each invalid field with its error, on one line. */
export function describeIssues(error: z.ZodError): string {
  const issues = error.issues.map(({ path, message }) => {
    const field = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
    return field === "" ? message : `${field.replace(/^\./, "")}: ${message}`;
  });
  return issues.join("; ");
}
