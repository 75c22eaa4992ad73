// Tests several pages or clients that show the same run. One of them is late, changes what it sent, or waits for its
// own call.
import { HttpAgent } from "@ag-ui/client";
import * as ai from "ai";
import OpenAI from "openai";
import { describe, expect, test, vi } from "vitest";
import { createScriptedModel } from "../../src/adapters/model-scripted.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { loadThread } from "../../src/turn/load.ts";
import { callTool, done } from "../support/decisions.ts";
import { unwrap } from "../support/runtime.ts";
import { connectChat } from "./chat-page.ts";
import { type ProtocolServer, SCRIPTS, startServer, storedThreads } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages of three libraries
type Any = any;

const page = ({ fetch }: ProtocolServer, messages: Any[] = [], { body, ...chat }: Any = {}) =>
  connectChat(ai, { api: "http://pawl/ai/chat", fetch, body }, messages, chat);
const callsOf = ({ parts }: Any): Any[] => parts.filter(({ type }: Any) => type === "dynamic-tool");
const parameters = { type: "object", properties: { title: { type: "string" } } };
/** Two calls of a tool. The result of the first one taints the thread, so a user confirms the second one. */
const TWO_PICKS = [
  callTool("pick_color", { title: "Wall" }),
  callTool("pick_color", { title: "Door" }),
  done,
  "Both are blue.",
];

function agent({ fetch }: ProtocolServer, tools: Any[] = []) {
  const client = new HttpAgent({ url: "http://pawl/agui", threadId: "chat", fetch: fetch as never });
  const run = async (input: object = {}): Promise<Any[]> => {
    const frames: Any[] = [];
    await client.runAgent({ tools, ...input } as Any, { onEvent: ({ event }) => void frames.push(event) });
    return frames;
  };
  const interrupt = (frames: Any[]): Any => frames.at(-1).outcome.interrupts?.[0];
  return { client, run, interrupt };
}

/** Starts a server whose first model call is answered when it is released, or never. */
function startSlow(script: Any[]) {
  const model = createScriptedModel(script);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  let asked = 0;
  const reply: typeof model.reply = async (request) => {
    asked += 1;
    if (asked === 1) await promise;
    return model.reply(request);
  };
  const server = startServer([], { pickModel: () => ({ ...model, reply }) });
  const begun = () => vi.waitFor(() => expect(asked).toBe(1));
  return { server, release, begun, asked: () => asked };
}

/** Behaves as over a network: an aborted request fails immediately, and the server learns that its client is gone. */
const abortable =
  (fetcher: typeof fetch): typeof fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      fetcher(input, init).then(resolve, reject);
    });

describe("a run in progress", () => {
  const SENDERS: Readonly<Record<string, (server: ProtocolServer, text: string) => Promise<string>>> = {
    "AI SDK": async (server, text) => {
      const { parts } = await page(server, [], { generateId: () => text }).say(text);
      return parts.map((part: Any) => part.text ?? "").join("");
    },
    "AG-UI": async (server, content) => {
      const { client, run } = agent(server);
      client.addMessage({ id: content, role: "user", content });
      await run();
      return String(client.messages.at(-1)?.content);
    },
  };

  test.each(Object.entries(SENDERS))(
    "%s: a message supersedes its turn, whose own message is answered next",
    async (_name, send) => {
      const script = [{ reply: done, expect: { contains: "What time is it?" } }, "It is noon.", ...SCRIPTS.answer];
      const { server, begun } = startSlow(script);
      const first = send(server, "How is the weather?");
      await begun();
      expect(await send(server, "What time is it?")).toContain("It is noon.");
      expect(await first).toContain("It is sunny.");
    },
  );

  test("AI SDK: a message that was stopped before it was stored is not answered after the next one", async () => {
    const { server, begun, asked } = startSlow(SCRIPTS.answer);
    const { chat, say, state } = page({ ...server, fetch: abortable(server.fetch) });
    const stopped = say("What time is it?");
    await begun();
    await chat.stop();
    await stopped;
    await say("How is the weather?");
    expect(state.messages.map(({ role }) => role)).toEqual(["user", "user", "assistant"]);
    const [{ thread }] = (await storedThreads(server)) as [Any];
    const { entries } = unwrap(await loadThread(server.rt, { tenant: LOCAL_TENANT, thread }));
    const inputs = entries.flatMap(({ entry }) => (entry.input?.type === "message" ? entry.input.text : []));
    expect([inputs, asked()]).toEqual([["How is the weather?"], 3]);
  });

  test("AG-UI: the same run sent again is the same run", async () => {
    const { server, begun, release, asked } = startSlow(SCRIPTS.answer);
    const send = async () => {
      const { client, run } = agent(server);
      client.addMessage({ id: "m1", role: "user", content: "How is the weather?" });
      await run({ runId: "run-1" });
      return client.messages;
    };
    const first = send();
    await begun();
    const again = send();
    release();
    expect(await again).toEqual(await first);
    expect([(await first).length, asked()]).toEqual([2, 2]);
  });

  test("AI SDK: a page that resumes the stream does not repeat the turn", async () => {
    const { server, begun, release, asked } = startSlow(SCRIPTS.answer);
    const [first, other] = [page(server), page(server)];
    const said = first.say("How is the weather?");
    await begun();
    const resumed = other.chat.resumeStream();
    release();
    await resumed;
    expect(other.last()?.parts).toEqual((await said).parts);
    expect(asked()).toBe(2);
  });
});

describe("AI SDK", () => {
  test("a page that changes a message that was answered is refused, and does not get the old answer", async () => {
    const { chat, say, state } = page(startServer([...SCRIPTS.answer, ...SCRIPTS.answer]));
    await say("How is the weather?");
    await chat.sendMessage({ text: "What time is it?", messageId: state.messages[0].id });
    expect(state.error?.message).toContain("A stored message is not changed");
  });

  test("a page that decides late is shown the decision that counted, in the part that it shows", async () => {
    const server = startServer([callTool("write", { line: "b" }), ...SCRIPTS.write]);
    const first = page(server);
    await first.say("Write");
    const late = page(server, structuredClone(first.state.messages));
    const { id } = callsOf(first.last())[0].approval;
    await first.chat.addToolApprovalResponse({ id, approved: false });
    await first.chat.sendMessage();
    await late.chat.addToolApprovalResponse({ id, approved: true });
    await late.chat.sendMessage();
    expect(callsOf(late.last()).map(({ state }) => state)).toEqual(["output-denied", "approval-requested"]);
    expect(server.ledger()).toEqual([]);
  });

  test("a call of the page that was approved has its name, and no call stays without an end", async () => {
    const tools = [{ name: "pickColor", description: "Picks.", inputSchema: parameters }];
    const { chat, say, last } = page(startServer(TWO_PICKS), [], { body: { tools } });
    const answer = async (output: string) => {
      const { toolCallId } = callsOf(last()).at(-1);
      await chat.addToolOutput({ tool: "pickColor", toolCallId, output });
      await chat.sendMessage();
    };
    await say("Paint");
    await answer("blue");
    expect(callsOf(last()).at(-1)).toMatchObject({ toolName: "pickColor", state: "approval-requested" });
    await chat.addToolApprovalResponse({ id: callsOf(last()).at(-1).approval.id, approved: true });
    await chat.sendMessage();
    await answer("blue");
    const calls = callsOf(last()).map(({ toolName, state }) => `${toolName} ${state}`);
    expect(calls).toEqual(Array(3).fill("pickColor output-available"));
  });
});

describe("AG-UI", () => {
  test("a client whose interrupt was answered elsewhere drops it, catches up and continues", async () => {
    const server = startServer([callTool("write", { line: "b" }), ...SCRIPTS.write]);
    const [first, late] = [agent(server), agent(server)];
    first.client.addMessage({ id: "m1", role: "user", content: "Write" });
    const asked = await first.run();
    late.client.setMessages(structuredClone(first.client.messages));
    late.client.pendingInterrupts = structuredClone(first.client.pendingInterrupts);
    const resume = (status: string, id: string) => ({
      resume: [{ interruptId: id, status, payload: { approved: true } }],
    });
    const { id } = first.interrupt(asked);
    const next = first.interrupt(await first.run(resume("resolved", id)));
    await expect(late.run(resume("resolved", id))).rejects.toThrow("gate_closed");
    expect(late.interrupt(await late.run(resume("cancelled", id)))).toEqual(next);
    expect(late.client.messages).toEqual(first.client.messages);
    await late.run(resume("resolved", next.id));
    expect(server.ledger()).toEqual(["b", "a"]);
    await first.run(resume("cancelled", next.id));
    expect(first.client.messages).toEqual(late.client.messages);
    const unknown = agent(server).run(resume("cancelled", "gat_00000000000000000000000000"));
    await expect(unknown).rejects.toThrow("gate_closed");
  });

  test("a call of the client that was approved has its name, and each call has exactly one result", async () => {
    const tools = [{ name: "pickColor", description: "Picks.", parameters }];
    const { client, run, interrupt } = agent(startServer(TWO_PICKS), tools);
    const answer = (frames: Any[], id: string) => {
      const { toolCallId } = frames.findLast(({ type }) => type === "TOOL_CALL_START");
      client.addMessage({ id, role: "tool", toolCallId, content: "blue" });
      return run();
    };
    client.addMessage({ id: "m1", role: "user", content: "Paint" });
    const { id } = interrupt(await answer(await run(), "t1"));
    await answer(await run({ resume: [{ interruptId: id, status: "resolved", payload: { approved: true } }] }), "t2");
    const calls = client.messages.flatMap(({ toolCalls }: Any) => toolCalls ?? []);
    expect(calls.map((call: Any) => call.function.name)).toEqual(Array(3).fill("pickColor"));
    const results = client.messages.flatMap(({ role, toolCallId }: Any) => (role === "tool" ? toolCallId : []));
    expect(results).toEqual(calls.map((call: Any) => call.id));
  });
});

test("OpenAI: the request to approve a function of the client has the client's name", async () => {
  const { fetch } = startServer(TWO_PICKS);
  const client = new OpenAI({ apiKey: "any", baseURL: "http://pawl/openai/v1", fetch, maxRetries: 0 });
  const tools: Any = [{ type: "function", name: "pickColor", parameters, strict: false }];
  const send = (input: Any, more: object = {}): Promise<Any> =>
    client.responses.create({ model: "default", input, tools, ...more });
  const asked = await send("Paint");
  const output = { type: "function_call_output", call_id: asked.output.at(-1).call_id, output: "blue" };
  const waiting = await send([output], { previous_response_id: asked.id });
  expect(waiting.output.at(-1)).toMatchObject({ type: "mcp_approval_request", name: "pickColor" });
  const approval = { type: "mcp_approval_response", approval_request_id: waiting.output.at(-1).id, approve: true };
  const approved = await send([approval], { previous_response_id: waiting.id });
  expect(approved.output).toMatchObject([{ type: "function_call", name: "pickColor" }]);
});
