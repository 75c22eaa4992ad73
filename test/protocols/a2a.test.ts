// Tests A2A with its official client.
import type { Client } from "@a2a-js/sdk/client";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { describe, expect, test } from "vitest";
import { ProtocolsConfig } from "../../src/schema/protocols/protocols-config.ts";
import type { ApiScope } from "../../src/tools/route.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { done } from "../support/decisions.ts";
import { createTestThread } from "../support/runtime.ts";
import {
  CLIENT_CALL,
  cell,
  ONE_TURN,
  PICK_COLOR,
  type ProtocolServer,
  SCRIPTS,
  startDyingServer,
  startServer,
  storedThreads,
} from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages of the protocol in the form of protocol buffers
type Any = any;

const STATES = { working: 2, completed: 3, failed: 4, canceled: 5, input_required: 6, rejected: 7, auth_required: 8 };
const APPROVING = {
  config: { ...DEFAULT_CONFIG, protocols: ProtocolsConfig.parse({ a2a: { mode: "direct", approve: true } }) },
};

async function connect(server: ProtocolServer, scopes?: readonly ApiScope[]) {
  const fetchImpl = scopes ? server.fetchAs(scopes) : server.fetch;
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  } as Any);
  const client: Client = await factory.createFromUrl("http://pawl");
  let sent = 0;
  const request = (part: object, more: Any = {}, configuration?: object): Any => {
    sent += 1;
    const message = { messageId: `m${sent}`, role: 1, parts: [{ content: part, filename: "", mediaType: "" }] };
    return {
      tenant: "",
      message: {
        contextId: "",
        taskId: "",
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
        ...message,
        ...more,
      },
      configuration,
      metadata: undefined,
    };
  };
  const say = async (text: string, more?: Any): Promise<Any> =>
    client.sendMessage(request({ $case: "text", value: text }, more));
  const answer = async ({ id }: Any, data: object): Promise<Any> =>
    client.sendMessage(request({ $case: "data", value: data }, { taskId: id }));
  return { client, request, say, answer };
}

const textOf = ({ status }: Any): string =>
  status.message.parts.flatMap(({ content }: Any) => (content.$case === "text" ? content.value : [])).join("\n");
const gateOf = ({ status }: Any): Any =>
  status.message.parts.find(({ content }: Any) => content.$case === "data").content.value;
const allOf = async (stream: AsyncIterable<Any>): Promise<Any[]> => {
  const all: Any[] = [];
  for await (const { payload } of stream) all.push(payload);
  return all;
};
const errorOf = (promise: Promise<unknown>): Promise<Any> =>
  promise.then(
    () => null,
    (error) => error,
  );

describe("@a2a-js/sdk 1.3.0", () => {
  test("a goal that the agent gives up is a rejected task, not a completed one", async () => {
    const abort = { action: "abort", abort: { user_message: "I cannot help with that." } };
    const task = await (await connect(await startServer([abort]))).say("Do it");
    expect(task.status.state).toBe(STATES.rejected);
    expect(textOf(task)).toContain("I cannot help with that.");
  });

  cell("answer", "a message is answered by a completed task", async () => {
    const { say, client } = await connect(startServer(SCRIPTS.answer));
    const task = await say("How is the weather?");
    expect(task.status.state).toBe(STATES.completed);
    expect(textOf(task)).toContain("It is sunny.");
    const read = await client.getTask({ tenant: "", id: task.id });
    expect(read).toEqual(task);
    expect((await client.getTask({ tenant: "", id: task.id, historyLength: 1 })).history).toHaveLength(1);
    expect(await client.listTasks({ contextId: task.contextId } as Any)).toMatchObject({ tasks: [{ id: task.id }] });
    expect(await client.listTasks({} as Any)).toMatchObject({ tasks: [{ id: task.id }], totalSize: 1 });
  });

  cell("stream", "a task, its artifacts and its states arrive in order", async () => {
    const { client, request } = await connect(startServer(SCRIPTS.tool));
    const events = await allOf(client.sendMessageStream(request({ $case: "text", value: "Look" })));
    const kinds = events.map(({ $case }) => $case);
    expect(kinds[0]).toBe("task");
    expect(kinds.filter((kind) => kind === "artifactUpdate")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ $case: "statusUpdate", value: { status: { state: STATES.completed } } });
    expect(textOf(events.at(-1).value)).toContain("It is sunny.");
    for (const { $case, value } of events) expect($case === "task" ? value.id : value.taskId).toBe(events[0].value.id);
  });

  cell("tool", "a result is an artifact with the arguments of its call", async () => {
    const { say } = await connect(startServer(SCRIPTS.tool));
    const { artifacts } = await say("Look");
    expect(artifacts).toMatchObject([{ name: "look", metadata: { arguments: { at: "the sky" }, status: "ok" } }]);
    expect(artifacts[0].parts[0].content.value).toBe("seen the sky");
  });

  cell("approve", "a data part approves, if the configuration and the key allow it", async () => {
    const server = startServer(SCRIPTS.write, APPROVING);
    const { say, answer } = await connect(server);
    const asked = await say("Write");
    expect(asked.status.state).toBe(STATES.auth_required);
    const { gate_id, digest, console, tool } = gateOf(asked);
    expect(tool).toBe("write");
    expect(console).toMatch(/^http:\/\/pawl\/#\/threads\/thr_\w+$/);
    const wrong = await errorOf(answer(asked, { gate_id, digest: "0", decision: "approve" }));
    expect(wrong.message).toContain("digest_mismatch");
    const ended = await answer(asked, { gate_id, digest, decision: "approve" });
    expect(ended).toMatchObject({ id: asked.id, status: { state: STATES.completed } });
    expect(textOf(ended)).toContain("Written.");
    expect(server.ledger()).toEqual(["a"]);
    const again = await errorOf(answer(asked, { gate_id, digest, decision: "approve" }));
    expect(again.message).toContain("gate_closed");
  });

  test.each<readonly [string, object, readonly ApiScope[]]>([
    ["the configuration does not allow it", {}, ["read", "advance", "confirm"]],
    ["the key lacks the scope", APPROVING, ["read", "advance"]],
  ])("a client cannot approve if %s", async (_why, config, scopes) => {
    const server = startServer(SCRIPTS.write, config);
    const { say, answer } = await connect(server, scopes);
    const asked = await say("Write");
    const { gate_id, digest } = gateOf(asked);
    const refused = await errorOf(answer(asked, { gate_id, digest, decision: "approve" }));
    expect(refused).toMatchObject({ name: "UnsupportedOperationError", message: expect.stringContaining("forbidden") });
    expect((await errorOf(say("approve", { taskId: asked.id }))).message).toContain("gate_open");
    expect(server.ledger()).toEqual([]);
  });

  cell("edit", "edited arguments replace the proposed ones", async () => {
    const server = startServer(SCRIPTS.write, APPROVING);
    const { say, answer } = await connect(server);
    const asked = await say("Write");
    const { gate_id, digest } = gateOf(asked);
    await answer(asked, { gate_id, digest, decision: "approve", edited_arguments: { line: "b" } });
    expect(server.ledger()).toEqual(["b"]);
  });

  cell("reject", "a rejected call does not run", async () => {
    const server = startServer(SCRIPTS.rejected, APPROVING);
    const { say, answer } = await connect(server);
    const asked = await say("Write");
    const ended = await answer(asked, { gate_id: gateOf(asked).gate_id, decision: "reject", reason: "no" });
    expect(ended.artifacts).toMatchObject([{ name: "write", metadata: { status: "denied" } }]);
    expect(server.ledger()).toEqual([]);
  });

  cell("question", "the next message of the task answers it", async () => {
    const { say } = await connect(startServer(SCRIPTS.question));
    const asked = await say("Plan my week");
    expect(asked.status.state).toBe(STATES.input_required);
    expect(textOf(asked)).toContain("Which day?");
    const ended = await say("Monday, please", { taskId: asked.id, contextId: asked.contextId });
    expect(ended.id).toBe(asked.id);
    expect(textOf(ended)).toContain("Monday it is.");
  });

  cell("question", "several questions are answered by a data part, in their order, or by one text", async () => {
    const { say, answer } = await connect(startServer([...SCRIPTS.questions, ...SCRIPTS.questions]));
    const asked = await say("Plan my week");
    const { gate_id, questions } = gateOf(asked);
    expect(questions).toMatchObject([{ question: "Which days?", choices: ["Monday", "Friday"] }, { question: "Why?" }]);
    const few = await errorOf(answer(asked, { gate_id, answers: [{ choices: ["Monday"] }] }));
    expect(few.message).toContain("request_invalid");
    const answers = [{ choices: ["Monday", "Friday"] }, { text: "a talk" }];
    expect(textOf(await answer(asked, { gate_id, answers }))).toContain("Two days it is.");
    const again = await say("Plan my month");
    expect(textOf(again)).toContain("Which days?");
    expect(textOf(await say("Monday, for a talk", { taskId: again.id }))).toContain("Two days it is.");
  });

  test("the result of a client's own tool is a data part, accepted once, by a key that may confirm", async () => {
    const server = startServer(CLIENT_CALL, APPROVING);
    const thread = await createTestThread(server.rt, { goal: "Paint", mode: "direct", client_tools: [PICK_COLOR] });
    await thread.turn();
    const { client, answer, say } = await connect(server);
    const [asked] = (await client.listTasks({ contextId: thread.at.thread } as Any)).tasks as Any[];
    expect(asked.status.state).toBe(STATES.input_required);
    const { gate_id, digest, tool, arguments: args } = gateOf(asked);
    expect({ tool, args }).toEqual({ tool: "pickColor", args: { title: "Wall" } });
    const low = await connect(server, ["read", "advance"]);
    const refused = await errorOf(low.answer(asked, { gate_id, digest, output: "blue" }));
    expect(refused).toMatchObject({ name: "UnsupportedOperationError", message: expect.stringContaining("forbidden") });
    expect((await errorOf(say("blue", { taskId: asked.id }))).message).toContain("gate_open");
    expect((await errorOf(answer(asked, { gate_id, digest }))).message).toContain("request_invalid");
    const wrong = await errorOf(answer(asked, { gate_id, digest: "0", output: "blue" }));
    expect(wrong.message).toContain("digest_mismatch");
    const ended = await answer(asked, { gate_id, digest, output: { color: "blue" } });
    expect(ended).toMatchObject({ id: asked.id, status: { state: STATES.completed } });
    expect((await errorOf(answer(asked, { gate_id, digest, output: "red" }))).message).toContain("gate_closed");
  });

  cell("doubt", "a data part says whether it happened", async () => {
    const { say, answer } = await connect(startServer(SCRIPTS.doubt, APPROVING));
    const asked = await say("Send");
    expect(asked.status.state).toBe(STATES.input_required);
    const { gate_id, outcomes } = gateOf(asked);
    expect(outcomes).toContain("not_happened");
    expect(textOf(await answer(asked, { gate_id, outcome: "happened" }))).toContain("Done.");
  });

  cell("resume", "after the server died, the task is subscribed to and finds everything once", async () => {
    const { first, restart } = startDyingServer(SCRIPTS.tool, "commit.after", 2);
    const dead = await connect(first);
    void dead.say("Look", { contextId: "mine" }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { client, say } = await connect(restart([done, "It is sunny."]));
    const [task] = (await client.listTasks({ contextId: "mine" } as Any)).tasks as Any[];
    expect(task.status.state).toBe(STATES.working);
    const events = await allOf(client.resubscribeTask({ tenant: "", id: task.id }));
    expect(events[0].value.artifacts).toHaveLength(1);
    expect(events.filter(({ $case }) => $case === "artifactUpdate")).toEqual([]);
    expect(events.at(-1).value.status.state).toBe(STATES.completed);
    // Sending the same message again is answered from the log.
    const again = await say("Look", { contextId: "mine", messageId: "m1" });
    expect(again).toMatchObject({ id: task.id, artifacts: [{ name: "look" }], status: { state: STATES.completed } });
  });

  cell("error", "problems have the protocol's codes with Pawl's code, and store nothing", async () => {
    const server = startServer([]);
    const { client, say, request } = await connect(server);
    const unknown = { tenant: "", id: "task_00000000000000000000000000_1" };
    expect(await errorOf(client.getTask(unknown))).toMatchObject({
      name: "TaskNotFoundError",
      message: expect.stringContaining("thread_not_found"),
    });
    expect(await errorOf(client.cancelTask({ ...unknown, metadata: undefined }))).toMatchObject({
      name: "TaskNotFoundError",
    });
    expect((await errorOf(say(" "))).message).toContain("request_invalid");
    const noAgent = { ...request({ $case: "text", value: "x" }), metadata: { agent: "none" } };
    expect((await errorOf(client.sendMessage(noAgent))).message).toContain("none");
    const immediate = request({ $case: "text", value: "x" }, {}, { returnImmediately: true, acceptedOutputModes: [] });
    const other = startServer([], { worker: { running: false } });
    expect((await errorOf((await connect(other)).client.sendMessage(immediate))).message).toContain("no_worker");
    // The client always sends its own version.
    const codeOfVersion = async (version: string): Promise<Any> => {
      const headers = { "content-type": "application/json", "a2a-version": version };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: unknown });
      const response = await server.fetch("http://pawl/a2a", { method: "POST", headers, body });
      return ((await response.json()) as Any).error.code;
    };
    expect(await Promise.all(["0.3", "1.1", "1.0x"].map(codeOfVersion))).toEqual([-32009, -32009, -32009]);
    expect(await Promise.all(["1.0", "1.0.1"].map(codeOfVersion))).toEqual([-32001, -32001]);
    expect(await storedThreads(server)).toEqual([]);
    expect(await storedThreads(other)).toEqual([]);
  });

  cell("budget", "an exhausted budget is a failed task with its code", async () => {
    const { say } = await connect(startServer(SCRIPTS.tool, ONE_TURN));
    const task = await say("Look");
    expect(task.status.state).toBe(STATES.failed);
    expect(textOf(task)).toContain("budget_exhausted");
  });

  test("a task can be cancelled while it waits, and only once", async () => {
    const server = startServer(SCRIPTS.write);
    const { client, say } = await connect(server);
    const asked = await say("Write");
    const request = { tenant: "", id: asked.id, metadata: undefined };
    expect(await client.cancelTask(request)).toMatchObject({ status: { state: STATES.canceled } });
    expect(await errorOf(client.cancelTask(request))).toMatchObject({ name: "TaskNotCancelableError" });
    expect((await errorOf(say("x", { taskId: asked.id }))).message).toContain("gate_closed");
    expect(server.ledger()).toEqual([]);
  });

  test("tasks are listed in pages, each once, and filtered by state", async () => {
    const { client, say } = await connect(startServer([...SCRIPTS.tool, ...SCRIPTS.answer, ...SCRIPTS.question]));
    const first = await say("Look", { contextId: "one" });
    const second = await say("Again", { contextId: "one" });
    const third = await say("Plan", { contextId: "two" });
    const list = (more: Any = {}): Promise<Any> => client.listTasks(more);
    const idsOf = ({ tasks }: Any) => tasks.map(({ id }: Any) => id);
    const pages: Any[] = [];
    for (let pageToken = ""; pages.length === 0 || pageToken !== ""; pageToken = pages.at(-1).nextPageToken)
      pages.push(await list({ pageSize: 1, pageToken }));
    const listed = pages.flatMap(idsOf);
    expect(listed.toSorted()).toEqual([first.id, second.id, third.id].toSorted());
    expect(idsOf(await list())).toEqual(listed);
    expect(listed.indexOf(second.id)).toBeLessThan(listed.indexOf(first.id));
    const [page] = [await list({ contextId: "one", pageSize: 1 })];
    expect(idsOf(page)).toEqual([second.id]);
    const rest = await list({ contextId: "one", pageSize: 1, pageToken: page.nextPageToken });
    expect({ ids: idsOf(rest), token: rest.nextPageToken }).toEqual({ ids: [first.id], token: "" });
    expect(idsOf(await list({ status: STATES.input_required }))).toEqual([third.id]);
    const since = { statusTimestampAfter: "2100-01-01T00:00:00Z" };
    expect(idsOf(await list(since))).toEqual([]);
    const artifactsOf = ({ tasks }: Any) => tasks.flatMap(({ artifacts }: Any) => artifacts);
    expect(artifactsOf(await list())).toEqual([]);
    expect(artifactsOf(await list({ includeArtifacts: true }))).toHaveLength(1);
    for (const pageToken of ["x", third.id])
      expect((await errorOf(list({ contextId: "one", pageToken }))).message).toContain("cursor_invalid");
  });

  test("returnImmediately answers before the run ends, and the task is read later", async () => {
    const { client, request } = await connect(startServer(SCRIPTS.tool));
    const configuration = { returnImmediately: true, acceptedOutputModes: [] };
    const task: Any = await client.sendMessage(request({ $case: "text", value: "Look" }, {}, configuration));
    expect(task.status.state).toBe(STATES.working);
    const events = await allOf(client.resubscribeTask({ tenant: "", id: task.id }));
    expect(events.at(-1)).toMatchObject({ value: { status: { state: STATES.completed } } });
    expect((await client.getTask({ tenant: "", id: task.id })).artifacts).toHaveLength(1);
  });

  test("returnImmediately waits for no model, and a repeated message is the same task", async () => {
    const server = startServer([]);
    const { client, request } = await connect(server);
    const configuration = { returnImmediately: true, acceptedOutputModes: [] };
    const sent = request({ $case: "text", value: "Look" }, { contextId: "one", messageId: "m" }, configuration);
    const task: Any = await client.sendMessage(sent);
    expect(task.history).toMatchObject([{ parts: [{ content: { value: "Look" } }] }]);
    expect(await client.sendMessage(sent)).toMatchObject({ id: task.id, status: { state: STATES.working } });
    expect(await storedThreads(server)).toHaveLength(1);
  });

  test("a context has a task for each message, and ended tasks stay as they were", async () => {
    const { client, say } = await connect(startServer([...SCRIPTS.tool, ...SCRIPTS.answer]));
    const first = await say("Look");
    const second = await say("Again", { contextId: first.contextId });
    expect(second.id).not.toBe(first.id);
    expect(await client.getTask({ tenant: "", id: first.id })).toEqual(first);
    expect(second.artifacts).toEqual([]);
  });
});

test("a file is refused, and not ignored", async () => {
  const server = startServer([]);
  const { client, request } = await connect(server);
  for (const part of [
    { $case: "url", value: "https://example.com/a.png" },
    { $case: "raw", value: Buffer.from("x") },
  ])
    await expect(client.sendMessage(request(part))).rejects.toThrow("content_type_unsupported");
  expect(await storedThreads(server)).toEqual([]);
});

test("a message that asks for push notifications is refused, and not left waiting for them", async () => {
  const server = startServer([]);
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "Go" }] };
  const configuration = { taskPushNotificationConfig: { url: "https://example.com/hook" } };
  for (const method of ["SendMessage", "SendStreamingMessage"]) {
    const response = await server.fetch("http://pawl/a2a", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { message, configuration } }),
    });
    expect(await response.json()).toMatchObject({ error: { code: -32003 } });
  }
  expect(await storedThreads(server)).toEqual([]);
});

test("a key that may only read lists and shows tasks, and sends and cancels none", async () => {
  const server = startServer(SCRIPTS.write);
  const task = await (await connect(server)).say("Write");
  const { client, say } = await connect(server, ["read"]);
  expect(await client.getTask({ tenant: "", id: task.id })).toEqual(task);
  expect((await client.listTasks({ tenant: "", contextId: "" } as Any)).tasks).toHaveLength(1);
  for (const refused of [say("Go"), client.cancelTask({ tenant: "", id: task.id } as Any)])
    await expect(refused).rejects.toThrow("forbidden");
  expect(await storedThreads(server)).toHaveLength(1);
});
