// Generates docs/reference/tool-checks.md, which lists where each built-in tool runs and which tests attack it or kill
// its process.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toolkitManifests } from "../src/toolkits/all.ts";
import { TOOLKITS } from "../src/toolkits/index.ts";

export const CHECKS_FILE = join(import.meta.dirname, "../docs/reference/tool-checks.md");

/** `crash` is the test with the crash matrix, or null if all tools are pure. */
type Checks = {
  readonly hosts: string;
  readonly data: string;
  readonly hostile: string | null;
  readonly crash: string | null;
};
const DOCUMENTS = "every document store";
const THREAD = "the thread";
const WORKSPACE = "the workspace";
const test = (path: string): string => `test/toolkits/${path}.test.ts`;
const MATRIX = test("crash-matrix-documents");

/** The checks by toolkit, or by tool if the tools of a toolkit differ. */
const CHECKS: Readonly<Record<string, Checks>> = {
  basics: { hosts: "all", data: THREAD, hostile: null, crash: null },
  files: {
    hosts: "all",
    data: "the workspace, or the thread",
    hostile: test("hostile/files"),
    crash: test("crash-matrix"),
  },
  shell: {
    hosts: "Node with commands",
    data: WORKSPACE,
    hostile: test("shell/danger-hooks"),
    crash: test("crash-matrix"),
  },
  web: { hosts: "all", data: "public addresses", hostile: test("web/fetch-url"), crash: null },
  search: { hosts: "Node", data: "a search server", hostile: test("hostile/search"), crash: null },
  timetable: { hosts: "all", data: DOCUMENTS, hostile: test("hostile/documents"), crash: MATRIX },
  automation: { hosts: "all", data: "the store", hostile: null, crash: MATRIX },
  data: { hosts: "Node", data: "MySQL, MariaDB", hostile: test("data/data-mysql.slow"), crash: null },
  mysql_query: { hosts: "Node", data: "MySQL, MariaDB", hostile: test("data/judge-sql"), crash: null },
  calendar: { hosts: "all", data: DOCUMENTS, hostile: test("hostile/documents"), crash: MATRIX },
  create_event: {
    hosts: "all",
    data: DOCUMENTS,
    hostile: test("hostile/documents"),
    crash: test("calendar/approval"),
  },
  plan_blocks: { hosts: "all", data: DOCUMENTS, hostile: test("hostile/documents"), crash: test("calendar/approval") },
  memory: { hosts: "all", data: DOCUMENTS, hostile: test("memory/memory"), crash: test("memory/memory") },
  skills: {
    hosts: "all",
    data: `a folder, ${DOCUMENTS}`,
    hostile: test("skills/skills"),
    crash: test("skills/skills"),
  },
  execute_skill: {
    hosts: "Node with commands",
    data: "a folder",
    hostile: test("skills/skills"),
    crash: test("skills/skills"),
  },
  code: { hosts: "Node with commands", data: WORKSPACE, hostile: test("code/git"), crash: null },
  lint: { hosts: "Node with commands", data: WORKSPACE, hostile: test("code/lint"), crash: null },
  lsp: { hosts: "Node with commands", data: WORKSPACE, hostile: test("code/lsp.slow"), crash: null },
  processes: {
    hosts: "Node with commands",
    data: "memory of the server",
    hostile: test("shell/process"),
    crash: test("shell/process"),
  },
  powershell: {
    hosts: "Node with commands and pwsh",
    data: WORKSPACE,
    hostile: test("shell/powershell"),
    crash: test("shell/powershell"),
  },
  channels: { hosts: "Node", data: DOCUMENTS, hostile: test("channels/channels"), crash: test("channels/channels") },
  images: { hosts: "Node", data: WORKSPACE, hostile: test("images/images"), crash: test("images/images") },
  crew: { hosts: "all", data: "the store", hostile: null, crash: MATRIX },
};

export type CheckRow = Checks & { readonly name: string; readonly pure: boolean };

export const checkRows = (): readonly CheckRow[] =>
  toolkitManifests().map(({ name, toolkit, effect }) => {
    const checks = CHECKS[name] ?? CHECKS[toolkit ?? ""];
    if (!checks) throw new Error(`scripts/tool-checks.ts says nothing about ${name}`);
    return { name, pure: effect === "pure", ...checks };
  });

export function checksPage(): string {
  const rows = checkRows().map(
    ({ name, hosts, data, hostile, crash, pure }) =>
      `| \`${name}\` | ${hosts} | ${data} | ${hostile === null ? "all tools" : `\`${hostile}\``} | ${pure ? "pure" : `\`${crash}\``} |`,
  );
  return `# Checks of the tools

Where the built-in tools run, and which tests give them hostile input and end their process at every step of a call. A pure tool has no effect that a
crash could repeat. \`test/toolkits/hostile-inputs.test.ts\` gives hostile arguments
to all ${rows.length} tools of the ${TOOLKITS.length} toolkits; the column names the tests with further attacks. Run a test with \`npx vitest run <file>\`. This page is generated:
\`npx node scripts/tool-checks.ts\`.

| tool | hosts | data in | hostile inputs | crash matrix |
|---|---|---|---|---|
${rows.join("\n")}

The document stores are memory, SQLite, DynamoDB and Durable Objects; [one contract](../how-to/write-a-store.md) holds for all of them.
\`npm run bench -- tools\` measures the SQL guard (statements per second) and a recall over 10,000 memories.
`;
}

if (import.meta.main) writeFileSync(CHECKS_FILE, checksPage());
