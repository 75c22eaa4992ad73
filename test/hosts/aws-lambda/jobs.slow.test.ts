// Tests what happens on Lambda without requests: schedules, webhooks, links, messages during a run, and the end of an
// invocation.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { QueryCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleLambda } from "../../../scripts/bundle-lambda.ts";
import { verifySignature } from "../../../src/jobs/webhooks/sign.ts";
import { hasDynamoServer, useDynamoServer } from "../../support/dynamodb.ts";
import {
  type HttpRequest,
  type HttpResponse,
  httpEvent,
  invoke,
  type LambdaInstance,
  type LambdaProcess,
  queueEvent,
  readEvent,
  startInstance,
} from "../../support/lambda-process.ts";
import { apiKeyFor } from "../../support/server.ts";
import { type ReceivedEvent, startReceiver } from "../../support/webhook-receiver.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const GOAL = "Move the essay outline to Thursday of week 2";
const folder = mkdtempSync(join(tmpdir(), "pawl-lambda-jobs-"));
const receiver = await startReceiver();
afterAll(async () => {
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

type Body = Record<string, unknown> & { thread: { id: string } & Record<string, unknown> };

describe.runIf(hasDynamoServer())("the Lambda host without requests", () => {
  const server = useDynamoServer();
  let lambda: LambdaProcess;
  let table = "";
  let warm: LambdaInstance;

  beforeAll(async () => {
    await bundleLambda(folder);
    writeFileSync(
      join(folder, "pawl.config.json"),
      JSON.stringify({ fetch: { allow: [`127.0.0.1:${receiver.port}`] } }),
    );
    table = await server().table();
    const env = {
      ...server().env,
      TABLE_NAME: table,
      PAWL_API_KEYS: `alice:acme:${apiKeyFor("alice")}`,
      PAWL_PUBLIC_URL: "https://pawl.example.com/",
    };
    lambda = { bundle: join(folder, "lambda.mjs"), env };
    warm = startInstance(lambda);
  });
  afterAll(() => warm.end());

  type Send = (event: unknown) => Promise<{ answer: HttpResponse }>;
  const byWarm: Send = (event) => warm.invoke(event);
  const inFreshProcess =
    (ahead_ms: number): Send =>
    (event) =>
      invoke({ ...lambda, ahead_ms }, event);

  const authorization = `Bearer ${apiKeyFor("alice")}`;
  const ask = async (call: HttpRequest, send: Send = byWarm): Promise<HttpResponse> =>
    (await send(httpEvent("function-url", { ...call, headers: { authorization, ...call.headers } }))).answer;
  const body = async (call: HttpRequest, send: Send = byWarm): Promise<Body> => {
    const answer = await ask(call, send);
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    return JSON.parse(answer.body) as Body;
  };
  const threadOf = async (id: string, send?: Send) => (await body({ path: `/v1/threads/${id}` }, send)).thread;
  const inBackground = async (): Promise<string> =>
    (await body({ path: "/v1/threads", body: { goal: GOAL, mode: "direct", run: "background" } })).thread.id;

  /** Returns the rows that the table's stream would send to the queue. */
  async function waiting(thread: string): Promise<{ pk: string; sk: string }[]> {
    const { Items = [] } = await server()
      .client()
      .send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: "pk = :pk AND begins_with(sk, :deliveries)",
          ExpressionAttributeValues: { ":pk": { S: `t#acme#${thread}` }, ":deliveries": { S: "O#" } },
        }),
      );
    return Items.map(({ pk, sk }) => ({ pk: pk?.S ?? "", sk: sk?.S ?? "" }));
  }

  const signedWith = (secret: string, { headers, body: text }: ReceivedEvent): boolean => {
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
    const secrets = [{ secret, created_at: "", expires_at: null }];
    return verifySignature(secrets, { id, timestamp, signature }, text, Number(timestamp) * 1000).ok;
  };

  test("a nightly job asks by webhook, is answered by link the next day and delivers, every call in a fresh process", async () => {
    const night = nextThree() - Date.now();
    const evening = inFreshProcess(night - MINUTE);
    const { secret } = await body(
      {
        path: "/v1/webhooks",
        body: { name: "desk", url: receiver.url, events: ["gate.opened", "run.delivered"], links: true },
      },
      evening,
    );
    await body(
      {
        path: "/v1/schedules",
        body: {
          name: "nightly",
          when: { kind: "cron", expression: "0 3 * * *", time_zone: "UTC" },
          what: { kind: "thread", create: { goal: GOAL, plan_approval: "auto" } },
        },
      },
      evening,
    );
    const tick = readEvent("schedule");
    const early = await invoke<{ worked: number }>({ ...lambda, ahead_ms: night - MINUTE / 2 }, tick);
    expect(early.answer.worked).toBe(0);

    // The first tick starts the thread, the second one drives it to its gate, and the third one sends the webhook about
    // the gate.
    const atThree = { ...lambda, ahead_ms: night + 2 * MINUTE };
    for (let ticks = 0; ticks < 3; ticks += 1) await invoke(atThree, tick);
    const asked = await receiver.waitFor("gate.opened");
    expect(signedWith(String(secret), asked)).toBe(true);
    const thread = String(asked.data.thread);
    expect(await threadOf(thread, inFreshProcess(night))).toMatchObject({ state: "confirm", steps: 3 });

    const nextDay = inFreshProcess(night + DAY / 2);
    const { confirm } = asked.data.links as { confirm: string };
    expect(confirm).toMatch(/^https:\/\/pawl\.example\.com\/confirm\/cft_/);
    const path = new URL(confirm).pathname;
    const page = (await nextDay(httpEvent("function-url", { path }))).answer;
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining("Approve")]);
    expect(await threadOf(thread, nextDay)).toMatchObject({ state: "confirm" });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const press = httpEvent("function-url", { path, text: "decision=approve", headers });
    expect((await nextDay(press)).answer.statusCode).toBe(200);
    expect((await nextDay(press)).answer.statusCode).toBe(409);

    const queued = await waiting(thread);
    expect(queued).toContainEqual({ pk: `t#acme#${thread}`, sk: "O#wake" });
    const later = { ...lambda, ahead_ms: night + DAY / 2 + MINUTE };
    expect((await invoke(later, queueEvent(queued))).answer).toEqual({ batchItemFailures: [] });
    expect((await invoke(later, queueEvent(await waiting(thread)))).answer).toEqual({ batchItemFailures: [] });
    const delivered = await receiver.waitFor("run.delivered");
    expect(delivered.data).toMatchObject({ thread, evidence: "proven" });
    expect(await threadOf(thread, nextDay)).toMatchObject({ state: "rest", outcome: "completed" });
    expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(receiver.events.length);
    expect(await body({ path: "/v1/schedules" }, nextDay)).toMatchObject({
      schedules: [{ runs: 1, last: { thread } }],
    });
  });

  function nextThree(): number {
    const three = new Date();
    three.setUTCHours(27, 0, 0, 0);
    return three.getTime();
  }

  test("a message during a run is refused, or waits and is processed once, or rolls back into a new thread", async () => {
    const thread = await inBackground();
    const path = `/v1/threads/${thread}/turns`;
    const say = (text: string, if_busy: string) =>
      ask({
        path,
        body: { input: { type: "message", text }, if_busy },
        headers: { "idempotency-key": text.replaceAll(/\W/g, "-") },
      });
    const refused = await say("Not now?", "reject");
    expect([refused.statusCode, JSON.parse(refused.body).code]).toEqual([409, "turn_running"]);
    expect((await say("On Friday rather", "enqueue")).statusCode).toBe(202);
    expect((await say("On Friday rather", "enqueue")).statusCode).toBe(202);
    const away = await say("Another thread", "rollback");
    expect([away.statusCode, away.headers.location]).toEqual([201, expect.stringContaining("/v1/threads/thr_")]);
    expect((await warm.invoke(queueEvent([{ pk: `t#acme#${thread}`, sk: "O#wake" }]))).answer).toEqual({
      batchItemFailures: [],
    });
    const { records } = await body({ path });
    const said = (records as { input: { text?: string } | null }[]).flatMap(({ input }) => input?.text ?? []);
    expect(said).toEqual(["On Friday rather"]);
  });

  test("a webhook whose endpoint is unavailable is retried by a later tick, under the same id", async () => {
    receiver.unavailable = true;
    const before = receiver.events.length;
    const thread = await inBackground();
    const wake = queueEvent([{ pk: `t#acme#${thread}`, sk: "O#wake" }]);
    expect((await warm.invoke(wake)).answer).toEqual({ batchItemFailures: [] });
    const [row] = (await waiting(thread)).filter(({ sk }) => sk !== "O#wake");
    if (!row) throw new Error("no webhook waits");
    expect((await warm.invoke(queueEvent([row]))).answer).toEqual({ batchItemFailures: [] });
    expect(await waiting(thread)).toContainEqual(row);
    receiver.unavailable = false;
    await invoke({ ...lambda, ahead_ms: 10 * MINUTE }, readEvent("schedule"));
    await expect.poll(() => receiver.events.slice(before).map(({ data }) => data.thread)).toContain(thread);
    const [received] = receiver.events.slice(before).filter(({ data }) => data.thread === thread);
    expect(row.sk).toBe(`O#${encodeURIComponent(received?.id ?? "")}`);
    expect(await waiting(thread)).not.toContainEqual(row);
  });

  test("what cannot end before the invocation does is not begun, and the next tick finds it", async () => {
    const thread = await inBackground();
    const short = startInstance(lambda);
    // The first event says how long an invocation may take.
    await short.invoke(httpEvent("function-url", { path: "/healthz" }), 120_000);
    const wake = queueEvent([{ pk: `t#acme#${thread}`, sk: "O#wake" }]);
    expect((await short.invoke(wake, 20_000)).answer).toEqual({ batchItemFailures: [] });
    expect((await short.invoke<{ worked: number }>(readEvent("schedule"), 20_000)).answer.worked).toBe(0);
    await short.end();
    expect(await threadOf(thread)).toMatchObject({ turn: 0 });
    await warm.invoke(readEvent("schedule"));
    expect(await threadOf(thread)).toMatchObject({ turn: 3, gate: { kind: "confirmation" } });
  });
});
