// Tests confirmation links that a caller requests without a webhook, in the user's own program.
import { expect, test } from "vitest";
import { createFetch } from "../../../src/hosts/in-process.ts";
import { createApp } from "../../../src/http/app.ts";
import { SCOPES } from "../../../src/http/edge/caller.ts";
import { confirmRoutes } from "../../../src/http/routes/confirm-link.ts";
import { createDirectLink } from "../../../src/jobs/webhooks/confirm-links.ts";
import { LOCAL_TENANT, ThreadId } from "../../../src/schema/ids.ts";
import { loadThread } from "../../../src/turn/load.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { callTool, done } from "../../support/decisions.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../../support/server.ts";
import { clarify, createWriteTool } from "../../support/tools.ts";

const LINKS = { secret: "s".repeat(32), base: "https://app.example.com" };

async function start(first = callTool("write", { line: "a" }), gate_expire_after_s: number | null = null) {
  const ledger: string[] = [];
  const config = { ...DEFAULT_CONFIG, gate_expire_after_s };
  const rt = createTestRuntime([first, done, "Written."], [createWriteTool(ledger), clarify], { config });
  const fetcher = createFetch(rt, { name: "desk", links: LINKS });
  const send = async (method: string, path: string, body?: object | string, headers: object = {}) => {
    const type = typeof body === "string" ? "application/x-www-form-urlencoded" : "application/json";
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const init = { method, headers: { "content-type": type, ...headers }, ...(body ? { body: text } : {}) };
    const response = await fetcher(`https://app.example.com${path}`, init);
    const answer = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
    const json: any = response.headers.get("content-type")?.includes("json") ? JSON.parse(answer) : null;
    return { status: response.status, json, text: answer };
  };
  const { json: created } = await send("POST", "/v1/threads", { goal: "Write", mode: "direct" });
  const { json } = await send("POST", `/v1/threads/${created.thread.id}/turns`, {});
  return { rt, ledger, send, thread: created.thread.id as string, gate: json.thread.gate };
}

test("a link answers its gate once, in the name of the key that made it", async () => {
  const { send, gate, ledger, thread } = await start();
  const { json: link } = await send("POST", `/v1/gates/${gate.id}/link`, {});
  expect(link.url).toMatch(/^https:\/\/app\.example\.com\/confirm\/cft_/);
  const path = new URL(link.url).pathname;
  expect((await send("GET", path)).text).toContain("Do you want this to happen?");
  expect(ledger).toEqual([]);
  expect((await send("POST", path, "decision=approve")).status).toBe(200);
  expect(ledger).toHaveLength(1);
  expect((await send("POST", path, "decision=approve")).status).toBe(409);
  const { json: turns } = await send("GET", `/v1/threads/${thread}/turns`);
  expect(JSON.stringify(turns)).toContain('"actor":"link:desk"');
});

test("a link ends after a day", async () => {
  const { send, gate, rt, thread } = await start();
  const { json: link } = await send("POST", `/v1/gates/${gate.id}/link`, { thread });
  expect(Date.parse(link.expires_at) - rt.clock.now()).toBe(86_400_000);
  rt.clock.advance(86_400_000);
  expect((await send("POST", new URL(link.url).pathname, "decision=approve")).status).toBe(403);
});

test("a link ends with its gate, and none is made for an expired one", async () => {
  const { send, gate, rt, ledger } = await start(undefined, 60);
  const { json: link } = await send("POST", `/v1/gates/${gate.id}/link`, {});
  expect(link.expires_at).toBe(gate.expires_at);
  rt.clock.advance(60_000);
  expect((await send("POST", new URL(link.url).pathname, "decision=approve")).status).toBe(403);
  expect((await send("POST", `/v1/gates/${gate.id}/link`, {})).json.code).toBe("gate_expired");
  expect(ledger).toEqual([]);
});

test("a link to other content than the gate has approves nothing, even with a valid signature", async () => {
  const { send, rt, thread, ledger } = await start();
  const at = { tenant: LOCAL_TENANT, thread: ThreadId.parse(thread) };
  const { gate } = unwrap(await loadThread(rt, at)).state;
  if (gate?.kind !== "confirmation") throw new Error("the call needs an approval");
  const caller = { name: "desk" };
  for (const [digest, status] of [
    ["0".repeat(gate.digest.length), 409],
    [gate.digest, 200],
  ] as const) {
    const link = createDirectLink(LINKS, at, { ...gate, digest }, { caller, now: rt.clock.now() });
    expect((await send("POST", new URL(link?.url ?? "").pathname, "decision=approve")).status).toBe(status);
    expect(ledger).toHaveLength(status === 200 ? 1 : 0);
  }
});

test("a link ends with the key that made it, and with its right to approve", async () => {
  const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool([])]);
  const expiring = aKeyRow("ann", "acme", SCOPES, new Date(rt.clock.now() + 60_000).toISOString());
  let keys = [expiring];
  const app = createApp(testSettings(rt, { keys: () => keys }), confirmRoutes(LINKS));
  const headers = { authorization: `Bearer ${apiKeyFor("ann")}`, "content-type": "application/json" };
  const send = async (path: string, body: object = {}) =>
    (await app.request(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const { thread } = await send("/v1/threads", { goal: "Write", mode: "direct" });
  const { gate } = (await send(`/v1/threads/${thread.id}/turns`)).thread;
  const { url } = await send(`/v1/gates/${gate.id}/link`);
  const status = async () => (await app.request(new URL(url).pathname)).status;
  expect(await status()).toBe(200);
  for (const others of [[], [aKeyRow("ann", "acme", ["read", "advance"])], [aKeyRow("ann", "other")]]) {
    keys = others;
    expect(await status()).toBe(403);
  }
  // This is a new key with the same name.
  keys = [{ ...expiring, sha256: "0".repeat(64) }];
  expect(await status()).toBe(403);
  keys = [expiring];
  expect(await status()).toBe(200);
  rt.clock.advance(60_000);
  expect(await status()).toBe(403);
});

test("only an open gate that is answered with yes or no has a link", async () => {
  const { send, gate } = await start(callTool("clarify", { question: "Which?" }));
  expect((await send("POST", `/v1/gates/${gate.id}/link`, {})).json.code).toBe("gate_mismatch");
  expect((await send("POST", "/v1/gates/gat_0/link", {})).json.code).toBe("gate_closed");
});

test("surfaces whose reader may be a model show the console, and no link that grants something", async () => {
  const { send, gate, thread } = await start();
  const { json: link } = await send("POST", `/v1/gates/${gate.id}/link`, {});
  const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
  const tool = (name: string, args: object = {}) => rpc("tools/call", { name, arguments: args });
  const task = `task_${thread.slice(4)}_0`;
  const answers = [
    await post("/mcp", tool("pawl_gates")),
    await post("/mcp", tool("pawl_show", { thread })),
    await post("/mcp", rpc("resources/read", { uri: `pawl://threads/${thread}` })),
    await post("/a2a", rpc("GetTask", { id: task })),
    await post("/openai/v1/chat/completions", { messages: [{ role: "user", content: "Go" }] }),
  ];
  for (const text of answers) {
    expect(text).toContain(`/#/threads/${thread}`);
    expect(text).not.toMatch(/cft_|\/confirm\//);
    expect(text).not.toContain(link.url);
  }

  /** Sends a request as the protocols do, with the header that names the chat, and accepts streams. */
  async function post(path: string, body: object): Promise<string> {
    return (await send("POST", path, body, { accept: "application/json, text/event-stream", "x-pawl-chat-id": thread }))
      .text;
  }
});
