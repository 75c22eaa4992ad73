// Converts the forms of an MCP server to questions for the user, one after the other, and the replies to the content of
// the forms.
import * as z from "zod";
import type { McpAnswer, McpForm } from "../../ports/data/mcp-server.ts";
import { parseJson } from "../../schema/json/parse-json.ts";
import type { CallQuestion } from "../../tools/outcome.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import { schemaFrom } from "./definition.ts";

/** The state that is stored with the question. It is complete, so that another process can continue. */
const FormState = z.object({
  request_state: z.string().nullable(),
  forms: z.record(
    z.string(),
    z.object({
      message: z.string(),
      schema: z.record(z.string(), z.unknown()).nullable(),
      url: z.string().nullable(),
    }),
  ),
  answers: z.record(
    z.string(),
    z.union([
      z.object({ action: z.literal("accept"), content: z.record(z.string(), z.unknown()) }),
      z.object({ action: z.literal("decline") }),
    ]),
  ),
});
export type FormState = z.infer<typeof FormState>;

const DECLINE = "decline";
const DONE = "done";
/** Limits the message, so that the hint below it is not cut off. */
const MESSAGE_CHARS = 1_000;
const CHOICES_MAX = 4;

/** A link must be an HTTP URL, so that it cannot open a program or a file. */
export const isUsable = ({ url, schema }: McpForm): boolean =>
  url === null ? schemaFrom(schema ?? {}) !== null : /^https?:\/\//i.test(url);

export const startForms = (forms: Readonly<Record<string, McpForm>>, request_state: string | null): FormState =>
  FormState.parse({ request_state, forms, answers: {} });

export const readFormState = (text: string): FormState => FormState.parse(JSON.parse(text));

const nextForm = ({ forms, answers }: FormState): readonly [string, McpForm] | undefined =>
  Object.entries(forms).find(([key]) => !(key in answers));

/** Returns the next question, or null if everything is answered. `remark` is the mistake in the last reply. */
export function nextQuestion(server: string, state: FormState, remark = ""): CallQuestion | null {
  const [, form] = nextForm(state) ?? [];
  if (!form) return null;
  const { hint, choices } = describe(form);
  const text = `${remark}The MCP server ${server} asks: ${truncateChars(form.message, MESSAGE_CHARS)}\n${hint} Answer "${DECLINE}" to refuse.`;
  return { text, choices: choices.length <= CHOICES_MAX ? choices : [], state: JSON.stringify(state) };
}

type Described = { readonly hint: string; readonly choices: readonly string[] };

function describe({ schema, url }: McpForm): Described {
  if (schema === null)
    return { hint: `Visit ${url ?? "the page"} and answer "${DONE}" afterwards.`, choices: [DONE, DECLINE] };
  const properties = propertiesOf(schema);
  const [only] = properties;
  if (properties.length === 0) return { hint: `Answer "${DONE}" to agree.`, choices: [DONE, DECLINE] };
  if (!only || properties.length > 1)
    return { hint: `Answer with JSON: ${JSON.stringify(Object.fromEntries(properties))}`, choices: [] };
  const [name, property] = only;
  const options = optionsOf(property);
  if (options.length > 0) return { hint: `${name}: one of ${options.join(", ")}.`, choices: options };
  return { hint: `${name} (${String(property.type ?? "string")}).`, choices: [] };
}

type Property = Readonly<Record<string, unknown>>;

const propertiesOf = (schema: Property): readonly (readonly [string, Property])[] =>
  Object.entries((schema.properties ?? {}) as Record<string, Property | null>).map(([name, one]) => [name, one ?? {}]);

function optionsOf({ type, enum: values, oneOf }: Property): readonly string[] {
  if (type === "boolean") return ["yes", "no"];
  if (Array.isArray(values)) return values.map(String);
  if (Array.isArray(oneOf)) return oneOf.map((option: { const?: unknown }) => String(option.const));
  return [];
}

/** Returns the state with one more answer, or the mistake in the reply. */
export function answerForm(state: FormState, reply: string): FormState | string {
  const [key, form] = nextForm(state) ?? [];
  if (key === undefined || !form) return state;
  const answer = readReply(form, reply.trim());
  return typeof answer === "string" ? answer : { ...state, answers: { ...state.answers, [key]: answer } };
}

function readReply({ schema }: McpForm, reply: string): McpAnswer | string {
  if (reply.toLowerCase() === DECLINE) return { action: "decline" };
  if (schema === null || propertiesOf(schema).length === 0)
    return reply.toLowerCase() === DONE ? { action: "accept", content: {} } : `Please answer "${DONE}".`;
  const content = contentOf(schema, reply);
  if (content === null) return "The answer must be JSON.";
  const checked = schemaFrom(schema)?.safeParse(content);
  if (!checked || checked.success) return { action: "accept", content };
  const issue = checked.error.issues[0];
  return `${issue?.path.join(".") || "The answer"}: ${issue?.message ?? "is not valid"}.`;
}

function contentOf(schema: Property, reply: string): Record<string, unknown> | null {
  const properties = propertiesOf(schema);
  const [only] = properties;
  if (only && properties.length === 1 && !reply.startsWith("{")) return { [only[0]]: propertyValue(only[1], reply) };
  const value = parseJson(reply);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function propertyValue({ type }: Property, reply: string): unknown {
  if (type === "boolean") return { yes: true, true: true, no: false, false: false }[reply.toLowerCase()] ?? reply;
  if (type === "number" || type === "integer") return reply === "" ? reply : Number(reply);
  if (type === "array") return reply.split(",").map((part) => part.trim());
  return reply;
}
