// Tests requests that every surface refuses in the error form of its protocol with Pawl's code and hint. Nothing is
// stored.
import { expect, test } from "vitest";
import { repairSurrogates } from "../../src/protocols/shared/loose-json.ts";
import type { ProblemCode } from "../../src/schema/problem.ts";
import { ProtocolsConfig, SURFACES as SURFACE_NAMES } from "../../src/schema/protocols/protocols-config.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { done } from "../support/decisions.ts";
import { a2aForm, type ErrorForm, mcpForm, openaiForm, problemForm, readBody } from "./error-forms.ts";
import { type ProtocolServer, startServer, storedThreads } from "./support.ts";

/** The fields that a client sends: a message and optionally a thread, an agent and its own tool. */
type Fields = { readonly text: string; readonly thread?: string; readonly agent?: string; readonly tool?: string };
type Surface = {
  readonly path: string;
  readonly body: (fields: Fields) => object;
  /** Returns the problem in a response of this protocol. */
  readonly codeOf: ErrorForm;
  /** The fields that the protocol does not have. */
  readonly lacks: readonly (keyof Fields)[];
};

const parameters = { type: "object", properties: {} };

const SURFACES: Readonly<Record<string, Surface>> = {
  "AG-UI": {
    path: "/agui",
    body: ({ text, thread = "chat", tool }) => ({
      threadId: thread,
      runId: "run",
      messages: [{ id: "m", role: "user", content: text }],
      ...(tool && { tools: [{ name: tool, description: "x", parameters }] }),
    }),
    codeOf: problemForm,
    lacks: ["agent"],
  },
  "AI SDK": {
    path: "/ai/chat",
    body: ({ text, thread = "chat", agent, tool }) => ({
      id: thread,
      trigger: "submit-message",
      messages: [{ id: "m", role: "user", parts: [{ type: "text", text }] }],
      ...(agent && { agent }),
      ...(tool && { tools: [{ name: tool, description: "x", inputSchema: parameters }] }),
    }),
    codeOf: problemForm,
    lacks: [],
  },
  Responses: {
    path: "/openai/v1/responses",
    body: ({ text, thread, agent = "default", tool }) => ({
      model: agent,
      input: text,
      ...(thread && { conversation: thread }),
      ...(tool && { tools: [{ type: "function", name: tool, parameters }] }),
    }),
    codeOf: openaiForm,
    lacks: [],
  },
  "Chat Completions": {
    path: "/openai/v1/chat/completions",
    body: ({ text, agent = "default" }) => ({ model: agent, messages: [{ role: "user", content: text }] }),
    codeOf: openaiForm,
    lacks: ["thread", "tool"],
  },
  MCP: {
    path: "/mcp",
    body: ({ text, thread, agent }) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "pawl_run", arguments: { message: text, thread: thread ?? "mine", ...(agent && { agent }) } },
    }),
    codeOf: mcpForm,
    lacks: ["tool"],
  },
  A2A: {
    path: "/a2a",
    body: ({ text, thread, agent }) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: {
        message: { messageId: "m", role: "ROLE_USER", parts: [{ text }], ...(thread && { contextId: thread }) },
        ...(agent && { metadata: { agent } }),
      },
    }),
    codeOf: a2aForm,
    lacks: ["tool"],
  },
};

const REQUESTS: readonly (readonly [string, Fields, readonly ProblemCode[]])[] = [
  ["text of more than 16 KB", { text: "x".repeat(20_000) }, ["input_too_large"]],
  ["an unknown thread", { text: "Go", thread: "thr_00000000000000000000000000" }, ["thread_not_found"]],
  ["an unknown agent", { text: "Go", agent: "none" }, ["agent_not_found", "request_invalid"]],
  ["a tool with a taken name", { text: "Go", tool: "write" }, ["tool_name_taken"]],
  ["an empty text", { text: " " }, ["request_invalid"]],
];

const send = (server: ProtocolServer, path: string, body: string, type = "application/json") =>
  server.fetch(`http://pawl${path}`, {
    method: "POST",
    headers: { "content-type": type, accept: "application/json, text/event-stream" },
    body,
  });

const CASES = Object.entries(SURFACES).flatMap(([name, surface]) =>
  REQUESTS.filter(([, fields]) => !surface.lacks.some((field) => field in fields)).map(
    ([title, fields, codes]) => [name, title, surface, fields, codes] as const,
  ),
);

test.each(CASES)("%s refuses %s", async (_name, _title, { path, body, codeOf }, fields, codes) => {
  const server = startServer([]);
  const response = await send(server, path, JSON.stringify(body(fields)));
  const { code, text } = codeOf(response.status, await readBody(response));
  expect(codes).toContain(code);
  expect(text.length).toBeGreaterThan(10);
  expect(await storedThreads(server)).toEqual([]);
});

test.each(Object.entries(SURFACES))(
  "%s answers nothing while it is disabled",
  async (_name, { path, body, codeOf }) => {
    const disabled = Object.fromEntries(SURFACE_NAMES.map((name) => [name, { enabled: false }]));
    const server = startServer([done], { config: { ...DEFAULT_CONFIG, protocols: ProtocolsConfig.parse(disabled) } });
    const response = await send(server, path, JSON.stringify(body({ text: "Go" })));
    const { code, text } = codeOf(response.status, await readBody(response));
    expect([response.status, code]).toEqual([404, "route_not_found"]);
    expect(text).toContain("is disabled");
    expect(await storedThreads(server)).toEqual([]);
  },
);

test.each(Object.entries(SURFACES))("%s refuses a body that is not JSON", async (_name, { path, codeOf }) => {
  const server = startServer([]);
  const response = await send(server, path, "{");
  expect(codeOf(response.status, await readBody(response)).code).toBe("body_invalid");
  expect(await storedThreads(server)).toEqual([]);
});

test.each(Object.entries(SURFACES))("%s refuses a body of more than 8 MB", async (_name, { path, body, codeOf }) => {
  const server = startServer([]);
  const response = await send(server, path, JSON.stringify(body({ text: "x".repeat(8_400_000) })));
  expect(codeOf(response.status, await readBody(response)).code).toBe("body_too_large");
  expect(await storedThreads(server)).toEqual([]);
});

test.each(Object.entries(SURFACES))("%s refuses a body that is nested too deep", async (_name, surface) => {
  const { path, body, codeOf } = surface;
  const server = startServer([]);
  const deep = `"x":${"[".repeat(100_000)}${"]".repeat(100_000)},`;
  const response = await send(server, path, `{${deep}${JSON.stringify(body({ text: "Go" })).slice(1)}`);
  expect(codeOf(response.status, await readBody(response)).code).toBe("body_invalid");
  expect(await storedThreads(server)).toEqual([]);
});

test.each(Object.entries(SURFACES))("%s reads text and an id that were cut within an emoji", async (_name, surface) => {
  const { path, body, lacks } = surface;
  const server = startServer([{ reply: done, expect: { contains: "Go \ufffd" } }, "It is sunny."]);
  const cut = "\ud83d";
  const thread = lacks.includes("thread") ? {} : { thread: `mine${cut}` };
  const response = await send(server, path, JSON.stringify(body({ text: `Go ${cut}`, ...thread })));
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("unny.")]);
});

test("only halves of a surrogate pair are replaced", () => {
  const texts = [String.raw`"\ud83d\ude00 \\ud83d \\\ud83d \ude00 \u00e9 \n"`, '"plain 😀"'];
  expect(texts.map(repairSurrogates)).toEqual([
    String.raw`"\ud83d\ude00 \\ud83d \\\ufffd \ufffd \u00e9 \n"`,
    '"plain 😀"',
  ]);
});
