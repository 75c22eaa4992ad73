// Tests OpenAI's Responses with the official client and with the provider of the AI SDK.
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, streamText } from "ai";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { createApp } from "../../src/http/app.ts";
import { ProtocolsConfig } from "../../src/schema/protocols/protocols-config.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { callTool, done } from "../support/decisions.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../support/server.ts";
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

// biome-ignore lint/suspicious/noExplicitAny: items of many types
type Any = any;

const connect = (server: Pick<ProtocolServer, "fetch">, more: object = {}) =>
  new OpenAI({ apiKey: "any", baseURL: "http://pawl/openai/v1", fetch: server.fetch, maxRetries: 0, ...more });

async function allOf(stream: unknown): Promise<Any[]> {
  const all: Any[] = [];
  for await (const event of stream as AsyncIterable<Any>) all.push(event);
  return all;
}

const itemOf = (response: Any, type: string): Any => response.output.findLast((item: Any) => item.type === type);

describe("openai 7.53.0", () => {
  const create = (client: OpenAI, input: Any, more: object = {}): Promise<Any> =>
    client.responses.create({ model: "default", input, ...more }) as Promise<Any>;
  const approve = (response: Any, answer: boolean, reason?: string) => [
    {
      type: "mcp_approval_response",
      approval_request_id: itemOf(response, "mcp_approval_request").id,
      approve: answer,
      ...(reason && { reason }),
    },
  ];

  cell("answer", "output_text has the answer", async () => {
    const response = await create(connect(startServer(SCRIPTS.answer)), "How is the weather?");
    expect(response).toMatchObject({
      status: "completed",
      model: "default",
      usage: { total_tokens: expect.any(Number) },
    });
    expect(response.output_text).toContain("It is sunny.");
  });

  cell("stream", "the strict reader of the client accepts every event", async () => {
    const stream = connect(startServer(SCRIPTS.tool)).responses.stream({ model: "default", input: "Look" });
    const numbers: number[] = [];
    for await (const { sequence_number } of stream as AsyncIterable<Any>) numbers.push(sequence_number);
    expect(numbers).toEqual(numbers.map((_, i) => i));
    const final: Any = await stream.finalResponse();
    expect(final.output_text).toContain("It is sunny.");
  });

  cell("tool", "a tool that Pawl runs is an mcp_call", async () => {
    const response = await create(connect(startServer(SCRIPTS.tool)), [{ role: "user", content: "Look" }]);
    const call = itemOf(response, "mcp_call");
    expect(call).toMatchObject({ name: "look", arguments: '{"at":"the sky"}', status: "completed", error: null });
    expect(call.output).toContain("seen the sky");
  });

  cell("approve", "an approval continues the response, and the call runs once", async () => {
    const server = startServer(SCRIPTS.write);
    const client = connect(server);
    const asked = await create(client, "Write");
    expect(asked.status).toBe("completed");
    const answered = await create(client, approve(asked, true), { previous_response_id: asked.id });
    expect(server.ledger()).toEqual(["a"]);
    const { id } = itemOf(asked, "mcp_approval_request");
    expect(itemOf(answered, "mcp_call")).toMatchObject({ name: "write", approval_request_id: id });
    expect(answered.output_text).toContain("Written.");
  });

  cell("reject", "a rejected call does not run", async () => {
    const server = startServer(SCRIPTS.rejected);
    const client = connect(server);
    const asked = await create(client, "Write");
    const answered = await create(client, approve(asked, false, "no"), { previous_response_id: asked.id });
    expect(server.ledger()).toEqual([]);
    expect(itemOf(answered, "mcp_call")).toMatchObject({ status: "failed", error: expect.stringContaining("denied") });
  });

  cell("question", "the next input answers it", async () => {
    const client = connect(startServer(SCRIPTS.question));
    const asked = await create(client, "Plan my week");
    expect(asked.output_text).toContain("Which day?");
    const answered = await create(client, "Monday, please", { previous_response_id: asked.id });
    expect(answered.output_text).toContain("Monday it is.");
  });

  cell("question", "several questions are shown with their choices, and one text answers them", async () => {
    const client = connect(startServer(SCRIPTS.questions));
    const asked = await create(client, "Plan my week");
    for (const shown of ["Which days?", "Monday", "Friday", "Why?"]) expect(asked.output_text).toContain(shown);
    const answered = await create(client, "Monday and Friday, for a talk", { previous_response_id: asked.id });
    expect(answered.output_text).toContain("Two days it is.");
  });

  cell("doubt", "one of four words resolves it", async () => {
    const client = connect(startServer(SCRIPTS.doubt));
    const asked = await create(client, "Send");
    expect(asked.output_text).toContain("happened, not_happened, try_again, abort");
    const answered = await create(client, "happened", { previous_response_id: asked.id });
    expect(answered.output_text).toContain("Done.");
  });

  cell("resume", "after the server died, the same request finds everything once", async () => {
    const { first, restart } = startDyingServer(SCRIPTS.tool, "commit.after", 2);
    const options = { headers: { "idempotency-key": "request-1" } };
    const body = { model: "default", input: "Look" } as const;
    void connect(first)
      .responses.create(body, options)
      .catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const client = connect(restart([done, "It is sunny."]));
    const response: Any = await client.responses.create(body, options);
    expect(response.output.filter(({ type }: Any) => type === "mcp_call")).toHaveLength(1);
    expect(response.output_text).toContain("It is sunny.");
    const again: Any = await client.responses.create(body, options);
    expect(again.id).toBe(response.id);
    const read: Any = await client.responses.retrieve(response.id);
    expect(read.output).toEqual(response.output);
  });

  cell("error", "errors have OpenAI's form with Pawl's code, and conflicts are not repeated", async () => {
    const server = startServer(SCRIPTS.write);
    let requests = 0;
    const counting = ({ fetch: send }: ProtocolServer) => {
      const counted: typeof fetch = (input, init) => {
        requests += 1;
        return send(input, init);
      };
      return connect({ fetch: counted }, { maxRetries: 2 });
    };
    const client = counting(server);
    const asked = await create(client, "Write");
    requests = 0;
    const refused = await create(client, "And now?", { previous_response_id: asked.id }).catch((error: Any) => error);
    expect(refused).toMatchObject({ status: 409, code: "gate_open" });
    expect(requests).toBe(1);
    const noWorker = counting(startServer([], { worker: { running: false } }));
    requests = 0;
    const background = await create(noWorker, "x", { background: true }).catch((error: Any) => error);
    expect([background.code, requests]).toEqual(["no_worker", 1]);
    const older = { previous_response_id: asked.id.replace(/_\d+$/, "_0") };
    expect(await create(client, "x", older).catch((error: Any) => error)).toMatchObject({ code: "thread_moved" });
    const unknown = { previous_response_id: "resp_00000000000000000000000000_1" };
    expect(await create(client, "x", unknown).catch((error: Any) => error)).toMatchObject({ status: 404 });
    for (const more of [
      { store: false },
      { text: { format: { type: "json_schema" } } },
      { tools: [{ type: "web_search" }] },
    ])
      expect(await create(client, "x", more).catch((error: Any) => error)).toMatchObject({ status: 400 });
    const noModel = { status: 404, code: "agent_not_found", param: "model" };
    expect(await create(client, "x", { model: "none" }).catch((error: Any) => error)).toMatchObject(noModel);
    const completion = client.chat.completions.create({ model: "none", messages: [{ role: "user", content: "x" }] });
    await expect(completion).rejects.toMatchObject(noModel);
    await expect(client.models.retrieve("none")).rejects.toMatchObject(noModel);
    expect(await storedThreads(server)).toHaveLength(1);
  });

  test("what Pawl cannot do is refused, and not ignored", async () => {
    const server = startServer([]);
    const client = connect(server);
    const say = (content: Any, more: object = {}) =>
      client.chat.completions.create({ model: "default", messages: [{ role: "user", content }], ...more });
    const text = { type: "text", text: "What is it?" };
    const refused: readonly (readonly [string, Promise<unknown>])[] = [
      ["input", create(client, [{ role: "user", content: [{ type: "input_image", image_url: "data:," }] }])],
      ["tool_choice", create(client, "x", { tool_choice: "required" })],
      ["prompt", create(client, "x", { prompt: { id: "p" } })],
      ["messages", say([text, { type: "image_url", image_url: { url: "data:," } }])],
      ["response_format", say("x", { response_format: { type: "json_object" } })],
      ["n", say("x", { n: 2 })],
    ];
    for (const [param, request] of refused) {
      const error: Any = await request.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ param, code: "request_invalid", type: "invalid_request_error" });
    }
    expect(await storedThreads(server)).toEqual([]);
  });

  test("what is refused before a handler runs has OpenAI's form, too", async () => {
    const server = startServer([]);
    const app = createApp(testSettings(server.rt, { keys: () => [aKeyRow("reader", "local", ["read"])] }));
    const client = (apiKey: string) =>
      connect({ fetch: async (input, init) => app.fetch(new Request(input, init)) }, { apiKey });
    const reader = client(apiKeyFor("reader"));
    const cases = [
      [OpenAI.AuthenticationError, "unauthorized", create(client("pawl_wrong"), "x")],
      [OpenAI.PermissionDeniedError, "forbidden", create(reader, "x")],
      [OpenAI.NotFoundError, "route_not_found", reader.embeddings.create({ model: "default", input: "x" })],
      [OpenAI.APIError, "method_not_allowed", reader.put("/responses")],
      [OpenAI.BadRequestError, "header_invalid", reader.models.list({ headers: { "x-long": "x".repeat(5_000) } })],
    ] as const;
    for (const [kind, code, request] of cases) {
      const error: Any = await Promise.resolve(request).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ code, type: "invalid_request_error" });
    }
  });

  cell("budget", "an exhausted budget is an incomplete response", async () => {
    const response = await create(connect(startServer(SCRIPTS.tool, ONE_TURN)), "Look");
    expect(response).toMatchObject({ status: "incomplete", metadata: { pawl_code: "budget_exhausted" } });
  });

  test("a function of the client is a function_call, and its output continues the run", async () => {
    const client = connect(startServer([callTool("pick_color", { title: "Wall" }), done, "Blue."]));
    const parameters = { type: "object", properties: { title: { type: "string" } } };
    const tools = [{ type: "function", name: "pickColor", description: "Picks.", parameters, strict: false }];
    const asked = await create(client, "Paint", { tools });
    const call = itemOf(asked, "function_call");
    expect(call).toMatchObject({ name: "pickColor", arguments: '{"title":"Wall"}' });
    const output = [{ type: "function_call_output", call_id: call.call_id, output: "blue" }];
    const answered = await create(client, output, { previous_response_id: asked.id, tools });
    expect(answered.output_text).toContain("Blue.");
  });

  test("the schema of a function may use all of JSON Schema, and what can be checked is checked", async () => {
    const parameters = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: {
        title: { type: "string", not: { const: "" } },
        parent: { $ref: "#/definitions/node" },
        width: { type: "number" },
        height: { $ref: "#/properties/width" },
      },
      definitions: { node: { type: "object", properties: { children: { items: { $ref: "#/definitions/node" } } } } },
      if: { required: ["width"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["height"] },
      dependencies: { height: ["width"] },
    };
    const tools = [{ type: "function", name: PICK_COLOR.client_name, description: "Picks.", parameters, strict: null }];
    const script = [callTool("pick_color", { title: "Wall", height: "high" }), ...CLIENT_CALL];
    const asked = await create(connect(startServer(script)), "Paint", { tools });
    expect(itemOf(asked, "function_call")).toMatchObject({ arguments: '{"title":"Wall"}' });
  });

  test("of several outputs the one that is waited for counts, in any order", async () => {
    const client = connect(startServer(CLIENT_CALL));
    const tools = [{ type: "function", name: "pickColor", parameters: PICK_COLOR.input, strict: false }];
    const asked = await create(client, "Paint", { tools });
    const output = (call_id: string) => ({ type: "function_call_output", call_id, output: "blue" });
    const outputs = [output(itemOf(asked, "function_call").call_id), output("gat_other")];
    const answered = await create(client, outputs, { previous_response_id: asked.id, tools });
    expect(answered.output_text).toContain("Blue.");
  });

  test("the output of earlier responses in the input names the thread, and the gate that an item answers", async () => {
    const server = startServer([...SCRIPTS.answer, ...SCRIPTS.write, ...SCRIPTS.answer]);
    const client = connect(server);
    const input: Any[] = [];
    const send = async (...more: Any[]): Promise<Any> => {
      input.push(...more);
      const response = await create(client, input);
      input.push(...response.output);
      return response;
    };
    await send({ role: "user", content: "How is the weather?" });
    const asked = await send({ role: "user", content: "Write" });
    expect((await send(...approve(asked, true))).output_text).toContain("Written.");
    expect([server.ledger(), (await storedThreads(server)).length]).toEqual([["a"], 1]);
    const before = [...input];
    await send({ role: "user", content: "And tomorrow?" });
    const branch = create(client, [...before, { role: "user", content: "And today?" }]);
    await expect(branch).rejects.toMatchObject({ status: 409, code: "thread_moved" });
    const old = approve(asked, true).map((item) => ({ ...item, approval_request_id: "mcpr_gat_old" }));
    await expect(create(client, old)).rejects.toMatchObject({ status: 409, code: "gate_closed" });
  });

  test("a conversation holds several responses, and is deleted with its thread", async () => {
    const server = startServer([...SCRIPTS.answer, ...SCRIPTS.answer]);
    const client = connect(server);
    const { id } = await client.conversations.create();
    await create(client, "One", { conversation: id });
    const second = await create(client, "Two", { conversation: { id } });
    expect(second.conversation).toEqual({ id });
    await client.conversations.delete(id);
    expect(await client.conversations.retrieve(id).catch((error: Any) => error)).toMatchObject({ status: 404 });
  });

  test("the items of a conversation and the input of a response are read from the log", async () => {
    const server = startServer(SCRIPTS.write);
    const client = connect(server);
    const { id } = await client.conversations.create({ metadata: { topic: "lines" } });
    const asked = await create(client, "Write", { conversation: id });
    const answered = await create(client, approve(asked, true, "fine"), { conversation: id });
    const items = await allOf(await client.conversations.items.list(id, { order: "asc", limit: 2 }));
    expect(items.map(({ type }: Any) => type)).toEqual([
      "message",
      "message",
      "mcp_approval_request",
      "mcp_approval_response",
      "mcp_call",
      "message",
    ]);
    expect(items[3]).toMatchObject({ approval_request_id: items[2].id, approve: true, reason: "fine" });
    const newest = await client.conversations.items.list(id);
    expect(newest.data[0]).toEqual(items.at(-1));
    expect(await client.conversations.items.retrieve(items[4].id, { conversation_id: id })).toEqual(items[4]);
    const input = await allOf(await client.responses.inputItems.list(answered.id));
    expect(input).toEqual([items[3]]);
    const errors = [
      client.conversations.items.list(id, { limit: 0 }),
      client.conversations.items.list(id, { after: "none" }),
      client.conversations.items.create(id, { items: [{ type: "message", role: "user", content: "x" }] }),
      client.conversations.items.delete(items[0].id, { conversation_id: id }),
      client.conversations.create({ items: [{ type: "message", role: "user", content: "x" }] }),
    ];
    for (const error of errors) await expect(error).rejects.toMatchObject({ status: 400, code: "request_invalid" });
    const none = client.conversations.items.retrieve("none", { conversation_id: id });
    await expect(none).rejects.toMatchObject({ status: 404 });
    expect(await storedThreads(server)).toHaveLength(1);
  });

  test("the metadata of a conversation is replaced as a whole, and limited", async () => {
    const client = connect(startServer([]));
    const { id } = await client.conversations.create({ metadata: { topic: "one" } });
    expect(await client.conversations.retrieve(id)).toMatchObject({ metadata: { topic: "one" } });
    expect(await client.conversations.update(id, { metadata: { owner: "Ann" } })).toMatchObject({
      metadata: { owner: "Ann" },
    });
    expect(await client.conversations.retrieve(id)).toMatchObject({ id, metadata: { owner: "Ann" } });
    const long = client.conversations.update(id, { metadata: { text: "x".repeat(600) } });
    await expect(long).rejects.toMatchObject({ status: 400, code: "request_invalid" });
    const unknown = client.conversations.update("conv_00000000000000000000000000", { metadata: {} });
    await expect(unknown).rejects.toMatchObject({ status: 404, code: "thread_not_found" });
  });

  test("a response is deleted with its thread, unless the thread has others", async () => {
    const server = startServer([...SCRIPTS.answer, ...SCRIPTS.answer, ...SCRIPTS.answer]);
    const client = connect(server);
    const first = await create(client, "One");
    await client.responses.delete(first.id);
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
    expect(await storedThreads(server)).toEqual([]);
    const second = await create(client, "Two");
    await create(client, "Three", { previous_response_id: second.id });
    await expect(client.responses.delete(second.id)).rejects.toMatchObject({ status: 400, code: "request_invalid" });
    expect(await client.responses.retrieve(second.id)).toMatchObject({ id: second.id });
  });

  test("a response in the background can be read and cancelled", async () => {
    const client = connect(startServer([callTool("look", { at: "a" }), done, "x"]));
    const started = await create(client, "Look", { background: true });
    expect(started).toMatchObject({ status: "in_progress", background: true });
    expect(await client.responses.retrieve(started.id)).toMatchObject({ status: "in_progress" });
    expect(await client.responses.cancel(started.id)).toMatchObject({ status: "cancelled" });
    expect(await client.responses.retrieve(started.id)).toMatchObject({ status: "cancelled" });
  });

  test("a new response in the background waits for no model, also if the request is repeated", async () => {
    const server = startServer([]);
    const client = connect(server);
    const start = (input: string) =>
      client.responses.create({ model: "default", input, background: true }, { headers: { "Idempotency-Key": "one" } });
    const started = await start("Look");
    expect(started).toMatchObject({ status: "in_progress", output: [], model: "default" });
    expect(await start("Look")).toMatchObject({ id: started.id, status: "in_progress" });
    await expect(start("Look away")).rejects.toMatchObject({ code: "idempotency_mismatch" });
    expect(await storedThreads(server)).toHaveLength(1);
    const [sent] = await allOf(client.responses.inputItems.list(started.id));
    expect(sent).toMatchObject({ role: "user", content: [{ type: "input_text", text: "Look" }] });
    expect(await client.responses.cancel(started.id)).toMatchObject({ status: "cancelled" });
  });

  test("a function of the client is called from the background", async () => {
    const client = connect(startServer(CLIENT_CALL));
    const parameters = PICK_COLOR.input;
    const tools = [{ type: "function", name: "pickColor", description: "Picks.", parameters, strict: null }];
    const started = await create(client, "Paint", { background: true, tools });
    await allOf(await client.responses.retrieve(started.id, { stream: true }));
    const asked = await client.responses.retrieve(started.id);
    const { call_id } = itemOf(asked, "function_call");
    const output = [{ type: "function_call_output", call_id, output: "blue" }];
    const answered = await create(client, output, { previous_response_id: started.id });
    expect(answered.output_text).toContain("Blue.");
  });

  test("a response that a message overtakes does not stay in progress", async () => {
    const client = connect(startServer([callTool("look", { at: "a" }), ...SCRIPTS.answer]));
    const overtaken = await create(client, "Look", { background: true });
    const next = await create(client, "How is the weather?", { previous_response_id: overtaken.id });
    expect(next.output_text).toContain("It is sunny.");
    expect(await client.responses.retrieve(overtaken.id)).toMatchObject({ status: "cancelled" });
  });

  test("a response that waits for approval can be cancelled and stays cancelled, and the thread can continue", async () => {
    const server = startServer([...SCRIPTS.write.slice(0, 1), done, "It is sunny."]);
    const client = connect(server);
    const asked = await create(client, "Write");
    expect(await client.responses.cancel(asked.id)).toMatchObject({ status: "cancelled" });
    expect(await client.responses.retrieve(asked.id)).toMatchObject({ status: "cancelled" });
    const next = await create(client, "How is the weather?", { previous_response_id: asked.id });
    expect(next.output_text).toContain("It is sunny.");
    expect(server.ledger()).toEqual([]);
  });

  test("cancelling a response that has ended changes nothing, whatever runs in its thread", async () => {
    const client = connect(startServer([...SCRIPTS.question.slice(0, 1), ...SCRIPTS.write]));
    const asked = await create(client, "Write on a day");
    const waiting = await create(client, "Monday", { previous_response_id: asked.id });
    expect(await client.responses.cancel(asked.id)).toMatchObject({ id: asked.id, status: "completed" });
    expect(await client.responses.retrieve(waiting.id)).toMatchObject({ status: "completed" });
    expect(await client.responses.cancel(waiting.id)).toMatchObject({ status: "cancelled" });
    expect(await client.responses.cancel(waiting.id)).toMatchObject({ status: "cancelled" });
  });

  test("a stream in the background ends with the run, and can be read again from any event", async () => {
    const server = startServer(SCRIPTS.tool);
    const client = connect(server);
    const events = await allOf(await create(client, "Look", { background: true, stream: true }));
    const end = events.at(-1);
    expect(end).toMatchObject({ type: "response.completed", response: { status: "completed" } });
    const again = await allOf(await client.responses.retrieve(end.response.id, { stream: true }));
    const timeless = (all: Any[]) => all.map(({ response: _, ...event }) => event);
    expect(timeless(again)).toEqual(timeless(events));
    const rest = await allOf(await client.responses.retrieve(end.response.id, { stream: true, starting_after: 4 }));
    expect(timeless(rest)).toEqual(timeless(events.slice(5)));
    const wrong = client.responses.retrieve(end.response.id, { stream: true, starting_after: "x" as never });
    await expect(wrong).rejects.toMatchObject({ status: 400 });
  });

  test("reading the stream of a running response drives it, which needs the scope advance", async () => {
    const server = startServer(SCRIPTS.tool);
    const started = await create(connect(server), "Look", { background: true });
    const reader = connect({ fetch: server.fetchAs(["read"]) });
    await expect(reader.responses.retrieve(started.id, { stream: true })).rejects.toMatchObject({ status: 403 });
    const events = await allOf(await connect(server).responses.retrieve(started.id, { stream: true }));
    expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { status: "completed" } });
  });

  test("agents are models", async () => {
    const { models } = connect(startServer([]));
    expect((await models.list()).data).toMatchObject([{ id: "default", owned_by: "pawl" }]);
    expect(await models.retrieve("default")).toMatchObject({ id: "default", object: "model" });
    await expect(models.retrieve("none")).rejects.toMatchObject({ status: 404, code: "agent_not_found" });
  });

  test("a chat completion sends a gate as text and is never an approval", async () => {
    const server = startServer(SCRIPTS.write);
    const client = connect(server, { defaultHeaders: { "x-pawl-chat-id": "chat-1" } });
    const say = (content: string) =>
      client.chat.completions.create({ model: "default", messages: [{ role: "user", content }] });
    const asked = await say("Write");
    expect(asked.choices[0]?.message.content).toMatch(/waits for a person\. Open http:\/\/pawl\/#\/threads\/thr_/);
    const again = await say("approve");
    expect(again.choices[0]?.message.content).toContain("waits for a person");
    expect(server.ledger()).toEqual([]);
  });

  test("a chat completion with a known Idempotency-Key is answered from the log", async () => {
    const server = startServer(SCRIPTS.answer);
    const client = connect(server);
    const say = (content: string) =>
      client.chat.completions.create(
        { model: "default", messages: [{ role: "user", content }] },
        { headers: { "idempotency-key": "request-1" } },
      );
    const first = await say("How is the weather?");
    expect((await say("How is the weather?")).choices).toEqual(first.choices);
    await expect(say("And tomorrow?")).rejects.toMatchObject({ code: "idempotency_mismatch" });
    expect(await storedThreads(server)).toHaveLength(1);
  });

  test("the configuration may name the header of the thread", async () => {
    const protocols = ProtocolsConfig.parse({ openai: { mode: "direct", chat_id_header: "X-Chat" } });
    const config = { ...DEFAULT_CONFIG, protocols };
    const server = startServer([...SCRIPTS.answer, ...SCRIPTS.answer], { config });
    const messages = [{ role: "user" as const, content: "How is the weather?" }];
    for (const name of ["x-chat", "X-Chat"])
      await connect(server).chat.completions.create({ model: "default", messages }, { headers: { [name]: "mine" } });
    expect(await storedThreads(server)).toHaveLength(1);
  });

  test("a chat completion is streamed", async () => {
    const client = connect(startServer(SCRIPTS.answer));
    const messages = [{ role: "user" as const, content: "Hello" }];
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    const stream = await client.chat.completions.create({ model: "default", messages, ...options });
    const chunks = await allOf(stream);
    expect(chunks.map(({ choices }: Any) => choices[0]?.delta.content ?? "").join("")).toContain("It is sunny.");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
  });
});

describe("@ai-sdk/openai 4.0.114", () => {
  const modelOf = ({ fetch: fetcher }: ProtocolServer) =>
    createOpenAI({ apiKey: "any", baseURL: "http://pawl/openai/v1", fetch: fetcher }).responses("default");

  /** Creates a chat that sends its whole history each time, as the SDK does by itself. */
  function chatWith(server: ProtocolServer) {
    const messages: Any[] = [];
    const send = async (message: Any): Promise<Any> => {
      messages.push(message);
      const result = await generateText({ model: modelOf(server), messages, maxRetries: 0 });
      messages.push(...result.response.messages);
      return result;
    };
    const decide = ({ content }: Any, approved: boolean): Promise<Any> => {
      const { approvalId } = content.find(({ type }: Any) => type === "tool-approval-request");
      const approval = { type: "tool-approval-response", approvalId, approved, providerExecuted: true };
      return send({ role: "tool", content: [approval] });
    };
    return { messages, say: (content: string) => send({ role: "user", content }), decide };
  }

  cell("answer", "a history that the SDK sends again continues its thread, and no branch of it", async () => {
    const server = startServer([...SCRIPTS.answer, ...SCRIPTS.answer]);
    const { say, messages } = chatWith(server);
    expect((await say("How is the weather?")).text).toContain("It is sunny.");
    expect((await say("And tomorrow?")).text).toContain("It is sunny.");
    expect(await storedThreads(server)).toHaveLength(1);
    messages.splice(2);
    await expect(say("And yesterday?")).rejects.toThrow("is not the newest of its thread");
  });

  cell("stream", "text arrives in pieces", async () => {
    const { textStream, finishReason } = streamText({ model: modelOf(startServer(SCRIPTS.tool)), prompt: "Look" });
    const pieces = await allOf(textStream);
    expect([pieces.join(""), pieces.length > 1]).toEqual([expect.stringContaining("It is sunny."), true]);
    expect(await finishReason).toBe("stop");
  });

  cell("approve", "an approval continues the thread, and the call runs once", async () => {
    const server = startServer(SCRIPTS.write);
    const { say, decide } = chatWith(server);
    const { text } = await decide(await say("Write"), true);
    expect(text).toContain("Written.");
    expect([server.ledger(), (await storedThreads(server)).length]).toEqual([["a"], 1]);
  });

  cell("reject", "a rejected call does not run", async () => {
    const server = startServer(SCRIPTS.rejected);
    const { say, decide } = chatWith(server);
    expect((await decide(await say("Write"), false)).text).toContain("Not written.");
    expect(server.ledger()).toEqual([]);
  });

  cell("question", "the next message of the history answers it", async () => {
    const { say } = chatWith(startServer(SCRIPTS.question));
    expect((await say("Plan my week")).text).toContain("Which day?");
    expect((await say("Monday, please")).text).toContain("Monday it is.");
  });

  cell("tool", "a tool that Pawl runs has its arguments and its result", async () => {
    const { toolCalls, toolResults }: Any = await chatWith(startServer(SCRIPTS.tool)).say("Look");
    expect(toolCalls).toMatchObject([{ toolName: "mcp.look", input: { at: "the sky" } }]);
    expect(toolResults).toMatchObject([{ output: { output: expect.stringContaining("seen the sky") } }]);
  });

  cell("doubt", "one of four words resolves it", async () => {
    const { say } = chatWith(startServer(SCRIPTS.doubt));
    expect((await say("Send")).text).toContain("happened, not_happened, try_again, abort");
    expect((await say("happened")).text).toContain("Done.");
  });

  cell("budget", "an exhausted budget is reported as a limit of length", async () => {
    const { finishReason } = await chatWith(startServer(SCRIPTS.tool, ONE_TURN)).say("Look");
    expect(finishReason).toBe("length");
  });

  cell("error", "a message while an approval waits is an error with Pawl's code", async () => {
    const { say } = chatWith(startServer(SCRIPTS.write));
    await say("Write");
    await expect(say("And now?")).rejects.toMatchObject({
      statusCode: 409,
      responseBody: expect.stringContaining('"gate_open"'),
    });
  });

  cell("resume", "after the server died, the repetition of the SDK finds everything once", async () => {
    const { first, restart } = startDyingServer(SCRIPTS.tool, "commit.after", 2);
    let restarted: ProtocolServer | null = null;
    /** Breaks the connection to the first server. The next request finds the second one. */
    const fetcher: typeof fetch = async (input, init) => {
      if (restarted) return restarted.fetch(input, init);
      void first.fetch(input, init);
      await new Promise((resolve) => setTimeout(resolve, 100));
      restarted = restart([done, "It is sunny."]);
      throw Object.assign(new TypeError("fetch failed"), { cause: new Error("socket hang up") });
    };
    const model = modelOf({ ...first, fetch: fetcher });
    const request = { model, prompt: "Look", headers: { "idempotency-key": "request-1" } };
    const result: Any = await generateText({ ...request, maxRetries: 1 });
    expect([result.toolResults.length, result.text]).toEqual([1, expect.stringContaining("It is sunny.")]);
    const again = streamText(request);
    expect([await again.text, (await again.toolResults).length]).toEqual([result.text, 1]);
    expect(await storedThreads(restarted ?? first)).toHaveLength(1);
  });

  test("tools of the SDK run in it, step after step, in one thread", async () => {
    const server = startServer(CLIENT_CALL);
    const inputSchema = jsonSchema(PICK_COLOR.input as Any);
    const tools = { pickColor: { description: "Picks.", inputSchema, execute: async () => "blue" } };
    const options = { model: modelOf(server), prompt: "Paint", tools, maxRetries: 0, stopWhen: stepCountIs(3) };
    expect((await generateText(options as Any)).text).toContain("Blue.");
    expect(await storedThreads(server)).toHaveLength(1);
  });

  test.each([
    ["asks for approval", {}, ["function_call", "mcp_approval_request"]],
    ["does not ask if the tool is declared so", { "x-pawl": { outward: false } }, ["function_call", "function_call"]],
  ])("a second call of a function of the client %s", async (_title, declared, types) => {
    const client = connect(startServer([callTool("pick_color", { title: "Door" }), ...CLIENT_CALL]));
    const parameters = { ...PICK_COLOR.input, ...declared };
    const tools: Any = [{ type: "function", name: "pickColor", description: "Picks.", parameters, strict: null }];
    const first: Any = await client.responses.create({ model: "default", input: "Paint", tools });
    const { call_id } = first.output.at(-1);
    const output: Any = [{ type: "function_call_output", call_id, output: "blue" }];
    const second: Any = await client.responses.create({
      model: "default",
      input: output,
      previous_response_id: first.id,
    });
    expect([first, second].map((response) => response.output.at(-1).type)).toEqual(types);
  });

  test("an approval with the id of the previous response continues it, too", async () => {
    const server = startServer(SCRIPTS.write);
    const model = modelOf(server);
    const asked: Any = await generateText({ model, prompt: "Write" });
    const { approvalId } = asked.content.find(({ type }: Any) => type === "tool-approval-request");
    const approval = { type: "tool-approval-response", approvalId, approved: true, providerExecuted: true };
    const messages: Any = [...asked.response.messages, { role: "tool", content: [approval] }];
    const providerOptions = { openai: { previousResponseId: asked.providerMetadata.openai.responseId } };
    expect((await generateText({ model, messages, providerOptions })).text).toContain("Written.");
  });
});
