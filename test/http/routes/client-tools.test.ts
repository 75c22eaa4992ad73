// Tests tools of the client over HTTP: who may declare them, and the queue for workers.
import { expect, test } from "vitest";
import { createApp } from "../../../src/http/app.ts";
import type { ClientTool } from "../../../src/schema/protocols/client-tool.ts";
import type { ApiScope } from "../../../src/tools/route.ts";
import { callTool, done } from "../../support/decisions.ts";
import { createTestRuntime } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../../support/server.ts";

const OCR: ClientTool = { name: "ocr", description: "Reads a scan.", input: { type: "object", properties: {} } };
const GOAL = { goal: "Read the scan", mode: "direct", client_tools: [OCR] };

function start(scopes: readonly ApiScope[] | null = null) {
  const rt = createTestRuntime([callTool("ocr", {}), done, "Read."]);
  const app = createApp(testSettings(rt, scopes ? { keys: () => [aKeyRow("worker", "local", scopes)] } : {}));
  const authorization = `Bearer ${apiKeyFor("worker")}`;
  const send = async (method: string, path: string, body?: object) => {
    const headers = { host: "localhost", "content-type": "application/json", authorization };
    const response = await app.request(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    // biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
    return { status: response.status, body: (await response.json()) as any };
  };
  return { rt, send };
}

test("a worker finds, leases and answers a call", async () => {
  const { send } = start();
  const { body: created } = await send("POST", "/v1/threads", GOAL);
  const turns = `/v1/threads/${created.thread.id}/turns`;
  expect((await send("POST", `${turns}?until=pause`, {})).body).toMatchObject({ next: "tool_result", stopped: "gate" });
  const { body: queue } = await send("GET", "/v1/gates?kind=external&unleased=true");
  const [{ gate }] = queue.gates;
  expect(gate.call.name).toBe("ocr");
  const lease = { type: "lease", gate_id: gate.id, lease_id: "worker-1", lease_s: 60 };
  expect((await send("POST", turns, { input: lease })).status).toBe(200);
  expect((await send("GET", "/v1/gates?kind=external&unleased=true")).body.gates).toEqual([]);
  expect((await send("GET", "/v1/gates?kind=external")).body.gates).toHaveLength(1);
  expect((await send("GET", "/v1/gates?kind=question")).body.gates).toEqual([]);
  const result = { type: "tool_result", gate_id: gate.id, digest: gate.digest, output: "42" };
  const refused = await send("POST", turns, { input: result });
  expect(refused).toMatchObject({ status: 409, body: { code: "gate_leased", retry_after_s: 60 } });
  const answered = await send("POST", `${turns}?until=pause`, { input: { ...result, lease_id: "worker-1" } });
  expect(answered.body.thread.outcome).toBe("completed");
});

test("the filter of the list is checked", async () => {
  const { send } = start();
  expect((await send("GET", "/v1/gates?kind=other")).body.code).toBe("request_invalid");
  expect((await send("GET", "/v1/gates?unleased=true")).body.code).toBe("request_invalid");
});

test.each([{ output_trust: "trusted" }, { outward: false }, { effect: "pure" }] as const)(
  "a key without confirm cannot declare %o",
  async (change) => {
    const { send } = start(["read", "advance"]);
    const declared = { client_tools: [{ ...OCR, ...change }] };
    expect((await send("POST", "/v1/threads", { ...GOAL, ...declared })).body.code).toBe("forbidden");
    const { body: created } = await send("POST", "/v1/threads", GOAL);
    const turn = await send("POST", `/v1/threads/${created.thread.id}/turns`, declared);
    expect(turn.body.code).toBe("forbidden");
    expect((await send("GET", `/v1/threads/${created.thread.id}`)).body.thread.version).toBe(0);
  },
);

test("a key with confirm can, and the thread lists the tool", async () => {
  const { send } = start(["read", "advance", "confirm"]);
  const trusted = { ...GOAL, client_tools: [{ ...OCR, output_trust: "trusted" }] };
  const { body: created } = await send("POST", "/v1/threads", trusted);
  const { body } = await send("GET", `/v1/threads/${created.thread.id}/tools`);
  expect(body.manifests).toMatchObject([{ name: "ocr", runs_in_client: true, output_trust: "trusted" }]);
});

test("a result above 256 KB is refused, and one of 200 KB is accepted", async () => {
  const { send } = start();
  const { body: created } = await send("POST", "/v1/threads", GOAL);
  const turns = `/v1/threads/${created.thread.id}/turns`;
  const { gate } = (await send("POST", turns, {})).body.thread;
  const result = { type: "tool_result", gate_id: gate.id, digest: gate.digest };
  const large = await send("POST", turns, { input: { ...result, output: "x".repeat(270_000) } });
  expect(large.body.code).toBe("input_too_large");
  expect((await send("POST", turns, { input: { ...result, output: "x".repeat(200_000) } })).status).toBe(200);
});
