// Tests front ends of the older gateways with `?dialect=legacy` on a real socket and the frames that they know.
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import type { ScriptEntry } from "../../../src/adapters/model-scripted.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { ask, callTool } from "../../support/decisions.ts";
import { unwrap } from "../../support/runtime.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { createWriteTool, look } from "../../support/tools.ts";

type Frame = { type: string; sessionId?: string; requestId?: string; data?: Record<string, unknown> };

let server: TestServer | null = null;
const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await server?.stop();
  server = null;
});

const survey = defineTool(
  { name: "survey", description: "Reports its progress.", streaming: true, input: z.object({}) },
  async function* () {
    yield "first floor";
  },
);

async function start(script: readonly ScriptEntry[]) {
  server = await startTestServer({ script, tools: [look, survey, createWriteTool([])] });
  const client = server.client();
  const { thread } = unwrap(await client.create({ goal: "Tidy up", mode: "direct" }));
  return { client, thread: thread.id, url: server.url };
}

/** Connects a plain WebSocket client that collects what it receives. */
async function connect(url: string, thread: string, query = "?dialect=legacy") {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/threads/${thread}/live${query}`);
  sockets.push(socket);
  const frames: Frame[] = [];
  const waiting: (() => void)[] = [];
  socket.on("message", (data) => {
    frames.push(JSON.parse(String(data)) as Frame);
    for (const notify of waiting.splice(0)) notify();
  });
  await new Promise((resolve) => socket.once("open", resolve));
  const next = async (type: string): Promise<Frame> => {
    for (;;) {
      const found = frames.find((frame) => frame.type === type);
      if (found) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return { next, frames, send: (frame: object) => socket.send(JSON.stringify(frame)) };
}

describe("a socket with the legacy dialect", () => {
  test("asks with clarify_request and takes the answer with a sessionId", async () => {
    const { client, thread, url } = await start([ask("Which line?"), callTool("look", { at: "after" })]);
    const socket = await connect(url, thread);
    const { gate } = unwrap(await client.advance(thread)).thread;
    const question = await socket.next("clarify_request");
    expect(question).toMatchObject({
      sessionId: thread,
      data: { requestId: gate?.id, question: "Which line?", choices: [] },
    });
    const requestId = question.data?.requestId;
    socket.send({ type: "clarify_response", sessionId: "any", requestId, answer: "the second" });
    expect(await socket.next("response")).toMatchObject({ requestId });
    expect(unwrap(await client.get(thread)).thread.gate).toBeNull();
  });

  test("asks with tool_confirmation_request, whose digest approves the call", async () => {
    const { client, thread, url } = await start([callTool("write", { line: "a" })]);
    const socket = await connect(url, thread);
    unwrap(await client.advance(thread));
    const { data = {} } = await socket.next("tool_confirmation_request");
    expect(data).toMatchObject({ toolName: "write", arguments: { line: "a" } });
    const { requestId, digest } = data;
    socket.send({ type: "tool_confirmation_response", sessionId: "any", requestId, digest, decision: "approve" });
    await socket.next("response");
    expect(await socket.next("tool_result")).toMatchObject({
      sessionId: thread,
      data: { toolName: "write", success: true, result: "wrote a" },
    });
  });

  test("reports a call from its start to its result", async () => {
    const { client, thread, url } = await start([callTool("survey", {})]);
    const socket = await connect(url, thread);
    unwrap(await client.advance(thread));
    const completed = await socket.next("tool_call_completed");
    const names = socket.frames.map(({ type }) => type).filter((type) => type.startsWith("tool"));
    expect([...new Set(names)]).toEqual([
      "tool_call",
      "tool_call_started",
      "tool_result_streamed",
      "tool_result",
      "tool_call_completed",
    ]);
    const { callId } = completed.data ?? {};
    expect(callId).toMatch(/^opr_/);
    for (const type of names) expect((await socket.next(type)).data).toMatchObject({ callId, toolName: "survey" });
    expect((await socket.next("tool_result_streamed")).data).toMatchObject({ chunk: "first floor" });
    // Events without an older name keep their own.
    expect(await socket.next("turn.committed")).toMatchObject({ sessionId: thread, seq: expect.any(Number) });
  });
});

test("without the dialect a socket has the current names and still ignores sessionId", async () => {
  const { client, thread, url } = await start([ask("Which line?"), callTool("look", { at: "after" })]);
  const socket = await connect(url, thread, "");
  const { gate } = unwrap(await client.advance(thread)).thread;
  await socket.next("gate.opened");
  expect(socket.frames.map(({ type }) => type)).not.toContain("clarify_request");
  socket.send({ type: "ping", sessionId: "any" });
  await socket.next("pong");
  socket.send({ type: "clarify_response", sessionId: "any", requestId: gate?.id, answer: "this" });
  expect(await socket.next("response")).toMatchObject({ requestId: gate?.id });
});

test("an unknown dialect is refused", async () => {
  const { client, thread } = await start([]);
  const refused = await client.call("GET", `/v1/threads/${thread}/live?dialect=old`);
  expect(refused).toMatchObject({ ok: false, problem: { code: "request_invalid", status: 400 } });
});
