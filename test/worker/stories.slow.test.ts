// The Cloudflare host in the real runtime: whole runs over fetch, races, alarms, sockets, and objects that are evicted.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Client } from "../../src/client/client.ts";
import { type OpenAiStub, startOpenAiStub } from "../support/openai-stub.ts";
import { must } from "../support/runtime.ts";
import { keyNamed } from "../support/server.ts";
import { approval, calls } from "../support/story.ts";
import { type TestWorkers, testWorkers } from "../support/worker.ts";

const GOAL = "Move the essay outline to Thursday of week 2";
const KEY = keyNamed("alice");
let stub: OpenAiStub;
let workers: TestWorkers;
let demo: Client;
let scripted: Client;
let url: URL;

const scriptedConfig = (base_url: string) => ({
  providers: { stub: { base_url } },
  models: { main: { provider: "stub", name: "stub-model", window: 32_768 } },
  // What is left behind by an object that ended is taken up after both.
  limits: { turn_deadline_ms: 10_000 },
  jobs: { lease_ms: 1_000 },
  log: { level: "error" },
});

beforeAll(async () => {
  stub = await startOpenAiStub();
  workers = testWorkers({
    "pawl-demo": {},
    "pawl-scripted": { vars: { PAWL_CONFIG: JSON.stringify(scriptedConfig(stub.base_url)) } },
    "pawl-unclaimed": {
      vars: { PAWL_CONFIG: JSON.stringify(scriptedConfig(stub.base_url)), PAWL_CLAIMS: "off" },
    },
    "pawl-keys": { vars: { PAWL_API_KEYS: `alice:acme:${KEY},bob:bolt:${keyNamed("bob")}` } },
    "pawl-forgetful": { main: "test/worker/forgetful-directory.ts" },
  });
  ({ url } = await workers.harness.listen());
  demo = workers.client("pawl-demo");
  scripted = workers.client("pawl-scripted");
}, 240_000);
afterAll(async () => {
  await workers?.harness.close();
  await stub?.close();
});

const says = (reply: unknown, drip_ms = 0) => ({
  kind: "text" as const,
  text: typeof reply === "string" ? reply : JSON.stringify(reply),
  drip_ms,
});

/** Looks until it is so; bounded, because an alarm that never rings must fail the test. */
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
    async () => must(await client.get(id)).thread,
    ({ state }) => state === "rest",
  );

describe("a run over fetch", () => {
  test("plan, approval, confirmed write and delivery, with proofs, in lists and calendars", async () => {
    const { thread } = must(await demo.create({ goal: GOAL }));
    const planned = must(await demo.advanceUntilPause(thread.id));
    expect(planned).toMatchObject({ stopped: "gate", turn: { model: "demo" }, thread: { gate: { kind: "plan" } } });
    const proposed = must(await demo.advanceUntilPause(thread.id, approval(planned.thread.gate)));
    expect(proposed.thread.gate).toMatchObject({ kind: "confirmation", call: { name: "move" } });
    expect(must(await demo.gates()).gates.map((one) => one.thread)).toContain(thread.id);
    const delivered = must(await demo.advanceUntilPause(thread.id, approval(proposed.thread.gate)));
    expect(delivered.thread).toMatchObject({ state: "rest", outcome: "completed", evidence: "proven" });
    expect(must(await demo.list({ state: "rest" })).threads.map(({ id }) => id)).toContain(thread.id);
    expect(must(await demo.gates()).gates.map((one) => one.thread)).not.toContain(thread.id);

    must(await demo.remove(thread.id));
    expect(await demo.get(thread.id)).toMatchObject({ problem: { code: "thread_not_found" } });
    expect(must(await demo.list()).threads.map(({ id }) => id)).not.toContain(thread.id);
  });

  test("a file written by one turn is read by the next, in an object that was evicted between", async () => {
    const { thread } = must(await scripted.create({ goal: "Note it", mode: "direct", auto_approve: ["write_file"] }));
    stub.queue(says(calls("write_file", { path: "note.md", content: "ninety-nine" })));
    must(await scripted.advance(thread.id));
    await workers.worker("pawl-scripted").evictDurableObject("PawlThread", { name: `local/${thread.id}` });
    stub.queue(says(calls("read_file", { path: "note.md" })));
    const read = must(await scripted.advance(thread.id));
    expect(read.turn?.receipts).toMatchObject([{ name: "read_file", success: true }]);
    expect(JSON.stringify(read.turn)).toContain("ninety-nine");
  });

  test("a turn is streamed while it happens, and the events of a thread are followed from another request", async () => {
    const { thread } = must(await demo.create({ goal: GOAL, plan_approval: "auto" }));
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

  test("of sixteen advances at once exactly one is taken", async () => {
    const { thread } = must(await demo.create({ goal: GOAL }));
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
    expect(must(await demo.get(thread.id)).thread.version).toBe(1);
  });

  test("of two requests that meet at the model's call one asks it, the other is told to wait", async () => {
    const { thread } = must(await scripted.create({ goal: "Look", mode: "direct" }));
    const before = stub.requests.length;
    stub.queue(says(calls("list_tasks", {}), 100));
    const made = await Promise.all([scripted.advance(thread.id), scripted.advance(thread.id)]);
    expect(stub.requests.length - before).toBe(1);
    expect(made.filter((one) => one.ok)).toHaveLength(1);
    expect(made.find((one) => !one.ok)).toMatchObject({ problem: { code: "turn_running", status: 409 } });
    // The claim was given back: nobody waits for its time.
    stub.queue(says(calls("list_tasks", { day_start: 2 })));
    expect(must(await scripted.advance(thread.id)).thread.version).toBe(2);
  });

  test("without claims both ask, and one of them is told at the commit that the thread moved", async () => {
    const unclaimed = workers.client("pawl-unclaimed");
    const { thread } = must(await unclaimed.create({ goal: "Look", mode: "direct" }));
    const before = stub.requests.length;
    stub.queue(says(calls("list_tasks", {}), 100), says(calls("list_tasks", {}), 100));
    const made = await Promise.all([unclaimed.advance(thread.id), unclaimed.advance(thread.id)]);
    expect(stub.requests.length - before).toBe(2);
    expect(made.filter((one) => one.ok)).toHaveLength(1);
    expect(made.find((one) => !one.ok)).toMatchObject({ problem: { code: "thread_moved", status: 409 } });
  });

  test("an object evicted while the model thinks loses nothing: the turn commits, what was there is there", async () => {
    const { thread } = must(await scripted.create({ goal: "Look", mode: "direct" }));
    const before = stub.requests.length;
    stub.queue(says(calls("list_tasks", {}), 300));
    const turn = scripted.advance(thread.id);
    await until(
      async () => stub.requests.length,
      (count) => count > before,
    );
    await workers.worker("pawl-scripted").evictDurableObject("PawlThread", { name: `local/${thread.id}` });
    expect(must(await turn)).toMatchObject({ turn: { receipts: [{ name: "list_tasks" }] }, thread: { version: 1 } });
    await workers.worker("pawl-scripted").evictDurableObject("PawlThread", { name: `local/${thread.id}` });
    expect(must(await scripted.get(thread.id)).thread.version).toBe(1);
  });
});

describe("alarms", () => {
  test("drive a background run to its end", async () => {
    const { thread } = must(await demo.create({ goal: "Show the tasks", plan_approval: "auto", run: "background" }));
    expect(await atRest(demo, thread.id)).toMatchObject({ outcome: "completed" });
  });

  test("wake a background run when nobody answered its question in time", async () => {
    const abort = { action: "abort", abort: { user_message: "Nobody told me the day." } };
    stub.queue(says(calls("clarify", { question: "Which day?", expires_in_s: 1 })), says(abort));
    const { thread } = must(await scripted.create({ goal: "Plan it", mode: "direct", run: "background" }));
    expect(await atRest(scripted, thread.id)).toMatchObject({ outcome: "aborted", gate: null });
    const { records } = must(
      await scripted.call<{ records: { closed_gate: { how: string } | null }[] }>(
        "GET",
        `/v1/threads/${thread.id}/turns`,
      ),
    );
    expect(records.map(({ closed_gate }) => closed_gate?.how)).toContain("expired");
  });

  test("take a background run up again whose object was evicted while the model thought", async () => {
    const before = stub.requests.length;
    stub.queue(says(calls("list_tasks", {}), 300));
    const { thread } = must(await scripted.create({ goal: "Look", mode: "direct", run: "background" }));
    await until(
      async () => stub.requests.length,
      (count) => count > before,
    );
    await workers.worker("pawl-scripted").evictDurableObject("PawlThread", { name: `local/${thread.id}` });
    stub.always(says({ action: "abort", abort: { user_message: "That was all." } }));
    expect(await atRest(scripted, thread.id)).toMatchObject({ outcome: "aborted" });
  });

  test("tell the lists again what the directory did not take; the turns go on meanwhile", async () => {
    const client = workers.client("pawl-forgetful");
    const { thread } = must(await client.create({ goal: GOAL }));
    expect(must(await client.advance(thread.id)).thread.gate).toMatchObject({ kind: "plan" });
    expect(must(await client.list()).threads).toEqual([]);
    const [listed] = await until(
      async () => must(await client.list()).threads,
      (threads) => threads.length > 0,
    );
    expect(listed).toMatchObject({ id: thread.id, gate: { kind: "plan" } });
  });

  test("start what a schedule says", async () => {
    const at = new Date(Date.now() + 1500).toISOString();
    const what = { kind: "thread", create: { goal: "Show the tasks", plan_approval: "auto" } };
    const { schedule } = must(
      await demo.call<{ schedule: { id: string } }>("POST", "/v1/schedules", {
        name: "soon",
        when: { kind: "once", at },
        what,
      }),
    );
    const fired = await until(
      async () =>
        must(
          await demo.call<{ schedule: { last: { thread: string | null } | null } }>(
            "GET",
            `/v1/schedules/${schedule.id}`,
          ),
        ).schedule,
      ({ last }) => last !== null,
    );
    expect(await atRest(demo, fired.last?.thread ?? "")).toMatchObject({ outcome: "completed" });
  });
});

describe("a socket", () => {
  type Frame = Record<string, unknown> & { type: string };
  function open(id: string, after = -1) {
    const socket = new WebSocket(`ws://${url.host}/v1/threads/${id}/live?after=${after}`);
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

  test("tells every event once and in order, takes an approval, and outlives the object's memory", async () => {
    const { thread } = must(await demo.create({ goal: GOAL, plan_approval: "auto" }));
    const live = open(thread.id);
    await live.heard("thread.created");
    const proposed = must(await demo.advanceUntilPause(thread.id));
    await live.heard("gate.opened");
    await workers
      .worker("pawl-demo")
      .evictDurableObject("PawlThread", { name: `local/${thread.id}`, webSockets: "hibernate" });
    const gate = proposed.thread.gate;
    if (gate?.kind !== "confirmation") throw new Error("there is nothing to confirm");
    const answer = { type: "tool_confirmation_response", requestId: gate.id, digest: gate.digest };
    live.socket.send(JSON.stringify({ ...answer, digest: "wrong", decision: "approve" }));
    expect(await live.heard("problem")).toMatchObject({ problem: { code: "digest_mismatch" }, requestId: gate.id });
    live.socket.send(JSON.stringify({ ...answer, decision: "approve" }));
    expect(await live.heard("response")).toMatchObject({ requestId: gate.id, response: { thread: { gate: null } } });
    live.socket.send(JSON.stringify({ type: "ping" }));
    await live.heard("pong");
    must(await demo.advanceUntilPause(thread.id));
    await live.heard("run.delivered");

    const { events } = must(
      await demo.call<{ events: { seq: number }[] }>("GET", `/v1/threads/${thread.id}/events?after=-1`),
    );
    const told = live.frames.map(({ seq }) => seq).filter((seq) => seq !== undefined);
    expect(told).toEqual(events.map(({ seq }) => seq));
    must(await demo.remove(thread.id));
    expect(await live.closed).toBe(1001);
  });
});

describe("who may call", () => {
  test("without keys nobody but this machine, and everybody may ask whether it lives", async () => {
    const ask = (address: string) => workers.worker("pawl-demo").fetch(address);
    const alive = await ask("https://pawl.example.com/healthz");
    expect([alive.status, await alive.json()]).toMatchObject([200, { ok: true }]);
    const refused = await ask("https://pawl.example.com/v1/threads");
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: "unauthorized", message: expect.stringContaining("no keys") });
  });

  test("with keys each tenant sees its own threads, from any address", async () => {
    const alice = workers.client("pawl-keys", KEY);
    const { thread } = must(await alice.create({ goal: GOAL }));
    expect(await workers.client("pawl-keys", keyNamed("bob")).get(thread.id)).toMatchObject({
      problem: { code: "thread_not_found" },
    });
    expect(await workers.client("pawl-keys").get(thread.id)).toMatchObject({ problem: { code: "unauthorized" } });
    expect(must(await alice.advance(thread.id)).thread.gate).toMatchObject({ kind: "plan" });
  });

  test("a ticket opens the events once, wherever it is brought", async () => {
    const alice = workers.client("pawl-keys", KEY);
    const { thread } = must(await alice.create({ goal: GOAL }));
    const { ticket } = must(await alice.call<{ ticket: string }>("POST", "/v1/tickets", {}));
    const bring = () => workers.fetch("pawl-keys", `/v1/threads/${thread.id}/events?ticket=${ticket}`);
    const statuses = (await Promise.all([bring(), bring(), bring()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 401, 401]);
    expect((await workers.fetch("pawl-keys", `/v1/threads/${thread.id}/events?ticket=tkt_1`)).status).toBe(401);
  });
});
