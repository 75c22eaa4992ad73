// Writes docs/reference/protocols.md, which lists what is tested with each client, from the titles of the tests in
// test/protocols.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const PAGE = join(root, "docs/reference/protocols.md");

const COLUMNS = [
  "answer",
  "stream",
  "tool",
  "approve",
  "edit",
  "reject",
  "question",
  "doubt",
  "resume",
  "error",
  "budget",
];
const SURFACES = [
  { file: "agui", name: "[AG-UI](../how-to/ag-ui.md)" },
  { file: "ai", name: "[AI SDK](../how-to/ai-sdk.md)" },
  { file: "openai", name: "[OpenAI](../how-to/openai-clients.md)" },
  { file: "mcp", name: "[MCP](../how-to/mcp.md)" },
  { file: "a2a", name: "[A2A](../how-to/a2a.md)" },
];

/** Notes on what a protocol cannot express, and what Pawl does instead. */
const NOTES: Readonly<Record<string, string>> = {
  "ai edit": "no edited arguments in the protocol",
  "openai edit": "no edited arguments in the protocol",
  "mcp edit": "use the console",
  "mcp stream": "one result per call",
};

type Block = { readonly clients: readonly string[]; readonly cells: ReadonlySet<string> };

function blocksOf(source: string): readonly Block[] {
  return source
    .split(/^describe/m)
    .slice(1)
    .map((text) => ({
      clients: clientsOf(text, source),
      cells: new Set([...text.matchAll(/\bcell\(\s*"(\w+)"/g)].map(([, cell = ""]) => cell)),
    }))
    .filter(({ cells }) => cells.size > 0);
}

function clientsOf(block: string, source: string): readonly string[] {
  const [, list] = /^\.each\((\w+)\)/.exec(block) ?? [];
  if (!list) return [/^\("([^"]+)"/.exec(block)?.[1] ?? ""];
  const own = source.slice(source.indexOf(`const ${list}`)).split(/^\];/m, 1)[0] ?? "";
  const [, other] = /\.\.\.(\w+)/.exec(own) ?? [];
  const names = [...(own.split("\n\n", 1)[0]?.matchAll(/name: "([^"]+)"/g) ?? [])].map(([, name = ""]) => name);
  return [...(other ? namesIn(source, other) : []), ...names].filter((name, i, all) => all.indexOf(name) === i);
}

function namesIn(source: string, list: string): readonly string[] {
  const text = source.slice(source.indexOf(`const ${list}`)).split("];", 1)[0] ?? "";
  return [...text.matchAll(/name: "([^"]+)"/g)].map(([, name = ""]) => name);
}

function rowOf({ file, name }: (typeof SURFACES)[number]): string {
  const blocks = blocksOf(readFileSync(join(root, `test/protocols/${file}.test.ts`), "utf8"));
  const all = [...new Set(blocks.flatMap(({ clients }) => clients))];
  const cells = COLUMNS.map((column) => {
    const shown = [...new Set(blocks.filter(({ cells }) => cells.has(column)).flatMap(({ clients }) => clients))];
    if (shown.length === 0) return NOTES[`${file} ${column}`] ?? "no";
    return shown.length === all.length ? "yes" : `yes: ${shown.join(", ")}`;
  });
  return `| ${name} | ${all.join(", ")} | ${cells.join(" | ")} |`;
}

export const protocolsPage = (): string => `# Protocols

Clients of other protocols work with the same threads: one run can be watched and answered over several of them at once. Every cell of this table is a
test in \`test/protocols\` with the official client that the second column names; \`node scripts/protocols-table.ts\` generates it from the titles.

| protocol | checked with | ${COLUMNS.join(" | ")} |
|${"---|".repeat(COLUMNS.length + 2)}
${SURFACES.map(rowOf).join("\n")}

| column | the test shows that |
|---|---|
| answer | a message is answered |
| stream | the response arrives in pieces, in the order that the client accepts |
| tool | a tool call appears with its arguments and its result |
| approve, edit, reject | a person decides about a call, which runs once, with other arguments, or not at all |
| question | a question of the agent is answered |
| doubt | a person says whether a call of unknown outcome took effect |
| resume | after the server process died in the middle of a run, the client's own way to reconnect finds everything once |
| error | refused requests are errors in the form of the protocol with Pawl's code, and store nothing |
| budget | an exhausted budget is reported |

## Several requests at once

A message that comes while a run is in progress is read by the next turn; the turn that it overtakes is not stored. Messages that come at the same time
are answered one after the other. If a client stops a message before its turn is stored, and another one comes first, the stopped one is dropped. A
repeated request, or a message while a tool runs, waits for the end of the turn; on hosts whose requests must not wait for each other (AWS Lambda,
Cloudflare) it gets 409 \`turn_running\`. A client that follows a run, such as a reloaded page, takes no turn while another request takes
one, and none of a background run.
`;

if (import.meta.main) {
  writeFileSync(PAGE, protocolsPage());
  console.log("wrote docs/reference/protocols.md");
}
