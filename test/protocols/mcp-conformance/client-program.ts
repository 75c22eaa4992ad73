// Runs Pawl's MCP client as the program of the conformance suite: lists the tools of the server, calls them and answers
// its requests. Where the server requires a sign-in, it signs in as a person would who accepts everything.
import * as sdk from "@modelcontextprotocol/client";
import { createGuardedFetcher } from "../../../src/adapters/fetch-guarded/guarded-fetcher.ts";
import { createMcpServer } from "../../../src/adapters/mcp-client/mcp-client.ts";
import type { McpGrant } from "../../../src/adapters/mcp-client/oauth/grant.ts";
import { signIn } from "../../../src/adapters/mcp-client/oauth/sign-in.ts";
import { storedAuth } from "../../../src/adapters/mcp-client/oauth/stored-auth.ts";
import type { McpForm, McpReply, McpTool } from "../../../src/ports/data/mcp-server.ts";

type Args = Record<string, unknown>;
type Property = { readonly type?: string; readonly default?: unknown; readonly enum?: readonly unknown[] };

/** The time limit for a response. The suite responds immediately, but that takes some seconds on a busy machine. */
const PATIENCE_MS = 20_000;
const url = new URL(process.argv.at(-1) ?? "");
type SuiteContext = {
  readonly toolCalls?: readonly { name: string; arguments: Args }[];
  readonly client_id?: string;
  readonly client_secret?: string;
};
const context: SuiteContext = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
/** The document that describes the client, as an operator names it in `client_id`. */
const METADATA =
  process.env.MCP_CONFORMANCE_SCENARIO === "auth/basic-cimd"
    ? "https://conformance-test.local/client-metadata.json"
    : "";
const { client_id = METADATA, client_secret = "" } = context;
// The authorization servers of the suite listen on ports that it chooses.
const PORTS = Array.from({ length: 65_535 }, (_, n) => n + 1);
const fetcher = createGuardedFetcher({ ports: PORTS, allow: PORTS.map((port) => `${url.hostname}:${port}`) });

let grant: McpGrant | null = null;
const store = {
  read: async () => grant,
  write: async (saved: McpGrant) => {
    grant = saved;
  },
};
const HOW = "sign in first";
const connection = { name: "conformance", version: "1", url: url.href, headers: {}, fetcher };
const server = createMcpServer({
  ...connection,
  sdk: async () => sdk,
  timeout_ms: PATIENCE_MS,
  auth: () => storedAuth({ sdk, store, how: HOW }),
});

async function acceptSignIn(scope?: string): Promise<void> {
  const signedIn = await signIn({
    ...connection,
    sdk,
    client: client_id === "" ? null : { client_id, ...(client_secret !== "" && { client_secret }) },
    scope,
    redirect_url: "http://127.0.0.1:8765/callback",
    async authorize(address) {
      const { headers } = await fetch(address, { redirect: "manual" });
      return new URL(headers.get("location") ?? "").searchParams;
    },
  });
  if (!signedIn.ok) throw new Error(signedIn.problem.message);
  grant = signedIn.value;
}

const VALUES: Readonly<Record<string, unknown>> = { number: 1, integer: 1, boolean: true, array: [], object: {} };
const sampleOf = ({ type = "string", default: preset, enum: choices }: Property): unknown =>
  preset ?? choices?.[0] ?? VALUES[type] ?? "text";
const fill = (schema: Args | null): Args =>
  Object.fromEntries(
    Object.entries((schema?.properties ?? {}) as Record<string, Property>).map(([name, one]) => [name, sampleOf(one)]),
  );

/** Returns arguments for a tool. The suite expects the schema of one tool as an argument of another. */
const argumentsOf = (tool: McpTool, all: readonly McpTool[]): Args =>
  tool.name.includes("echo") && "schema" in ((tool.input.properties ?? {}) as Args)
    ? { schema: all.find(({ name }) => name !== tool.name)?.input }
    : fill(tool.input);

const answer = (forms: Readonly<Record<string, McpForm>>) =>
  Object.fromEntries(
    Object.entries(forms).map(([key, { schema }]) => [key, { action: "accept" as const, content: fill(schema) }]),
  );

async function call(tool: string, args: Args, attempt = 1): Promise<void> {
  const request = { tool, arguments: args, timeout_ms: PATIENCE_MS, signal: AbortSignal.timeout(2 * PATIENCE_MS) };
  let reply = await server.call(request);
  for (let round = 0; round < 5 && reply.ok && reply.value.kind === "asks"; round += 1) {
    const { forms, request_state }: Extract<McpReply, { kind: "asks" }> = reply.value;
    const state = request_state === null ? {} : { request_state };
    reply = await server.call({ ...request, answers: answer(forms), ...state });
  }
  const text = reply.ok ? (reply.value.kind === "result" ? reply.value.text : "") : reply.problem.message;
  const scope = /\(scope: (.+)\)/.exec(text)?.[1];
  if (scope !== undefined && attempt < 3) {
    await acceptSignIn(scope);
    return call(tool, args, attempt + 1);
  }
  if (!reply.ok) console.error(tool, text);
}

let listed = await server.list();
for (let signIns = 0; signIns < 2 && !listed.ok && listed.problem.message.includes(HOW); signIns += 1) {
  await acceptSignIn();
  listed = await server.list();
}
if (!listed.ok) throw new Error(listed.problem.message);
const calls =
  context.toolCalls ?? listed.value.map((tool) => ({ name: tool.name, arguments: argumentsOf(tool, listed.value) }));
await Promise.all(calls.map((one) => call(one.name, one.arguments)));
await server.close();
