// Tests that clients of several protocols follow a run that a job worker advances, without paying for its turns too.
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as ai from "ai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { runSlice } from "../../src/jobs/run-slice.ts";
import { driveOptions } from "../support/drive-options.ts";
import { type TestRuntime, unwrap } from "../support/runtime.ts";
import { connectChat } from "./chat-page.ts";
import { SCRIPTS, startServer } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages and items of several libraries
type Any = any;

async function listOf(stream: AsyncIterable<Any>): Promise<Any[]> {
  const all: Any[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

test("clients of four protocols see the run of a worker to its end, and the model is called once per turn", async () => {
  const { rt, fetch: fetcher } = startServer(SCRIPTS.tool, { worker: { running: true } });
  const { clock, model } = rt as TestRuntime;
  const openai = new OpenAI({ apiKey: "any", baseURL: "http://pawl/openai/v1", fetch: fetcher, maxRetries: 0 });
  const { id } = await openai.responses.create({ model: "default", input: "Look", background: true });
  const suffix = id.split("_")[1];
  const thread = `thr_${suffix}`;
  const page = connectChat(ai, { api: "http://pawl/ai/chat", fetch: fetcher }, [], { id: thread });
  const mcp = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await mcp.connect(new StreamableHTTPClientTransport(new URL("http://pawl/mcp"), { fetch: fetcher }));
  const a2a = await new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl: fetcher })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl: fetcher }),
  } as Any).createFromUrl("http://pawl");
  const following = Promise.all([
    openai.responses.retrieve(id, { stream: true }).then(listOf),
    page.chat.resumeStream().then(() => page.last()),
    mcp.callTool({ name: "pawl_run", arguments: { thread } }),
    listOf(a2a.resubscribeTask({ tenant: "", id: `task_${suffix}_0` })),
  ]);
  // A reader of the log sleeps in between.
  const time = setInterval(() => clock.advance(250), 1);
  const [due] = unwrap(await rt.store.dueDeliveries(clock.now(), 1));
  if (!due) throw new Error("The run has no wake-up.");
  await runSlice(rt, due, driveOptions());
  const seen = await following.finally(() => clearInterval(time));
  for (const one of seen) expect(JSON.stringify(one)).toContain("It is sunny.");
  expect(model.calls).toBe(SCRIPTS.tool.length);
  model.assertSpent();
});
