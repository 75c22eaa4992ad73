// Writes docs/reference/tools.md from the manifests of the tools that come along, so that it cannot lie.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryCalendarStore } from "../src/adapters/calendar-memory.ts";
import { describeType, isRequired, propertiesOf } from "../src/prompt/schema-text.ts";
import { Manifest } from "../src/schema/manifest.ts";
import { builtinManifests } from "../src/toolkits/all.ts";
import { jobManifests } from "../src/toolkits/automation/job-tools.ts";
import { schedulingTools } from "../src/toolkits/timetable/tools.ts";
import { activationOf } from "../src/tools/catalog.ts";
import { DISABLED_REASONS } from "../src/tools/resolve.ts";

export const TOOLS_FILE = join(import.meta.dirname, "../docs/reference/tools.md");

export const bundledManifests = (): readonly Manifest[] => [
  ...builtinManifests(),
  ...jobManifests(),
  ...schedulingTools(createMemoryCalendarStore(), { output_trust: "trusted" }).map((tool) => tool.manifest),
];

const escaped = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const row = (...cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...head), `|${head.map(() => "---").join("|")}|`, ...rows.map((cells) => row(...cells))].join("\n");

function offeredLabel({ toolset, needs_parts }: Manifest): string {
  const entrance = activationOf(toolset);
  if (entrance === "on_request") return "on request";
  const parts = [...needs_parts, ...(typeof entrance === "object" ? [entrance.needs] : [])];
  return parts.length > 0 ? `with ${parts.join(", ")}` : "always";
}

function confirmationLabel({ requires_confirmation, outward, tags }: Manifest): string {
  if (requires_confirmation) return "always";
  const when = [...(tags.includes("shell") ? ["if risky"] : []), ...(outward ? ["once the thread is tainted"] : [])];
  return when.join(", and ") || "no";
}

const overview = (manifests: readonly Manifest[]): string =>
  table(
    ["tool", "toolset", "permission", "effect", "a person confirms", "output", "outward", "offered"],
    manifests.map((one) => [
      `[${one.name}](#${one.name})`,
      one.toolset,
      one.permission,
      one.effect,
      confirmationLabel(one),
      one.output_trust,
      one.outward ? "yes" : "no",
      offeredLabel(one),
    ]),
  );

function toolSection(one: Manifest): string {
  const parameters = propertiesOf(one.input).map(([name, schema]) => [
    `\`${name}\``,
    isRequired(one.input, name) ? "yes" : "no",
    describeType(schema, one.input),
    typeof schema.description === "string" ? schema.description : "",
  ]);
  const facts = [
    `scope ${one.scope}`,
    `at most ${one.timeout_ms / 1000} s`,
    `route ${one.route}`,
    ...(one.streaming ? ["streams"] : []),
    ...(one.core ? ["always on"] : []),
    ...(one.asks ? ["opens a question gate; nothing runs"] : []),
    ...(one.proves ? [] : ["proves no step"]),
    ...(one.subagent_allowed ? [] : ["not in threads made by threads"]),
  ];
  return [
    `### ${one.name}`,
    one.description,
    `*${facts.join("; ")}.*${one.prompt_hint ? ` The model is told: ${one.prompt_hint}` : ""}`,
    parameters.length > 0 ? table(["parameter", "required", "type", "meaning"], parameters) : "It takes no parameters.",
    ...one.examples.map(({ arguments: args, result }) =>
      ["```", `${one.name} ${JSON.stringify(args)}`, ...(result === null ? [] : [result]), "```"].join("\n"),
    ),
  ].join("\n\n");
}

const INTRO = `# Tools

The tools that come along with the embedded host. This page is written from their manifests by \`npx node scripts/tool-docs.ts\`;
\`GET /v1/tools\` tells the same of a running server, with the tools it got from elsewhere.

- **permission**: READ looks, WRITE changes something here, EXTERNAL reaches outside.
- **effect**: what may be repeated after a crash or a call that was cut off. *pure*: anything. *keyed*: a resend under the same key.
  *unkeyed*: nothing; a person is asked what became of it, unless the tool can find out.
- **output**: *untrusted* output taints the thread for good: from then on every call that could carry data out waits for a person.
- **outward**: has a way by which data could leave.
- **offered**: *with* a part that the host brings along (\`files\`, \`fetch\`, \`process\`), or *on request*: where an administrator, the agent's
  list or \`tools: {name: true}\` at create asks for it.`;

const GOVERNANCE = `## Which tools a thread sees

The catalog holds all manifests. The resolver asks, in this order: does the host bring what the tool needs; core lock; the switches of the
administrator for everybody and for the agent; the agent's list; the overrides of the thread; the way by which the caller came; the limits
of a child; the tools it needs. What is off further up cannot be switched on further down, and a core tool cannot be switched off. A switch
takes effect with the next turn; the prompt names only what is offered.

\`\`\`
PATCH /v1/tools/{name}               {"enabled": false}     for everybody
PATCH /v1/agents/{id}/tools/{name}   {"enabled": false}     for one agent
GET   /v1/threads/{id}/tools                                 what the thread sees, and why not the rest
\`\`\`

Every tool that is not offered has exactly one reason:

${table(
  ["reason", "meaning"],
  Object.entries(DISABLED_REASONS).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
)}`;

const FIELDS = `## Fields of a manifest

A tool that is registered from outside has to say all of these but \`streaming\`, \`tags\`, \`needs_parts\` and \`runs_later\`; else it is refused with
\`manifest_invalid\`. \`defineTool\` fills in what is usual. A name belongs to the origin that registered it first.

${Object.keys(Manifest.shape)
  .map((field) => `\`${field}\``)
  .join(", ")}`;

export function toolsPage(): string {
  const manifests = bundledManifests();
  const [builtin, scheduling] = [
    manifests.filter((one) => one.toolset !== "scheduling"),
    manifests.filter((one) => one.toolset === "scheduling"),
  ];
  return `${[
    INTRO,
    overview(manifests),
    "## Built-in tools",
    ...builtin.map(toolSection),
    "## Scheduling tools",
    ...scheduling.map(toolSection),
    GOVERNANCE,
    FIELDS,
  ].join("\n\n")}\n`;
}

if (import.meta.main) {
  writeFileSync(TOOLS_FILE, toolsPage());
  console.log("wrote docs/reference/tools.md");
}
