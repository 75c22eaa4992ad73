// Handles the JSON Schema of a role's output: its variants by `$status`, validation, and sample data for checking templates.
import * as z from "zod";
import { fail, ok, type Result } from "../schema/problem.ts";
import { isRecord, type JsonSchema, STATUS_FIELD, type WorkflowError } from "./definition.ts";

/** One kind of output: the fields that belong to one status. */
export type Variant = { readonly status: string; readonly schema: JsonSchema };

const DEPTH_MAX = 12;
/** Keywords that are refused. A regular expression from a file could run forever on a reply. */
const REFUSED_KEYWORDS = ["pattern", "patternProperties", "$ref", "$dynamicRef"];

const branchesOf = (schema: JsonSchema): readonly unknown[] =>
  [schema.oneOf, schema.anyOf].find(Array.isArray) ?? [schema];

export const hasStatuses = (schema: JsonSchema): boolean => {
  const found = variantsOf(schema).length;
  return found > 0 && found === branchesOf(schema).length;
};

/** A schema with one constant status is one variant; `oneOf` and `anyOf` list several. */
export function variantsOf(schema: JsonSchema): readonly Variant[] {
  const branches = branchesOf(schema);
  return branches.filter(isRecord).flatMap((branch) => {
    const required = [...new Set([...requiredOf(schema), ...requiredOf(branch)])];
    const properties = { ...ofAnyType(required), ...propertiesOf(schema), ...propertiesOf(branch) };
    const merged = { ...branch, type: "object", properties, required };
    const status = merged.properties[STATUS_FIELD];
    return isRecord(status) && typeof status.const === "string" ? [{ status: status.const, schema: merged }] : [];
  });
}

/** A field may be required without being described. */
const ofAnyType = (names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, {}]));

export const propertiesOf = (schema: JsonSchema): Record<string, unknown> =>
  isRecord(schema.properties) ? schema.properties : {};

export const requiredOf = (schema: JsonSchema): readonly string[] =>
  Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];

/** Finds what can be known before any output exists. */
export function checkSchema(schema: JsonSchema, path: string): readonly WorkflowError[] {
  const refused = refusedKeywords(schema, path, 0);
  if (refused.length > 0) return refused;
  return variantsOf(schema).flatMap((variant) => {
    const compiled = compile(variant.schema);
    return compiled.ok ? [] : [{ path, what: `${variant.status}: ${compiled.problem.message}` }];
  });
}

function refusedKeywords(value: unknown, path: string, depth: number): readonly WorkflowError[] {
  if (!isRecord(value)) return [];
  if (depth > DEPTH_MAX) return [{ path, what: "is nested too deeply" }];
  const own = REFUSED_KEYWORDS.filter((keyword) => Object.hasOwn(value, keyword)).map((keyword) => ({
    path: `${path}.${keyword}`,
    what: "this keyword is not supported",
  }));
  const children = Object.entries(value).flatMap(([keyword, child]) => schemasUnder(keyword, child));
  return [...own, ...children.flatMap(([name, child]) => refusedKeywords(child, `${path}.${name}`, depth + 1))];
}

/** Keywords that contain data, which may look like a schema. */
const DATA_KEYWORDS = ["const", "default", "enum", "examples", "required"];
/** Keywords with a value that maps names to schemas. */
const NAMED_SCHEMAS = ["$defs", "definitions", "dependentSchemas", "properties"];

/** Any keyword that may contain a schema is treated as one, so that none is missed. */
function schemasUnder(keyword: string, child: unknown): readonly (readonly [string, unknown])[] {
  if (DATA_KEYWORDS.includes(keyword)) return [];
  if (Array.isArray(child)) return child.map((one, i) => [`${keyword}.${i}`, one]);
  if (!NAMED_SCHEMAS.includes(keyword)) return [[keyword, child]];
  return isRecord(child) ? Object.entries(child).map(([name, one]) => [`${keyword}.${name}`, one]) : [];
}

function compile(schema: JsonSchema): Result<z.ZodType> {
  try {
    return ok(z.fromJSONSchema(withObjectTypes(schema) as Parameters<typeof z.fromJSONSchema>[0]));
  } catch (error) {
    return fail("workflow_invalid", error instanceof Error ? error.message : String(error));
  }
}

/** A schema that lists properties describes an object, even if it does not say so. */
function withObjectTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withObjectTypes);
  if (!isRecord(value)) return value;
  const typed = isRecord(value.properties) && value.type === undefined ? { type: "object", ...value } : value;
  return Object.fromEntries(
    Object.entries(typed).map(([key, one]) => [key, key === "const" || key === "enum" ? one : withObjectTypes(one)]),
  );
}

/** Drops unknown fields. The message of a failure names every wrong field. */
export function validateOutput(schema: JsonSchema, fields: Record<string, unknown>): Result<Record<string, unknown>> {
  const variants = variantsOf(schema);
  const status = Object.hasOwn(fields, STATUS_FIELD) ? fields[STATUS_FIELD] : undefined;
  const fitting = variants.filter((one) => one.status === status);
  if (fitting.length === 0) {
    const legal = variants.map((one) => one.status);
    return fail("step_invalid_output", `${STATUS_FIELD}: must be one of ${legal.join(", ")}.`, { legal });
  }
  const results = fitting.map((variant) => validateVariant(variant, fields));
  return results.find(({ ok: valid }) => valid) ?? (results[0] as Result<Record<string, unknown>>);
}

function validateVariant({ schema }: Variant, fields: Record<string, unknown>): Result<Record<string, unknown>> {
  const names = Object.keys(propertiesOf(schema)).filter((name) => Object.hasOwn(fields, name));
  const picked = Object.fromEntries(names.map((name) => [name, fields[name]]));
  const validator = compile(schema);
  if (!validator.ok) return fail("step_invalid_output", validator.problem.message);
  const parsed = validator.value.safeParse(picked);
  const missing = missingFields(schema, picked, [], 0);
  const invalid = parsed.error?.issues.map(({ path, message }) => ({ path: path.join("."), message })) ?? [];
  const others = invalid.filter(({ path }) => !missing.includes(path));
  if (missing.length + others.length === 0) return ok(picked);
  const issues = [...missing.map((path) => ({ path, message: "is required" })), ...others];
  return fail("step_invalid_output", issues.map(({ path, message }) => `${path || "(output)"}: ${message}`).join("; "));
}

/** Includes fields of any type, because the validator does not report them as missing. */
function missingFields(schema: unknown, value: unknown, at: readonly string[], depth: number): readonly string[] {
  if (!isRecord(schema) || depth > DEPTH_MAX) return [];
  if (Array.isArray(value))
    return value.flatMap((one, n) => missingFields(schema.items, one, [...at, `${n}`], depth + 1));
  if (!isRecord(value)) return [];
  const own = requiredOf(schema).filter((name) => !Object.hasOwn(value, name));
  const children = Object.entries(propertiesOf(schema)).filter(([name]) => Object.hasOwn(value, name));
  return [
    ...own.map((name) => [...at, name].join(".")),
    ...children.flatMap(([name, child]) => missingFields(child, value[name], [...at, name], depth + 1)),
  ];
}

/** Fits the schema well enough to render a template with it. */
export function sampleOf(schema: unknown, depth = 0): unknown {
  if (!isRecord(schema) || depth > DEPTH_MAX) return "text";
  if (Object.hasOwn(schema, "const")) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object" || isRecord(schema.properties))
    return Object.fromEntries(
      Object.entries(propertiesOf(schema)).map(([name, child]) => [name, sampleOf(child, depth + 1)]),
    );
  if (type === "array") return [sampleOf(schema.items, depth + 1)];
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return true;
  return "text";
}
