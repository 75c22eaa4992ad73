// Runs Pawl's MCP client as the program of the conformance suite: lists the tools of the server, calls them and answers
// its requests.
import * as sdk from "@modelcontextprotocol/client";
import { createGuardedFetcher } from "../../../src/adapters/fetch-guarded/guarded-fetcher.ts";
import { createMcpServer } from "../../../src/adapters/mcp-client/mcp-client.ts";
import type { McpForm, McpReply, McpTool } from "../../../src/ports/data/mcp-server.ts";

type Args = Record<string, unknown>;
type Property = { readonly type?: string; readonly default?: unknown; readonly enum?: readonly unknown[] };

/** The time limit for a response. The suite responds immediately, but that takes some seconds on a busy machine. */
const PATIENCE_MS = 20_000;
const url = new URL(process.argv.at(-1) ?? "");
const context: { toolCalls?: readonly { name: string; arguments: Args }[] } = JSON.parse(
  process.env.MCP_CONFORMANCE_CONTEXT ?? "{}",
);
const port = Number(url.port);
const server = createMcpServer({
  sdk: async () => sdk,
  name: "conformance",
  version: "1",
  timeout_ms: PATIENCE_MS,
  url: url.href,
  headers: {},
  fetcher: createGuardedFetcher({ ports: [port], allow: [`${url.hostname}:${port}`] }),
});

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

async function call(tool: string, args: Args): Promise<void> {
  const request = { tool, arguments: args, timeout_ms: PATIENCE_MS, signal: AbortSignal.timeout(2 * PATIENCE_MS) };
  let reply = await server.call(request);
  for (let round = 0; round < 5 && reply.ok && reply.value.kind === "asks"; round += 1) {
    const { forms, request_state }: Extract<McpReply, { kind: "asks" }> = reply.value;
    const state = request_state === null ? {} : { request_state };
    reply = await server.call({ ...request, answers: answer(forms), ...state });
  }
  if (!reply.ok) console.error(tool, reply.problem.message);
}

const listed = await server.list();
if (!listed.ok) throw new Error(listed.problem.message);
const calls =
  context.toolCalls ?? listed.value.map((tool) => ({ name: tool.name, arguments: argumentsOf(tool, listed.value) }));
await Promise.all(calls.map((one) => call(one.name, one.arguments)));
await server.close();
