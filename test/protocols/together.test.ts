// Tests several clients that work on one run at the same time, inside the user's own app, with Hono and with Express.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { HttpAgent } from "@ag-ui/client";
import { getRequestListener } from "@hono/node-server";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as ai from "ai";
import express from "express";
import { Hono } from "hono";
import { cors } from "hono/cors";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { createFetch } from "../../src/index.ts";
import { connectChat } from "./chat-page.ts";
import { SCRIPTS, startServer } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages and items of several libraries
type Any = any;
type Mount = (pawl: typeof fetch) => (request: Request) => Promise<Response>;

const PATHS = ["/agui", "/ai/*", "/openai/*", "/mcp", "/a2a", "/v1/*"];

/** The user's own app, with Pawl on some of its paths. */
const hono: Mount = (pawl) => {
  const app = new Hono();
  app.get("/", (c) => c.text("my app"));
  for (const path of PATHS) app.all(path, (c) => pawl(c.req.raw));
  return async (request) => app.fetch(request);
};

const expressApp = async (pawl: typeof fetch) => {
  const app = express();
  app.get("/", (_request, response) => void response.send("my app"));
  const listener = getRequestListener((request) => pawl(request));
  // Express removes the path from the URL.
  app.use("/agents", (request, response) => void listener(request, response));
  const server = createServer(app).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/agents` };
};

async function playTogether(url: string, fetcher: typeof fetch, ledger: () => readonly string[]): Promise<void> {
  const agent = new HttpAgent({ url: `${url}/agui`, threadId: "chat", fetch: fetcher as never });
  agent.addMessage({ id: "m1", role: "user", content: "Write" });
  const ends: Any[] = [];
  await agent.runAgent({ runId: "r1" } as Any, { onRunFinishedEvent: ({ event }) => void ends.push(event) });
  const [{ id: gate }] = ends[0].outcome.interrupts;
  const mcp = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { fetch: fetcher }));
  const listed: Any = await mcp.callTool({ name: "pawl_gates", arguments: {} });
  expect(listed.structuredContent.gates).toMatchObject([{ id: gate, kind: "confirmation" }]);
  const { thread } = listed.structuredContent.gates[0];
  const openai = new OpenAI({ apiKey: "any", baseURL: `${url}/openai/v1`, fetch: fetcher, maxRetries: 0 });
  const items: Any[] = [];
  const conversation = `conv_${thread.slice(4)}`;
  for await (const item of openai.conversations.items.list(conversation)) items.push(item);
  expect(items[0]).toMatchObject({ type: "mcp_approval_request", id: expect.stringContaining(gate) });
  // The approval comes over a different protocol than the question. The client that asked finds the result.
  const input = [{ type: "mcp_approval_response", approval_request_id: items[0].id, approve: true }] as const;
  const answered = await openai.responses.create({ model: "default", input: [...input], conversation });
  expect(answered.output_text).toContain("Written.");
  expect(ledger()).toEqual(["a"]);
  const late = { resume: [{ interruptId: gate, status: "resolved", payload: { approved: true } }] };
  const error = await agent.runAgent({ runId: "r2", ...late } as Any).then(() => null, String);
  expect(`${error}`).toContain("gate_closed");
  const page = connectChat(ai, { api: `${url}/ai/chat`, fetch: fetcher }, [], { id: thread });
  const texts = (await page.say("How is the weather?")).parts.flatMap(({ text }: Any) => text ?? []);
  expect(texts.join("\n")).toContain("It is sunny.");
  const shown: Any = await mcp.callTool({ name: "pawl_show", arguments: { thread } });
  expect(shown.structuredContent).toMatchObject({ goal: "How is the weather?", outcome: "completed" });
  await mcp.close();
}

const start = (caller: object = {}) => {
  const { rt, ledger } = startServer([...SCRIPTS.write, ...SCRIPTS.answer]);
  return { pawl: createFetch(rt, caller) as unknown as typeof fetch, ledger };
};

test("clients of four protocols share a run inside an app of Hono", async () => {
  const { pawl, ledger } = start();
  const answer = hono(pawl);
  const fetcher = ((input: never, init: never) => answer(new Request(input, init))) as typeof fetch;
  await playTogether("http://127.0.0.1", fetcher, ledger);
});

test("all protocols work below a path of the app, whose own middleware answers preflights", async () => {
  const { pawl, ledger } = start({ public_url: "http://127.0.0.1/agents/" });
  const app = new Hono().use("/agents/*", cors({ origin: "https://page.test" })).mount("/agents", pawl);
  const fetcher = (async (input: never, init: never) => app.fetch(new Request(input, init))) as typeof fetch;
  await playTogether("http://127.0.0.1/agents", fetcher, ledger);
  const headers = { origin: "https://page.test", "access-control-request-method": "POST" };
  const preflight = await fetcher("http://127.0.0.1/agents/ai/chat", { method: "OPTIONS", headers });
  expect(preflight.headers.get("access-control-allow-origin")).toBe("https://page.test");
  const options = { transports: [new JsonRpcTransportFactory({ fetchImpl: fetcher })] };
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl: fetcher });
  const client: Any = await new ClientFactory({ ...options, cardResolver } as Any).createFromUrl(
    "http://127.0.0.1/agents/",
  );
  const { tasks } = await client.listTasks({ tenant: "", contextId: "" });
  expect(tasks).toHaveLength(2);
});

test("clients of four protocols share a run inside an app of Express", async () => {
  const { pawl, ledger } = start();
  const { server, url } = await expressApp(pawl);
  try {
    await playTogether(url, fetch, ledger);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
