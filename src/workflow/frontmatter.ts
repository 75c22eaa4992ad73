// Reads what a role delivers: YAML frontmatter with its status and fields, then Markdown. Never throws.
import { fail, ok, type Result } from "../schema/problem.ts";
import { isRecord, type JsonSchema, STATUS_FIELD, SUSPEND } from "./definition.ts";
import { readYaml } from "./read-yaml.ts";
import { validateOutput } from "./role-schema.ts";

export type Delivered =
  | { readonly kind: "suspended"; readonly reason: string; readonly body: string }
  | { readonly kind: "output"; readonly output: Record<string, unknown>; readonly body: string };

const FRONTMATTER_CHARS_MAX = 65_536;

/** Fails with `step_invalid_output`; `details.phase` is `frontmatter` or `schema`. */
export function readDelivery(schema: JsonSchema, text: string): Result<Delivered> {
  const parts = splitFrontmatter(text);
  if (!parts.ok) return parts;
  const { body } = parts.value;
  const fields = withStatusText(parts.value.fields);
  if (fields[STATUS_FIELD] === SUSPEND) {
    const { reason } = fields;
    return typeof reason === "string" && reason.trim() !== ""
      ? ok({ kind: "suspended", reason, body })
      : fail("step_invalid_output", `${SUSPEND} needs a reason.`, { phase: "schema" });
  }
  const output = validateOutput(schema, fields);
  if (!output.ok)
    return fail("step_invalid_output", output.problem.message, { ...output.problem.details, phase: "schema" });
  return ok({ kind: "output", output: output.value, body });
}

/** YAML reads an unquoted status such as `404` or `true` as another type. */
function withStatusText(fields: Record<string, unknown>): Record<string, unknown> {
  const status = Object.hasOwn(fields, STATUS_FIELD) ? fields[STATUS_FIELD] : undefined;
  const isScalar = status === null || typeof status === "number" || typeof status === "boolean";
  return isScalar ? { ...fields, [STATUS_FIELD]: String(status) } : fields;
}

type Parts = { readonly fields: Record<string, unknown>; readonly body: string };

/** Blank lines and a byte order mark may come first; prose may not, because it could quote another block. */
export function splitFrontmatter(text: string): Result<Parts> {
  const lines = text.replace(/^[\s\uFEFF]+/, "").split(/\r\n|\n|\r/);
  if (lines[0]?.trimEnd() !== "---") return invalid("The reply must begin with a line ---, then the fields.");
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === "---");
  if (end < 0) return invalid("The frontmatter has no closing line ---.");
  const block = lines.slice(1, end).join("\n");
  if (block.length > FRONTMATTER_CHARS_MAX) return invalid("The frontmatter is too long.");
  const value = readYaml(block);
  if (!value.ok) return invalid(`The frontmatter is not valid YAML: ${value.problem.message}`);
  if (!isRecord(value.value)) return invalid("The frontmatter has no fields.");
  const body = lines.slice(end + 1).join("\n");
  return ok({ fields: value.value, body: body.trim() });
}

const invalid = (message: string) => fail("step_invalid_output", message, { phase: "frontmatter" });
