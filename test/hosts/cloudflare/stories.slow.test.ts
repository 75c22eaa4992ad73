// Tests the Cloudflare host in the real runtime: whole runs over fetch, races, alarms, sockets, and objects that are
// evicted.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Client } from "../../../src/client/client.ts";
import { createTestCloudflare, type TestCloudflare } from "../../support/cloudflare.ts";
import { type OpenAiStub, startOpenAiStub } from "../../support/openai-stub.ts";
import { unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";
import { approval, callTool, doneDecision, type Story, startStory } from "../../support/story.ts";

const GOAL = "Move the essay outline to Thursday of week 2";
const KEY = apiKeyFor("alice");
const BEARER = { authorization: `Bearer ${KEY}` };
let stub: OpenAiStub;
let workers: TestCloudflare;
let demo: Client;
let scripted: Client;
let url: URL;
let pages: string;
let page: { readonly port: number; readonly close: () => Promise<void> };

const scriptedConfig = (base_url: string, port: number) => ({
  providers: { stub: { base_url } },
  models: { main: { provider: "stub", name: "stub-model", window: 32_768 } },
  agents: { default: { tools: "all" } },
  // Another object resumes the work of a stopped one once the turn deadline and the lease have passed.
  limits: { turn_deadline_ms: 10_000 },
  jobs: { lease_ms: 1_000 },
  fetch: { allow: [`127.0.0.1:${port}`] },
  log: { level: "error" },
});

async function servePage(): Promise<typeof page> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>A page of its own</h1>"),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, close };
}

beforeAll(async () => {
  stub = await startOpenAiStub();
  pages = mkdtempSync(join(tmpdir(), "pawl-pages-"));
  cpSync("docs/problems", join(pages, "problems"), { recursive: true });
  writeFileSync(join(pages, "index.html"), "<!doctype html><title>Console</title>");
  page = await servePage();
  workers = createTestCloudflare({
    "pawl-scripted": {
      vars: {
        PAWL_CONFIG: JSON.stringify(scriptedConfig(stub.base_url, page.port)),
        PAWL_API_KEYS: `alice:acme:${KEY},bob:bolt:${apiKeyFor("bob")}`,
      },
    },
    "pawl-demo": { files: pages },
  });
  ({ url } = await workers.harness.listen());
  demo = workers.client("pawl-demo");
  scripted = workers.client("pawl-scripted", KEY);
}, 240_000);
afterAll(async () => {
  await workers?.harness.close();
  await stub?.close();
  await page?.close();
  rmSync(pages, { recursive: true, force: true });
});

const says = (reply: unknown, delay_ms = 0) => ({
  kind: "text" as const,
  text: typeof reply === "string" ? reply : JSON.stringify(reply),
  delay_ms,
});

/**
 * Checks until the condition holds. The number of checks is limited, because an alarm that never fires must fail the
 * test.
 */
async function until<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  for (let n = 0; n < 300; n++) {
    const seen = await look();
    if (holds(seen)) return seen;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("it did not come to that");
}
const atRest = (client: Client, id: string) =>
  until(
    async () => unwrap(await client.get(id)).thread,
    ({ state }) => state === "rest",
  );

describe("a run over fetch", () => {
  test("plan, approval, confirmed write and delivery, with proofs, in lists and calendars", async () => {
    const { thread } = unwrap(await demo.create({ goal: GOAL }));
    const planned = unwrap(await demo.advanceUntilPause(thread.id));
    expect(planned).toMatchObject({ stopped: "gate", turn: { model: "demo" }, thread: { gate: { kind: "plan" } } });
    const proposed = unwrap(await demo.advanceUntilPause(thread.id, approval(planned.thread.gate)));
    expect(proposed.thread.gate).toMatchObject({ kind: "confirmation", call: { name: "move" } });
    expect(unwrap(await demo.gates()).gates.map((one) => one.thread)).toContain(thread.id);
    const delivered = unwrap(await demo.advanceUntilPause(thread.id, approval(proposed.thread.gate)));
    expect(delivered.thread).toMatchObject({ state: "rest", outcome: "completed", evidence: "proven" });
    expect(unwrap(await demo.list({ state: "rest" })).threads.map(({ id }) => id)).toContain(thread.id);
    expect(unwrap(await demo.gates()).gates.map((one) => one.thread)).not.toContain(thread.id);

    unwrap(await demo.remove(thread.id));
    expect(await demo.get(thread.id)).toMatchObject({ problem: { code: "thread_not_found" } });
    expect(unwrap(await demo.list()).threads.map(({ id }) => id)).not.toContain(thread.id);
  });

  test("a file written by one turn is read by the next, in an object that was evicted between", async () => {
    const { thread } = unwrap(await scripted.create({ goal: "Note it", mode: "direct", auto_approve: ["write_file"] }));
    stub.queue(says(callTool("write_file", { path: "note.md", content: "ninety-nine" })));
    unwrap(await scripted.advance(thread.id));
    await workers.worker("pawl-scripted").evictDurableObject("PawlThread", { name: `acme/${thread.id}` });
    stub.queue(says(callTool("read_file", { path: "note.md" })));
    const read = unwrap(await scripted.advance(thread.id));
    expect(read.turn?.receipts).toMatchObject([{ name: "read_file", success: true }]);
    expect(JSON.stringify(read.turn)).toContain("ninety-nine");
  });

  test("a turn is streamed while it runs, and the events of a thread are followed from another request", async () => {
    const { thread } = unwrap(await demo.create({ goal: GOAL, plan_approval: "auto" }));
    const stop = new AbortController();
    const followed: string[] = [];
    const following = (async () => {
      for await (const { type } of demo.events(thread.id, { signal: stop.signal })) {
        followed.push(type);
        if (type === "turn.committed") return;
      }
    })();
    const types: string[] = [];
    for await (const { type } of demo.stream(thread.id)) types.push(type);
    expect(types).toEqual(expect.arrayContaining(["turn.started", "speak.delta", "turn.committed", "response"]));
    await following;
    stop.abort();
    expect(followed.at(0)).toBe("thread.created");
    expect(followed.at(-1)).toBe("turn.committed");
  });

  test("of sixteen concurrent advances exactly one is accepted", async () => {
    const { thread } = unwrap(await demo.create({ goal: GOAL }));
    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        workers.fetch("pawl-demo", `/v1/threads/${thread.id}/turns`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 15 }, () => 409)]);
    expect(unwrap(await demo.get(thread.id)).thread.version).toBe(1);
  });

  test("of two concurrent requests one calls the model, the other gets turn_running", async () => {
    const { thread } = unwrap(await scripted.create({ goal: "Look", mode: "direct" }));
    const before = stub.requests.length;
    stub.queue(says(callTool("list_tasks", {}), 100));
    const made = await Promise.all([scripted.advance(thread.id), scripted.advance(thread.id)]);
    expect(stub.requests.length - before).toBe(1);
    expect(made.filter((one) => one.ok)).toHaveLength(1);
    expect(made.find((one) => !one.ok)).toMatchObject({ problem: { code: "turn_running", status: 409 } });
    // The claim was released, so the next request does not wait until it expires.
    stub.queue(says(callTool("list_tasks", { day_start: 2 })));
    expect(unwrap(await scripted.advance(thread.id)).thread.version).toBe(2);
  });

  test("an object evicted during a model call loses nothing: the turn commits, and its data stays", async () => {
    const { thread } = unwrap(await scripted.create({ goal: "Look", mode: "direct" }));
    const before = stub.requests.length;
    stub.queue(says(callTool("list_tasks", {}), 300));
    const turn = scripted.advance(thread.id);
    await until(
      async () => stub.requests.length,
      (count) => count > before,
    );
    await workers.worker("pawl-scripted").evictDurableObject("PawlThread", { name: `acme/${thread.id}` });
    expect(unwrap(await turn)).toMatchObject({ turn: { receipts: [{ name: "list_tasks" }] }, thread: { version: 1 } });
    await workers.worker("pawl-scripted").evictDurableObject("PawlThread", { name: `acme/${thread.id}` });
    expect(unwrap(await scripted.get(thread.id)).thread.version).toBe(1);
  });
});

describe("alarms", () => {
  test("drive a background run to its end", async () => {
    const { thread } = unwrap(await demo.create({ goal: "Show the tasks", plan_approval: "auto", run: "background" }));
    expect(await atRest(demo, thread.id)).toMatchObject({ outcome: "completed" });
  });

  test("wake a background run when nobody answered its question in time", async () => {
    const abort = { action: "abort", abort: { user_message: "Nobody told me the day." } };
    stub.queue(says(callTool("clarify", { question: "Which day?", expires_in_s: 1 })), says(abort));
    const { thread } = unwrap(await scripted.create({ goal: "Plan it", mode: "direct", run: "background" }));
    expect(await atRest(scripted, thread.id)).toMatchObject({ outcome: "aborted", gate: null });
    const { records } = unwrap(
      await scripted.call<{ records: { closed_gate: { how: string } | null }[] }>(
        "GET",
        `/v1/threads/${thread.id}/turns`,
      ),
    );
    expect(records.map(({ closed_gate }) => closed_gate?.how)).toContain("expired");
  });
});

type Frame = Record<string, unknown> & { type: string };
/** Sends the request to the first worker. */
function open(id: string, ticket: string) {
  const socket = new WebSocket(`ws://${url.host}/v1/threads/${id}/live?after=-1&ticket=${ticket}`);
  const frames: Frame[] = [];
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  socket.on("message", (data) => frames.push(JSON.parse(String(data)) as Frame));
  socket.on("error", () => undefined);
  const heard = (type: string) =>
    until(
      async () => frames.find((frame) => frame.type === type),
      (frame) => frame !== undefined,
    );
  return { socket, frames, heard, closed };
}

/** Uses a ticket, as a page would. */
async function listen(id: string) {
  const { ticket } = unwrap(await scripted.call<{ ticket: string }>("POST", "/v1/tickets", {}));
  return open(id, ticket);
}

describe("a socket", () => {
  test("sends every event once and in order, accepts an approval, and survives the object's eviction", async () => {
    const { thread } = unwrap(await scripted.create({ goal: GOAL, mode: "direct" }));
    const live = await listen(thread.id);
    await live.heard("thread.created");
    const move = { task_id: 13, new_day: 11, new_slot_start: 1 };
    stub.queue(says(callTool("move", move, "confirm")), says(doneDecision), says("Moved."));
    const proposed = unwrap(await scripted.advanceUntilPause(thread.id));
    await live.heard("gate.opened");
    await workers
      .worker("pawl-scripted")
      .evictDurableObject("PawlThread", { name: `acme/${thread.id}`, webSockets: "hibernate" });
    const gate = proposed.thread.gate;
    if (gate?.kind !== "confirmation") throw new Error("there is nothing to confirm");
    const answer = { type: "tool_confirmation_response", requestId: gate.id, digest: gate.digest };
    live.socket.send(JSON.stringify({ ...answer, digest: "wrong", decision: "approve" }));
    expect(await live.heard("problem")).toMatchObject({ problem: { code: "digest_mismatch" }, requestId: gate.id });
    live.socket.send(JSON.stringify({ ...answer, decision: "approve" }));
    expect(await live.heard("response")).toMatchObject({ requestId: gate.id, response: { thread: { gate: null } } });
    live.socket.send(JSON.stringify({ type: "ping" }));
    await live.heard("pong");
    unwrap(await scripted.advanceUntilPause(thread.id));
    await live.heard("run.delivered");

    const { events } = unwrap(
      await scripted.call<{ events: { seq: number }[] }>("GET", `/v1/threads/${thread.id}/events?after=-1`),
    );
    const receivedSeqs = () => live.frames.map(({ seq }) => seq).filter((seq) => seq !== undefined);
    await expect.poll(receivedSeqs).toEqual(events.map(({ seq }) => seq));
    unwrap(await scripted.remove(thread.id));
    expect(await live.closed).toBe(1001);
  });
});

describe("text that is streamed during a turn", () => {
  const speaking = { action: "ask_user", speak: "Shall I look at the first week, or rather at the second one?" };
  const wordsIn = (frames: readonly Frame[], of: number) =>
    frames.flatMap(({ type, turn, text }) => (type === "speak.delta" && turn === of ? [String(text)] : [])).join("");

  test("reaches sockets and streams that listen elsewhere, word by word and before the turn is stored", async () => {
    const { thread } = unwrap(await scripted.create({ goal: "Look", mode: "direct" }));
    const live = await listen(thread.id);
    await live.heard("thread.created");
    const followed: Frame[] = [];
    const stop = new AbortController();
    const following = (async () => {
      for await (const event of scripted.events(thread.id, { signal: stop.signal })) followed.push(event as Frame);
    })().catch(() => undefined);
    // The follower's connection to the object opens shortly after its stream, and it does not receive text that is sent
    // earlier.
    for (let turn = 1; turn <= 20 && wordsIn(followed, turn - 1) === ""; turn++) {
      stub.queue(says(speaking, 20));
      unwrap(await scripted.advance(thread.id, turn === 1 ? null : { type: "message", text: "The first" }));
      for (const frames of [live.frames, followed])
        await expect.poll(() => frames.some((one) => one.type === "speak.completed" && one.turn === turn)).toBe(true);
    }
    stop.abort();
    await following;
    const last = Math.max(...followed.map(({ turn }) => Number(turn)));
    for (const frames of [live.frames, followed]) {
      const types = frames.filter(({ turn }) => turn === last).map(({ type }) => type);
      expect(types.lastIndexOf("speak.delta")).toBeLessThan(types.indexOf("speak.completed"));
      expect(wordsIn(frames, last).length).toBeGreaterThan(0);
      expect(speaking.speak.startsWith(wordsIn(frames, last))).toBe(true);
    }
    expect(live.frames.map(({ type }) => type)).toContain("turn.started");
    live.socket.close();
  });

  test("reaches a socket also from a turn that an alarm runs", async () => {
    const { thread } = unwrap(await scripted.create({ goal: "Look", mode: "direct" }));
    const live = await listen(thread.id);
    await live.heard("thread.created");
    stub.queue(says(speaking, 5));
    unwrap(await scripted.call("POST", `/v1/threads/${thread.id}/run`, {}));
    await live.heard("gate.opened");
    expect(wordsIn(live.frames, 2)).toBe(speaking.speak);
    live.socket.close();
  });
});

describe("a thread that moves", () => {
  const fileOf = async (from: Client, id: string): Promise<string> => {
    const file = await (from === scripted
      ? workers.fetch("pawl-scripted", `/v1/threads/${id}/export`, { headers: BEARER })
      : fetch(`${home.url}/v1/threads/${id}/export`));
    expect(file.status).toBe(200);
    return file.text();
  };
  const NDJSON = { "content-type": "application/x-ndjson" };
  let home: Story;
  beforeAll(async () => {
    home = await startStory({
      script: [callTool("write_file", { path: "note.md", content: "from home" }), doneDecision, "Home again."],
    });
  });
  afterAll(() => home.end());

  test("from SQLite to Durable Objects is finished there, with its files and its open gate", async () => {
    const { thread } = unwrap(await home.client.create({ goal: "Note it", mode: "direct" }));
    const gated = unwrap(await home.client.advance(thread.id)).thread;
    const imported = await workers.fetch("pawl-scripted", "/v1/import", {
      method: "POST",
      headers: { ...BEARER, ...NDJSON },
      body: await fileOf(home.client, thread.id),
    });
    expect(imported.status).toBe(201);
    stub.queue(says(callTool("read_file", { path: "note.md" })), says(doneDecision), says("Noted."));
    const ran = unwrap(await scripted.advanceUntilPause(thread.id, approval(gated.gate)));
    expect(ran.thread).toMatchObject({ state: "rest", outcome: "completed", evidence: "proven" });
    expect(JSON.stringify(ran.turns)).toContain("from home");
    expect(unwrap(await scripted.list()).threads.map(({ id }) => id)).toContain(thread.id);
  });

  test("from Durable Objects to SQLite is finished there", async () => {
    const { thread } = unwrap(await scripted.create({ goal: "Note it", mode: "direct", auto_approve: ["write_file"] }));
    stub.queue(says(callTool("write_file", { path: "note.md", content: "from afar" })));
    unwrap(await scripted.advance(thread.id));
    const imported = await fetch(`${home.url}/v1/import`, {
      method: "POST",
      headers: NDJSON,
      body: await fileOf(scripted, thread.id),
    });
    expect(imported.status).toBe(201);
    const ran = unwrap(await home.client.advanceUntilPause(thread.id));
    expect(ran).toMatchObject({ turn: { speak: "Home again." }, thread: { outcome: "completed", evidence: "proven" } });
  });
});

describe("what else it serves", () => {
  test("the console, the document of its routes, the page about them and a page for every problem", async () => {
    const get = (path: string, accept = "*/*") => workers.fetch("pawl-demo", path, { headers: { accept } });
    const home = await get("/");
    expect([home.status, home.headers.get("content-security-policy")]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
    expect(await home.text()).toContain("<title>Console</title>");
    const { paths } = (await (await get("/openapi.json")).json()) as { paths: Record<string, unknown> };
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/v1/webhooks", "/confirm/{token}", "/v1/schedules"]));
    expect(await (await get("/docs", "text/html")).text()).toContain("/v1/threads");
    const written = readFileSync("docs/problems/gate_open.md", "utf8");
    expect(await (await get("/problems/gate_open")).text()).toBe(written);
    expect((await get("/problems/no_such_problem")).status).toBe(404);
    expect((await get("/problems/../index.html")).status).not.toBe(200);
  });

  test("the tools that can work here, and of the others why not", async () => {
    const { toolNames } = unwrap(await scripted.call<{ toolNames: string[] }>("GET", "/v1/tools"));
    const here = [
      "fetch_url",
      "remote_trigger",
      "schedule_cron",
      "list_schedules",
      "write_file",
      "grep",
      "move",
      "recall",
    ];
    expect(toolNames).toEqual(expect.arrayContaining(here));
    expect(toolNames).not.toContain("bash");
  });

  test("a page from the network becomes an observation that taints the thread; inner addresses stay closed", async () => {
    const read = async (url: string) => {
      const { thread } = unwrap(await scripted.create({ goal: "Read", mode: "direct" }));
      stub.queue(says(callTool("fetch_url", { url })));
      return unwrap(await scripted.advance(thread.id));
    };
    const refused = await read("http://169.254.169.254/latest/meta-data");
    expect(refused.turn?.receipts).toMatchObject([{ name: "fetch_url", success: false }]);
    const fetched = await read(`http://127.0.0.1:${page.port}/`);
    expect(fetched.turn?.receipts).toMatchObject([{ name: "fetch_url", success: true }]);
    expect(JSON.stringify(fetched.turn)).toContain("A page of its own");
    expect(fetched.thread.tainted).toBe(true);
  });
});

describe("who may call", () => {
  test("without keys only this machine, and the health check is public", async () => {
    const ask = (address: string) => workers.worker("pawl-demo").fetch(address);
    const alive = await ask("https://pawl.example.com/healthz");
    expect([alive.status, await alive.json()]).toMatchObject([200, { ok: true }]);
    const refused = await ask("https://pawl.example.com/v1/threads");
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: "unauthorized", message: expect.stringContaining("no keys") });
  });

  test("with keys each tenant sees its own threads, from any address", async () => {
    const alice = workers.client("pawl-scripted", KEY);
    const { thread } = unwrap(await alice.create({ goal: GOAL }));
    expect(await workers.client("pawl-scripted", apiKeyFor("bob")).get(thread.id)).toMatchObject({
      problem: { code: "thread_not_found" },
    });
    expect(await workers.client("pawl-scripted").get(thread.id)).toMatchObject({ problem: { code: "unauthorized" } });
    expect(unwrap(await alice.get(thread.id)).thread).toMatchObject({ state: "plan" });
  });

  test("a ticket opens the events once, at any instance", async () => {
    const alice = workers.client("pawl-scripted", KEY);
    const { thread } = unwrap(await alice.create({ goal: GOAL }));
    const { ticket } = unwrap(await alice.call<{ ticket: string }>("POST", "/v1/tickets", {}));
    const bring = () => workers.fetch("pawl-scripted", `/v1/threads/${thread.id}/events?ticket=${ticket}`);
    const statuses = (await Promise.all([bring(), bring(), bring()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 401, 401]);
    expect((await workers.fetch("pawl-scripted", `/v1/threads/${thread.id}/events?ticket=tkt_1`)).status).toBe(401);
  });
});

describe("a calendar with real times", () => {
  const FILE = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//test//test//EN",
    ...["BEGIN:VEVENT", "UID:one", "DTSTART:20260303T090000Z", "DTEND:20260303T093000Z", "SUMMARY:Stand-up"],
    ...['X-KEPT;X-P="a;b":as it is', "END:VEVENT"],
    ...["BEGIN:VEVENT", "UID:two", "DTSTART:20260304T100000Z", "DURATION:PT1H", "SUMMARY:Review", "END:VEVENT"],
    ...["END:VCALENDAR", ""],
  ].join("\r\n");
  const ask = (path: string, init: RequestInit = {}) =>
    workers.fetch("pawl-scripted", path, { ...init, headers: { ...BEARER, ...init.headers } });

  test("is created and filled over HTTP, changed by a turn after an eviction, and exported with what nobody changed", async () => {
    const created = await ask("/v1/calendars", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Work", time_zone: "Europe/Berlin" }),
    });
    const { id } = (await created.json()) as { id: string };
    const headers = { "content-type": "text/calendar" };
    expect((await ask(`/v1/calendars/${id}/ics`, { method: "PUT", headers, body: FILE })).status).toBe(200);
    const { thread } = unwrap(await scripted.create({ goal: "Move the review", mode: "direct", calendar: id }));
    stub.queue(says(callTool("list_events", { from: "2026-03-02", to: "2026-03-08" })));
    const listed = unwrap(await scripted.advance(thread.id));
    const [, event] = /Review.*?\[(e\d+@[^\]]+)\]|(e\d+@\S+?)[\]\s].*Review/.exec(JSON.stringify(listed.turn)) ?? [];
    stub.queue(says(callTool("move_event", { id: event ?? "e2@2026-03-04", start: "2026-03-05T15:00" })));
    const { thread: asking } = unwrap(await scripted.advance(thread.id));
    await workers.worker("pawl-scripted").evictDurableObject("PawlThread", { name: `acme/${thread.id}` });
    const moved = unwrap(await scripted.advance(thread.id, approval(asking.gate)));
    expect(moved.turn?.receipts.at(-1)).toMatchObject({ name: "move_event", success: true });
    const exported = await (await ask(`/v1/calendars/${id}/ics`)).text();
    const eventOf = (text: string, uid: string) =>
      text.split("BEGIN:VEVENT").find((part) => part.includes(`UID:${uid}\r\n`)) ?? "";
    expect(eventOf(exported, "one").split("END:VEVENT")[0]).toBe(eventOf(FILE, "one").split("END:VEVENT")[0]);
    expect(eventOf(exported, "two")).toMatch(/DTSTART[^:]*:20260305T1[45]0000/);
  });
});
