// Tests that the event streams of all protocols pass through proxies: nothing buffers them, a long silence does not end
// them, and a client of HTTP/1.0 can read them.
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { HttpAgent } from "@ag-ui/client";
import { HttpAgent as OldHttpAgent } from "ag-ui-client-0";
import * as ai7 from "ai";
import * as ai5 from "ai-5";
import * as ai6 from "ai-6";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { createScriptedModel, type ScriptEntry } from "../../src/adapters/model-scripted.ts";
import type { Model } from "../../src/ports/model.ts";
import { callTool, done } from "../support/decisions.ts";
import { sendRaw } from "../support/raw-http.ts";
import type { TestRuntime } from "../support/runtime.ts";
import { startTestServer } from "../support/server.ts";
import { look } from "../support/tools.ts";
import { connectChat } from "./chat-page.ts";
import { startServer } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: clients of several libraries
type Any = any;
const BASE = "http://pawl";
const LOOK = callTool("look", { at: "the sky" });

/** The text that a client shows after it has sent a message. */
type Ask = (fetcher: typeof fetch) => Promise<string>;

const agui = (Agent: Any): Ask => {
  return async (fetcher) => {
    const agent = new Agent({ url: `${BASE}/agui`, threadId: "chat", fetch: fetcher });
    agent.addMessage({ id: "m1", role: "user", content: "Look" });
    await agent.runAgent({});
    return agent.messages.at(-1).content;
  };
};
const chat = (sdk: Any): Ask => {
  return async (fetcher) => {
    const { say } = connectChat(sdk, { api: `${BASE}/ai/chat`, fetch: fetcher });
    return (await say("Look")).parts.at(-1).text;
  };
};
const openai = (fetcher: typeof fetch) =>
  new OpenAI({ apiKey: "any", baseURL: `${BASE}/openai/v1`, fetch: fetcher, maxRetries: 0 });

const clients: Readonly<Record<string, Ask>> = {
  "AG-UI 1.0": agui(HttpAgent),
  "AG-UI 0.0": agui(OldHttpAgent),
  "AI SDK 7": chat(ai7),
  "AI SDK 6": chat(ai6),
  "AI SDK 5": chat(ai5),
  Responses: async (fetcher) => {
    const stream = openai(fetcher).responses.stream({ model: "default", input: "Look" });
    return (await stream.finalResponse()).output_text;
  },
  "Chat Completions": async (fetcher) => {
    const messages = [{ role: "user", content: "Look" }] as const;
    const stream = openai(fetcher).chat.completions.stream({ model: "default", messages: [...messages] });
    return `${await stream.finalContent()}`;
  },
  A2A: async (fetcher) => {
    const options = { transports: [new JsonRpcTransportFactory({ fetchImpl: fetcher })] };
    const cardResolver = new DefaultAgentCardResolver({ fetchImpl: fetcher });
    const client: Any = await new ClientFactory({ ...options, cardResolver } as Any).createFromUrl(BASE);
    const parts = [{ content: { $case: "text", value: "Look" }, filename: "", mediaType: "" }];
    const message = { messageId: "m", role: 1, parts, contextId: "", taskId: "", extensions: [], referenceTaskIds: [] };
    let last: Any;
    for await (last of client.sendMessageStream({ tenant: "", message }));
    return last.payload.value.status.message.parts[0].content.value;
  },
};

test.each(Object.entries(clients))(
  "%s: a stream is kept open while nothing happens, and no proxy buffers it",
  async (_name, ask) => {
    const opened = Promise.withResolvers<void>();
    const script = createScriptedModel([LOOK, done, "It is sunny."]);
    const model: Model = {
      ...script,
      async reply(request) {
        if (script.calls === 1) {
          await opened.promise;
          (server.rt as TestRuntime).clock.advance(15_000);
        }
        return script.reply(request);
      },
    };
    const server = startServer([], { pickModel: () => model });
    const streams: Promise<string>[] = [];
    const heads: Headers[] = [];
    const record: typeof fetch = async (input, init) => {
      const response = await server.fetch(input, init);
      if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
      heads.push(response.headers);
      streams.push(response.clone().text());
      opened.resolve();
      return response;
    };
    expect(await ask(record)).toContain("It is sunny.");
    expect((await Promise.all(streams)).join("\n")).toContain(": keep-alive\n\n");
    const named = heads.map((head) => [
      head.get("x-accel-buffering"),
      head.get("cache-control"),
      head.get("connection"),
    ]);
    expect(named).toEqual([["no", "no-cache, no-transform", null]]);
  },
);

test("a client of HTTP/1.0 gets a stream without chunks that ends with the connection", async () => {
  const script: ScriptEntry[] = [LOOK, done, "It is sunny."];
  const server = await startTestServer({ script, tools: [look] });
  const thread = { goal: "Look", mode: "direct" } as const;
  const created = await server.client().create(thread);
  if (!created.ok) throw new Error(created.problem.message);
  const { id } = created.value.thread;
  const head = [`POST /v1/threads/${id}/turns HTTP/1.0`, `host: 127.0.0.1:${server.port}`, "accept: text/event-stream"];
  const answer = await sendRaw(server.port, [[...head, "content-length: 0", "", ""].join("\r\n")]);
  await server.stop();
  const [headers = "", body = ""] = answer.text.split("\r\n\r\n");
  expect([answer.status, answer.closed]).toEqual([200, true]);
  expect(headers.toLowerCase()).not.toContain("transfer-encoding");
  expect(body).toMatch(/^event: /);
});
