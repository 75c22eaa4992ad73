// Builds the instruction that tells a role in which format to deliver, from the schema of its output.
import { isRecord, type JsonSchema, STATUS_FIELD, SUSPEND } from "./definition.ts";
import { propertiesOf, requiredOf, type Variant, variantsOf } from "./role-schema.ts";

export function formatInstruction(schema: JsonSchema): string {
  const variants = variantsOf(schema);
  const intro =
    variants.length > 1
      ? `Your deliverable is Markdown that begins with YAML frontmatter. Choose one of these ${variants.length} forms:`
      : "Your deliverable is Markdown that begins with YAML frontmatter of this form:";
  return [
    "## Deliverable format",
    intro,
    ...variants.map((variant) => renderVariant(variant, requiredOf(schema))),
    "If you cannot go on without a person, deliver this instead, whatever the forms above are:",
    `\`\`\`\n---\n${STATUS_FIELD}: ${SUSPEND}\nreason: <what you need to know, as text>\n---\n\`\`\``,
    "The first line of the deliverable is ---. Add no other fields, and write nothing before the frontmatter.",
  ].join("\n\n");
}

function renderVariant({ status, schema }: Variant, sharedRequired: readonly string[]): string {
  const required = new Set([...sharedRequired, ...requiredOf(schema)]);
  const fields = Object.entries(propertiesOf(schema)).filter(([name]) => name !== STATUS_FIELD);
  const lines = fields.map(([name, field]) => `${scalar(name)}: ${describeField(field, required.has(name))}`);
  return `\`\`\`\n---\n${STATUS_FIELD}: ${scalar(status)}\n${[...lines, "---", ""].join("\n")}\n<Markdown>\n\`\`\``;
}

/** Matches only values that YAML certainly reads as a string without quotes, which avoids loading the YAML parser. */
const BARE = /^(?!(?:null|true|false)$)\p{L}[\p{L}\p{M}\p{N}_]*(?:[ -][\p{L}\p{M}\p{N}_]+)*$/iu;

/** Adds quotes if YAML might read the bare text as a number, null, a comment or another type. */
const scalar = (text: string): string => (BARE.test(text) ? text : JSON.stringify(text));

function describeField(field: unknown, required: boolean): string {
  const mark = required ? "required" : "optional";
  if (!isRecord(field)) return `<any, ${mark}>`;
  if (Object.hasOwn(field, "const")) return JSON.stringify(field.const);
  const note = typeof field.description === "string" ? `; ${field.description}` : "";
  if (Array.isArray(field.enum)) return `<${field.enum.map((one) => String(one)).join(" | ")}, ${mark}${note}>`;
  return `<${describeType(field)}, ${mark}${note}>`;
}

function describeType({ type, items }: Record<string, unknown>): string {
  if (type === "array") return `list of ${isRecord(items) ? describeType(items) : "any"}`;
  if (Array.isArray(type)) return type.map(String).join(" or ");
  return typeof type === "string" ? type : "any";
}
