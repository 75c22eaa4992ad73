// Tests the AI SDK, versions 7, 6 and 5, with its own transport and chat.
import * as ai7 from "ai";
import * as ai5 from "ai-5";
import * as ai6 from "ai-6";
import { describe, expect, test } from "vitest";
import { callTool, done } from "../support/decisions.ts";
import { createTestThread } from "../support/runtime.ts";
import { connectChat } from "./chat-page.ts";
import {
  cell,
  ONE_TURN,
  type ProtocolServer,
  SCRIPTS,
  startDyingServer,
  startServer,
  storedThreads,
} from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: three versions of the same library
type Any = any;
type Sdk = { readonly name: string; readonly sdk: Any; readonly approvals: boolean };

const WITH_APPROVALS: readonly Sdk[] = [
  { name: "ai 7.0.169", sdk: ai7, approvals: true },
  { name: "ai 6.0.326", sdk: ai6, approvals: true },
];
const ALL: readonly Sdk[] = [...WITH_APPROVALS, { name: "ai 5.0.277", sdk: ai5, approvals: false }];

function connect(server: ProtocolServer, { sdk, approvals }: Sdk, messages: Any[] = [], more: Any = {}) {
  const { body, ...chat } = more;
  const transport = { api: "http://pawl/ai/chat", fetch: server.fetch, body: { approvals, ...body } };
  return connectChat(sdk, transport, messages, chat);
}

const textOf = (message: Any): string => message.parts.flatMap((part: Any) => part.text ?? []).join("\n");
const toolOf = (message: Any): Any => message.parts.findLast(({ type }: Any) => type === "dynamic-tool");
const respond = async ({ chat, last }: ReturnType<typeof connect>, approved: boolean, reason?: string) => {
  await chat.addToolApprovalResponse({ id: toolOf(last()).approval.id, approved, reason });
  await chat.sendMessage();
  return last();
};

describe.each(ALL)("$name", (version) => {
  cell("answer", "the page shows the answer", async () => {
    const { say, state } = connect(startServer(SCRIPTS.answer), version);
    expect(textOf(await say("How is the weather?"))).toContain("It is sunny.");
    await version.sdk.validateUIMessages({ messages: state.messages });
  });

  cell("stream", "each turn is a step of one message", async () => {
    const { say } = connect(startServer(SCRIPTS.tool), version);
    const { parts } = await say("Look");
    expect(parts.filter(({ type }: Any) => type === "step-start").length).toBeGreaterThan(1);
  });

  cell("tool", "a call has its input and its output", async () => {
    const { say } = connect(startServer(SCRIPTS.tool), version);
    const call = toolOf(await say("Look"));
    expect(call).toMatchObject({ toolName: "look", state: "output-available", input: { at: "the sky" } });
    expect(JSON.stringify(call.output)).toContain("seen the sky");
  });

  cell("question", "the next message answers it", async () => {
    const { say } = connect(startServer(SCRIPTS.question), version);
    expect(textOf(await say("Plan my week"))).toContain("Which day?");
    expect(textOf(await say("Monday, please"))).toContain("Monday it is.");
  });

  cell("question", "several questions are shown with their choices, and one text answers them", async () => {
    const { say } = connect(startServer(SCRIPTS.questions), version);
    const asked = textOf(await say("Plan my week"));
    for (const shown of ["Which days?", "Monday", "Friday", "Why?"]) expect(asked).toContain(shown);
    expect(textOf(await say("Monday and Friday, for a talk"))).toContain("Two days it is.");
  });

  cell("doubt", "one of four words resolves it", async () => {
    const { say, state } = connect(startServer(SCRIPTS.doubt), version);
    expect(textOf(await say("Send"))).toContain("happened, not happened, try again, abort");
    await expect(say("Well")).rejects.toThrow("request_invalid");
    state.error = undefined;
    state.messages = state.messages.slice(0, -1);
    expect(textOf(await say("happened"))).toContain("Done.");
  });

  cell("resume", "after the server died, a reloaded page finds everything once", async () => {
    const { first, restart } = startDyingServer(SCRIPTS.tool, "commit.after", 2);
    const dead = connect(first, version);
    void dead.say("Look").catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const page = connect(restart([done, "It is sunny."]), version, dead.state.messages.slice(0, 1));
    await page.chat.resumeStream();
    const message = page.last();
    expect(message.parts.filter(({ type }: Any) => type === "dynamic-tool")).toHaveLength(1);
    expect(textOf(message)).toContain("It is sunny.");
    await page.chat.resumeStream();
    expect(page.state.messages).toHaveLength(2);
  });

  cell("error", "an unknown thread and a refused message are errors of the page", async () => {
    const server = startServer([]);
    const unknown = connect(server, version, [], { id: "thr_00000000000000000000000000" });
    await expect(unknown.say("Hello")).rejects.toThrow("thread_not_found");
    const blank = connect(server, version);
    await expect(blank.say(" ")).rejects.toThrow("request_invalid");
    expect(await storedThreads(server)).toEqual([]);
  });

  cell("budget", "an exhausted budget is an error with its code", async () => {
    const { say } = connect(startServer(SCRIPTS.tool, ONE_TURN), version);
    await expect(say("Look")).rejects.toThrow("budget_exhausted");
  });

  test("a page can regenerate after an error: the message is sent if it was not stored, and never answered twice", async () => {
    const server = startServer([{ fail: "model_unavailable" }, ...SCRIPTS.answer]);
    const { say, chat, state, last } = connect(server, version);
    await expect(say("How is the weather?")).rejects.toThrow("model_unavailable");
    state.error = undefined;
    await chat.regenerate();
    expect(textOf(last())).toContain("It is sunny.");
    await chat.regenerate();
    expect(textOf(last())).toContain("It is sunny.");
    expect(state.messages).toHaveLength(2);
    expect(await storedThreads(server)).toHaveLength(1);
  });

  test("a tool of the page runs there, and its output continues the run", async () => {
    const server = startServer([callTool("pick_color", { title: "Wall" }), done, "Blue."]);
    const inputSchema = { type: "object", properties: { title: { type: "string" } } };
    const tools = [{ name: "pickColor", description: "Picks.", inputSchema }];
    const { say, chat, last } = connect(server, version, [], { body: { approvals: version.approvals, tools } });
    const call = toolOf(await say("Paint"));
    expect(call).toMatchObject({ toolName: "pickColor", state: "input-available" });
    const answer = { tool: "pickColor", toolCallId: call.toolCallId, output: "blue" };
    await (chat.addToolOutput ?? chat.addToolResult).call(chat, answer);
    await chat.sendMessage();
    expect(textOf(last())).toContain("Blue.");
  });
});

describe.each(WITH_APPROVALS)("$name", (version) => {
  cell("approve", "addToolApprovalResponse continues the message, and the call runs once", async () => {
    const server = startServer(SCRIPTS.write);
    const page = connect(server, version);
    const asked = await page.say("Write");
    expect(toolOf(asked)).toMatchObject({ state: "approval-requested", input: { line: "a" } });
    expect(server.ledger()).toEqual([]);
    const message = await respond(page, true);
    expect(server.ledger()).toEqual(["a"]);
    expect(message.id).toBe(asked.id);
    expect(toolOf(message)).toMatchObject({ state: "output-available" });
    expect(textOf(message)).toContain("Written.");
  });

  cell("reject", "a rejected call does not run", async () => {
    const server = startServer(SCRIPTS.rejected);
    const page = connect(server, version);
    await page.say("Write");
    const message = await respond(page, false, "no");
    expect(toolOf(message)).toMatchObject({ state: "output-denied" });
    expect(server.ledger()).toEqual([]);
  });

  cell("resume", "after the server died behind an approval, the page finds the whole message once", async () => {
    const { first, restart } = startDyingServer(SCRIPTS.write, "commit.after", 3);
    const dead = connect(first, version);
    await dead.say("Write");
    void respond(dead, true).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const page = connect(restart([done, "Written."]), version, structuredClone(dead.state.messages));
    await page.chat.resumeStream();
    expect(page.last().parts.flatMap(({ text }: Any) => text ?? [])).toEqual(["Using write.", "Written."]);
    expect(page.last().parts.filter(({ type }: Any) => type === "dynamic-tool")).toMatchObject([
      { state: "output-available", input: { line: "a" } },
    ]);
    expect(page.state.messages).toHaveLength(2);
  });

  cell("resume", "a page that lost the end of a message gets it if it asks for ended ones, too", async () => {
    const server = startServer(SCRIPTS.write);
    const whole = connect(server, version);
    const asked = structuredClone(await whole.say("Write"));
    await respond(whole, true);
    const half = { ...asked, parts: asked.parts.slice(0, 2) };
    const prepareReconnectToStreamRequest = () => ({ api: "http://pawl/ai/chat/chat-1/stream?ended=true" });
    const transport = { api: "http://pawl/ai/chat", fetch: server.fetch, prepareReconnectToStreamRequest };
    const page = connectChat(version.sdk, transport, [whole.state.messages[0], half]);
    await page.chat.resumeStream();
    const timeless = ({ parts }: Any) =>
      parts.filter(({ type }: Any) => type !== "step-start").map(({ approval: _, ...part }: Any) => part);
    expect(timeless(page.last())).toEqual(timeless(whole.last()));
    const plain = connect(server, version, [half]);
    await plain.chat.resumeStream();
    expect(plain.last()).toEqual(half);
  });

  test("sends by itself when all approvals are answered", async () => {
    const server = startServer(SCRIPTS.write);
    const sendAutomaticallyWhen = version.sdk.lastAssistantMessageIsCompleteWithApprovalResponses;
    const { say, chat, last } = connect(server, version, [], { sendAutomaticallyWhen });
    await say("Write");
    await chat.addToolApprovalResponse({ id: toolOf(last()).approval.id, approved: true });
    await expect.poll(() => server.ledger()).toEqual(["a"]);
  });

  test("a message while an approval waits is answered in text", async () => {
    const { say } = connect(startServer(SCRIPTS.write), version);
    await say("Write");
    expect(textOf(await say("And now?"))).toContain("gate_open");
  });

  test("a user who sent another message can still approve: where the call is shown again, and where it was shown first", async () => {
    const sendAutomaticallyWhen = version.sdk.lastAssistantMessageIsCompleteWithApprovalResponses;
    const server = startServer(SCRIPTS.write);
    const page = connect(server, version, [], { sendAutomaticallyWhen });
    await page.say("Write");
    await page.say("And now?");
    const { approval } = toolOf(await page.say("Hello?"));
    await page.chat.addToolApprovalResponse({ id: approval.id, approved: true });
    await expect.poll(() => textOf(page.last())).toContain("Written.");
    expect(toolOf(page.last())).toMatchObject({ state: "output-available" });
    expect(server.ledger()).toEqual(["a"]);
    const other = startServer(SCRIPTS.write);
    const slow = connect(other, version);
    const first = toolOf(await slow.say("Write"));
    await slow.say("And now?");
    await slow.chat.addToolApprovalResponse({ id: first.approval.id, approved: true });
    await slow.chat.sendMessage();
    expect(textOf(slow.last())).toContain("Written.");
    expect(other.ledger()).toEqual(["a"]);
  });
});

test.each(ALL)("$name shows a run that has begun with the goal of a new thread", async (version) => {
  const server = startServer(SCRIPTS.answer);
  const { at } = await createTestThread(server.rt, { goal: "How is the weather?", mode: "direct" });
  const page = connect(server, version, [], { id: at.thread });
  await page.chat.resumeStream();
  expect(textOf(page.last())).toContain("It is sunny.");
});

test("a file is refused, and not ignored", async () => {
  const server = startServer([]);
  const page = connect(server, ALL[0] as Sdk);
  const files = [{ type: "file", mediaType: "image/png", url: "data:image/png;base64,AA==" }];
  await page.chat.sendMessage({ text: "What is it?", files });
  expect(() => page.last()).toThrow("files are not supported");
  expect(await storedThreads(server)).toEqual([]);
});

test.each(ALL)("$name gets the reason why a message ended", async (version) => {
  const reasons: unknown[] = [];
  const onFinish = ({ finishReason }: Any) => void reasons.push(finishReason);
  await connect(startServer(SCRIPTS.answer), version, [], { onFinish }).say("How is the weather?");
  await connect(startServer(SCRIPTS.write), version, [], { onFinish }).say("Write");
  expect(reasons).toEqual(["stop", "tool-calls"]);
});

test("ai 5 shows in text that a call waits", async () => {
  const { say } = connect(startServer(SCRIPTS.write), ALL[2] as Sdk);
  expect(textOf(await say("Write"))).toContain("waits for approval in the console");
});
