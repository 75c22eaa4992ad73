// Generates docs/reference/tools.md from the manifests of the built-in tools, so that it is always correct.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeType, isRequired, propertiesOf } from "../src/prompt/schema-text.ts";
import { Manifest } from "../src/schema/manifest.ts";
import { toolkitManifests } from "../src/toolkits/all.ts";
import { TOOLKITS } from "../src/toolkits/index.ts";
import { activationOf } from "../src/tools/catalog.ts";
import { DISABLED_REASONS } from "../src/tools/resolve.ts";

export const TOOLS_FILE = join(import.meta.dirname, "../docs/reference/tools.md");

const escaped = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const row = (...cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...head), `|${head.map(() => "---").join("|")}|`, ...rows.map((cells) => row(...cells))].join("\n");

const OFFERS = new Map(TOOLKITS.map(({ name, offered, parts }) => [name, { offered, parts }]));

function offeredLabel({ toolset, toolkit }: Manifest): string {
  if (activationOf(toolset) === "on_request") return "by name";
  return OFFERS.get(toolkit ?? "")?.offered ?? "always";
}

function confirmationLabel({ requires_confirmation, outward, tags }: Manifest): string {
  if (requires_confirmation) return "always";
  const when = [...(tags.includes("shell") ? ["if risky"] : []), ...(outward ? ["once the thread is tainted"] : [])];
  return when.join(", and ") || "no";
}

const overview = (manifests: readonly Manifest[]): string =>
  table(
    ["tool", "toolkit", "permission", "effect", "needs approval", "output", "outward", "offered"],
    manifests.map((one) => [
      `[${one.name}](#${one.name})`,
      one.toolkit ?? "",
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
    ...(one.also_named
      ? [`also called ${one.also_named.map((name) => `\`${name}\``).join(", ")} where no other tool has that name`]
      : []),
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

The built-in tools. This page is generated from their manifests by \`npx node scripts/tool-docs.ts\`; \`GET /v1/tools\` returns the tools
of a running server, including those it got from elsewhere.

- **toolkit**: tools are plugged in as toolkits. An agent has those that are offered *always*, and asks for others by name:
  \`agents.<name>.toolkits\` in the [configuration](configuration.md), or \`toolkits\` when a thread is created.
- **permission**: READ reads, WRITE changes something here, EXTERNAL reaches outside.
- **effect**: what may be repeated after a crash or an interrupted call. *pure*: anything. *keyed*: a resend with the same key.
  *unkeyed*: nothing; a person is asked what happened, unless the tool can find out.
- **output**: *untrusted* output taints the thread permanently: from then on every call that could carry data out waits for a person.
- **outward**: data could leave through it.
- **offered**: *always*, *on request* of its toolkit, or *by name*: where an administrator, the agent's list of tools or
  \`tools: {name: true}\` at create names this tool.

## Toolkits

${table(
  ["toolkit", "offered", "parts that the host must have"],
  TOOLKITS.map(({ name, offered, parts }) => [name, offered, parts.join(", ") || "none"]),
)}

A toolkit whose parts a host lacks is absent there; \`pawl doctor\` says why. Lambda and Cloudflare have no \`process\`. Add your own:
[write a toolkit](../how-to/write-a-toolkit.md).

## All tools`;

const GOVERNANCE = `## Which tools a thread sees

The catalog has all manifests. The resolver checks, in this order: the parts of the host; the core lock; the switches of the
administrator for all agents and for this agent; the agent's list of tools; the overrides of the thread; toolkits that are offered on
request; the channel of the caller; the limits of a child; the tools it needs. A lower level cannot switch on what a higher one switched
off, and a core tool cannot be switched off. A switch takes effect with the next turn; the prompt names only what is offered. Threads
that were created before version 0.2 keep the toolkits they had.

\`\`\`
PATCH /v1/tools/{name}               {"enabled": false}     for all agents
PATCH /v1/agents/{id}/tools/{name}   {"enabled": false}     for one agent
GET   /v1/threads/{id}/tools                                 what the thread sees, and why not the rest
\`\`\`

Every tool that is not offered has exactly one reason:

${table(
  ["reason", "meaning"],
  Object.entries(DISABLED_REASONS).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
)}`;

const FIELDS = `## Fields of a manifest

A tool that is registered from outside must have all of these but \`streaming\`, \`tags\`, \`needs_parts\`, \`runs_later\` and \`toolkit\`; otherwise it is
refused with \`manifest_invalid\`. \`defineTool\` fills in what is usual. A name belongs to the origin that registered it first.

${Object.keys(Manifest.shape)
  .map((field) => `\`${field}\``)
  .join(", ")}`;

export function toolsPage(): string {
  const manifests = toolkitManifests();
  const sections = TOOLKITS.flatMap(({ name }) => [
    `## Toolkit ${name}`,
    ...manifests.filter(({ toolkit }) => toolkit === name).map(toolSection),
  ]);
  return `${[INTRO, overview(manifests), ...sections, GOVERNANCE, FIELDS].join("\n\n")}\n`;
}

if (import.meta.main) {
  writeFileSync(TOOLS_FILE, toolsPage());
  console.log("wrote docs/reference/tools.md");
}
