// Kills the server process in the middle of a run, once for every protocol. After a restart at the same address, each
// client resumes in its own way and finds everything once. Then the write is approved and happens once.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClientFactory } from "@a2a-js/sdk/client";
import { HttpAgent } from "@ag-ui/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as ai from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { killApps, startApp } from "../support/app-process.ts";
import { unwrap } from "../support/runtime.ts";
import { connectChat } from "./chat-page.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages, items and events of five libraries
type Any = any;

const GOAL = "Move the essay outline to Thursday of week 2";
/** The tools that the run calls before the write, in order. */
const READS = ["list_tasks", "query_available_slots"];
const MOVED = /^Done: Moved Essay outline/;

/**
 * A client of a protocol. `cutOff` starts the run that the end of the process interrupts; `resume` ends with the
 * approved write.
 */
type Surface = { readonly cutOff: () => Promise<unknown>; readonly resume: () => Promise<void> };

/** A fetch that handles the rejection that AG-UI's client leaves unhandled when it cancels a broken stream. */
const fetchQuietly: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const body: Any = response.body;
  const getReader = body.getReader.bind(body);
  body.getReader = () => {
    const reader = getReader();
    const cancel = reader.cancel.bind(reader);
    return Object.assign(reader, { cancel: () => cancel().catch(() => undefined) });
  };
  return response;
};

function agui(url: string): Surface {
  const agent = new HttpAgent({ url: `${url}/agui`, threadId: "chat", fetch: fetchQuietly as never });
  agent.addMessage({ id: "m1", role: "user", content: GOAL });
  const run = async (runId: string, more: object = {}) => {
    const ends: Any[] = [];
    await agent.runAgent({ runId, ...more } as Any, { onRunFinishedEvent: ({ event }) => void ends.push(event) });
    return ends[0];
  };
  return {
    cutOff: () => run("run-1"),
    async resume() {
      const asked = await run("run-1");
      const calls = agent.messages.flatMap((message: Any) => message.toolCalls ?? []);
      expect(calls.map((call: Any) => call.function.name)).toEqual([...READS, "move"]);
      const resume = asked.outcome.interrupts.map(({ id }: Any) => ({
        interruptId: id,
        status: "resolved",
        payload: { approved: true },
      }));
      await run("run-2", { resume });
      const ids = agent.messages.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)]);
      expect(agent.messages.at(-1)?.content).toMatch(MOVED);
    },
  };
}

function aiSdk(url: string): Surface {
  const page = connectChat(ai, { api: `${url}/ai/chat` });
  const callsOf = (message: Any) => message.parts.filter(({ type }: Any) => type === "dynamic-tool");
  return {
    cutOff: () => page.say(GOAL),
    async resume() {
      page.state.error = undefined;
      await page.chat.resumeStream();
      const asked = page.last();
      expect(callsOf(asked).map(({ toolName }: Any) => toolName)).toEqual([...READS, "move"]);
      await page.chat.addToolApprovalResponse({ id: callsOf(asked).at(-1).approval.id, approved: true });
      await page.chat.sendMessage();
      const texts = page.last().parts.flatMap(({ text }: Any) => text ?? []);
      expect(texts).toEqual([...new Set(texts)]);
      expect(texts.at(-1)).toMatch(MOVED);
      expect(page.state.messages).toHaveLength(2);
    },
  };
}

function openai(url: string): Surface {
  const { responses } = new OpenAI({ apiKey: "any", baseURL: `${url}/openai/v1`, maxRetries: 0 });
  const events: Any[] = [];
  const collect = async (stream: unknown) => {
    for await (const event of stream as AsyncIterable<Any>) events.push(event);
  };
  const request = { model: "default", input: GOAL, stream: true } as const;
  const send = async () => collect(await responses.create(request, { headers: { "Idempotency-Key": "run-1" } }));
  const goOn = async ({ response, sequence_number }: Any) =>
    collect(await responses.retrieve(response.id, { stream: true, starting_after: sequence_number }));
  return {
    cutOff: send,
    async resume() {
      // A connection that breaks drops the events that were not read yet, sometimes all of them.
      await (events.length > 0 ? goOn({ ...events[0], sequence_number: events.at(-1).sequence_number }) : send());
      const { id } = events[0].response;
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
      const { output } = events.at(-1).response;
      const names = output.flatMap(({ name }: Any) => name ?? []);
      expect(names).toEqual([...READS, "move"]);
      const approval = { type: "mcp_approval_response", approval_request_id: output.at(-1).id, approve: true } as const;
      const done = await responses.create({ model: "default", input: [approval], previous_response_id: id });
      expect(done.output_text).toMatch(MOVED);
    },
  };
}

function mcp(url: string): Surface {
  const call = async (name: string, args: Record<string, unknown>): Promise<Any> => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    return client.callTool({ name, arguments: args });
  };
  return {
    cutOff: () => call("pawl_run", { thread: "mine", message: GOAL }),
    async resume() {
      const { thread, gate } = (await call("pawl_run", { thread: "mine" })).structuredContent;
      const answer = { thread, gate_id: gate.id, approved: true };
      expect((await call("pawl_answer", answer)).content[0].text).toMatch(MOVED);
    },
  };
}

function a2a(url: string): Surface {
  const connect = () => new ClientFactory().createFromUrl(url);
  const send = async (content: object, more: object = {}): Promise<Any> => {
    const parts = [{ content, filename: "", mediaType: "" }];
    const message = {
      messageId: "m1",
      role: 1,
      parts,
      contextId: "mine",
      taskId: "",
      extensions: [],
      referenceTaskIds: [],
    };
    return (await connect()).sendMessage({ tenant: "", message: { ...message, ...more } } as Any);
  };
  return {
    cutOff: () => send({ $case: "text", value: GOAL }),
    async resume() {
      const client = await connect();
      const { tasks } = await client.listTasks({ contextId: "mine" } as Any);
      const { id = "" } = tasks[0] ?? {};
      for await (const _ of client.resubscribeTask({ tenant: "", id }));
      const task: Any = await client.getTask({ tenant: "", id });
      expect(task.artifacts.map(({ name }: Any) => name)).toEqual(READS);
      const gate = task.status.message.parts.at(-1).content.value;
      const answer = { gate_id: gate.gate_id, digest: gate.digest, decision: "approve" };
      const ended = await send({ $case: "data", value: answer }, { messageId: "m2", taskId: id, contextId: "" });
      expect(ended.status.message.parts[0].content.value).toMatch(MOVED);
    },
  };
}

const SURFACES = { agui, ai: aiSdk, openai, mcp, a2a };
const folder = mkdtempSync(join(tmpdir(), "pawl-killed-"));
const resumes = new Map<string, Surface["resume"]>();
let app: Awaited<ReturnType<typeof startApp>>;

beforeAll(async () => {
  const names = Object.keys(SURFACES);
  const protocols = Object.fromEntries(names.map((name) => [name, { plan_approval: "auto" }]));
  const approve = { approve: true, plan_approval: "auto" };
  const config = { protocols: { ...protocols, mcp: approve, a2a: approve } };
  writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(config));
  let port = "0";
  for (const [name, connect] of Object.entries(SURFACES)) {
    const doomed = await startApp(folder, { PORT: port, FAULT_AT: "tool.after:2" });
    port = new URL(doomed.url).port;
    const { cutOff, resume } = connect(doomed.url);
    await expect(cutOff(), name).rejects.toThrow();
    expect(await doomed.ended, name).toBe("SIGKILL");
    resumes.set(name, resume);
  }
  app = await startApp(folder, { PORT: port });
}, 240_000);
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

test.each(Object.keys(SURFACES))("%s", { timeout: 60_000 }, async (name) => {
  await resumes.get(name)?.();
});

test("every thread contains each call exactly once", async () => {
  const { threads } = unwrap(await app.client.call<{ threads: { id: string }[] }>("GET", "/v1/threads"));
  expect(threads).toHaveLength(Object.keys(SURFACES).length);
  for (const { id } of threads) {
    type Page = { records: { receipts: { kind: string; name: string }[] }[] };
    const { records } = unwrap(await app.client.call<Page>("GET", `/v1/threads/${id}/turns?limit=200`));
    const settled = records.flatMap(({ receipts }) => receipts).filter(({ kind }) => kind === "settled");
    expect(settled.map((receipt) => receipt.name)).toEqual([...READS, "move"]);
  }
});
