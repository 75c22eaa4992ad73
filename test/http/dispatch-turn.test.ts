// Tests the dispatcher for JSON, event streams and sockets: the same request gets the same response in each form.
import { describe, expect, test } from "vitest";
import { createApp } from "../../src/http/app.ts";
import { withDefaults } from "../../src/http/env.ts";
import { respondToFrame } from "../../src/http/live/answer-frame.ts";
import { createTurnRequest } from "../../src/http/turn-request.ts";
import { LOCAL_TENANT, type ThreadId } from "../../src/schema/ids.ts";
import { ask, callTool } from "../support/decisions.ts";
import { createTestRuntime } from "../support/runtime.ts";
import { testSettings } from "../support/server.ts";
import { look } from "../support/tools.ts";

const JSON_HEADERS = { host: "localhost", "content-type": "application/json" };

/** Creates a thread with an open question, and the three ways to answer it. */
async function aQuestion() {
  const rt = createTestRuntime([ask("Which line?"), callTool("look", { at: "after" })], [look]);
  const settings = testSettings(rt);
  const app = createApp(settings);
  const post = (path: string, body: object, accept = "application/json") =>
    app.request(path, { method: "POST", headers: { ...JSON_HEADERS, accept }, body: JSON.stringify(body) });
  const created = (await (await post("/v1/threads", { goal: "Tidy up", mode: "direct" })).json()) as {
    thread: { id: ThreadId };
  };
  const { id } = created.thread;
  const path = `/v1/threads/${id}/turns`;
  const asked = (await (await post(path, {})).json()) as { thread: { gate: { id: string } } };
  const gate_id = asked.thread.gate.id;
  const input = { type: "answer", gate_id, text: "the second" };
  return {
    json: async () => (await post(path, { input })).json(),
    sse: async () => {
      const text = await (await post(path, { input }, "text/event-stream")).text();
      return JSON.parse(/event: response\ndata: (.*)/.exec(text)?.[1] ?? "null");
    },
    socket: async () => {
      const caller = { tenant: LOCAL_TENANT, name: "tester", scopes: new Set(["read", "advance"] as const) };
      const connection = { options: withDefaults(settings, []), at: { tenant: LOCAL_TENANT, thread: id }, caller };
      const frame = JSON.stringify({ type: "clarify_response", requestId: gate_id, answer: "the second" });
      return ((await respondToFrame({ ...connection, request_id: "req" }, frame)) as { response: unknown }).response;
    },
  };
}

/** Removes ids, because each thread has its own. Everything else must be equal. */
const withoutIds = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body).replace(/\b([a-z]{3})_[0-9a-z]{26}\b/g, "$1"));

describe("an answer to a gate", () => {
  test("gives the same response as JSON, as a stream and on the socket", async () => {
    const [json, sse, socket] = [await aQuestion(), await aQuestion(), await aQuestion()];
    const expected = withoutIds(await json.json());
    expect(expected).toMatchObject({ thread: { gate: null }, turn: { receipts: [{}, { name: "look" }] } });
    expect(withoutIds(await sse.sse())).toEqual(expected);
    expect(withoutIds(await socket.socket())).toEqual(expected);
  });
});

test("the request of a turn is frozen", () => {
  const rt = createTestRuntime([]);
  const settings = testSettings(rt);
  const at = { tenant: LOCAL_TENANT, thread: "thr_00000000000000000000000000" as ThreadId };
  const request = createTurnRequest(settings, { name: "tester" }, at, { input: null, options: { channel: "live" } });
  expect([Object.isFrozen(request), Object.isFrozen(request.options)]).toEqual([true, true]);
  expect(Object.keys(request).length).toBeLessThanOrEqual(10);
});
