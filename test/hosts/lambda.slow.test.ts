// The Lambda host as it is uploaded, on a DynamoDB server: real events, and every call in a fresh process.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BUNDLE_BYTES_MAX, type BundleFile, bundleLambda } from "../../scripts/bundle-lambda.ts";
import type { Gate } from "../../src/schema/gate.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import {
  type Call,
  type HttpAnswer,
  httpEvent,
  type Invoked,
  invoke,
  type LambdaProcess,
  readEvent,
} from "../support/lambda-process.ts";
import { keyNamed } from "../support/server.ts";
import { approval } from "../support/story.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-lambda-"));
const KEY = keyNamed("alice");
const bundle = join(folder, "lambda.mjs");
let files: readonly BundleFile[] = [];

beforeAll(async () => {
  files = await bundleLambda(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the bundle stays under two megabytes", () => {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const gzip = files.reduce((sum, file) => sum + file.gzip, 0);
  console.log(`The Lambda bundle has ${bytes} bytes in ${files.length} files, ${gzip} when compressed.`);
  expect(files.map(({ name }) => name)).toContain("lambda.mjs");
  expect(bytes).toBeLessThan(BUNDLE_BYTES_MAX);
});

describe.runIf(hasDynamoServer())("the Lambda host", () => {
  const server = useDynamoServer();
  let lambda: LambdaProcess;
  beforeAll(async () => {
    const env = {
      ...server().env,
      TABLE_NAME: await server().table(),
      PAWL_API_KEYS: `alice:acme:${"read+advance+confirm"}:${KEY}`,
    };
    lambda = { bundle, env };
  });

  const authorization = `Bearer ${KEY}`;
  type Body = { thread: { id: string; gate: Gate | null } & Record<string, unknown> } & Record<string, unknown>;
  const times: Invoked<unknown>[] = [];

  async function send(call: Call, from: "function-url" | "http-api" = "function-url"): Promise<HttpAnswer> {
    const headers = { authorization, ...call.headers };
    const invoked = await invoke<HttpAnswer>(lambda, httpEvent(from, { ...call, headers }));
    times.push(invoked);
    return invoked.answer;
  }
  async function body(call: Call, from?: "function-url" | "http-api"): Promise<Body> {
    const answer = await send(call, from);
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    return JSON.parse(answer.body) as Body;
  }
  const start = (goal: string, more: object = {}) =>
    body({ path: "/v1/threads", body: { goal, mode: "direct", ...more } });

  test.each(["function-url", "http-api"] as const)(
    "moves a task by events of %s, each call in a process of its own",
    async (from) => {
      const goal = "Move the essay outline to Thursday of week 2";
      const { thread } = await body({ path: "/v1/threads", body: { goal, mode: "direct" } }, from);
      const advance = (input: unknown = null) =>
        body({ path: `/v1/threads/${thread.id}/turns`, body: { input } }, from);
      expect((await advance()).turn).toMatchObject({ model: "demo", receipts: [{ name: "list_tasks" }] });
      expect((await advance()).turn).toMatchObject({ receipts: [{ name: "query_available_slots" }] });
      const proposed = await advance();
      expect(proposed).toMatchObject({ next: "confirm", thread: { gate: { call: { name: "move" } } } });
      const approved = await advance(approval(proposed.thread.gate));
      expect(approved.turn).toMatchObject({ receipts: [{ kind: "intended" }, { kind: "settled", actor: "alice" }] });
      expect((await advance()).thread.state).toBe("deliver");
      const delivered = await advance();
      expect(delivered).toMatchObject({ next: "none", thread: { outcome: "completed", evidence: "proven" } });
      expect(JSON.stringify(delivered.turn)).toContain("Moved [13] Essay outline");
    },
  );

  test("says how long a cold start takes", () => {
    const median = (part: "load_ms" | "answer_ms"): string =>
      (times.map((one) => one[part]).toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN).toFixed(0);
    console.log(
      `Cold start of the Lambda host, ${times.length} processes: code loaded in ${median("load_ms")} ms, first answer ${median("answer_ms")} ms later (medians).`,
    );
    expect(times.length).toBeGreaterThanOrEqual(14);
  });

  test("reads a body in base64, queries, and answers a repeated key with the same bytes", async () => {
    const { thread } = await start("Say hello");
    const path = `/v1/threads/${thread.id}/turns`;
    const call = {
      path,
      query: "until=pause&max_turns=3",
      base64: true,
      body: {},
      headers: { "idempotency-key": "k-1" },
    };
    const first = await send(call);
    const again = await send(call);
    expect(first.statusCode).toBe(200);
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expect(again.body).toBe(first.body);
  });

  test("has the tools that need no machine of their own, and no shell", async () => {
    const { toolNames } = await body({ path: "/v1/tools" });
    const some = ["list_tasks", "move", "read_file", "grep", "fetch_url", "clarify"];
    expect(toolNames).toEqual(expect.arrayContaining(some));
    expect(toolNames).not.toContain("bash");
  });

  test("lists threads and gates of its tenant", async () => {
    const listed = await body({ path: "/v1/threads", query: "state=rest" });
    expect((listed.threads as unknown[]).length).toBeGreaterThan(0);
    expect((await send({ path: "/v1/gates" })).statusCode).toBe(200);
  });

  test("answers unknown threads, wrong keys and sockets as problems", async () => {
    const missing = await send({ path: "/v1/threads/thr_00000000000000000000000000" });
    expect([missing.statusCode, JSON.parse(missing.body).code]).toEqual([404, "thread_not_found"]);
    expect(missing.headers["content-type"]).toContain("application/problem+json");
    const stranger = await send({ path: "/v1/threads", headers: { authorization: `Bearer ${keyNamed("mallory")}` } });
    expect(stranger.statusCode).toBe(401);
    const { thread } = await start("Say hello");
    const live = await send({ path: `/v1/threads/${thread.id}/live`, headers: { upgrade: "websocket" } });
    expect([live.statusCode, JSON.parse(live.body).code]).toEqual([501, "not_supported_here"]);
  });

  test("streams a turn through the streaming handler", async () => {
    const { thread } = await start("Move the essay outline to Thursday of week 2");
    const event = httpEvent("function-url", {
      path: `/v1/threads/${thread.id}/turns`,
      body: {},
      headers: { authorization, accept: "text/event-stream" },
    });
    const { answer } = await invoke<HttpAnswer & { pieces: number }>(lambda, event, true);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toContain("text/event-stream");
    const events = [...answer.body.matchAll(/^event: (.+)$/gm)].map((match) => match[1]);
    expect(events[0]).toBe("turn.started");
    expect(events.slice(-2)).toEqual(["turn.committed", "response"]);
    expect(answer.pieces).toBeGreaterThan(1);
  });

  /** A message of the queue whose body is a record of the table's stream. */
  const message = (pk: string, sk: string) => {
    const event = readEvent("sqs") as { Records: Record<string, unknown>[] };
    const record = readEvent("stream-record") as { dynamodb: object };
    const body = JSON.stringify({
      ...record,
      dynamodb: { ...record.dynamodb, Keys: { pk: { S: pk }, sk: { S: sk } } },
    });
    return { Records: event.Records.map((one) => ({ ...one, body })) };
  };

  test("drives a background run when the queue tells of its wake-up, until somebody is needed", async () => {
    const { thread } = await start("Move the essay outline to Thursday of week 2", { run: "background" });
    const { answer } = await invoke(lambda, message(`t#acme#${thread.id}`, "O#wake"));
    expect(answer).toEqual({ batchItemFailures: [] });
    const parked = await body({ path: `/v1/threads/${thread.id}` });
    expect(parked).toMatchObject({ next: "confirm", thread: { gate: { kind: "confirmation" }, turn: 3 } });
    const again = await invoke(lambda, message(`t#acme#${thread.id}`, "O#wake"));
    expect(again.answer).toEqual({ batchItemFailures: [] });
    expect((await body({ path: `/v1/threads/${thread.id}` })).thread.version).toBe(parked.thread.version);
  });

  test("gives a message that it cannot read back to the queue, and takes one whose thread is gone", async () => {
    const itemIdentifier = "059f36b4-87a3-44ab-83d2-661975830a7d";
    const failed = { batchItemFailures: [{ itemIdentifier }] };
    expect((await invoke(lambda, message("s#acme", "SETTINGS"))).answer).toEqual(failed);
    expect((await invoke(lambda, message("t#acme#x%", "O#wake"))).answer).toEqual(failed);
    const gone = message("t#acme#thr_00000000000000000000000000", "O#wake");
    expect((await invoke(lambda, gone)).answer).toEqual({ batchItemFailures: [] });
  });

  test("drives all that is due when the schedule asks", async () => {
    const { thread } = await start("Move the essay outline to Thursday of week 2", { run: "background" });
    const { answer } = await invoke<{ worked: number }>(lambda, readEvent("schedule"));
    expect(answer.worked).toBeGreaterThanOrEqual(1);
    expect(await body({ path: `/v1/threads/${thread.id}` })).toMatchObject({ next: "confirm" });
  });

  describe("its configuration", () => {
    const healthz = httpEvent("function-url", { path: "/healthz" });

    test("without keys it serves nobody, and its log says why", async () => {
      const { PAWL_API_KEYS: _, ...env } = lambda.env;
      const { answer, log } = await invoke<HttpAnswer>({ bundle, env }, healthz);
      expect([answer.statusCode, JSON.parse(answer.body).code]).toEqual([500, "internal"]);
      expect(log).toContain("there are no keys");
    });

    test("without a table it says which variable is missing", async () => {
      const { TABLE_NAME: _, ...env } = lambda.env;
      const { answer, log } = await invoke<HttpAnswer>({ bundle, env }, healthz);
      expect(answer.statusCode).toBe(500);
      expect(log).toContain("TABLE_NAME: is not set");
    });

    test("keys come from Secrets Manager, and are never written down", async () => {
      const secret = { PAWL_API_KEYS: `bob:acme:${keyNamed("bob")}` };
      const extension = await startExtension("token-1", "pawl/keys", secret);
      const env = {
        ...lambda.env,
        PAWL_API_KEYS: "",
        PAWL_SECRET_ID: "pawl/keys",
        PARAMETERS_SECRETS_EXTENSION_HTTP_PORT: String((extension.address() as AddressInfo).port),
        AWS_SESSION_TOKEN: "token-1",
      };
      const listing = (key: string) =>
        httpEvent("function-url", { path: "/v1/threads", headers: { authorization: `Bearer ${keyNamed(key)}` } });
      const known = await invoke<HttpAnswer>({ bundle, env }, listing("bob"));
      const unknown = await invoke<HttpAnswer>({ bundle, env }, listing("alice"));
      const other = await invoke<HttpAnswer>({ bundle, env: { ...env, PAWL_SECRET_ID: "pawl/none" } }, listing("bob"));
      extension.close();
      expect([known, unknown, other].map(({ answer }) => answer.statusCode)).toEqual([200, 401, 500]);
      expect(other.log).toContain("PAWL_SECRET_ID: Secrets Manager answered 400");
      for (const { log } of [known, unknown, other]) expect(log).not.toContain(keyNamed("bob"));
    });
  });

  /** As the extension answers that AWS puts beside a function. */
  function startExtension(token: string, id: string, secret: object): Promise<Server> {
    const extension = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://localhost");
      const asked = url.pathname === "/secretsmanager/get" && url.searchParams.get("secretId") === id;
      const allowed = request.headers["x-aws-parameters-secrets-token"] === token;
      response.writeHead(asked && allowed ? 200 : 400, { "content-type": "application/json" });
      response.end(asked && allowed ? JSON.stringify({ Name: id, SecretString: JSON.stringify(secret) }) : "{}");
    });
    return new Promise((resolve) => extension.listen(0, "localhost", () => resolve(extension)));
  }
});
