// Tests the same 15-line toolkit in the stock server, in a Lambda function and in a Cloudflare worker.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { type Client, createClient } from "../../src/client/client.ts";
import { killApps, startApp } from "../support/app-process.ts";
import { createTestCloudflare } from "../support/cloudflare.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import { type HttpResponse, httpEvent, startInstance } from "../support/lambda-process.ts";
import { type NotesServer, startNotesServer } from "../support/notes-server.ts";
import { type OpenAiStub, startOpenAiStub } from "../support/openai-stub.ts";
import { unwrap } from "../support/runtime.ts";
import { apiKeyFor } from "../support/server.ts";
import { callTool } from "../support/story.ts";

const TOOLKIT = join(projectRoot, "examples/07-toolkit.ts");
const KEY = apiKeyFor("alice");
const PAWL_API_KEYS = `alice:acme:${KEY}`;
const NOTES_KEY = "the key of the notes";
const folder = mkdtempSync(join(tmpdir(), "pawl-extend-"));

let stub: OpenAiStub;
let mcp: NotesServer;
const configWith = (more: object) => ({
  providers: { stub: { base_url: stub.base_url } },
  models: { main: { provider: "stub", name: "m", window: 32_768 } },
  log: { level: "error" },
  ...more,
});

beforeAll(async () => {
  stub = await startOpenAiStub();
  mcp = await startNotesServer();
});
afterAll(async () => {
  await killApps();
  await stub.close();
  await mcp.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Expects the tool to run, and to know the agent and the metadata, in a thread whose agent has the toolkit. */
async function expectOwnTool(client: Client): Promise<void> {
  stub.queue({ kind: "text", text: JSON.stringify(callTool("customer", {})) });
  const input = { goal: "Who is it?", mode: "direct", agent: "clerk", metadata: { customer: "c-7" } } as const;
  const { thread } = unwrap(await client.create(input));
  const { turn } = unwrap(await client.advance(thread.id));
  expect(turn?.receipts).toMatchObject([{ name: "customer", success: true }]);
  expect(turn?.observation?.text).toContain("clerk serves customer c-7");
}

/** Configures an MCP server for hosts without processes, with one tool that reads and one that needs approval. */
const withMcp = () => ({
  mcp: {
    notes: { url: mcp.url, headers_env: { Authorization: "NOTES_KEY" }, allow_private: true, read_only: ["read"] },
  },
  agents: { reader: { toolkits: ["mcp_notes"] } },
  default_agent: "reader",
});

async function expectMcpTools(client: Client): Promise<void> {
  stub.queue({ kind: "text", text: JSON.stringify(callTool("mcp_notes_read", { page: 3 })) });
  stub.queue({ kind: "text", text: JSON.stringify(callTool("mcp_notes_add", { line: "milk" })) });
  const { thread } = unwrap(await client.create({ goal: "Read", mode: "direct", agent: "reader" }));
  const approved = async () => {
    const asked = unwrap(await client.advance(thread.id));
    expect(asked.thread.gate).toMatchObject({ kind: "confirmation" });
    const { id, digest } = asked.thread.gate as { id: string; digest: string };
    return unwrap(await client.advance(thread.id, { type: "confirm", gate_id: id, digest, decision: "approve" }));
  };
  // Nobody has reviewed the definitions. The server received the key and showed it, and the key is a secret.
  const read = await approved();
  expect(read.turn?.receipts.at(-1)).toMatchObject({ name: "mcp_notes_read", success: true });
  expect(read.turn?.observation?.text).toContain("page 3 for [redacted]");
  const added = await approved();
  expect(added.turn?.receipts).toMatchObject([{ kind: "intended" }, { name: "mcp_notes_add", success: true }]);
}

test("the example has at most 15 lines", () => {
  expect(readSource("examples/07-toolkit.ts").trimEnd().split("\n").length).toBeLessThanOrEqual(15);
});

describe("the stock server", () => {
  test("loads the module that extend names, relative to the configuration file", async () => {
    writeFileSync(join(folder, "own.ts"), `export * from ${JSON.stringify(TOOLKIT)};\n`);
    writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(configWith({ extend: ["./own.ts"] })));
    const app = await startApp(folder, { PAWL_API_KEYS });
    await expectOwnTool(createClient(app.url, KEY));
    await app.stop();
  });

  test.each([
    ["no file", "./missing.ts", "extend.0: there is no file"],
    ["nothing to add", "./empty.ts", "extend.0: empty.ts: exports none of toolkits, tools, hooks, agents"],
    ["a tool that cannot run", "./broken.ts", "extend.0: broken.ts: tools.0.run: is missing"],
    ["an exception", "./throws.ts", "extend.0: throws.ts cannot be loaded: out of order"],
    [
      "imports in a package of CommonJS",
      "./cjs/a.ts",
      'a.ts cannot be loaded: Cannot use import statement outside a module. Set "type": "module" in package.json',
    ],
    [
      "exports in a package of CommonJS",
      "./cjs/b.ts",
      'Unexpected token \'export\'. Set "type": "module" in package.json',
    ],
  ])("does not start with %s, and says why", async (_title, path, message) => {
    writeFileSync(join(folder, "empty.ts"), "export const nothing = 1;\n");
    writeFileSync(join(folder, "broken.ts"), "export const tools = [{ manifest: { name: 'x' } }];\n");
    writeFileSync(join(folder, "throws.ts"), "throw new Error('out of order');\n");
    mkdirSync(join(folder, "cjs"), { recursive: true });
    writeFileSync(join(folder, "cjs/package.json"), '{ "type": "commonjs" }\n');
    writeFileSync(join(folder, "cjs/a.ts"), 'import "node:fs";\n');
    writeFileSync(join(folder, "cjs/b.ts"), "export const tools = [];\n");
    writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(configWith({ extend: [path] })));
    await expect(startApp(folder, { PAWL_API_KEYS })).rejects.toThrow(message);
  });
});

describe.runIf(hasDynamoServer())("a Lambda function", () => {
  const server = useDynamoServer();

  test("takes the same module, and the tools of MCP servers", async () => {
    writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(configWith(withMcp())));
    const bundle = join(import.meta.dirname, "aws-lambda/extended-lambda.ts");
    const env = {
      ...server().env,
      TABLE_NAME: await server().table(),
      PAWL_API_KEYS,
      NOTES_KEY,
      LAMBDA_TASK_ROOT: folder,
    };
    const instance = startInstance({ bundle, env });
    const client = createClient("http://localhost", KEY, async (url, init) => {
      const { pathname, search } = new URL(String(url));
      const event = httpEvent("function-url", {
        method: init?.method ?? "GET",
        path: pathname,
        query: search.slice(1),
        headers: Object.fromEntries(new Headers(init?.headers)),
        ...(typeof init?.body === "string" ? { body: JSON.parse(init.body) } : {}),
      });
      const { answer } = await instance.invoke<HttpResponse>(event);
      const body = answer.isBase64Encoded ? Buffer.from(answer.body, "base64") : answer.body;
      return new Response(body, { status: answer.statusCode, headers: answer.headers });
    });
    await expectOwnTool(client);
    await expectMcpTools(client);
    await instance.end();
  });
});

describe("a Cloudflare worker", () => {
  test("takes the same module, and the tools of MCP servers", async () => {
    const vars = { PAWL_CONFIG: JSON.stringify(configWith(withMcp())), PAWL_API_KEYS, NOTES_KEY };
    const workers = createTestCloudflare({ "pawl-own": { main: "test/hosts/cloudflare/extended-host.ts", vars } });
    await workers.harness.listen();
    await expectOwnTool(workers.client("pawl-own", KEY));
    await expectMcpTools(workers.client("pawl-own", KEY));
    await workers.harness.close();
  }, 120_000);
});
