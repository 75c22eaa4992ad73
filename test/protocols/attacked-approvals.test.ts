// Sends the approval of a call over each surface as an attacker would: without the right, from another tenant, for
// another gate, too late, twice, and with two answers at the same time.
import { expect, test } from "vitest";
import { createApp } from "../../src/http/app.ts";
import type { Gate } from "../../src/schema/gate.ts";
import { ProtocolsConfig, SURFACES } from "../../src/schema/protocols/protocols-config.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { callTool, done } from "../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../support/server.ts";
import { createWriteTool } from "../support/tools.ts";
import { a2aForm, type ErrorForm, mcpForm, openaiForm, problemForm, readBody } from "./error-forms.ts";

type Waiting = { readonly id: string; readonly gate: Extract<Gate, { kind: "confirmation" }> };
type Surface = {
  readonly form: ErrorForm;
  /** Returns one request with `answers` as the decisions about the gate. */
  readonly request: (waiting: Waiting, answers: readonly boolean[]) => readonly [path: string, body: object];
  /** True if the protocol allows several answers in one request. */
  readonly several: boolean;
};

const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
const decisionOf = (approved: boolean | undefined): string => (approved ? "approve" : "reject");

const CASES: Readonly<Record<string, Surface>> = {
  turns: {
    form: problemForm,
    several: false,
    request: ({ id, gate }, [approved]) => [
      `/v1/threads/${id}/turns?until=pause`,
      { input: { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: decisionOf(approved) } },
    ],
  },
  "AG-UI": {
    form: problemForm,
    several: true,
    request: ({ id, gate }, answers) => {
      const resume = answers.map((approved) => ({ interruptId: gate.id, status: "resolved", payload: { approved } }));
      return ["/agui", { threadId: id, runId: "r", messages: [], resume }];
    },
  },
  "AI SDK": {
    form: problemForm,
    several: false,
    request: ({ id, gate }, [approved]) => {
      const approval = { id: gate.id, approved, signature: gate.digest };
      const part = { type: "dynamic-tool", toolCallId: gate.id, state: "approval-responded", approval };
      return ["/ai/chat", { id, messages: [{ id: "m", role: "assistant", parts: [part] }] }];
    },
  },
  Responses: {
    form: openaiForm,
    several: true,
    request: ({ id, gate }, answers) => {
      const approval_request_id = `mcpr_${id.slice(4)}_${gate.id}`;
      const input = answers.map((approve) => ({ type: "mcp_approval_response", approval_request_id, approve }));
      return ["/openai/v1/responses", { conversation: `conv_${id.slice(4)}`, input }];
    },
  },
  MCP: {
    form: mcpForm,
    several: false,
    request: ({ id, gate }, [approved]) => [
      "/mcp",
      rpc("tools/call", { name: "pawl_answer", arguments: { thread: id, gate_id: gate.id, approved } }),
    ],
  },
  A2A: {
    form: a2aForm,
    several: true,
    request: ({ id, gate }, answers) => {
      const parts = answers.map((approved) => ({ data: { gate_id: gate.id, decision: decisionOf(approved) } }));
      return ["/a2a", rpc("SendMessage", { message: { messageId: "m", contextId: id, parts } })];
    },
  },
};

/**
 * Starts two threads of Ann that wait for an approval of the same call. Bob belongs to another tenant; Cleo may do
 * everything but approve.
 */
async function start() {
  const modes = SURFACES.map((name) => [name, { mode: "direct", approve: true }]);
  const protocols = ProtocolsConfig.parse(Object.fromEntries(modes));
  const ledger: string[] = [];
  const call = callTool("write", { line: "a" });
  const config = { ...DEFAULT_CONFIG, protocols, gate_expire_after_s: 60 };
  const rt = createTestRuntime([call, call, done, "Written."], [createWriteTool(ledger)], { config });
  const waiting = async (): Promise<Waiting> => {
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
    const gate = unwrap(await thread.turn()).records.at(-1)?.state.gate;
    if (gate?.kind !== "confirmation") throw new Error("no call waits for approval");
    return { id: thread.at.thread, gate };
  };
  const [own, other] = [await waiting(), await waiting()];
  const keys = [
    aKeyRow("ann", "local"),
    aKeyRow("bob", "other"),
    aKeyRow("cleo", "local", ["read", "advance", "admin"]),
  ];
  const app = createApp(testSettings(rt, { keys: () => keys }));
  const send = async ({ request, form }: Surface, to: Waiting, answers: readonly boolean[], who = "ann") => {
    const [path, body] = request(to, answers);
    const headers = {
      authorization: `Bearer ${apiKeyFor(who)}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const answer = await app.request(path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    const code = (): Promise<string> =>
      readBody(new Response(text, answer)).then((read) => form(answer.status, read).code);
    return { code };
  };
  const version = async (id: string) =>
    unwrap(await rt.store.load({ tenant: "local", thread: id } as never, 1)).head.version;
  return { rt, ledger, own, other, send, version };
}

const each = Object.entries(CASES);
const APPROVE = [true];

test.each(each)("%s refuses to end a gate without the scope confirm, either way", async (_name, surface) => {
  const { send, own, version, ledger } = await start();
  for (const approved of [true, false])
    expect(await (await send(surface, own, [approved], "cleo")).code()).toBe("forbidden");
  expect([await version(own.id), ledger]).toEqual([1, []]);
});

test.each(each)("%s knows no thread of another tenant", async (_name, surface) => {
  const { send, own, version, ledger } = await start();
  expect(await (await send(surface, own, APPROVE, "bob")).code()).toBe("thread_not_found");
  expect([await version(own.id), ledger]).toEqual([1, []]);
});

test.each(each)("%s refuses the gate of another thread", async (_name, surface) => {
  const { send, own, other, version, ledger } = await start();
  expect(await (await send(surface, { id: own.id, gate: other.gate }, APPROVE)).code()).toBe("gate_closed");
  expect([await version(own.id), await version(other.id), ledger]).toEqual([1, 1, []]);
});

test.each(each)("%s refuses an approval that comes too late", async (_name, surface) => {
  const { rt, send, own, version, ledger } = await start();
  rt.clock.advance(61_000);
  expect(await (await send(surface, own, APPROVE)).code()).toBe("gate_expired");
  expect([await version(own.id), ledger]).toEqual([1, []]);
});

test.each(each.filter(([, { several }]) => several))(
  "%s refuses two answers in one request",
  async (_name, surface) => {
    const { send, own, version, ledger } = await start();
    for (const answers of [
      [true, false],
      [false, true],
    ])
      expect(await (await send(surface, own, answers)).code()).toBe("request_invalid");
    expect([await version(own.id), ledger]).toEqual([1, []]);
  },
);

test.each(each)("%s takes an approval once", async (_name, surface) => {
  const { send, own, ledger } = await start();
  for (let n = 1; n <= 2; n += 1) {
    await send(surface, own, APPROVE);
    expect(ledger).toHaveLength(1);
  }
});
