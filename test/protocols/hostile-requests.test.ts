// Tests requests that no client of a protocol sends. Each is refused in the error form of its surface with Pawl's code
// and hint, and nothing is stored.
import { expect, test } from "vitest";
import { createApp } from "../../src/http/app.ts";
import type { ThreadId } from "../../src/schema/ids.ts";
import type { ProblemCode } from "../../src/schema/problem.ts";
import { ProtocolsConfig, SURFACES } from "../../src/schema/protocols/protocols-config.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { callTool } from "../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../support/server.ts";
import { createWriteTool } from "../support/tools.ts";
import { a2aForm, type ErrorForm, mcpForm, openaiForm, problemForm, readBody } from "./error-forms.ts";

type Headers = Readonly<Record<string, string>>;
/** A refused request. `who` is the key: ann's tenant has the thread, bob's has none. */
type Row = readonly [title: string, method: string, path: string, body: unknown, code: ProblemCode, more?: More];
type More = { readonly who?: "bob" | "reader" | "runner" | "nobody"; readonly headers?: Headers };
type Known = { readonly id: string; readonly gate: string };
type Surface = {
  readonly path: string;
  readonly form: ErrorForm;
  readonly good: object;
  readonly rows: (known: Known) => readonly Row[];
};

const UNKNOWN = "thr_00000000000000000000000000";
const OTHER_KIND: ProblemCode = "content_type_unsupported";
const many = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Returns the rows that apply to every surface. */
function commonRows(path: string, good: object): readonly Row[] {
  const text = JSON.stringify(good);
  const typed = (type: string): More => ({ headers: { "content-type": type } });
  return [
    ...["GET", "PUT", "PATCH", "DELETE"].map((method): Row => [method, method, path, null, "method_not_allowed"]),
    ["a string", "POST", path, text, OTHER_KIND, typed("text/plain")],
    ["a compressed body", "POST", path, text, OTHER_KIND, { headers: { "content-encoding": "gzip" } }],
    ["nothing", "POST", path, "", "body_invalid"],
    ["half a body", "POST", path, text.slice(0, -3), "body_invalid"],
    ["two bodies", "POST", path, text + text, "body_invalid"],
    ["a byte order mark", "POST", path, `\ufeff${text}`, "body_invalid"],
    ["deep JSON", "POST", path, `{"x":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, "body_invalid"],
    ["null", "POST", path, "null", "request_invalid"],
    ["a number", "POST", path, "5", "request_invalid"],
    ["an empty list", "POST", path, "[]", "request_invalid"],
    ["no key", "POST", path, text, "unauthorized", { who: "nobody" }],
    [
      "another kind of key",
      "POST",
      path,
      text,
      "unauthorized",
      { who: "nobody", headers: { authorization: "Basic x" } },
    ],
    ["a long header", "POST", path, text, "header_invalid", { headers: { "x-long": "x".repeat(5_000) } }],
    ["a path below", "POST", `${path}/none/such`, text, "route_not_found"],
  ];
}

/** Returns the rows about declared tools, in the form of one surface. */
const toolRows = (path: string, schema: string, request: (tools: readonly object[]) => object): readonly Row[] => {
  const one = (title: string, tool: object, code: ProblemCode = "request_invalid", more: More = {}): Row => [
    title,
    "POST",
    path,
    request([{ type: "function", name: "pick", description: "Picks.", ...tool }]),
    code,
    more,
  ];
  const named = (i: number) => ({ type: "function", name: `tool_${i}`, description: "x".repeat(1_500) });
  return [
    one("a tool with a taken name", { name: "write" }, "tool_name_taken"),
    one("a tool with the name of plans", { name: "pawl_plan" }, "tool_name_taken"),
    one("a schema that is a number", { [schema]: 5 }),
    one("a schema that is a list", { [schema]: [1] }),
    one("a schema of a string", { [schema]: { type: "string" } }),
    one("a schema with an unknown type", { [schema]: { type: "object", properties: { a: { type: "nope" } } } }),
    one("a description of 5,000 characters", { description: "x".repeat(5_000) }),
    one("a name of 200 characters", { name: "p".repeat(200) }),
    one("an unknown effect", { [schema]: { "x-pawl": { effect: "nope" } } }),
    one("a trusted tool", { [schema]: { "x-pawl": { effect: "pure" } } }, "forbidden", { who: "runner" }),
    ["33 tools", "POST", path, request(many(33, (i) => ({ ...named(i), description: "x" }))), "request_invalid"],
    ["tools of 40 KB", "POST", path, request(many(27, named)), "request_invalid"],
    ["two tools with one name", "POST", path, request([{ ...named(1) }, { ...named(1) }]), "tool_name_taken"],
  ];
};

const agui = (more: object = {}) => ({
  threadId: "c",
  runId: "r",
  messages: [{ id: "m", role: "user", content: "Go" }],
  ...more,
});
const resume = (interruptId: string, payload?: object, status = "resolved") => [{ interruptId, status, payload }];

function aguiRows({ id, gate }: Known): readonly Row[] {
  const row = (title: string, more: object, code: ProblemCode = "request_invalid", who?: More): Row => [
    title,
    "POST",
    "/agui",
    agui(more),
    code,
    who ?? {},
  ];
  const answer = (payload?: object, status?: string) => ({ threadId: id, resume: resume(gate, payload, status) });
  return [
    row("no thread", { threadId: undefined }),
    row("an empty id", { threadId: "" }),
    row("a long id", { threadId: "x".repeat(300) }),
    row("no run", { runId: undefined }),
    row("no messages", { messages: [] }),
    row("an image", { messages: [{ id: "m", role: "user", content: [{ type: "image", source: {} }] }] }),
    row("a message of the assistant", { messages: [{ id: "m", role: "assistant", content: "x" }] }),
    row("an unknown thread", { threadId: UNKNOWN }, "thread_not_found"),
    row("a thread of another tenant", { threadId: id }, "thread_not_found", { who: "bob" }),
    row("an unknown interrupt", { threadId: id, resume: resume("gat_x") }, "gate_closed"),
    row("an unknown status", answer({ approved: true }, "done")),
    row("an answer without a decision", answer({})),
    row("another digest", answer({ approved: true, digest: "x" }), "digest_mismatch"),
    row("edited arguments of another type", answer({ approved: true, editedArgs: { line: 5 } }), "arguments_invalid"),
    row("an approval without the right", answer({ approved: true }), "forbidden", { who: "runner" }),
    row("an approval of another tenant", answer({ approved: true }), "thread_not_found", { who: "bob" }),
    row("a key that only reads", {}, "forbidden", { who: "reader" }),
    row("an unknown agent", { forwardedProps: { agent: "none" } }),
    ...toolRows("/agui", "parameters", (tools) => agui({ tools })),
  ];
}

const chat = (more: object = {}) => ({
  id: "c",
  messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "Go" }] }],
  ...more,
});

function aiRows({ id, gate }: Known): readonly Row[] {
  const row = (title: string, more: object, code: ProblemCode = "request_invalid", who?: More): Row => [
    title,
    "POST",
    "/ai/chat",
    chat(more),
    code,
    who ?? {},
  ];
  const part = (approval: object | undefined) => ({ type: "dynamic-tool", state: "approval-responded", approval });
  const answer = (approval?: object) => ({ id, messages: [{ id: "m", role: "assistant", parts: [part(approval)] }] });
  return [
    row("no id", { id: undefined }),
    row("a long id", { id: "x".repeat(300) }),
    row("no messages", { messages: [] }),
    row("parts that are a string", { messages: [{ id: "m", role: "user", parts: "x" }] }),
    row("a file", { messages: [{ id: "m", role: "user", parts: [{ type: "file", url: "data:" }] }] }),
    row("a generation again", { ...answer(), trigger: "regenerate-message" }, "signal_refused"),
    row("an unknown thread", { id: UNKNOWN }, "thread_not_found"),
    row("a thread of another tenant", { id }, "thread_not_found", { who: "bob" }),
    row("an answer without an approval", answer(), "gate_closed"),
    row("an answer to another gate", answer({ id: "gat_x", approved: true }), "gate_closed"),
    row("an answer without a decision", answer({ id: gate })),
    row("another signature", answer({ id: gate, approved: true, signature: "x" }), "digest_mismatch"),
    row("an approval without the right", answer({ id: gate, approved: true }), "forbidden", { who: "runner" }),
    row("an approval of another tenant", answer({ id: gate, approved: true }), "thread_not_found", { who: "bob" }),
    row("a key that only reads", {}, "forbidden", { who: "reader" }),
    row("an unknown agent", { agent: "none" }),
    ["the stream of an unknown thread", "GET", `/ai/chat/${UNKNOWN}/stream`, null, "thread_not_found"],
    ["the stream of another tenant", "GET", `/ai/chat/${id}/stream`, null, "thread_not_found", { who: "bob" }],
    ["the stream with POST", "POST", `/ai/chat/${id}/stream`, {}, "method_not_allowed"],
    ...toolRows("/ai/chat", "inputSchema", (tools) => chat({ tools })),
  ];
}

const RESPONSES = "/openai/v1/responses";
const response = (more: object = {}) => ({ model: "default", input: "Go", ...more });

function responseRows({ id, gate }: Known): readonly Row[] {
  const suffix = id.slice(4);
  const conversation = `conv_${suffix}`;
  const row = (title: string, more: object, code: ProblemCode = "request_invalid", who?: More): Row => [
    title,
    "POST",
    RESPONSES,
    response(more),
    code,
    who ?? {},
  ];
  const read = (
    title: string,
    path: string,
    code: ProblemCode = "thread_not_found",
    more: More = {},
    method = "GET",
  ): Row => [title, method, `${RESPONSES}/${path}`, method === "POST" ? {} : null, code, more];
  const answer = (approval_request_id: string, approve?: boolean) => ({
    conversation,
    input: [{ type: "mcp_approval_response", approval_request_id, approve }],
  });
  const content = (type: string) => ({ input: [{ role: "user", content: [{ type }] }] });
  return [
    row("an unknown model", { model: "gpt-9" }, "agent_not_found"),
    row("a model that is a number", { model: 5 }),
    row("no input", { input: undefined }),
    row("an empty input", { input: "" }),
    row("an image", content("input_image")),
    row("a file", content("input_file")),
    row("a schema for the text", { text: { format: { type: "json_schema", name: "x", schema: {} } } }),
    row("no storage", { store: false }),
    row("a tool of OpenAI", { tools: [{ type: "web_search" }] }),
    row("a required tool", { tool_choice: "required" }),
    row("a conversation besides a response", { conversation: "x", previous_response_id: "y" }),
    row("a malformed response", { previous_response_id: "resp_x" }, "thread_not_found"),
    row("a response of another tenant", { previous_response_id: `resp_${suffix}_0` }, "thread_not_found", {
      who: "bob",
    }),
    row("a conversation of another tenant", { conversation }, "thread_not_found", { who: "bob" }),
    row("an unknown conversation", { conversation: `conv_${UNKNOWN.slice(4)}` }, "thread_not_found"),
    row("a message while a gate is open", { conversation }, "gate_open"),
    row("an answer to another gate", answer("mcpr_x", true), "gate_closed"),
    row("an answer without a decision", answer(`mcpr_${gate}`)),
    row("an approval without the right", answer(`mcpr_${gate}`, true), "forbidden", { who: "runner" }),
    row(
      "an output that nobody waits for",
      { input: [{ type: "function_call_output", call_id: "x", output: "y" }] },
      "gate_closed",
    ),
    row("metadata that is a number", { metadata: { a: 5 } }),
    row("a key that only reads", {}, "forbidden", { who: "reader" }),
    read("an unknown response", "resp_x"),
    read("a response of another tenant", `resp_${suffix}_0`, "thread_not_found", { who: "bob" }),
    read("its cancellation by another tenant", `resp_${suffix}_0/cancel`, "thread_not_found", { who: "bob" }, "POST"),
    read("its deletion by another tenant", `resp_${suffix}_0`, "thread_not_found", { who: "bob" }, "DELETE"),
    ...toolRows(RESPONSES, "parameters", (tools) => response({ tools })),
  ];
}

const CONVERSATIONS = "/openai/v1/conversations";

function conversationRows({ id }: Known): readonly Row[] {
  const own = `${CONVERSATIONS}/conv_${id.slice(4)}`;
  const bob: More = { who: "bob" };
  const post = (title: string, body: object): Row => [title, "POST", CONVERSATIONS, body, "request_invalid"];
  const list = (query: string): Row => [query, "GET", `${own}/items?${query}`, null, "request_invalid"];
  const fields = Object.fromEntries(many(17, (i) => [`k${i}`, "v"]));
  return [
    post("metadata that is a number", { metadata: { a: 5 } }),
    post("long metadata", { metadata: { a: "x".repeat(513) } }),
    post("17 fields of metadata", { metadata: fields }),
    post("items", { items: [{}] }),
    post("items that are a string", { items: "x" }),
    ["items of a log", "POST", `${own}/items`, { items: [] }, "request_invalid"],
    ["a deleted item", "DELETE", `${own}/items/x`, null, "request_invalid"],
    ["an unknown conversation", "GET", `${CONVERSATIONS}/none`, null, "thread_not_found"],
    ["a change of an unknown one", "POST", `${CONVERSATIONS}/none`, {}, "thread_not_found"],
    ["an unknown item", "GET", `${own}/items/x`, null, "thread_not_found"],
    ["another tenant that reads", "GET", own, null, "thread_not_found", bob],
    ["another tenant that changes", "POST", own, {}, "thread_not_found", bob],
    ["another tenant that deletes", "DELETE", own, null, "thread_not_found", bob],
    ["another tenant that lists", "GET", `${own}/items`, null, "thread_not_found", bob],
    ["a key that only reads", "POST", own, {}, "forbidden", { who: "reader" }],
    ...["limit=0", "limit=1e9", "limit=x", "order=x", "after=x"].map(list),
    ["an unknown model", "GET", "/openai/v1/models/none", null, "agent_not_found"],
    ["a model named __proto__", "GET", "/openai/v1/models/__proto__", null, "agent_not_found"],
    ["a deleted model", "DELETE", "/openai/v1/models/default", null, "method_not_allowed"],
    ["models without a key", "GET", "/openai/v1/models", null, "unauthorized", { who: "nobody" }],
    ["the root", "GET", "/openai/v1", null, "route_not_found"],
    ["embeddings", "POST", "/openai/v1/embeddings", {}, "route_not_found"],
  ];
}

const COMPLETIONS = "/openai/v1/chat/completions";
const completion = (more: object = {}) => ({ model: "default", messages: [{ role: "user", content: "Go" }], ...more });

function completionRows({ id }: Known): readonly Row[] {
  const row = (title: string, more: object, code: ProblemCode = "request_invalid", who?: More): Row => [
    title,
    "POST",
    COMPLETIONS,
    completion(more),
    code,
    who ?? {},
  ];
  const named = (name: string): More => ({ headers: { "x-pawl-chat-id": name } });
  return [
    row("an unknown model", { model: "gpt-9" }, "agent_not_found"),
    row("no messages", { messages: undefined }),
    row("an empty list of messages", { messages: [] }),
    row("no message of the user", { messages: [{ role: "system", content: "x" }] }),
    row("a message without text", { messages: [{ role: "user", content: null }] }),
    row("an image", { messages: [{ role: "user", content: [{ type: "image_url" }] }] }),
    row("tools", { tools: [{ type: "function", function: { name: "x" } }] }),
    row("two answers", { n: 2 }),
    row("less than one answer", { n: -1 }),
    row("sound", { modalities: ["text", "audio"] }),
    row("a schema for the text", { response_format: { type: "json_schema" } }),
    row("an unknown format", { response_format: "x" }),
    row("a stream that is a string", { stream: "yes" }),
    row("an unknown thread", {}, "thread_not_found", named(UNKNOWN)),
    row("a thread of another tenant", {}, "thread_not_found", { who: "bob", ...named(id) }),
    row("a long id", {}, "header_invalid", named("x".repeat(300))),
    row("a key that only reads", {}, "forbidden", { who: "reader" }),
    row("a long idempotency key", {}, "header_invalid", { headers: { "idempotency-key": "x".repeat(300) } }),
  ];
}

const rpc = (method: string, params?: unknown, more: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params,
  ...more,
});
const MODERN = "2026-07-28";
const KEY = "io.modelcontextprotocol";
const META = {
  [`${KEY}/protocolVersion`]: MODERN,
  [`${KEY}/clientInfo`]: { name: "x", version: "1" },
  [`${KEY}/clientCapabilities`]: {},
};
const modern = (method: string, name?: string): More => ({
  headers: { "mcp-protocol-version": MODERN, "mcp-method": method, ...(name && { "mcp-name": name }) },
});

function mcpRows({ id, gate }: Known): readonly Row[] {
  const row = (title: string, body: object, code: ProblemCode = "request_invalid", more: More = {}): Row => [
    title,
    "POST",
    "/mcp",
    body,
    code,
    more,
  ];
  const tool = (title: string, name: string, args: unknown, code?: ProblemCode, more?: More): Row =>
    row(title, rpc("tools/call", { name, arguments: args }), code, more);
  const answer = (more: object) => ({ thread: id, gate_id: gate, ...more });
  const resource = (uri: string) => rpc("resources/read", { uri });
  return [
    row("an unknown method", rpc("none/such", {})),
    row("an unknown method of 2026", rpc("none/such", { _meta: META }), "request_invalid", modern("none/such")),
    row("another version of JSON-RPC", { ...rpc("tools/list"), jsonrpc: "1.0" }),
    row("no method", { jsonrpc: "2.0", id: 1 }),
    row("an id that is an object", rpc("tools/list", {}, { id: {} })),
    row("params that are a string", rpc("tools/call", "x")),
    row("no params", rpc("tools/call")),
    row("an initialization without a version", rpc("initialize", {})),
    row("prompts", rpc("prompts/list", {})),
    row("a log level", rpc("logging/setLevel", { level: "debug" })),
    row("a subscription", rpc("resources/subscribe", { uri: `pawl://threads/${id}` })),
    row("101 messages", many(101, () => rpc("tools/list", {})) as unknown as object),
    row("another version in the header", rpc("tools/list", {}), "request_invalid", {
      headers: { "mcp-protocol-version": "1999-01-01" },
    }),
    row(
      "another version in the envelope",
      rpc("tools/list", { _meta: { ...META, [`${KEY}/protocolVersion`]: "1999-01-01" } }),
      "request_invalid",
      { headers: { "mcp-protocol-version": "1999-01-01", "mcp-method": "tools/list" } },
    ),
    row("another method in the header", rpc("tools/list", { _meta: META }), "request_invalid", modern("tools/call")),
    row(
      "another name in the header",
      rpc("tools/call", { name: "pawl_show", arguments: {}, _meta: META }),
      "request_invalid",
      modern("tools/call", "pawl_run"),
    ),
    row(
      "half an envelope",
      rpc("tools/list", { _meta: { [`${KEY}/protocolVersion`]: MODERN } }),
      "request_invalid",
      modern("tools/list"),
    ),
    row("a client that reads no streams", rpc("tools/list", {}), "request_invalid", {
      headers: { accept: "application/json" },
    }),
    row(
      "a state of somebody else",
      rpc("tools/call", {
        name: "pawl_run",
        arguments: { goal: "x" },
        requestState: "x",
        inputResponses: {},
        _meta: META,
      }),
      "request_invalid",
      modern("tools/call", "pawl_run"),
    ),
    tool("an unknown tool", "none", {}),
    tool("arguments that are a string", "pawl_run", "x"),
    tool("an argument of another type", "pawl_run", { goal: 5 }),
    tool("no goal", "pawl_run", {}),
    tool("an unknown thread", "pawl_run", { thread: UNKNOWN, message: "x" }, "thread_not_found"),
    tool("a thread of another tenant", "pawl_run", { thread: id, message: "x" }, "thread_not_found", { who: "bob" }),
    tool("a look at it", "pawl_show", { thread: id }, "thread_not_found", { who: "bob" }),
    tool("an answer of another tenant", "pawl_answer", answer({ approved: true }), "thread_not_found", { who: "bob" }),
    tool("an answer to another gate", "pawl_answer", answer({ gate_id: "gat_x", approved: true }), "gate_closed"),
    tool("an answer without a decision", "pawl_answer", answer({})),
    tool("another digest", "pawl_answer", answer({ approved: true, digest: "x" }), "digest_mismatch"),
    tool("an approval without the right", "pawl_answer", answer({ approved: true }), "forbidden", { who: "runner" }),
    tool("a key that only reads", "pawl_run", { goal: "x" }, "forbidden", { who: "reader" }),
    row("an unknown resource", resource(`pawl://threads/${UNKNOWN}`), "thread_not_found"),
    row("a resource of another tenant", resource(`pawl://threads/${id}`), "thread_not_found", { who: "bob" }),
    row("a file", resource("file:///etc/passwd"), "thread_not_found"),
    row("no resource", rpc("resources/read", {})),
    row("an address that is none", resource("")),
  ];
}

const message = (more: object = {}, fields: object = {}) => ({
  message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "Go" }], ...more },
  ...fields,
});

function a2aRows({ id, gate }: Known): readonly Row[] {
  const row = (
    title: string,
    method: string,
    params: unknown,
    code: ProblemCode = "request_invalid",
    more: More = {},
  ): Row => [title, "POST", "/a2a", rpc(method, params), code, more];
  const send = (title: string, params: unknown, code?: ProblemCode, more?: More) =>
    row(title, "SendMessage", params, code, more);
  const answer = (data: object) => message({ contextId: id, parts: [{ data: { decision: "approve", ...data } }] });
  const version = (number: string): Row =>
    send(`version ${number}`, message(), "request_invalid", { headers: { "a2a-version": number } });
  return [
    row("an unknown method", "None", {}),
    row("a method of an older version", "message/send", {}),
    row("the extended card", "GetExtendedAgentCard", {}),
    row("a subscription of notifications", "CreateTaskPushNotificationConfig", {}),
    ["another version of JSON-RPC", "POST", "/a2a", { ...rpc("ListTasks"), jsonrpc: "1.0" }, "request_invalid"],
    ["no method", "POST", "/a2a", { jsonrpc: "2.0", id: 1 }, "request_invalid"],
    ["an id that is an object", "POST", "/a2a", rpc("ListTasks", {}, { id: {} }), "request_invalid"],
    version("2.0"),
    version("0.3"),
    send("no params", undefined),
    send("params that are a list", []),
    send("no message id", { message: { parts: [{ text: "x" }] } }),
    send("no parts", message({ parts: [] })),
    send("a message of an agent", message({ role: "ROLE_AGENT" })),
    send("a file", message({ parts: [{ raw: "aGk=" }] }), OTHER_KIND),
    send("an address of a file", message({ parts: [{ url: "http://x" }] }), OTHER_KIND),
    send(
      "a request for notifications",
      message({}, { configuration: { taskPushNotificationConfig: { url: "http://x" } } }),
    ),
    send("an unknown agent", message({}, { metadata: { agent: "none" } })),
    send("an unknown context", message({ contextId: UNKNOWN }), "thread_not_found"),
    send("a context of another tenant", message({ contextId: id }), "thread_not_found", { who: "bob" }),
    send("an unknown task", message({ taskId: "task_x" }), "thread_not_found"),
    send("a message while a gate is open", message({ contextId: id }), "gate_open"),
    send("another digest", answer({ gate_id: gate, digest: "x" }), "digest_mismatch"),
    send("an answer to another gate", answer({ gate_id: "gat_x", digest: "x" }), "gate_closed"),
    send("data without a gate", message({ contextId: id, parts: [{ data: {} }] })),
    send("an approval without the right", answer({ gate_id: gate }), "forbidden", { who: "runner" }),
    send("an approval of another tenant", answer({ gate_id: gate }), "thread_not_found", { who: "bob" }),
    send("a key that only reads", message(), "forbidden", { who: "reader" }),
    row("a stream with an unknown agent", "SendStreamingMessage", message({}, { metadata: { agent: "none" } })),
    row("an unknown task", "GetTask", { id: "x" }, "thread_not_found"),
    row("a task of another tenant", "GetTask", { id: `task_${id.slice(4)}_0` }, "thread_not_found", { who: "bob" }),
    row("less than no history", "GetTask", { id: "x", historyLength: -1 }),
    row("a cancellation of an unknown task", "CancelTask", { id: "x" }, "thread_not_found"),
    row("a subscription to an unknown task", "SubscribeToTask", { id: "x" }, "thread_not_found"),
    row("a page that does not exist", "ListTasks", { pageToken: "x" }, "cursor_invalid"),
    row("a large page", "ListTasks", { pageSize: 1_000 }),
    row("an unknown status", "ListTasks", { status: "x" }),
  ];
}

const CASES: Readonly<Record<string, Surface>> = {
  "AG-UI": { path: "/agui", form: problemForm, good: agui(), rows: aguiRows },
  "AI SDK": { path: "/ai/chat", form: problemForm, good: chat(), rows: aiRows },
  Responses: { path: RESPONSES, form: openaiForm, good: response(), rows: responseRows },
  "Conversations and models": { path: CONVERSATIONS, form: openaiForm, good: {}, rows: conversationRows },
  "Chat Completions": { path: COMPLETIONS, form: openaiForm, good: completion(), rows: completionRows },
  MCP: { path: "/mcp", form: mcpForm, good: rpc("tools/list"), rows: mcpRows },
  A2A: { path: "/a2a", form: a2aForm, good: rpc("ListTasks"), rows: a2aRows },
};

/** Starts Ann's thread, which waits for an approval. */
async function start() {
  const modes = SURFACES.map((name) => [name, { mode: "direct", approve: true }]);
  const config = { ...DEFAULT_CONFIG, protocols: ProtocolsConfig.parse(Object.fromEntries(modes)) };
  const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool([])], { config });
  const { at, turn } = await createTestThread(rt, { goal: "Write", mode: "direct" });
  const [record] = unwrap(await turn()).records;
  const scopes = { ann: undefined, reader: ["read"], runner: ["read", "advance"] } as const;
  const keys = Object.entries(scopes).map(([name, some]) => aKeyRow(name, at.tenant, some));
  const app = createApp(testSettings(rt, { keys: () => [...keys, aKeyRow("bob", "other")] }));
  const send = async (method: string, path: string, body: unknown, { who, headers }: More) => {
    const authorization = who === "nobody" ? {} : { authorization: `Bearer ${apiKeyFor(who ?? "ann")}` };
    const text = typeof body === "string" || body === null ? body : JSON.stringify(body);
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    return app.request(path, { method, headers: { ...all, ...authorization, ...headers }, body: text });
  };
  const stored = async () => {
    const lists = await Promise.all([at.tenant, "other"].map((tenant) => rt.store.list(tenant as never, { limit: 5 })));
    return lists.map((list) => unwrap(list).map(({ thread, version }) => [thread, version]));
  };
  return { id: at.thread as ThreadId, gate: record?.state.gate?.id ?? "", send, stored };
}

test.each(Object.entries(CASES))("%s refuses what no client sends", async (_name, { path, form, good, rows }) => {
  const { id, gate, send, stored } = await start();
  const before = await stored();
  const all = [...commonRows(path, good), ...rows({ id, gate })];
  expect(all.length).toBeGreaterThanOrEqual(36);
  for (const [title, method, to, body, code, more = {}] of all) {
    const answer = await send(method, to, body, more);
    expect([title, form(answer.status, await readBody(answer)).code]).toEqual([title, code]);
    expect([title, await stored()]).toEqual([title, before]);
  }
});

const BAD = { type: "function", name: "pick", description: "Picks." };
const bad = (schema: string) => [BAD, { ...BAD, name: "choose", [schema]: { type: "string" } }];

test.each([
  ["/agui", agui({ tools: bad("parameters") }), "tools.1.parameters"],
  ["/ai/chat", chat({ tools: bad("inputSchema") }), "tools.1.inputSchema"],
  [RESPONSES, response({ tools: bad("parameters") }), "tools[1].parameters"],
])("%s names the place of a bad tool in its own request", async (path, body, place) => {
  const { send } = await start();
  const answer = await (await send("POST", path, body, {})).json();
  const { message, field = answer.error?.param } = answer.error ?? answer;
  expect([field, message]).toEqual([place, expect.stringMatching(/^tools.1.* not a JSON Schema of an object/)]);
  expect(message.startsWith(`${place}: `)).toBe(true);
});
