import { Webhook as Signer } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { ThreadId } from "../../../src/schema/ids.ts";
import { loadThread } from "../../../src/turn/load.ts";
import { answer, callTool } from "../../support/decisions.ts";
import { createJobsApp, type HttpResult, type JobsApp } from "../../support/jobs-app.ts";
import { unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";

const payments = { name: "payments", what: { kind: "thread", create: { goal: "A payment came in. File it." } } };
const EVENT = JSON.stringify({ type: "payment.made", amount: 7 });
const MINUTE = 60_000;

type Hooked = { readonly path: string; readonly secret: string; readonly admin: string };

async function aHook(bench: JobsApp, input: object = payments): Promise<Hooked> {
  const created = await bench.ask("POST", "/v1/hooks", input);
  expect(created.status).toBe(201);
  const { path, secret } = created.body as unknown as { path: string; secret: string };
  return { path, secret, admin: created.headers.get("location") ?? "" };
}

type Change = { readonly id?: string; readonly body?: string; readonly headers?: Record<string, string> };

/** Sends an event that is signed as by a sender's library, with the clock of the test. */
function send(bench: JobsApp, { path, secret }: Hooked, change: Change = {}): Promise<HttpResult> {
  const { id = "evt-1", body = EVENT } = change;
  const now = bench.rt.clock.now();
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": new Signer(secret).sign(id, new Date(now), body),
    ...change.headers,
  };
  return bench.request(path, { method: "POST", headers, body });
}

const stateOf = async (bench: JobsApp, received: HttpResult) => {
  const thread = ThreadId.parse((received.body as unknown as { thread: string }).thread);
  return unwrap(await loadThread(bench.rt, { tenant: "acme" as never, thread })).state;
};

describe("an outside event", () => {
  test("starts a thread that a worker drives, and its text is untrusted", async () => {
    const bench = createJobsApp({ script: [answer("Filed.")] });
    const received = await send(bench, await aHook(bench));
    expect(received.status).toBe(202);
    const state = await stateOf(bench, received);
    expect(state).toMatchObject({ created_by: "hook:payments", background: { status: "on" } });
    expect(state.taint).not.toBeNull();
    expect(state.goal).toContain('"amount":7');
    await bench.work();
    expect((await stateOf(bench, received)).machine).toMatchObject({ state: "rest", outcome: "completed" });
  });

  test("is a message to an existing thread, also to one that has never run", async () => {
    const bench = createJobsApp({ script: [answer("Heard.")] });
    const created = await bench.ask("POST", "/v1/threads", {});
    const { thread } = created.body as unknown as { thread: { id: string } };
    const hook = await aHook(bench, { name: "mail", what: { kind: "message", thread: thread.id, text: "Mail came:" } });
    expect(await send(bench, hook)).toMatchObject({ status: 202, body: { thread: thread.id } });
    expect(bench.rt.model.calls).toBe(0);
    await bench.work();
    const state = await stateOf(bench, { body: { thread: thread.id } } as unknown as HttpResult);
    expect(state).toMatchObject({ run: 1, goal: expect.stringMatching(/^Mail came:/), machine: { state: "rest" } });
    expect(state.taint).not.toBeNull();
  });

  test("is in the log, also if it was refused, and can be processed again", async () => {
    const bench = createJobsApp({ script: [] });
    const hook = await aHook(bench);
    const log = hook.admin.replace("/v1/hooks", "/v1/inbound-webhooks");
    const first = await send(bench, hook);
    await send(bench, hook);
    bench.rt.clock.advance(1000);
    await send(bench, hook, { id: "evt-2", headers: { "webhook-signature": "v1,wrong" } });
    const listed = await bench.ask("GET", `${log}/events`);
    const { events } = listed.body as unknown as { events: { id: string; thread: string | null }[] };
    expect(events).toMatchObject([
      { event: null, thread: null, problem: { code: "signature_invalid" } },
      { event: "evt-1", thread: (first.body as unknown as { thread: string }).thread, problem: null },
    ]);
    const again = await bench.ask("POST", `${log}/events/${events[1]?.id}/redeliver`);
    expect(again.status).toBe(202);
    expect((await stateOf(bench, again)).goal).toContain('"amount":7');
    expect(again.body).not.toEqual(first.body);
    expect(await bench.ask("POST", `${log}/events/${events[0]?.id}/redeliver`)).toMatchObject({ status: 401 });
    expect(await bench.ask("POST", `${log}/events/dlv_nothing/redeliver`)).toMatchObject({
      body: { code: "delivery_not_found" },
    });
    await bench.ask("PATCH", log, { enabled: false });
    expect(await bench.ask("POST", `${log}/events/${events[1]?.id}/redeliver`)).toMatchObject({
      body: { code: "hook_not_found" },
    });
  });

  test("that arrives twice under one id counts once, before and after it was processed", async () => {
    const bench = createJobsApp({ script: ["One.", "Two.", "Mail.", "Too many?"].map(answer) });
    const threads = async () => (await bench.ask("GET", "/v1/threads")).body as unknown as { threads: object[] };
    const starts = await aHook(bench);
    const [first, again] = [await send(bench, starts), await send(bench, starts)];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await threads()).threads).toHaveLength(1);
    await send(bench, starts, { id: "evt-2" });
    expect((await threads()).threads).toHaveLength(2);

    const { thread } = (await bench.ask("POST", "/v1/threads", {})).body as unknown as { thread: { id: string } };
    const tells = await aHook(bench, { name: "mail", what: { kind: "message", thread: thread.id, text: "Mail:" } });
    await Promise.all([1, 2, 3].map(() => send(bench, tells, { id: "mail-1" })));
    await bench.work();
    expect((await send(bench, tells, { id: "mail-1" })).headers.get("idempotency-replayed")).toBe("true");
    await bench.work();
    expect(await stateOf(bench, { body: { thread: thread.id } } as unknown as HttpResult)).toMatchObject({ run: 1 });
  });

  test("long ones are cut, and unusual ones are treated as data", async () => {
    const bench = createJobsApp();
    const hook = await aHook(bench);
    expect((await send(bench, hook, { body: "x".repeat(500_000) })).status).toBe(202);
    expect((await send(bench, hook, { id: "evt-2", body: "not JSON at all {" })).status).toBe(202);
    expect((await send(bench, hook, { id: "evt-3", body: "x".repeat(2_000_000) })).status).toBe(413);
  });
});

describe("an event is refused", () => {
  const refused = { status: 401, body: { code: "signature_invalid" } };

  test("when its time is more than five minutes off, either way", async () => {
    const bench = createJobsApp();
    const hook = await aHook(bench);
    const late = String(Math.floor(bench.rt.clock.now() / 1000));
    const signature = new Signer(hook.secret).sign("evt-1", new Date(bench.rt.clock.now()), EVENT);
    bench.rt.clock.advance(6 * MINUTE);
    const old = { "webhook-timestamp": late, "webhook-signature": signature };
    expect(await send(bench, hook, { headers: old })).toMatchObject(refused);
    bench.rt.clock.advance(-12 * MINUTE);
    expect(await send(bench, hook, { headers: old })).toMatchObject(refused);
  });

  test("when a byte of it was changed, or a header is missing, duplicated or too long", async () => {
    const bench = createJobsApp();
    const hook = await aHook(bench);
    const signature = new Signer(hook.secret).sign("evt-1", new Date(bench.rt.clock.now()), EVENT);
    const tampered: Change[] = [...EVENT].map((char, i) => ({
      body: EVENT.slice(0, i) + (char === "x" ? "y" : "x") + EVENT.slice(i + 1),
      headers: { "webhook-signature": signature },
    }));
    for (const change of tampered) expect(await send(bench, hook, change)).toMatchObject(refused);
    const second = String(Math.floor(bench.rt.clock.now() / 1000) + 1);
    for (const headers of [
      { "webhook-timestamp": second, "webhook-signature": signature },
      { "webhook-timestamp": `0${second}` },
      { "webhook-timestamp": "soon" },
      { "webhook-id": "evt-2", "webhook-signature": signature },
      { "webhook-id": "evt.1" },
      { "webhook-id": "" },
      { "webhook-signature": "" },
      { "webhook-signature": signature.replace("v1,", "v2,") },
      { "webhook-signature": Array.from({ length: 40 }, () => signature).join(" ") },
    ] as Record<string, string>[])
      expect(await send(bench, hook, { headers }), JSON.stringify(headers)).toMatchObject(refused);
    const endless = { "webhook-signature": Array.from({ length: 10_000 }, () => "v1,x").join(" ") };
    expect((await send(bench, hook, { headers: endless })).status).toBe(400);
    expect((await bench.ask("GET", "/v1/threads")).body).toMatchObject({ threads: [] });
  });

  test("when it is signed with an old secret after its time", async () => {
    const bench = createJobsApp();
    const hook = await aHook(bench);
    const rotated = await bench.ask("POST", `${hook.admin}/rotate`, { grace_s: 60 });
    const fresh = { ...hook, secret: (rotated.body as unknown as { secret: string }).secret };
    expect((await send(bench, hook)).status).toBe(202);
    expect((await send(bench, fresh, { id: "evt-2" })).status).toBe(202);
    bench.rt.clock.advance(MINUTE);
    expect(await send(bench, hook, { id: "evt-3" })).toMatchObject(refused);
    expect((await send(bench, fresh, { id: "evt-4" })).status).toBe(202);
  });

  test("at any other URL, with the same message whatever is wrong", async () => {
    const bench = createJobsApp();
    const hook = await aHook(bench);
    const wrong = [
      hook.admin,
      hook.path.replace("acme", "bolt"),
      `${hook.path}0`,
      `${hook.path.slice(0, -1)}${hook.path.endsWith("0") ? "1" : "0"}`,
      "/v1/hooks/hkt_",
    ];
    const answers = await Promise.all(wrong.map((path) => send(bench, { ...hook, path })));
    await bench.ask("PATCH", hook.admin, { enabled: false });
    answers.push(await send(bench, hook));
    await bench.ask("DELETE", hook.admin);
    answers.push(await send(bench, hook));
    for (const one of answers)
      expect(one).toMatchObject({ status: 404, body: { message: "There is no such inbound webhook." } });
  });
});

describe("hooks", () => {
  test("show URL and secret once, and neither appears in a log", async () => {
    const bench = createJobsApp();
    const hook = await aHook(bench);
    await send(bench, hook);
    const shown = [await bench.ask("GET", "/v1/hooks"), await bench.ask("GET", hook.admin)].map(({ text }) => text);
    const token = hook.path.replace("/v1/hooks/", "");
    for (const text of [...shown, ...bench.lines]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(hook.secret.replace("whsec_", ""));
    }
    expect(bench.lines.join("")).toContain("/v1/hooks/hkt_");
  });

  test("belong to the administrators of their tenant", async () => {
    const bench = createJobsApp({ script: [callTool("look", { at: "x" })], tools: [look] });
    const hook = await aHook(bench);
    expect((await bench.ask("GET", hook.admin, undefined, "bob")).status).toBe(404);
    expect((await bench.ask("DELETE", hook.admin, undefined, "bob")).status).toBe(404);
    const weak = createJobsApp({ scopes: ["read", "advance", "confirm"] });
    expect((await weak.ask("POST", "/v1/hooks", payments)).status).toBe(403);
  });

  test("cannot let their threads approve themselves", async () => {
    const bench = createJobsApp();
    const what = { kind: "thread", create: { goal: "Go", auto_approve: ["write"] } };
    expect((await bench.ask("POST", "/v1/hooks", { name: "x", what })).status).toBe(400);
  });
});
