// Sends the result of a call that the client runs over each surface as an attacker would: too large, from another
// tenant, with another digest, twice, at the same time over all surfaces, and too late.
import { expect, test } from "vitest";
import { createApp } from "../../src/http/app.ts";
import type { Gate } from "../../src/schema/gate.ts";
import { GateId } from "../../src/schema/ids.ts";
import type { ProblemCode } from "../../src/schema/problem.ts";
import { ProtocolsConfig, SURFACES } from "../../src/schema/protocols/protocols-config.ts";
import { loadThread, readRecords } from "../../src/turn/load.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../support/server.ts";
import { a2aForm, type ErrorForm, mcpForm, openaiForm, problemForm, readBody } from "./error-forms.ts";
import { CLIENT_CALL, PICK_COLOR } from "./support.ts";

type Waiting = { readonly id: string; readonly gate: Extract<Gate, { kind: "external" }> };
type Result = { readonly output: unknown; readonly digest?: string };
type Surface = {
  readonly form: ErrorForm;
  readonly request: (waiting: Waiting, result: Result) => readonly [path: string, body: object];
  /** True if the protocol has a field for the digest. */
  readonly bound: boolean;
};

const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

const CASES: Readonly<Record<string, Surface>> = {
  turns: {
    form: problemForm,
    bound: true,
    request: ({ id, gate }, { output, digest = gate.digest }) => [
      `/v1/threads/${id}/turns?until=pause`,
      { input: { type: "tool_result", gate_id: gate.id, digest, output } },
    ],
  },
  "AG-UI": {
    form: problemForm,
    bound: false,
    request: ({ id, gate }, { output: content }) => [
      "/agui",
      { threadId: id, runId: "r", messages: [{ id: "m", role: "tool", toolCallId: gate.id, content }] },
    ],
  },
  "AI SDK": {
    form: problemForm,
    bound: false,
    request: ({ id, gate }, { output }) => {
      const part = { type: "dynamic-tool", toolCallId: gate.id, state: "output-available", output };
      return ["/ai/chat", { id, messages: [{ id: "m", role: "assistant", parts: [part] }] }];
    },
  },
  Responses: {
    form: openaiForm,
    bound: false,
    request: ({ id, gate }, { output }) => {
      const call_id = `call_${id.slice(4)}_${gate.id}`;
      return ["/openai/v1/responses", { input: [{ type: "function_call_output", call_id, output }] }];
    },
  },
  MCP: {
    form: mcpForm,
    bound: true,
    request: ({ id, gate }, result) => [
      "/mcp",
      rpc("tools/call", { name: "pawl_answer", arguments: { thread: id, gate_id: gate.id, ...result } }),
    ],
  },
  A2A: {
    form: a2aForm,
    bound: true,
    request: ({ id, gate }, result) => {
      const parts = [{ data: { gate_id: gate.id, digest: gate.digest, ...result } }];
      return ["/a2a", rpc("SendMessage", { message: { messageId: "m", contextId: id, parts } })];
    },
  },
};

/** Starts Ann's thread, which waits for the result of her tool. */
async function start() {
  const modes = SURFACES.map((name) => [name, { mode: "direct", approve: true }]);
  const config = { ...DEFAULT_CONFIG, protocols: ProtocolsConfig.parse(Object.fromEntries(modes)) };
  const rt = createTestRuntime(CLIENT_CALL, [], { config });
  const thread = await createTestThread(rt, { goal: "Paint", mode: "direct", client_tools: [PICK_COLOR] });
  const { at } = thread;
  const gate = unwrap(await thread.turn()).records.at(-1)?.state.gate;
  if (gate?.kind !== "external") throw new Error("no call waits for the client");
  const keys = [aKeyRow("ann", at.tenant), aKeyRow("bob", "other")];
  const app = createApp(testSettings(rt, { keys: () => keys }));
  const send = async ({ request }: Surface, result: Result, who = "ann", other: Partial<typeof gate> = {}) => {
    const [path, body] = request({ id: at.thread, gate: { ...gate, ...other } }, result);
    const headers = {
      authorization: `Bearer ${apiKeyFor(who)}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    return app.request(path, { method: "POST", headers, body: JSON.stringify(body) });
  };
  const refused = async (surface: Surface, result: Result, who?: string): Promise<string> => {
    const answer = await send(surface, result, who);
    return surface.form(answer.status, await readBody(answer)).code;
  };
  const records = async () => {
    const { version } = unwrap(await loadThread(rt, at));
    return unwrap(await readRecords(rt, at, 0, version));
  };
  const replies = async () =>
    (await records()).flatMap(({ entry }) => entry.receipts).filter(({ source }) => source === "client_reply");
  const stored = async () => [(await records()).length, unwrap(await rt.store.list("other" as never, { limit: 1 }))];
  return { rt, send, refused, replies, stored };
}

test.each(Object.entries(CASES))(
  "%s takes no result of a call that does not wait, and stores nothing",
  async (_name, surface) => {
    const { send, stored } = await start();
    const before = await stored();
    const answer = await send(surface, { output: "red" }, "ann", { id: GateId.parse(`gat_${"0".repeat(26)}`) });
    expect(["gate_closed", "request_invalid"]).toContain(surface.form(answer.status, await readBody(answer)).code);
    expect(await stored()).toEqual(before);
  },
);

const LARGE = "x".repeat(300_000);
const ATTACKS: readonly (readonly [title: string, Result, ProblemCode, who?: string])[] = [
  ["more than 256 KB", { output: LARGE }, "input_too_large"],
  ["the result of another tenant", { output: "red" }, "thread_not_found", "bob"],
  ["another digest", { output: "red", digest: "0".repeat(64) }, "digest_mismatch"],
];

const attacks = Object.entries(CASES).flatMap(([name, surface]) =>
  ATTACKS.filter(([, { digest }]) => !digest || surface.bound).map(
    ([title, result, code, who]) => [name, title, surface, result, code, who] as const,
  ),
);

test.each(attacks)("%s refuses %s, and stores nothing", async (_name, _title, surface, result, code, who) => {
  const { refused, stored } = await start();
  const before = await stored();
  expect(await refused(surface, result, who)).toBe(code);
  expect(await stored()).toEqual(before);
});

test.each(Object.entries(CASES))("%s refuses a result that comes too late", async (_name, surface) => {
  const { rt, refused, stored } = await start();
  rt.clock.advance(25 * 3_600_000);
  const before = await stored();
  expect(await refused(surface, { output: "red" })).toBe("gate_expired");
  expect(await stored()).toEqual(before);
});

test.each(Object.entries(CASES))("%s takes a result once", async (_name, surface) => {
  const { send, replies } = await start();
  const first = await send(surface, { output: "red" });
  expect([first.status, await first.text()]).toEqual([200, expect.stringContaining("Blue.")]);
  await (await send(surface, { output: "green" })).text();
  expect(await replies()).toHaveLength(1);
});

test("of results that come over all surfaces at once, one is stored", async () => {
  const { send, replies } = await start();
  const results = Object.entries(CASES).map(async ([output, surface]) => (await send(surface, { output })).text());
  const [turns, ...others] = await Promise.all(results);
  expect(await replies()).toHaveLength(1);
  // The loser sees what the winner began, or that the gate is closed.
  expect(turns).toMatch(/Blue\.|gate_closed|thread_moved|turn_running/);
  for (const text of others) expect(text).toMatch(/Blue\.|gate_closed/);
});
