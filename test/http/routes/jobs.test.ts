import { describe, expect, test } from "vitest";
import type { ScriptEntry } from "../../../src/adapters/model-scripted.ts";
import { createApp } from "../../../src/http/app.ts";
import { type ApiScope, SCOPES } from "../../../src/http/edge/caller.ts";
import { createHub } from "../../../src/http/live/hub.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import type { LiveEvent } from "../../../src/schema/event.ts";
import type { ThreadRef } from "../../../src/schema/ids.ts";
import { callTool, done } from "../../support/decisions.ts";
import { createTestRuntime, type TestRuntime, unwrap } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../../support/server.ts";
import { look } from "../../support/tools.ts";

type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
};
const threadOf = (body: Record<string, unknown>): string => (body.thread as { id: string }).id;

function aBench(script: Iterable<ScriptEntry> = [], scopes: readonly ApiScope[] = SCOPES) {
  const rt = createTestRuntime(script, [look]);
  const app = createApp(testSettings(rt, { keys: () => [aKeyRow("ann", "acme", scopes), aKeyRow("bob", "bolt")] }));
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await app.request(path, {
      method,
      headers: { authorization: `Bearer ${apiKeyFor("ann")}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isStream = (response.headers.get("content-type") ?? "").includes("event-stream");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text && !isStream ? JSON.parse(text) : {},
    };
  };
  return { rt, ask };
}

/** Does what a worker would do now. */
async function work(rt: TestRuntime, turns = 20): Promise<void> {
  for (const due of unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10)))
    await runSlice(rt, due, {
      owner: "worker",
      lease_ms: 90_000,
      slice_turns: turns,
      until: Number.POSITIVE_INFINITY,
      attempts_max: 3,
      emit: () => undefined,
      stopping: () => false,
    });
}

describe("background runs over HTTP", () => {
  test("a thread created with run: background is accepted at once and then driven to its end", async () => {
    const { rt, ask } = aBench([callTool("look", { at: "desk" }), done, "Seen."]);
    const created = await ask("POST", "/v1/threads", { goal: "Look", mode: "direct", run: "background" });
    expect([created.status, rt.model.calls]).toEqual([202, 0]);
    expect(created.body).toMatchObject({ thread: { background: { status: "on" }, turn: 0 }, next: "advance" });
    await work(rt);
    const { body } = await ask("GET", created.headers.get("location") ?? "");
    expect(body).toMatchObject({ thread: { state: "rest", outcome: "completed", turn: 3, budget: { used: {} } } });
  });

  test("run, pause and resume switch an existing thread and report it", async () => {
    const { rt, ask } = aBench([callTool("look", { at: "desk" }), done, "Seen."]);
    const { body } = await ask("POST", "/v1/threads", { goal: "Look", mode: "direct" });
    const path = `/v1/threads/${threadOf(body)}`;
    expect((await ask("POST", `${path}/pause`)).status).toBe(409);
    expect(await ask("POST", `${path}/run`, {})).toMatchObject({ status: 202, body: { next: "advance" } });
    await work(rt, 1);
    expect((await ask("POST", `${path}/pause`)).body).toMatchObject({ thread: { background: { status: "paused" } } });
    await work(rt);
    expect((await ask("GET", path)).body).toMatchObject({ thread: { state: "execute" } });
    await ask("POST", `${path}/resume`);
    await work(rt);
    expect((await ask("GET", path)).body).toMatchObject({ thread: { state: "rest" } });
  });

  test("repeated requests change nothing, so that a double click does not affect the running turn", async () => {
    const { rt, ask } = aBench([callTool("look", { at: "desk" }), done, "Seen."]);
    const { body } = await ask("POST", "/v1/threads", { goal: "Look", mode: "direct", run: "background" });
    const path = `/v1/threads/${threadOf(body)}`;
    for (const [how, version, status] of [
      ["run", 0, "on"],
      ["resume", 0, "on"],
      ["pause", 1, "paused"],
      ["pause", 1, "paused"],
      ["run", 2, "on"],
    ] as const) {
      const answer = await ask("POST", `${path}/${how}`);
      expect(answer).toMatchObject({
        status: 202,
        body: { thread: { version, background: { status } }, next: "advance" },
      });
      expect(answer.headers.get("etag")).toBe(`"${version}"`);
    }
    await work(rt);
    expect((await ask("GET", path)).body).toMatchObject({ thread: { state: "rest", outcome: "completed" } });
  });

  test("a run that lost its wake-up in a crash continues when it is requested again", async () => {
    const { rt, ask } = aBench([callTool("look", { at: "desk" }), done, "Seen."]);
    const { body } = await ask("POST", "/v1/threads", { goal: "Look", mode: "direct", run: "background" });
    const [wake] = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10));
    if (!wake) throw new Error("nothing is due");
    await rt.store.settleDelivery(wake, null);
    const path = `/v1/threads/${threadOf(body)}`;
    expect((await ask("POST", `${path}/run`)).status).toBe(202);
    await work(rt);
    expect((await ask("GET", path)).body).toMatchObject({ thread: { state: "rest", outcome: "completed" } });
  });

  test("the same key switches once and gets the same answer", async () => {
    const { ask } = aBench();
    const { body } = await ask("POST", "/v1/threads", { goal: "Look", mode: "direct" });
    const path = `/v1/threads/${threadOf(body)}/run`;
    const first = await ask("POST", path, {}, { "idempotency-key": "k" });
    const again = await ask("POST", path, {}, { "idempotency-key": "k" });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });
});

describe("a message during a run", () => {
  const message = { type: "message", text: "And the shelf, please." };
  async function aRun(script: Iterable<ScriptEntry>) {
    const bench = aBench(script);
    const created = await bench.ask("POST", "/v1/threads", { goal: "Look", mode: "direct", run: "background" });
    const path = created.headers.get("location") ?? "";
    const send = (more: object, headers = {}) =>
      bench.ask("POST", `${path}/turns`, { input: message, ...more }, headers);
    return { ...bench, path, send };
  }

  test("is refused unless if_busy says otherwise", async () => {
    const { send, rt } = await aRun([]);
    expect(await send({})).toMatchObject({ status: 409, body: { code: "turn_running" } });
    expect(await send({ if_busy: "reject" })).toMatchObject({ status: 409, body: { code: "turn_running" } });
    expect(rt.model.calls).toBe(0);
  });

  test("waits for the next turn, is processed once however often it is sent, and then has a response", async () => {
    const { send, rt, ask, path } = await aRun([callTool("look", { at: "shelf" }), done, "Both seen."]);
    const key = { "idempotency-key": "m-1" };
    expect(await send({ if_busy: "enqueue" }, key)).toMatchObject({ status: 202, body: { queued: true, position: 1 } });
    expect(await send({ if_busy: "enqueue" }, key)).toMatchObject({ status: 202, body: { queued: true, position: 1 } });
    expect(await send({ if_busy: "enqueue" })).toMatchObject({ body: { position: 2 } });
    const other = await ask("POST", `${path}/turns`, { input: { ...message, text: "Else." }, if_busy: "enqueue" }, key);
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_mismatch" } });
    await work(rt, 1);
    expect(await send({ if_busy: "enqueue" }, key)).toMatchObject({ status: 200, body: { turn: { number: 1 } } });
    expect(rt.model.requests[0]?.messages[1]?.content).toContain("And the shelf, please.");
  });

  test("interrupts the turn in flight and is a turn of its own", async () => {
    const { send } = await aRun([callTool("look", { at: "shelf" })]);
    expect(await send({ if_busy: "interrupt" })).toMatchObject({ status: 200, body: { turn: { number: 1 } } });
  });

  test("rolls back into a new thread and returns its location", async () => {
    const { ask, send, path } = await aRun([callTool("look", { at: "shelf" })]);
    const answer = await send({ if_busy: "rollback" });
    expect(answer.status).toBe(201);
    const copy = answer.headers.get("location") ?? "";
    expect(copy).toMatch(/^\/v1\/threads\/thr_/);
    expect(copy).not.toBe(path);
    const { body } = await ask("GET", `${path}/turns`);
    const rolled_back = { to: copy.replace("/v1/threads/", ""), version: 0 };
    expect(body).toMatchObject({ records: [{ version: 0 }, { version: 1, input: null, rolled_back }] });
  });

  test("that rolls back is streamed to listeners of the new thread, not of the old one", async () => {
    const rt = createTestRuntime([callTool("look", { at: "desk" })], [look]);
    const published: string[] = [];
    const hub = createHub();
    const publish = (at: ThreadRef, event: LiveEvent): void => void published.push(`${at.thread === event.thread}`);
    const app = createApp({ ...testSettings(rt), hub: { ...hub, publish } });
    const post = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
      const headers = { "content-type": "application/json", host: "localhost" };
      const response = await app.request(path, { method: "POST", headers, body: JSON.stringify(body) });
      return (await response.json()) as Record<string, unknown>;
    };
    const { thread } = (await post("/v1/threads", { goal: "Look", mode: "direct", run: "background" })) as {
      thread: { id: string };
    };
    const input = { type: "message", text: "Rather the shelf" };
    const sent = await post(`/v1/threads/${thread.id}/turns`, { input, if_busy: "rollback" });
    expect(threadOf(sent)).not.toBe(thread.id);
    expect(published.length).toBeGreaterThan(0);
    expect(new Set(published)).toEqual(new Set(["true"]));
  });

  test("can also be streamed in each form", async () => {
    const streamed = async (if_busy: string, script: Iterable<ScriptEntry>) => {
      const { send, path } = await aRun(script);
      const { text } = await send({ if_busy }, { accept: "text/event-stream" });
      const [, last = ""] = /^event: response\ndata: (.*)$/m.exec(text) ?? [];
      return { path, text, response: last ? JSON.parse(last) : null };
    };
    expect((await streamed("enqueue", [])).response).toEqual({ queued: true, position: 1 });
    const interrupted = await streamed("interrupt", [callTool("look", { at: "shelf" })]);
    expect(interrupted.text).toContain("event: turn.committed");
    expect(interrupted.response).toMatchObject({ turn: { number: 1 } });
    const back = await streamed("rollback", [callTool("look", { at: "shelf" })]);
    expect(back.response.thread.id).not.toBe(back.path.replace("/v1/threads/", ""));
    expect(back.text).toContain(`"thread":"${back.response.thread.id}"`);
  });

  test("if_busy is accepted only with a message and a single turn", async () => {
    const { ask, path } = await aRun([]);
    const wrong = { status: 400, body: { code: "request_invalid", field: "if_busy" } };
    expect(await ask("POST", `${path}/turns`, { if_busy: "enqueue" })).toMatchObject(wrong);
    const until = await ask("POST", `${path}/turns?until=pause`, { input: message, if_busy: "enqueue" });
    expect(until).toMatchObject(wrong);
  });
});

describe("schedules over HTTP", () => {
  const nightly = {
    name: "nightly",
    when: { kind: "cron", expression: "0 3 * * *", time_zone: "UTC" },
    what: { kind: "thread", create: { goal: "Tidy up", mode: "direct" } },
  };

  test.each([
    [{ kind: "interval", every_s: 9 }, "when.every_s"],
    [{ kind: "once", at: "2030-02-30T00:00:00Z" }, "when.at"],
    [{ kind: "cron", expression: "0 0 * * *", time_zone: "UTC", extra: 1 }, "when.extra"],
    [{ kind: "weekly" }, "when.kind"],
    [null, "when"],
  ])("the preview of %j names the wrong field", async (when, field) => {
    const { ask } = aBench();
    const path = `/v1/schedules/preview?when=${encodeURIComponent(JSON.stringify(when))}`;
    expect(await ask("GET", path)).toMatchObject({ status: 400, body: { code: "request_invalid", field } });
  });

  test("are created, listed, shown, changed and removed", async () => {
    const { ask } = aBench();
    const created = await ask("POST", "/v1/schedules", nightly);
    expect(created).toMatchObject({
      status: 201,
      body: { schedule: { name: "nightly", created_by: "ann", next_at: "2026-03-03T03:00:00.000Z", runs: 0 } },
    });
    const path = created.headers.get("location") ?? "";
    expect((await ask("GET", "/v1/schedules")).body).toMatchObject({ schedules: [{ name: "nightly" }] });
    expect((await ask("GET", path)).body).toEqual(created.body);
    const changed = await ask("PATCH", path, { enabled: false, ends_at: "2027-01-01T00:00:00.000Z" });
    expect(changed.body).toMatchObject({ schedule: { enabled: false, next_at: null } });
    expect((await ask("PATCH", path, { enabled: true, ends_at: null })).body).toMatchObject({
      schedule: { ends_at: null, next_at: "2026-03-03T03:00:00.000Z" },
    });
    expect((await ask("DELETE", path)).status).toBe(204);
    expect(await ask("GET", path)).toMatchObject({ status: 404, body: { code: "schedule_not_found" } });
  });

  test("the same key gives the same schedule", async () => {
    const { ask } = aBench();
    const key = { "idempotency-key": "s-1" };
    const first = await ask("POST", "/v1/schedules", nightly, key);
    const again = await ask("POST", "/v1/schedules", nightly, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await ask("POST", "/v1/schedules", { ...nightly, name: "x" }, key)).toMatchObject({ status: 422 });
  });

  test("another tenant sees none of them", async () => {
    const { ask } = aBench();
    const created = await ask("POST", "/v1/schedules", nightly);
    const bob = { authorization: `Bearer ${apiKeyFor("bob")}` };
    const path = created.headers.get("location") ?? "";
    expect((await ask("GET", "/v1/schedules", undefined, bob)).body).toEqual({ schedules: [] });
    for (const method of ["GET", "DELETE"]) expect((await ask(method, path, undefined, bob)).status).toBe(404);
    expect((await ask("PATCH", path, { enabled: false }, bob)).status).toBe(404);
  });

  test("what could never start is refused immediately, with the field", async () => {
    const { ask } = aBench();
    const wrong = (change: object) => ask("POST", "/v1/schedules", { ...nightly, ...change });
    expect(await wrong({ when: { ...nightly.when, expression: "often" } })).toMatchObject({
      status: 400,
      body: { field: "when.expression" },
    });
    expect(await wrong({ what: { kind: "thread", create: { goal: "x", agent: "nobody" } } })).toMatchObject({
      status: 400,
      body: { field: "agent" },
    });
    for (const name of ["", "  ", "a\u0000b", "night\nly", "\u202Eylthgin"])
      expect(await wrong({ name })).toMatchObject({ status: 400, body: { field: "name" } });
    const gone = { kind: "message", thread: `thr_${"0".repeat(26)}`, message: { type: "message", text: "Hi" } };
    expect((await wrong({ what: gone })).status).toBe(404);
  });

  test("a key that may not confirm cannot schedule what approves itself", async () => {
    const { ask } = aBench([], ["read", "advance"]);
    const what = { kind: "thread", create: { goal: "Tidy up", auto_approve: ["write"] } };
    expect((await ask("POST", "/v1/schedules", { ...nightly, what })).status).toBe(403);
    const path = (await ask("POST", "/v1/schedules", nightly)).headers.get("location") ?? "";
    expect((await ask("PATCH", path, { what })).status).toBe(403);
  });

  test("the document of a schedule is not a thread", async () => {
    const { ask } = aBench();
    const path = (await ask("POST", "/v1/schedules", nightly)).headers.get("location") ?? "";
    const id = path.replace("/v1/schedules/", "");
    for (const name of [id, id.replace("sch_", "thr_")])
      expect((await ask("GET", `/v1/threads/${name}`)).status).toBe(404);
  });
});
