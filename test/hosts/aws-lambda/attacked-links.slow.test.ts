// Attacks confirmation links on Lambda, with the bundled function in processes on one table: links that are repeated,
// forged, outdated, of another tenant, of a removed key or webhook, or signed with a secret that was rotated.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleLambda } from "../../../scripts/bundle-lambda.ts";
import { createConfirmLink, createDirectLink } from "../../../src/jobs/webhooks/confirm-links.ts";
import type { Gate } from "../../../src/schema/gate.ts";
import { TenantId, ThreadId } from "../../../src/schema/ids.ts";
import { hasDynamoServer, useDynamoServer } from "../../support/dynamodb.ts";
import {
  type HttpRequest,
  type HttpResponse,
  httpEvent,
  invoke,
  type LambdaInstance,
  type LambdaProcess,
  startInstance,
} from "../../support/lambda-process.ts";
import { apiKeyFor } from "../../support/server.ts";
import { startReceiver } from "../../support/webhook-receiver.ts";

const DAY = 86_400_000;
const GOAL = "Move the essay outline to Thursday of week 2";
const SECRET = "a secret of more than thirty-two letters";
const BASE = "https://pawl.example.com";
const folder = mkdtempSync(join(tmpdir(), "pawl-lambda-links-"));
const receiver = await startReceiver();
afterAll(async () => {
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

type Body = Record<string, unknown> & { thread: { id: string; gate: Gate & { digest: string } } };

describe.runIf(hasDynamoServer())("a confirmation link on Lambda", () => {
  const server = useDynamoServer();
  let lambda: LambdaProcess;
  let warm: LambdaInstance;

  const keysOf = (...names: readonly string[]) => names.map((name) => `${name}:acme:${apiKeyFor(name)}`);
  beforeAll(async () => {
    await bundleLambda(folder);
    writeFileSync(
      join(folder, "pawl.config.json"),
      JSON.stringify({ public_url: BASE, fetch: { allow: [`127.0.0.1:${receiver.port}`] } }),
    );
    const env = {
      ...server().env,
      TABLE_NAME: await server().table(),
      PAWL_API_KEYS: [...keysOf("alice", "bob"), `eve:other:${apiKeyFor("eve")}`].join(","),
      PAWL_SECRET: SECRET,
    };
    lambda = { bundle: join(folder, "lambda.mjs"), env };
    warm = startInstance(lambda);
  });
  afterAll(() => warm.end());

  type Send = (event: unknown) => Promise<{ answer: HttpResponse }>;
  const byWarm: Send = (event) => warm.invoke(event);
  const inFresh =
    (env: Readonly<Record<string, string>> = {}, ahead_ms = 0): Send =>
    (event) =>
      invoke({ ...lambda, env: { ...lambda.env, ...env }, ahead_ms }, event);
  async function ask(call: HttpRequest, name = "alice"): Promise<Body> {
    const headers = { authorization: `Bearer ${apiKeyFor(name)}` };
    const { answer } = await byWarm(httpEvent("function-url", { ...call, headers }));
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    return (answer.body ? JSON.parse(answer.body) : {}) as Body;
  }
  async function openGate() {
    const { thread } = await ask({ path: "/v1/threads", body: { goal: GOAL, mode: "direct" } });
    const turn = { path: `/v1/threads/${thread.id}/turns`, query: "until=pause", body: {} };
    const { gate } = (await ask(turn)).thread;
    const link = async (name = "alice") =>
      String((await ask({ path: `/v1/gates/${gate.id}/link`, body: {} }, name)).url);
    const effects = async () => (await ask({ path: `/v1/threads/${thread.id}/calendar` })).effects as unknown[];
    return { id: thread.id, gate, link, effects };
  }
  async function press(url: string, send: Send = byWarm): Promise<number> {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const form = { path: new URL(url).pathname, method: "POST", headers, text: "decision=approve" };
    return (await send(httpEvent("function-url", form))).answer.statusCode;
  }

  test("works once, whichever instances it is pressed on at the same time", async () => {
    const { link, effects } = await openGate();
    const url = await link();
    const pressed = await Promise.all([press(url), press(url, inFresh()), press(url, inFresh())]);
    expect(pressed.filter((status) => status === 200)).toHaveLength(1);
    expect(await press(url)).toBe(409);
    expect(await effects()).toHaveLength(1);
  });

  test("approves nothing after its day, its key or its secret, or for another tenant", async () => {
    const { id, gate, link, effects } = await openGate();
    const url = await link();
    const at = (tenant: string) => ({ tenant: TenantId.parse(tenant), thread: ThreadId.parse(id) });
    const forged = (tenant: string, now: number, name = "alice", secret = SECRET) =>
      createDirectLink({ secret, base: BASE }, at(tenant), gate, { caller: { name }, now })?.url ?? "";
    const withoutAlice = { PAWL_API_KEYS: keysOf("bob").join(",") };
    const renewedAlice = { PAWL_API_KEYS: `alice:acme:${apiKeyFor("renewed")}` };
    const readingAlice = { PAWL_API_KEYS: `alice:acme:read+admin:${apiKeyFor("alice")}` };
    const rotated = { PAWL_SECRET: "the secret that came after the rotation" };
    const refused: Record<string, number> = {
      "after a day": await press(url, inFresh({}, DAY + 1_000)),
      "without its key": await press(url, inFresh(withoutAlice)),
      "with a new key of the same name": await press(url, inFresh(renewedAlice)),
      "with a key that may not approve": await press(url, inFresh(readingAlice)),
      "after a rotation": await press(url, inFresh(rotated)),
      "made by a clock that was ahead": await press(forged("acme", Date.now() + DAY)),
      "of yesterday": await press(forged("acme", Date.now() - DAY)),
      "for another tenant": await press(forged("other", Date.now(), "eve")),
      "of nobody": await press(forged("acme", Date.now(), "nobody")),
      "with another secret": await press(forged("acme", Date.now(), "alice", rotated.PAWL_SECRET)),
    };
    for (const [how, status] of Object.entries(refused)) expect([403, 404], how).toContain(status);
    expect(await effects()).toHaveLength(0);
    expect(await press(url)).toBe(200);
    expect(await effects()).toHaveLength(1);
  });

  test("of a webhook ends with it", async () => {
    const hook = { name: "desk", url: receiver.url, events: ["gate.opened"], links: true };
    const made = (await ask({ path: "/v1/webhooks", body: hook })) as unknown as { webhook: { id: string } };
    const { id, gate, effects } = await openGate();
    const at = { tenant: TenantId.parse("acme"), thread: ThreadId.parse(id) };
    const url = createConfirmLink({ secret: SECRET, base: BASE }, at, made.webhook as never, gate) ?? "";
    const path = `/v1/webhooks/${made.webhook.id}`;
    await ask({ path, method: "PATCH", body: { links: false } });
    expect(await press(url, inFresh())).toBe(403);
    await ask({ path, method: "PATCH", body: { links: true, enabled: false } });
    expect(await press(url, inFresh())).toBe(403);
    await ask({ path, method: "DELETE" });
    expect(await press(url, inFresh())).toBe(403);
    expect(await effects()).toHaveLength(0);
  });
});
