import { afterEach, describe, expect, test } from "vitest";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import { ask, callTool, done, nextStep, plan } from "../support/decisions.ts";
import { unwrap } from "../support/runtime.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { createWriteTool, look } from "../support/tools.ts";

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(script: Iterable<ScriptEntry>, tools: readonly Tool[] = [look]) {
  const server = await startTestServer({ script, tools });
  servers.push(server);
  /** Returns the response exactly as received. */
  const send = async (path: string, key: string | null, body: unknown = {}, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key ? { "idempotency-key": key } : {}), ...headers },
      body: JSON.stringify(body),
    });
    const { status } = response;
    const replayed = response.headers.get("idempotency-replayed");
    return {
      status,
      replayed,
      etag: response.headers.get("etag"),
      headers: response.headers,
      body: await response.text(),
    };
  };
  const created = async (input: object = { goal: "Tidy up", mode: "direct" }): Promise<string> =>
    JSON.parse((await send("/v1/threads", null, input)).body).thread.id;
  return { server, send, created };
}

const codeOf = ({ status, body }: { status: number; body: string }) => `${status} ${JSON.parse(body).code}`;

describe("the same key and body", () => {
  test("create one thread and give the same bytes", async () => {
    const { send, server } = await start([]);
    const first = await send("/v1/threads", "make-1", { goal: "Tidy up" });
    const again = await send("/v1/threads", "make-1", { goal: "Tidy up" });
    expect(again).toMatchObject({ status: 201, body: first.body, etag: first.etag, replayed: "true" });
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(first.replayed).toBeNull();
    expect(unwrap(await server.client().list()).threads).toHaveLength(1);
  });

  test("advance once and give the same bytes, also when the thread has continued since", async () => {
    const { send, created } = await start([callTool("look", { at: "desk" }), callTool("look", { at: "bed" })]);
    const path = `/v1/threads/${await created()}/turns`;
    const first = await send(path, "one");
    const other = await send(path, "two");
    const again = await send(path, "one");
    expect(first.status).toBe(200);
    expect(again).toMatchObject({ status: 200, body: first.body, etag: first.etag, replayed: "true" });
    expect(other.body).not.toBe(first.body);
  });

  test("run several turns once and give the same bytes", async () => {
    const script = [callTool("look", { at: "desk" }), callTool("look", { at: "bed" }), ask("Which one?")];
    const { send, created } = await start(script);
    const path = `/v1/threads/${await created()}/turns?until=pause`;
    const first = await send(path, "run");
    expect(JSON.parse(first.body)).toMatchObject({ stopped: "gate", turns: [{}, {}, {}] });
    expect(await send(path, "run")).toMatchObject({ body: first.body, etag: first.etag, replayed: "true" });
  });

  test("run as many turns as were allowed once and give the same bytes", async () => {
    const { send, created } = await start([callTool("look", { at: "desk" }), callTool("look", { at: "bed" })]);
    const path = `/v1/threads/${await created()}/turns?until=pause&max_turns=2`;
    const first = await send(path, "run");
    expect(JSON.parse(first.body)).toMatchObject({ stopped: "max_turns", turns: [{}, {}] });
    expect(await send(path, "run")).toMatchObject({ body: first.body, replayed: "true" });
  });

  test("run an approved write once and give the same bytes", async () => {
    const ledger: string[] = [];
    const { send, created } = await start([callTool("write", { line: "a" })], [createWriteTool(ledger)]);
    const path = `/v1/threads/${await created()}/turns`;
    const { gate } = JSON.parse((await send(path, null)).body).thread;
    const input = { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" };
    const first = await send(path, "approve", { input });
    expect(await send(path, "approve", { input })).toMatchObject({ status: 200, body: first.body, replayed: "true" });
    expect(ledger).toHaveLength(1);
  });

  test("return a stored failure with the same bytes", async () => {
    const { send, created } = await start(["nonsense", "nonsense", "nonsense"]);
    const path = `/v1/threads/${await created()}/turns`;
    const first = await send(path, "bad");
    expect(codeOf(first)).toBe("502 decision_invalid");
    expect(JSON.parse(first.body)).toMatchObject({ thread: { turn: 1 }, turn: { number: 1 }, next: "advance" });
    expect(await send(path, "bad")).toMatchObject({ status: 502, body: first.body, replayed: "true" });
  });

  test("are one request regardless of the order of keys in the body", async () => {
    const { send, created } = await start([callTool("look", { at: "desk" })]);
    const path = `/v1/threads/${await created()}/turns`;
    const first = await send(path, "order", {
      input: { type: "message", text: "go" },
      budget: { turns: 9, tokens: 9999999 },
    });
    const again = await send(path, "order", {
      budget: { tokens: 9999999, turns: 9 },
      input: { text: "go", type: "message" },
    });
    expect(again).toMatchObject({ status: 200, body: first.body, replayed: "true" });
  });
});

describe("the same key and something else", () => {
  test("another body is refused and stores nothing", async () => {
    const { send, created, server } = await start([callTool("look", { at: "desk" })]);
    const thread = await created();
    const path = `/v1/threads/${thread}/turns`;
    await send(path, "one");
    expect(codeOf(await send(path, "one", { input: { type: "message", text: "other" } }))).toBe(
      "422 idempotency_mismatch",
    );
    expect(codeOf(await send(`${path}?until=pause`, "one"))).toBe("422 idempotency_mismatch");
    expect(codeOf(await send(path, "one", {}, { "if-match": '"1"' }))).toBe("422 idempotency_mismatch");
    expect(unwrap(await server.client().get(thread)).thread.version).toBe(1);
  });

  test("another body at create is refused", async () => {
    const { send } = await start([]);
    await send("/v1/threads", "make", { goal: "a" });
    expect(codeOf(await send("/v1/threads", "make", { goal: "b" }))).toBe("422 idempotency_mismatch");
  });

  test("on another thread is another call", async () => {
    const { send, created } = await start([callTool("look", { at: "desk" }), callTool("look", { at: "bed" })]);
    const [one, two] = [await created(), await created()];
    expect((await send(`/v1/threads/${one}/turns`, "same")).replayed).toBeNull();
    const second = await send(`/v1/threads/${two}/turns`, "same");
    expect([second.status, second.replayed]).toEqual([200, null]);
  });
});

describe("a key", () => {
  test("is not bound by a request that stored nothing", async () => {
    const { send, created } = await start([ask("Which one?"), callTool("look", { at: "desk" })]);
    const path = `/v1/threads/${await created()}/turns`;
    const { gate } = JSON.parse((await send(path, null)).body).thread;
    expect(codeOf(await send(path, "mine"))).toBe("409 gate_open");
    const answered = await send(path, "mine", { input: { type: "answer", gate_id: gate.id, text: "this" } });
    expect([answered.status, answered.replayed]).toEqual([200, null]);
  });

  test("is not bound when the model does not answer, and can be used again", async () => {
    const down = { fail: "model_unavailable", details: { retry_after_s: 7 } } as const;
    const { send, created } = await start([down, callTool("look", { at: "desk" })]);
    const path = `/v1/threads/${await created()}/turns`;
    const refused = await send(path, "mine");
    expect([codeOf(refused), refused.headers.get("retry-after")]).toEqual(["503 model_unavailable", "7"]);
    expect(await send(path, "mine")).toMatchObject({ status: 200, replayed: null });
  });

  test("continues where a request of several turns broke off, and counts from its first turn", async () => {
    const down = { fail: "model_unavailable" } as const;
    const script = [
      callTool("look", { at: "desk" }),
      down,
      callTool("look", { at: "bed" }),
      callTool("look", { at: "door" }),
    ];
    const { send, created } = await start(script);
    const path = `/v1/threads/${await created()}/turns?until=pause&max_turns=3`;
    const first = await send(path, "run");
    expect(JSON.parse(first.body)).toMatchObject({
      stopped: "problem",
      problem: { code: "model_unavailable" },
      turns: [{}],
    });
    const second = await send(path, "run");
    expect(JSON.parse(second.body)).toMatchObject({
      stopped: "max_turns",
      turns: [{ number: 1 }, { number: 2 }, { number: 3 }],
    });
    expect(await send(path, "run")).toMatchObject({ body: second.body, replayed: "true" });
  });

  test("of a request in progress is told to wait, for one turn and for several", async () => {
    const slow = (at: string): ScriptEntry[] => [{ delay: 400 }, callTool("look", { at })];
    for (const query of ["", "?until=pause&max_turns=2"]) {
      const { send, created } = await start([...slow("desk"), ...slow("bed")]);
      const path = `/v1/threads/${await created()}/turns${query}`;
      const first = send(path, "same");
      // Waits longer than one turn, so that the second of two is running.
      await new Promise((resolve) => setTimeout(resolve, query ? 600 : 100));
      const second = await send(path, "same");
      expect([codeOf(second), second.headers.get("retry-after")]).toEqual(["409 turn_running", "1"]);
      const answer = await first;
      expect(answer.status).toBe(200);
      expect(await send(path, "same")).toMatchObject({ body: answer.body, replayed: "true" });
    }
  });
});

describe("until=pause", () => {
  const script = () => [
    plan("Look", "Look again"),
    callTool("look", { at: "a" }),
    nextStep,
    callTool("look", { at: "b" }),
    done,
    "All done.",
  ];

  test("runs to the end if nothing pauses it", async () => {
    const { send, created } = await start(script());
    const thread = await created({ goal: "Tidy up", plan_approval: "auto" });
    const { body } = await send(`/v1/threads/${thread}/turns?until=pause`, null);
    const ran = JSON.parse(body);
    // The plan did not say what proves its steps, and nothing was written.
    const thread_end = { outcome: "completed", evidence: "none", evidence_kind: "observed" };
    expect(ran).toMatchObject({ stopped: "rest", next: "none", thread: thread_end });
    expect(ran.turns.map((turn: { number: number }) => turn.number)).toEqual([1, 2, 3, 4, 5]);
    expect(ran.turn).toEqual(ran.turns.at(-1));
  });

  test("stops at a gate, and continues after it", async () => {
    const { send, created } = await start(script());
    const path = `/v1/threads/${await created({ goal: "Tidy up" })}/turns?until=pause`;
    const first = JSON.parse((await send(path, null)).body);
    expect(first).toMatchObject({ stopped: "gate", next: "confirm" });
    const { id, digest } = first.thread.gate;
    const input = { type: "confirm", gate_id: id, digest, decision: "approve" };
    expect(JSON.parse((await send(path, null, { input })).body)).toMatchObject({ stopped: "rest" });
  });

  test.each(["max_turns=0", "max_turns=21", "max_turns=x", "max_turns=1.5"])("refuses %s", async (query) => {
    const { send, created } = await start([]);
    expect(codeOf(await send(`/v1/threads/${await created()}/turns?until=pause&${query}`, null))).toBe(
      "400 request_invalid",
    );
  });

  test("refuses to wait for anything else", async () => {
    const { send, created } = await start([]);
    expect(codeOf(await send(`/v1/threads/${await created()}/turns?until=done`, null))).toBe("400 request_invalid");
  });
});
