// Tests a role of a workflow that waits for a user. A message answers it over every protocol, and the response shows
// what the role asks next.
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { HttpAgent } from "@ag-ui/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as ai from "ai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { loadThread } from "../../src/turn/load.ts";
import { unwrap } from "../support/runtime.ts";
import { ASKED, createWorkflowThread, GOOD, PAIR, PUBLISHED, visits, WRITTEN } from "../support/workflow.ts";
import { connectChat } from "./chat-page.ts";
import { type ProtocolServer, startServer } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages of five libraries
type Any = any;

/** Answers the open gate, and then what the role asks in the response. Returns that question as the client shows it. */
type Answer = (server: ProtocolServer, thread: string, gate_id: string) => Promise<string>;

const agui: Answer = async (server, threadId, gate_id) => {
  const agent = new HttpAgent({ url: "http://pawl/agui", threadId, fetch: server.fetch as never });
  const resume = async (interruptId: string, text: string): Promise<Any> => {
    const ends: Any[] = [];
    const input: Any = { runId: text, resume: [{ interruptId, status: "resolved", payload: { text } }] };
    await agent.runAgent(input, { onRunFinishedEvent: ({ event }) => void ends.push(event) });
    return ends[0].outcome.interrupts?.[0];
  };
  const { id, message, reason } = await resume(gate_id, "Adults");
  expect(reason).toBe("input_required");
  await resume(id, "Children");
  return message;
};

const aiSdk: Answer = async (server, id) => {
  const page = connectChat(ai, { api: "http://pawl/ai/chat", fetch: server.fetch }, [], { id });
  const { parts } = await page.say("Adults");
  const shown = parts.flatMap(({ text }: Any) => text ?? []).join(" ");
  await page.say("Children");
  return shown;
};

const openai: Answer = async (server, thread) => {
  const client = new OpenAI({ apiKey: "any", baseURL: "http://pawl/openai/v1", fetch: server.fetch, maxRetries: 0 });
  const conversation = `conv_${thread.slice(4)}`;
  const asked = await client.responses.create({ model: "default", input: "Adults", conversation });
  await client.responses.create({ model: "default", input: "Children", previous_response_id: asked.id });
  return asked.output_text;
};

const mcp: Answer = async (server, thread, gate_id) => {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL("http://pawl/mcp"), { fetch: server.fetch }));
  const answer = (id: string, text: string): Promise<Any> =>
    client.callTool({ name: "pawl_answer", arguments: { thread, gate_id: id, text } });
  const { gate } = (await answer(gate_id, "Adults")).structuredContent;
  await answer(gate.id, "Children");
  return gate.text;
};

const a2a: Answer = async (server, contextId) => {
  const fetchImpl = server.fetch;
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  const factory = new ClientFactory({ transports, cardResolver: new DefaultAgentCardResolver({ fetchImpl }) } as Any);
  const client = await factory.createFromUrl("http://pawl");
  const say = (text: string, taskId = ""): Promise<Any> => {
    const parts = [{ content: { $case: "text", value: text }, filename: "", mediaType: "" }];
    const message = { messageId: text, role: 1, parts, contextId, taskId, extensions: [], referenceTaskIds: [] };
    return client.sendMessage({ tenant: "", message } as Any);
  };
  const { id, status } = await say("Adults");
  expect(status.state).toBe(6);
  await say("Children", id);
  return status.message.parts[0].content.value;
};

const CLIENTS: Readonly<Record<string, Answer>> = {
  "AG-UI": agui,
  "AI SDK": aiSdk,
  "OpenAI Responses": openai,
  MCP: mcp,
  A2A: a2a,
};

test.each(Object.entries(CLIENTS))(
  "%s answers a suspended role, and shows what it asks next",
  async (_name, answer) => {
    const server = startServer(visits(ASKED, ASKED, WRITTEN, GOOD, PUBLISHED));
    const { at, turn } = await createWorkflowThread(server.rt, PAIR);
    unwrap(await turn());
    const suspended = unwrap(await turn()).records.at(-1)?.state.gate;
    expect(await answer(server, at.thread, suspended?.id ?? "")).toContain("For which audience?");
    const { state } = unwrap(await loadThread(server.rt, at));
    expect([state.gate, state.machine.state]).toEqual([null, "rest"]);
  },
);
