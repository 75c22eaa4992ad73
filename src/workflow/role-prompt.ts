// Builds the prompt of a role at the beginning of a visit. The result is stored with the thread, so that it can be shown later.
import { isRecord, type JsonSchema, type Role, STATUS_FIELD, SUSPEND } from "./definition.ts";
import { propertiesOf, requiredOf, type Variant, variantsOf } from "./role-schema.ts";

/** Limits the text of earlier steps in a prompt. The newest steps come first, and at least one is shown. */
export const HISTORY_CHARS_MAX = 32_000;

export type PastStep = {
  readonly n: number;
  readonly role: string;
  readonly output: Readonly<Record<string, unknown>>;
  readonly body: string;
};

export type Visit = {
  readonly thread: string;
  /** The number of this step, starting at 1. */
  readonly n: number;
  /** How often the role was visited before. */
  readonly visits: number;
  readonly task: string;
  /** The steps since the last visit of the role, newest first. On the first visit, all of them. */
  readonly since: readonly PastStep[];
  /** Number of steps that are not in `since` because there are too many. */
  readonly more: number;
  /** The instruction of the visit that a person asked to repeat with another instruction. Empty or absent otherwise. */
  readonly earlier?: string;
  readonly instruction: string;
  readonly location: string | null;
};

export function rolePrompt(name: string, role: Role, visit: Visit): string {
  return [
    formatInstruction(role.frontmatter),
    progress(name, visit),
    section("Goal", role.goal),
    section("Capabilities", role.capabilities.map((one) => `- ${one}`).join("\n")),
    section("Prepare", role.prepare),
    section("Procedure", role.procedure),
    section("Output", role.output),
    section("Task", visit.task),
    visit.visits > 0 ? sinceLastVisit(visit) : history(visit),
    section("Folder", visit.location ?? ""),
    section("Earlier instruction", visit.earlier ?? ""),
    section("Instruction", visit.instruction),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const section = (title: string, text: string): string => (text.trim() === "" ? "" : `## ${title}\n${text.trim()}`);

const progress = (name: string, { thread, n, visits }: Visit): string =>
  section(
    "Thread progress",
    `Thread ${thread}, step ${n}. You are the role ${name}. Earlier visits of this role: ${visits}.`,
  );

/** The role has seen older steps, and its instruction quotes what it needs from the newer ones. */
function sinceLastVisit({ since, more }: Visit): string {
  const shown = newestThatFit(since, ({ n, role, output }) => `- Step ${n}, ${role}: ${JSON.stringify(output)}`);
  const left = omitted(more + since.length - shown.length);
  return section("Since your last visit", [...left, ...shown.toReversed()].join("\n"));
}

function history({ since, more }: Visit): string {
  const shown = newestThatFit(
    since,
    ({ n, role, output, body }) => `### Step ${n}: ${role}\n${JSON.stringify(output)}\n\n${body}`,
  );
  return section(
    "What happened so far, newest first",
    [...shown, ...omitted(more + since.length - shown.length)].join("\n\n"),
  );
}

/** At least one step is shown; it is shortened if it is too long. */
function newestThatFit(steps: readonly PastStep[], textOf: (step: PastStep) => string): readonly string[] {
  let left = HISTORY_CHARS_MAX;
  const shown: string[] = [];
  for (const step of steps) {
    const text = textOf(step);
    if (shown.length > 0 && text.length > left) break;
    shown.push(text.length > left ? `${text.slice(0, left)}…` : text);
    left -= text.length;
  }
  return shown;
}

const omitted = (count: number): readonly string[] => (count > 0 ? [`(${count} earlier steps are left out.)`] : []);

/** Builds the instruction that tells a role in which format to deliver, from the schema of its output. */
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
