// Generates docs/reference/tools.md from the manifests of the built-in tools, so that it is always correct.
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
    ["tool", "toolset", "permission", "effect", "needs approval", "output", "outward", "offered"],
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
    ...(one.subagent_allowed ? [] : ["not in threads created by threads"]),
  ];
  return [
    `### ${one.name}`,
    one.description,
    `*${facts.join("; ")}.*${one.prompt_hint ? ` Prompt hint: ${one.prompt_hint}` : ""}`,
    parameters.length > 0 ? table(["parameter", "required", "type", "meaning"], parameters) : "It takes no parameters.",
    ...one.examples.map(({ arguments: args, result }) =>
      ["```", `${one.name} ${JSON.stringify(args)}`, ...(result === null ? [] : [result]), "```"].join("\n"),
    ),
  ].join("\n\n");
}

const INTRO = `# Tools

The built-in tools of the embedded host. This page is generated from their manifests by \`npx node scripts/tool-docs.ts\`;
\`GET /v1/tools\` returns the same for a running server, including tools registered from elsewhere.

- **permission**: READ only reads, WRITE changes something in this system, EXTERNAL reaches other systems.
- **effect**: what may be repeated after a crash or an interrupted call. *pure*: anything. *keyed*: the call is resent with the same key.
  *unkeyed*: nothing; a person decides what happened, unless the tool can find out.
- **output**: *untrusted* output permanently taints the thread: from then on every call that could send data out needs approval.
- **outward**: the call could send data out.
- **offered**: *with* a part that the host provides (\`files\`, \`fetch\`, \`process\`), or *on request*: where an administrator, the agent's
  list or \`tools: {name: true}\` at creation enables it.`;

const GOVERNANCE = `## Which tools a thread sees

The catalog contains all manifests. The resolver checks, in this order: whether the host provides what the tool needs; the core lock; the
administrator's switches for all agents and for the agent; the agent's list; the overrides of the thread; the caller's channel; the limits
of a child; the tools it needs. A later check cannot enable what an earlier one disabled, and a core tool cannot be disabled. A switch
takes effect with the next turn; the prompt names only the offered tools.

\`\`\`
PATCH /v1/tools/{name}               {"enabled": false}     for all agents
PATCH /v1/agents/{id}/tools/{name}   {"enabled": false}     for one agent
GET   /v1/threads/{id}/tools                                 offered tools, and why others are not
\`\`\`

Every tool that is not offered has exactly one reason:

${table(
  ["reason", "meaning"],
  Object.entries(DISABLED_REASONS).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
)}`;

const FIELDS = `## Fields of a manifest

An externally registered tool must specify all of these except \`streaming\`, \`tags\`, \`needs_parts\` and \`runs_later\`; otherwise it is
refused with \`manifest_invalid\`. \`defineTool\` fills in defaults. A name belongs to the origin that registered it first.

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
