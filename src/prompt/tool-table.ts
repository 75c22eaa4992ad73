// Renders the tools in the prompt: what each does, its parameters, and an example if the types are not sufficient. Sorted and stable.
import type { Manifest } from "../schema/manifest.ts";
import { oneLine } from "./cut.ts";
import { describeType, isRequired, isSchema, propertiesOf, sampleValue } from "./schema-text.ts";

const DESCRIPTION_CHARS = 500;
const HINT_CHARS = 400;
const PARAMETER_CHARS = 200;
const NAME_CHARS = 100;
const TYPE_CHARS = 2_000;
const FACT_CHARS = 300;
/** A shorter definition is not worth a separate line. */
const SHARED_CHARS_MIN = 24;

const PERMISSION_TEXT: Record<Manifest["permission"], string> = {
  READ: "reads",
  WRITE: "changes",
  EXTERNAL: "external",
};

/** Sorts by UTF-16 units, not by locale, so that all machines produce the same bytes. */
export const sortedTools = (tools: readonly Manifest[]): readonly Manifest[] =>
  [...tools].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

type Parameter = { readonly name: string; readonly required: boolean; readonly definition: string };

const TABLE_HEAD = `# Tools
reads: looks something up. asks: gets a reply. changes: its success is a write. external: runs a command or reaches another system; the receipt says whether it was a write. asks a person: the call may wait for approval; may ask a person: only some calls do.
Parameters are name: type, description; ? means optional.`;

export function renderToolTable(tools: readonly Manifest[]): string {
  if (tools.length === 0) return "# Tools\nThere are no tools in this thread.";
  const sorted = sortedTools(tools);
  const shared = sharedDefinitions(sorted);
  const defined = [...shared].map(([name, definition]) => `${name}: ${definition}`);
  return [
    TABLE_HEAD,
    ...(defined.length > 0 ? [`Parameters of several tools:\n${defined.join("\n")}`] : []),
    ...sorted.map((tool) => renderTool(tool, shared)),
  ].join("\n\n");
}

export const isDescribed = (systemText: string, { name }: Pick<Manifest, "name">): boolean =>
  systemText.includes(`\n\n## ${name}: `);

function renderTool(tool: Manifest, shared: ReadonlyMap<string, string>): string {
  return [
    `## ${tool.name}: ${kindOf(tool)}${asksPerson(tool)}`,
    [oneLine(tool.description, DESCRIPTION_CHARS), ...hintOf(tool)].join(" "),
    ...parameterLines(parametersOf(tool), shared),
    ...(needsExample(tool) ? [`Example: ${JSON.stringify(exampleCall(tool).arguments)}`] : []),
  ].join("\n");
}

const kindOf = ({ asks, permission, proves }: Manifest): string => {
  // The success of tools such as the todo list proves nothing, so they must not be described as changes.
  if (proves === false && permission === "WRITE") return "own notes, no proof";
  return asks ? "asks" : PERMISSION_TEXT[permission];
};

/** "may ask" depends on the arguments of the call and on the thread. */
function asksPerson({ requires_confirmation, outward, asks }: Manifest): string {
  if (requires_confirmation) return ", asks a person";
  return outward && !asks ? ", may ask a person" : "";
}

function parametersOf(tool: Manifest): readonly Parameter[] {
  return propertiesOf(tool.input).map(([name, schema]) => {
    const description = typeof schema.description === "string" ? oneLine(schema.description, PARAMETER_CHARS) : "";
    // Schemas of MCP servers and clients can have any text as a name or a type.
    const type = oneLine(describeType(schema, tool.input), TYPE_CHARS);
    return {
      name: oneLine(name, NAME_CHARS),
      required: isRequired(tool.input, name),
      definition: description ? `${type}, ${description}` : type,
    };
  });
}

/** Parameters that several tools define identically. A name with different meanings in different tools is omitted. */
function sharedDefinitions(tools: readonly Manifest[]): ReadonlyMap<string, string> {
  const definitions = new Map<string, { readonly texts: Set<string>; count: number }>();
  for (const { name, definition } of tools.flatMap(parametersOf)) {
    const known = definitions.get(name) ?? { texts: new Set<string>(), count: 0 };
    known.texts.add(definition);
    known.count += 1;
    definitions.set(name, known);
  }
  const shared = [...definitions].flatMap(([name, { texts, count }]) => {
    const [text = ""] = texts;
    return texts.size === 1 && count > 1 && text.length >= SHARED_CHARS_MIN ? [[name, text] as const] : [];
  });
  return new Map(shared.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Own parameters have a line each with their definition. Shared ones are named in one line. */
function parameterLines(parameters: readonly Parameter[], shared: ReadonlyMap<string, string>): string[] {
  const label = ({ name, required }: Parameter): string => (required ? name : `${name}?`);
  const known = parameters.filter(({ name }) => shared.has(name));
  const own = parameters.filter(({ name }) => !shared.has(name));
  return [
    ...own.map((parameter) => `${label(parameter)}: ${parameter.definition}`),
    ...(known.length > 0 ? [known.map(label).join(", ")] : []),
  ];
}

/** Facts that several tools depend on are listed once. */
export function renderFacts(tools: readonly Manifest[]): string | null {
  const facts = [...new Set(sortedTools(tools).flatMap((tool) => tool.facts ?? []))];
  return facts.length > 0 ? ["# Facts", ...facts.map((fact) => `- ${oneLine(fact, FACT_CHARS)}`)].join("\n") : null;
}

/** Nested arguments are hard to write from their types alone. */
const needsExample = (tool: Manifest): boolean =>
  tool.examples.length > 0 && propertiesOf(tool.input).some(([, schema]) => isNested(schema));

const isNested = (schema: Readonly<Record<string, unknown>>): boolean =>
  schema.type === "object" || (schema.type === "array" && isSchema(schema.items) && schema.items.type === "object");

const hintOf = ({ prompt_hint }: Manifest): string[] =>
  prompt_hint ? [asSentence(oneLine(prompt_hint, HINT_CHARS))] : [];

const asSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;

export function exampleCall(tool: Manifest): { readonly name: string; readonly arguments: unknown } {
  return { name: tool.name, arguments: tool.examples[0]?.arguments ?? sampleValue(tool.input, tool.input) ?? {} };
}
