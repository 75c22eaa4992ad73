// Renders JSON Schema as tables with one row per field, which shows the type of the field and links to named schemas.
import type { Json } from "../openapi/json-schema.ts";
import { escapeHtml, inlineMarkdown } from "./html.ts";

const DEPTH_MAX = 3;
const REF = /^#\/components\/schemas\/(\w+)$/;

type Schema = Json & {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
};

export function typeLabel(given: Json): string {
  const schema = given as Schema;
  const name = REF.exec(schema.$ref ?? "")?.[1];
  if (name) return `<a href="#schema-${name}">${name}</a>`;
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.enum) return schema.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(" | ");
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return [...new Set(variants.map(typeLabel))].join(" or ");
  if (schema.type === "array") return `list of ${typeLabel(schema.items ?? {})}`;
  if (schema.type === undefined) return "anything";
  return escapeHtml([schema.type].flat().join(" or ") + bounds(schema));
}

function bounds({ minimum, maximum, minLength, maxLength, maxItems }: Json): string {
  const range = [minimum ?? minLength, maximum ?? maxLength ?? maxItems];
  if (range.every((edge) => edge === undefined)) return "";
  return ` (${range[0] === undefined ? "" : `from ${range[0]}`}${range[1] === undefined ? "" : ` up to ${range[1]}`})`.replace(
    "( ",
    "(",
  );
}

/** The name of a nested field is its path with dots. A union gets one table per variant. */
export function fieldTables(given: Json): string {
  const schema = given as Schema;
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants && !schema.$ref) return variants.map((variant) => fieldTables(variant)).join("");
  const rows = fieldRows(schema, "", 0);
  if (rows.length === 0) return `<p>${typeLabel(schema)}</p>`;
  return `<table><tr><th>field</th><th>type</th><th></th></tr>${rows.join("")}</table>`;
}

function fieldRows(schema: Schema, prefix: string, depth: number): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const optional = schema.required?.includes(name) ? "" : ' <span class="soft">optional</span>';
    const row = `<tr><td><code>${escapeHtml(prefix + name)}</code>${optional}</td><td>${typeLabel(field)}</td><td>${inlineMarkdown(field.description ?? "")}</td></tr>`;
    const inner = field.properties && depth < DEPTH_MAX ? fieldRows(field, `${prefix}${name}.`, depth + 1) : [];
    return [row, ...inner];
  });
}
