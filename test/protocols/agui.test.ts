// Tests AG-UI with its official clients: the current one, and the last one before 1.0.
import { HttpAgent, verifyEvents } from "@ag-ui/client";
import { EventSchema } from "@ag-ui/core/schemas";
import { HttpAgent as OldAgent, EventSchemas as OldSchemas, verifyEvents as verifyOld } from "ag-ui-client-0";
import { from, lastValueFrom, toArray } from "rxjs";
import { describe, expect, test } from "vitest";
import { callTool, done } from "../support/decisions.ts";
import {
  cell,
  ONE_TURN,
  type ProtocolServer,
  SCRIPTS,
  startDyingServer,
  startServer,
  storedThreads,
} from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: frames of two versions of the protocol
type Frame = any;
type Client = { readonly name: string; readonly Agent: typeof HttpAgent; readonly old: boolean };

const CLIENTS: readonly Client[] = [
  { name: "@ag-ui/client 1.0.0", Agent: HttpAgent, old: false },
  { name: "@ag-ui/client 0.0.59", Agent: OldAgent as unknown as typeof HttpAgent, old: true },
];

/**
 * Checks the end of a stream, because the client's verifier does not notice a missing last frame, or the result of a
 * call that it never received.
 */
function checkEnds(frames: readonly Frame[], knownCalls: ReadonlySet<string>): void {
  expect(frames.at(-1)?.type).toMatch(/^RUN_(FINISHED|ERROR)$/);
  const calls = new Set(knownCalls);
  for (const frame of frames) {
    if (frame.type === "TOOL_CALL_START") calls.add(frame.toolCallId);
    if (frame.type === "TOOL_CALL_RESULT") expect(calls).toContain(frame.toolCallId);
  }
}

describe.each(CLIENTS)("$name", ({ Agent, old }) => {
  function connect(server: ProtocolServer, threadId = "chat-1") {
    const frames: Frame[] = [];
    const calls = new Set<string>();
    const agent = new Agent({ url: "http://pawl/agui", threadId, fetch: server.fetch as never });
    const run = async (parameters: object = {}) => {
      const before = frames.length;
      await agent.runAgent(parameters as never, { onEvent: ({ event }: Frame) => void frames.push(event) } as never);
      const seen = frames.slice(before);
      for (const frame of seen) (old ? OldSchemas : EventSchema).parse(frame);
      const verified = old ? from(seen).pipe(verifyOld(false) as never) : from(seen).pipe(verifyEvents(false) as never);
      await lastValueFrom((verified as ReturnType<typeof from>).pipe(toArray()));
      checkEnds(seen, calls);
      for (const { type, toolCallId } of seen) if (type === "TOOL_CALL_START") calls.add(toolCallId);
      return seen;
    };
    const say = (content: string, parameters: object = {}) => {
      agent.addMessage({ id: `m${agent.messages.length}`, role: "user", content });
      return run(parameters);
    };
    return { agent, run, say };
  }
  const typesOf = (frames: readonly Frame[]): string[] => frames.map(({ type }) => type);
  const lastOf = (frames: readonly Frame[]): Frame => frames.at(-1);
  const interruptOf = (frames: readonly Frame[]): Frame => lastOf(frames).outcome.interrupts[0];
  const resume = (frames: readonly Frame[], payload: unknown, status = "resolved") => ({
    resume: [{ interruptId: interruptOf(frames).id, status, payload }],
  });

  cell("answer", "the messages of the client have the answer", async () => {
    const { agent, say } = connect(startServer(SCRIPTS.answer));
    const frames = await say("How is the weather?");
    expect(agent.messages.at(-1)).toMatchObject({
      role: "assistant",
      content: expect.stringMatching(/^It is sunny\./),
    });
    expect(lastOf(frames)).toMatchObject({
      outcome: { type: "success" },
      result: { outcome: "completed", evidence: "none", evidence_kind: "none" },
      usage: [{ inputTokens: expect.any(Number) }],
    });
  });

  cell("stream", "text arrives while the model writes, and a discarded text disappears", async () => {
    const bad = JSON.stringify({ action: "next_plan", speak: "Too early.", goal_check: "x" });
    const { agent, say } = connect(startServer([{ reply: bad }, ...SCRIPTS.answer]));
    const frames = await say("Hello");
    expect(frames.map(({ delta }: Frame) => delta ?? "").join("")).toContain("Too early.");
    expect(JSON.stringify(agent.messages)).not.toContain("Too early");
    expect(agent.messages.at(-1)).toMatchObject({ content: expect.stringMatching(/^It is sunny\./) });
  });

  cell("tool", "a call and its result share an id", async () => {
    const { agent, say } = connect(startServer(SCRIPTS.tool));
    const frames = await say("Look");
    const start = frames.find(({ type }: Frame) => type === "TOOL_CALL_START");
    const result = frames.find(({ type }: Frame) => type === "TOOL_CALL_RESULT");
    expect(start).toMatchObject({ toolCallName: "look" });
    const [call] = agent.messages.flatMap((message: Frame) => message.toolCalls ?? []);
    expect(JSON.parse(call.function.arguments)).toEqual({ at: "the sky" });
    expect(result.content).toContain("seen the sky");
    expect(result.toolCallId).toBe(start.toolCallId);
  });

  cell("approve", "an interrupt is resumed, and the call runs once", async () => {
    const server = startServer(SCRIPTS.write);
    const { say, run, agent } = connect(server);
    const asked = await say("Write");
    expect(interruptOf(asked)).toMatchObject({ reason: "tool_call", metadata: { digest: expect.any(String) } });
    expect(server.ledger()).toEqual([]);
    const resumed = await run(resume(asked, { approved: true }));
    expect(server.ledger()).toEqual(["a"]);
    expect(typesOf(resumed)).not.toContain("TOOL_CALL_START");
    expect(agent.messages.at(-1)).toMatchObject({ content: "Written." });
  });

  cell("edit", "edited arguments replace the proposed ones", async () => {
    const server = startServer(SCRIPTS.write);
    const { say, run } = connect(server);
    const asked = await say("Write");
    await run(resume(asked, { approved: true, editedArgs: { line: "b" } }));
    expect(server.ledger()).toEqual(["b"]);
  });

  cell("reject", "a rejected call does not run, and a cancelled interrupt is a rejection", async () => {
    const server = startServer([...SCRIPTS.write.slice(0, 1), callTool("write", { line: "b" }), done, "Not written."]);
    const { say, run } = connect(server);
    const asked = await say("Write");
    const again = await run(resume(asked, { approved: false, reason: "no" }));
    expect(again.find(({ type }: Frame) => type === "TOOL_CALL_RESULT").content).toMatch(/^denied: /);
    await run(resume(again, undefined, "cancelled"));
    expect(server.ledger()).toEqual([]);
  });

  cell("question", "an answer resumes the run", async () => {
    const { say, run, agent } = connect(startServer(SCRIPTS.question));
    const asked = await say("Plan my week");
    expect(interruptOf(asked)).toMatchObject({ reason: "input_required", message: "Which day?" });
    await run(resume(asked, { text: "Monday, please" }));
    expect(agent.messages.at(-1)).toMatchObject({ content: "Monday it is." });
  });

  cell("question", "several questions are answered together, and a wrong choice is refused", async () => {
    const { say, run, agent } = connect(startServer(SCRIPTS.questions));
    const asked = await say("Plan my week");
    expect(interruptOf(asked).metadata.questions).toMatchObject([{ multiple: true }, { question: "Why?" }]);
    const wrong = resume(asked, { answers: [{ choices: ["Sunday"] }, { text: "a talk" }] });
    await expect(run(wrong)).rejects.toThrow("input.answers.0.choices");
    await run(resume(asked, { answers: [{ choices: ["Monday", "Friday"] }, { text: "a talk" }] }));
    expect(agent.messages.at(-1)).toMatchObject({ content: "Two days it is." });
  });

  cell("doubt", "a person says whether it happened", async () => {
    const { say, run } = connect(startServer(SCRIPTS.doubt));
    const asked = await say("Send");
    expect(interruptOf(asked)).toMatchObject({ reason: "pawl:doubt" });
    const resumed = await run(resume(asked, { outcome: "happened" }));
    expect(lastOf(resumed)).toMatchObject({ type: "RUN_FINISHED" });
  });

  cell("resume", "after the server died, the same run finds everything once", async () => {
    const { first, restart } = startDyingServer(SCRIPTS.tool, "commit.after", 2);
    const dead = connect(first);
    void dead.say("Look", { runId: "run-1" }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { agent, run } = connect(restart([done, "It is sunny."]));
    // A page that lost the connection has part of the run and half of a message.
    const half = { id: "txt_2", role: "assistant", content: "It is" };
    agent.setMessages([...dead.agent.messages, half] as never);
    const frames = await run({ runId: "run-1" });
    expect(frames.filter(({ type }: Frame) => type === "TOOL_CALL_RESULT")).toHaveLength(1);
    expect(agent.messages.at(-1)).toMatchObject({ content: expect.stringMatching(/^It is sunny\./) });
    const messages = [...agent.messages];
    const ids = messages.map(({ id }: Frame) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const again = await run({ runId: "run-1" });
    expect(agent.messages).toEqual(messages);
    expect(new Set(typesOf(again))).toEqual(new Set(typesOf(frames)));
  });

  cell(
    "error",
    "a message while an interrupt is open, an unknown thread and a bad body are errors of the protocol",
    async () => {
      const server = startServer(SCRIPTS.write);
      await connect(server).say("Write");
      const other = connect(server);
      const refused = await other.say("And now?");
      expect(lastOf(refused)).toMatchObject({ type: "RUN_ERROR", code: "gate_open" });
      const unknown = connect(server, "thr_00000000000000000000000000");
      await expect(unknown.say("Hello")).rejects.toThrow(/404/);
      await expect(connect(server, "").say("Hello")).rejects.toThrow(/400/);
    },
  );

  cell("budget", "an exhausted budget is an error with its code", async () => {
    const { say } = connect(startServer(SCRIPTS.tool, ONE_TURN));
    expect(lastOf(await say("Look"))).toMatchObject({ type: "RUN_ERROR", code: "budget_exhausted" });
  });

  test("a tool of the page is called by its own name, and its result continues the run", async () => {
    const { agent, say, run } = connect(startServer([callTool("pick_color", { title: "Wall" }), done, "Blue."]));
    const tools = [
      {
        name: "pickColor",
        description: "Picks.",
        parameters: { type: "object", properties: { title: { type: "string" } } },
      },
    ];
    const asked = await say("Paint", { tools });
    const call = asked.find(({ type }: Frame) => type === "TOOL_CALL_START");
    expect(call).toMatchObject({ toolCallName: "pickColor" });
    expect(lastOf(asked).outcome).toEqual({ type: "success", ...(!old && { pendingToolCallIds: [call.toolCallId] }) });
    agent.addMessage({ id: "t1", role: "tool", toolCallId: call.toolCallId, content: "blue" });
    await run({ tools });
    expect(agent.messages.at(-1)).toMatchObject({ content: "Blue." });
  });
});

describe("the route", () => {
  const post = (server: ProtocolServer, body: object, fetcher = server.fetch) =>
    fetcher("http://pawl/agui", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const request = (more: object = {}) => ({
    threadId: "chat-1",
    runId: "run-1",
    messages: [{ id: "m1", role: "user", content: "Write" }],
    ...more,
  });

  test("stores nothing for a request that it refuses", async () => {
    const server = startServer(SCRIPTS.write);
    const write = { name: "write", description: "Takes the name.", parameters: { type: "object" } };
    for (const more of [{ messages: [] }, { messages: [{ id: "m", role: "user", content: " " }] }, { tools: [write] }])
      expect((await post(server, request(more))).status).toBeGreaterThanOrEqual(400);
    expect(await storedThreads(server)).toEqual([]);
  });

  test("needs the scope confirm to approve", async () => {
    const server = startServer(SCRIPTS.write);
    const frames = (await (await post(server, request())).text())
      .split("\n")
      .filter((line) => line.startsWith("data:"));
    const { outcome } = JSON.parse(frames.at(-1)?.slice(5) ?? "{}");
    const answer = { interruptId: outcome.interrupts[0].id, status: "resolved", payload: { approved: true } };
    const resumed = request({ runId: "run-2", resume: [answer] });
    const refused = await post(server, resumed, server.fetchAs(["read", "advance"]));
    expect(refused.status).toBe(403);
    const wrong = { ...answer, payload: { approved: true, digest: "0" } };
    const mismatch = await post(server, request({ runId: "run-3", resume: [wrong] }));
    expect(await mismatch.json()).toMatchObject({ code: "digest_mismatch", hint: expect.any(String) });
    expect(server.ledger()).toEqual([]);
  });
});

const post = (server: ReturnType<typeof startServer>, body: object) =>
  server.fetch("http://pawl/agui", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ threadId: "chat", runId: "run", ...body }),
  });

test("null is the same as absent, as clients in other languages send it", async () => {
  const before = { id: "0", role: "assistant", content: null, toolCalls: null, error: null };
  const fields = { tools: null, context: null, state: null, forwardedProps: null, resume: null, protocolVersion: null };
  const messages = [before, { id: "1", role: "user", content: "How is the weather?", toolCallId: null }];
  const response = await post(startServer(SCRIPTS.answer), { messages, ...fields });
  expect(await response.text()).toContain('"RUN_FINISHED"');
});

test("an image is refused, and not ignored", async () => {
  const server = startServer([]);
  const image = { type: "image", source: { type: "url", value: "https://example.com/a.png" } };
  const content = [{ type: "text", text: "What is it?" }, image];
  const response = await post(server, { messages: [{ id: "1", role: "user", content }] });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { message: "messages: image is not supported." },
  ]);
  expect(await storedThreads(server)).toEqual([]);
});
