// Tests the uploaded Lambda host on a DynamoDB server with real events. Every call runs in a new process.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  BUNDLE_BYTES_MAX,
  type BundleFile,
  bundleLambda,
  readBundled,
  START_BYTES_MAX,
} from "../../../scripts/bundle-lambda.ts";
import { projectRoot } from "../../../scripts/read-source.ts";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { createLambdaHost } from "../../../src/hosts/aws-lambda/host.ts";
import { verifyExport } from "../../../src/schema/export.ts";
import type { Gate } from "../../../src/schema/gate.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import { hasDynamoServer, useDynamoServer } from "../../support/dynamodb.ts";
import {
  type HttpRequest,
  type HttpResponse,
  httpEvent,
  type InvocationResult,
  invoke,
  type LambdaInstance,
  type LambdaProcess,
  queueEvent,
  readEvent,
  startInstance,
} from "../../support/lambda-process.ts";
import { startSecretsExtension } from "../../support/secrets-extension.ts";
import { apiKeyFor } from "../../support/server.ts";
import { approval } from "../../support/story.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-lambda-"));
const KEY = apiKeyFor("alice");
const bundle = join(folder, "lambda.mjs");
let files: readonly BundleFile[] = [];

beforeAll(async () => {
  files = await bundleLambda(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the bundle and what a cold start loads of it stay under their limits", () => {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const startBytes = files.filter(({ at_start }) => at_start).reduce((sum, file) => sum + file.bytes, 0);
  const gzip = files.reduce((sum, file) => sum + file.gzip, 0);
  console.log(`The Lambda bundle has ${bytes} bytes in ${files.length} files, ${gzip} when compressed.`);
  expect(files.map(({ name }) => name)).toContain("lambda.mjs");
  expect(bytes).toBeLessThan(BUNDLE_BYTES_MAX);
  expect(startBytes).toBeGreaterThan(0);
  expect(startBytes).toBeLessThan(START_BYTES_MAX);
});

test("the bundle contains no parser of SQL, because the host has no data sources", () => {
  const parser = files.filter(({ name }) => readBundled(folder, name).includes("NodeSQLParser"));
  expect(parser).toEqual([]);
});

describe.runIf(hasDynamoServer())("the Lambda host", () => {
  const server = useDynamoServer();
  let lambda: LambdaProcess;
  beforeAll(async () => {
    const env = {
      ...server().env,
      TABLE_NAME: await server().table(),
      PAWL_API_KEYS: `alice:acme:${KEY}`,
      // As on Lambda, the code that the first event needs is loaded before it.
      AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    };
    lambda = { bundle, env };
  });

  const authorization = `Bearer ${KEY}`;
  type Body = { thread: { id: string; gate: Gate | null } & Record<string, unknown> } & Record<string, unknown>;
  type From = "function-url" | "http-api";
  const times: InvocationResult<unknown>[] = [];
  let warm: LambdaInstance;
  beforeAll(() => {
    warm = startInstance(lambda);
  });
  afterAll(() => warm.end());

  const eventOf = (call: HttpRequest, from: From = "function-url"): unknown =>
    httpEvent(from, { ...call, headers: { authorization, ...call.headers } });
  const send = async (call: HttpRequest, from?: From): Promise<HttpResponse> =>
    (await warm.invoke<HttpResponse>(eventOf(call, from))).answer;
  async function inFreshProcess(call: HttpRequest, from: From): Promise<HttpResponse> {
    const invoked = await invoke<HttpResponse>(lambda, eventOf(call, from));
    times.push(invoked);
    return invoked.answer;
  }
  function readBody(answer: HttpResponse): Body {
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    return JSON.parse(answer.body) as Body;
  }
  const body = async (call: HttpRequest): Promise<Body> => readBody(await send(call));
  const start = (goal: string, more: object = {}) =>
    body({ path: "/v1/threads", body: { goal, mode: "direct", ...more } });

  test.each(["function-url", "http-api"] as const)(
    "moves a task by events of %s, each call in a process of its own",
    async (from) => {
      const goal = "Move the essay outline to Thursday of week 2";
      const create = { path: "/v1/threads", body: { goal, mode: "direct" } };
      const { thread } = readBody(await inFreshProcess(create, from));
      const advance = async (input: unknown = null) =>
        readBody(await inFreshProcess({ path: `/v1/threads/${thread.id}/turns`, body: { input } }, from));
      expect((await advance()).turn).toMatchObject({ model: "demo", receipts: [{ name: "list_tasks" }] });
      expect((await advance()).turn).toMatchObject({ receipts: [{ name: "query_available_slots" }] });
      const proposed = await advance();
      expect(proposed).toMatchObject({ next: "confirm", thread: { gate: { call: { name: "move" } } } });
      const approved = await advance(approval(proposed.thread.gate));
      expect(approved.turn).toMatchObject({ receipts: [{ kind: "intended" }, { kind: "settled", actor: "alice" }] });
      const delivered = await advance();
      expect(delivered).toMatchObject({ next: "none", thread: { outcome: "completed", evidence: "proven" } });
      expect(JSON.stringify(delivered.turn)).toContain("Moved Essay outline");
    },
  );

  test("says how long a cold start takes", () => {
    const median = (part: "load_ms" | "answer_ms"): string =>
      (times.map((one) => one[part]).toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN).toFixed(0);
    console.log(
      `Cold start of the Lambda host, ${times.length} processes: code loaded in ${median("load_ms")} ms, first answer ${median("answer_ms")} ms later (medians).`,
    );
    expect(times.length).toBe(12);
  });

  test("takes tools of the client and workflows with output schemas, which need JSON Schema at run time", async () => {
    const properties = { title: { type: "string" } };
    const tool = { name: "show_card", description: "Shows a card.", input: { type: "object", properties } };
    const { thread } = await start("Show a card", { client_tools: [tool] });
    expect(thread.state).toBe("execute");
    const workflow = parse(readFileSync(join(projectRoot, "examples/workflows/brainstorm.yaml"), "utf8"));
    const headers = { "content-type": "application/yaml" };
    expect(await body({ path: "/v1/workflows", body: workflow, headers })).toMatchObject({ name: "brainstorm" });
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
    const { toolNames, disabledReasons } = await body({ path: "/v1/tools" });
    expect(toolNames).toEqual(expect.arrayContaining(["list_tasks", "move", "clarify"]));
    const some = { read_file: "on_request", grep: "on_request", fetch_url: "on_request", schedule_cron: "on_request" };
    expect(disabledReasons).toMatchObject(some);
    expect([...Object.keys(disabledReasons as object), ...(toolNames as string[])]).not.toContain("bash");
  });

  test("has the same tools and routes as the sources, although the code of most is loaded by their first use", async () => {
    const { app, rt } = succeeded(await createLambdaHost(lambda.env, 60_000));
    const described = await app.request("http://127.0.0.1/openapi.json", { headers: { host: "127.0.0.1" } });
    expect(await body({ path: "/openapi.json" })).toEqual(await described.json());
    const { manifests, disabledReasons } = await body({ path: "/v1/tools" });
    const active = manifests as readonly { readonly name: string }[];
    expect(active).toEqual(active.map(({ name }) => rt.toolbox.catalog.get(name)));
    const names = [...active.map(({ name }) => name), ...Object.keys(disabledReasons as object)];
    expect(names.toSorted()).toEqual(
      rt.toolbox
        .manifests()
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(files.filter(({ name, at_start }) => at_start && /^(toolkit|routes)-/.test(name))).toEqual([]);
  });

  test("reads and shows a calendar file, with the library that is not loaded by a cold start", async () => {
    expect(files.find(({ name }) => name === "package-ical-js.mjs.br")).toMatchObject({ at_start: false });
    const event = [
      "UID:a",
      "DTSTAMP:20260302T080000Z",
      "DTSTART:20260302T090000Z",
      "RRULE:FREQ=DAILY",
      "SUMMARY:Standup",
    ];
    const text = [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:x",
      "BEGIN:VEVENT",
      ...event,
      "END:VEVENT",
      "END:VCALENDAR",
    ];
    const { id } = readBody(await send({ path: "/v1/calendars", body: { name: "Work", time_zone: "UTC" } }));
    const path = `/v1/calendars/${id}`;
    readBody(
      await send({
        method: "PUT",
        path: `${path}/ics`,
        headers: { "content-type": "text/calendar" },
        text: text.join("\r\n"),
      }),
    );
    const listed = await body({ path: `${path}/events`, query: "from=2026-03-03&to=2026-03-05" });
    expect(JSON.stringify(listed).match(/Standup/g), "one a day, the last day included").toHaveLength(3);
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
    const stranger = await send({ path: "/v1/threads", headers: { authorization: `Bearer ${apiKeyFor("mallory")}` } });
    expect(stranger.statusCode).toBe(401);
    const { thread } = await start("Say hello");
    const live = await send({ path: `/v1/threads/${thread.id}/live`, headers: { upgrade: "websocket" } });
    expect([live.statusCode, JSON.parse(live.body).code]).toEqual([501, "not_supported_here"]);
  });

  test("serves the console, what it is, its documentation and a page for every problem", async () => {
    const open = (path: string, accept = "text/html") =>
      send({ path, headers: { authorization: "", accept } }).then(({ statusCode, headers, body: text }) => ({
        statusCode,
        type: headers["content-type"],
        text,
      }));
    const page = await open("/");
    expect(page).toMatchObject({ statusCode: 200, type: expect.stringContaining("text/html") });
    for (const [, file = ""] of page.text.matchAll(/(?:src|href)="([^"]+)"/g))
      expect(await open(file)).toMatchObject({ statusCode: 200 });
    expect(await open("/docs")).toMatchObject({ statusCode: 200, text: expect.stringContaining("/v1/webhooks") });
    const problem = await open("/problems/thread_moved", "text/plain");
    expect(problem.text).toBe(readFileSync(join(projectRoot, "docs/problems/thread_moved.md"), "utf8"));
    expect(await body({ path: "/v1/about" })).toMatchObject({ model: "demo", demo: true, caller: { name: "alice" } });
    expect(await open("/v1/about")).toMatchObject({ statusCode: 401 });
  });

  test("gives whole files through buffered answers: an export is verified and imported again", async () => {
    const { thread } = await start("Say hello");
    const path = `/v1/threads/${thread.id}`;
    const exported = await send({ path: `${path}/export` }, "http-api");
    expect(exported.statusCode).toBe(200);
    const text = exported.isBase64Encoded ? Buffer.from(exported.body, "base64").toString() : exported.body;
    expect(verifyExport(text, nodeHash.sha256)).toMatchObject({ ok: true, value: { header: { thread: thread.id } } });
    await send({ path, method: "DELETE" });
    const headers = { "content-type": "application/x-ndjson" };
    const imported = await send({ path: "/v1/import", text, headers, base64: true }, "http-api");
    expect(imported.statusCode, imported.body).toBeLessThan(300);
    expect((await body({ path })).thread).toMatchObject({ id: thread.id, goal: "Say hello" });
  });

  test("a ticket of one instance opens events at another, once", async () => {
    const { thread } = await start("Say hello");
    const { ticket } = await body({ path: "/v1/tickets", body: {} });
    const other = startInstance(lambda);
    const events = { path: `/v1/threads/${thread.id}/events`, query: `ticket=${ticket}` };
    const open = async () => (await other.invoke<HttpResponse>(httpEvent("function-url", events))).answer.statusCode;
    expect([await open(), await open()]).toEqual([200, 401]);
    await other.end();
  });

  describe("with a streamed answer", () => {
    type Streamed = HttpResponse & { readonly pieces: number };
    let streaming: LambdaInstance;
    beforeAll(() => {
      streaming = startInstance(lambda, { stream: true });
    });
    afterAll(() => streaming.end());
    const headers = { accept: "text/event-stream" };
    const typesIn = (text: string) => [...text.matchAll(/^event: (.+)$/gm)].map((match) => match[1]);

    test("a turn arrives piece by piece", async () => {
      const { thread } = await start("Move the essay outline to Thursday of week 2");
      const event = eventOf({ path: `/v1/threads/${thread.id}/turns`, body: {}, headers });
      const { answer } = await streaming.invoke<Streamed>(event);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers["content-type"]).toContain("text/event-stream");
      const events = typesIn(answer.body);
      expect(events[0]).toBe("turn.started");
      expect(events.slice(-2)).toEqual(["turn.committed", "response"]);
      expect(answer.pieces).toBeGreaterThan(1);
    });

    test("the events of a thread end in order before the invocation does", async () => {
      const { thread } = await start("Say hello");
      const event = eventOf({ path: `/v1/threads/${thread.id}/events`, headers });
      const { answer } = await streaming.invoke<Streamed>(event, 5_000);
      expect(typesIn(answer.body)).toEqual(["thread.created", "turn.committed"]);
      expect(answer.body.endsWith("\n\n")).toBe(true);
    });

    test("pages and problems come the same way", async () => {
      const page = await streaming.invoke<Streamed>(eventOf({ path: "/" }));
      expect(page.answer).toMatchObject({ statusCode: 200, body: expect.stringContaining("<title>") });
      const missing = await streaming.invoke<Streamed>(eventOf({ path: "/v1/threads/thr_x" }));
      expect([missing.answer.statusCode, JSON.parse(missing.answer.body).code]).toEqual([404, "thread_not_found"]);
    });
  });

  const message = (pk: string, sk: string) => queueEvent([{ pk, sk }]);

  test("drives a background run when the queue delivers its wake-up, until a person is needed", async () => {
    const { thread } = await start("Move the essay outline to Thursday of week 2", { run: "background" });
    const { answer } = await warm.invoke(message(`t#acme#${thread.id}`, "O#wake"));
    expect(answer).toEqual({ batchItemFailures: [] });
    const parked = await body({ path: `/v1/threads/${thread.id}` });
    expect(parked).toMatchObject({ next: "confirm", thread: { gate: { kind: "confirmation" }, turn: 3 } });
    const again = await warm.invoke(message(`t#acme#${thread.id}`, "O#wake"));
    expect(again.answer).toEqual({ batchItemFailures: [] });
    expect((await body({ path: `/v1/threads/${thread.id}` })).thread.version).toBe(parked.thread.version);
  });

  test("returns an unreadable message to the queue, and accepts one whose thread was removed", async () => {
    const batch = queueEvent([
      { pk: "s#acme", sk: "SETTINGS" },
      { pk: "t#acme#thr_00000000000000000000000000", sk: "O#wake" },
      { pk: "t#acme#x%", sk: "O#wake" },
    ]);
    const [settings, , broken] = batch.Records.map(({ messageId }) => ({ itemIdentifier: messageId }));
    expect((await warm.invoke(batch)).answer).toEqual({ batchItemFailures: [settings, broken] });
  });

  test("processes everything that is due on a scheduled event", async () => {
    const { thread } = await start("Move the essay outline to Thursday of week 2", { run: "background" });
    const { answer } = await warm.invoke<{ worked: number }>(readEvent("schedule"));
    expect(answer.worked).toBeGreaterThanOrEqual(1);
    expect(await body({ path: `/v1/threads/${thread.id}` })).toMatchObject({ next: "confirm" });
  });

  test("a GET with a body is answered without it", async () => {
    const event = eventOf({ path: "/v1/threads", method: "GET", text: "ignored", base64: true });
    const { answer } = await warm.invoke<HttpResponse>(event);
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([
      200,
      expect.objectContaining({ threads: expect.anything() }),
    ]);
    const streamed = await invoke<HttpResponse>(lambda, event, { stream: true });
    expect(streamed.answer.statusCode).toBe(200);
    expect(JSON.parse(streamed.answer.body)).toHaveProperty("threads");
  });

  test.each([{ Records: [{ messageId: "1", eventSource: "aws:sns", body: "{}" }] }, { source: "aws.s3" }, {}])(
    "an event of another service (%j) fails",
    async (event) => {
      await expect(invoke(lambda, event)).rejects.toThrow("no request, no queue message and no schedule");
    },
  );

  describe("its configuration", () => {
    const healthz = httpEvent("function-url", { path: "/healthz" });

    test("without keys it refuses every request, and its log says why", async () => {
      const { PAWL_API_KEYS: _, ...env } = lambda.env;
      const { answer, log } = await invoke<HttpResponse>({ bundle, env }, healthz);
      expect([answer.statusCode, JSON.parse(answer.body).code]).toEqual([500, "internal"]);
      expect(log).toContain("there are no keys");
    });

    test("without a table it says which variable is missing", async () => {
      const { TABLE_NAME: _, ...env } = lambda.env;
      const { answer, log } = await invoke<HttpResponse>({ bundle, env }, healthz);
      expect(answer.statusCode).toBe(500);
      expect(log).toContain("TABLE_NAME: is not set");
    });

    test("keys come from Secrets Manager, and are never logged or stored", async () => {
      const secret = { PAWL_API_KEYS: `bob:acme:${apiKeyFor("bob")}` };
      const extension = await startSecretsExtension("token-1", "pawl/keys", () => secret);
      const env = {
        ...lambda.env,
        PAWL_API_KEYS: "",
        ...extension.env,
      };
      const listing = (key: string) =>
        httpEvent("function-url", { path: "/v1/threads", headers: { authorization: `Bearer ${apiKeyFor(key)}` } });
      const known = await invoke<HttpResponse>({ bundle, env }, listing("bob"));
      const unknown = await invoke<HttpResponse>({ bundle, env }, listing("alice"));
      const other = await invoke<HttpResponse>(
        { bundle, env: { ...env, PAWL_SECRET_ID: "pawl/none" } },
        listing("bob"),
      );
      extension.close();
      expect([known, unknown, other].map(({ answer }) => answer.statusCode)).toEqual([200, 401, 500]);
      expect(other.log).toContain("PAWL_SECRET_ID: Secrets Manager answered 400");
      for (const { log } of [known, unknown, other]) expect(log).not.toContain(apiKeyFor("bob"));
    });
  });
});
