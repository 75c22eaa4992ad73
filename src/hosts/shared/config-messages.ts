// Converts the issues that zod finds to lines that name the field and, for an unknown one, suggest a similar field.
import { closest, distance } from "fastest-levenshtein";
import * as z from "zod";
import { Config } from "../../schema/config.ts";
import { issueMessage } from "../../schema/json/issue-message.ts";

type Path = readonly PropertyKey[];

/** One line per mistake, for example `models.main.window: is missing`. */
export function configMistakes(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownField(issue.path, key));
    return [`${fieldName(issue.path)}: ${issueMessage(issue)}`];
  });
}

export const fieldName = (path: Path): string => (path.length === 0 ? "the configuration" : path.map(String).join("."));

/** A suggestion such as `; did you mean "openai"?`, or an empty string if no name is similar enough. */
export function didYouMean(wrong: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const nearest = closest(wrong.toLowerCase(), names);
  const distanceMax = Math.max(2, Math.floor(nearest.length / 3));
  return distance(wrong.toLowerCase(), nearest.toLowerCase()) <= distanceMax ? `; did you mean "${nearest}"?` : "";
}

function unknownField(path: Path, key: string): string {
  return `${fieldName([...path, key])}: there is no such field${didYouMean(key, knownFieldsAt(path))}`;
}

function knownFieldsAt(path: Path): readonly string[] {
  let at: unknown = Config;
  for (const key of path) at = childSchema(unwrap(at), key);
  const object = unwrap(at);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function childSchema(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  return schema instanceof z.ZodRecord ? schema.valueType : undefined;
}

function unwrap(schema: unknown): unknown {
  const wrapped = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional;
  return wrapped ? unwrap(schema.unwrap()) : schema;
}
