import { beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../src/http/app.ts";
import { fail } from "../../src/schema/problem.ts";
import type { ThreadView } from "../../src/schema/turn-result.ts";
import { callTool } from "../support/decisions.ts";
import { createTestRuntime, type TestRuntime } from "../support/runtime.ts";
import { testSettings } from "../support/server.ts";
import { createWriteTool } from "../support/tools.ts";

// A line that is longer than a record stores inline, with characters of two and four bytes.
const LINE = `${"long line é 🪵 ".repeat(600)}end`;

let rt: TestRuntime;
let ledger: string[];
let app: ReturnType<typeof createApp>;
beforeEach(() => {
  ledger = [];
  rt = createTestRuntime([callTool("write", { line: LINE })], [createWriteTool(ledger)]);
  app = createApp(testSettings(rt));
});

async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await app.request(path, {
    method,
    headers: { host: "localhost", "content-type": "application/json", ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return {
    status: response.status,
    text: await response.text(),
    replayed: response.headers.get("idempotency-replayed"),
  };
}
const parse = ({ text }: { text: string }) => JSON.parse(text);
const lineOf = (thread: Pick<ThreadView, "gate">): unknown =>
  thread.gate?.kind === "confirmation" ? thread.gate.call.arguments?.line : null;

async function aGate() {
  const thread = parse(await send("POST", "/v1/threads", { goal: "Tidy up", mode: "direct" })).thread.id as string;
  const first = await send("POST", `/v1/threads/${thread}/turns`, {}, { "idempotency-key": "propose" });
  return { thread, first };
}

describe("a gate whose arguments are too large for its record", () => {
  test("is stored without them", async () => {
    const { thread } = await aGate();
    const page = parse(await send("GET", `/v1/threads/${thread}/events`));
    const opened = page.events.find((event: { type: string }) => event.type === "gate.opened");
    expect(opened.gate.call).toMatchObject({
      arguments: null,
      arguments_blob: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("is shown whole when it opens, in a repeated response, in the thread and in a refusal", async () => {
    const { thread, first } = await aGate();
    expect(lineOf(parse(first).thread)).toBe(LINE);
    const again = await send("POST", `/v1/threads/${thread}/turns`, {}, { "idempotency-key": "propose" });
    expect([again.replayed, again.text === first.text]).toEqual(["true", true]);
    expect(lineOf(parse(await send("GET", `/v1/threads/${thread}`)).thread)).toBe(LINE);
    const refused = parse(await send("POST", `/v1/threads/${thread}/turns`, {}));
    expect(refused.code).toBe("gate_open");
    expect(lineOf(refused)).toBe(LINE);
  });

  test("is shown whole in a list on request", async () => {
    await aGate();
    expect(lineOf(parse(await send("GET", "/v1/gates")).gates[0])).toBeUndefined();
    expect(lineOf(parse(await send("GET", "/v1/gates?arguments=whole")).gates[0])).toBe(LINE);
    expect((await send("GET", "/v1/gates?arguments=all")).status).toBe(400);
  });

  test("is shown whole in a stream and in a fork", async () => {
    const { thread } = await aGate();
    const fork = parse(await send("POST", `/v1/threads/${thread}/fork`, { turn: 1 })).thread;
    expect(lineOf(fork)).toBe(LINE);
    expect(lineOf(parse(await send("GET", `/v1/threads/${fork.id}`)).thread)).toBe(LINE);
    const { text } = await send(
      "POST",
      `/v1/threads/${thread}/turns`,
      {},
      { accept: "text/event-stream", "idempotency-key": "propose" },
    );
    const data = /event: response\ndata: (.*)\n/.exec(text)?.[1] ?? "{}";
    expect(lineOf(JSON.parse(data).thread)).toBe(LINE);
  });

  test("is approved by the digest of what was shown", async () => {
    const { thread, first } = await aGate();
    const { id, digest } = parse(first).thread.gate;
    const input = { type: "confirm", gate_id: id, digest, decision: "approve" };
    expect((await send("POST", `/v1/threads/${thread}/turns`, { input })).status).toBe(200);
    expect(ledger).toEqual([expect.stringMatching(/end$/)]);
  });

  test("is still shown when the blob is gone, as what it is", async () => {
    const { thread } = await aGate();
    const gone = {
      ...rt,
      store: {
        ...rt.store,
        getBlob: async () => fail("blob_not_found", "Gone."),
      },
    };
    app = createApp(testSettings(gone));
    const shown = parse(await send("GET", `/v1/threads/${thread}`));
    expect(shown.thread.gate).toMatchObject({ kind: "confirmation", call: { arguments: null } });
  });

  test("is never shortened in a repeated response: an unavailable store is reported instead", async () => {
    const { thread, first } = await aGate();
    const again = () => send("POST", `/v1/threads/${thread}/turns`, {}, { "idempotency-key": "propose" });
    const getBlob = async () => fail("store_unavailable", "Away.", { retry_after_s: 1 });
    app = createApp(testSettings({ ...rt, store: { ...rt.store, getBlob } }));
    const away = await again();
    expect([away.status, parse(away).code]).toEqual([503, "store_unavailable"]);
    app = createApp(testSettings(rt));
    expect((await again()).text).toBe(first.text);
  });
});
