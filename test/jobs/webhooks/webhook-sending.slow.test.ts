// Tests webhooks over real connections: which addresses they may and may not reach, and endpoints that respond badly.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/adapters/clock-system.ts";
import { createGuardedFetcher } from "../../../src/adapters/fetch-guarded/guarded-fetcher.ts";
import { sendWebhook } from "../../../src/jobs/webhooks/send-webhook.ts";
import { createWebhook } from "../../../src/jobs/webhooks/subscriptions.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
let handler: Handler = () => undefined;
const seen: { path: string; body: string; headers: Record<string, string> }[] = [];
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on("end", () => {
    seen.push({ path: request.url ?? "", body, headers: request.headers as Record<string, string> });
    handler(request, response);
  });
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen.length = 0;
  handler = (_request, response) => response.writeHead(204).end();
});

/** Creates a committed turn whose webhook is due, on the machine's clock. */
async function aDue(options: { readonly url?: string; readonly names?: () => readonly string[] } = {}) {
  const rt: Runtime = {
    ...createTestRuntime([callTool("look", { at: "a" }), callTool("look", { at: "b" })], [look]),
    clock: systemClock,
  };
  const resolve = async (): Promise<readonly string[]> => options.names?.() ?? ["127.0.0.1"];
  const fetcher = createGuardedFetcher({ allow: [`127.0.0.1:${port}`], resolve });
  const input = {
    name: "desk",
    url: options.url ?? `http://127.0.0.1:${port}/hook`,
    events: ["turn.committed" as const],
  };
  const created = await createWebhook(rt, fetcher, { tenant: LOCAL_TENANT, actor: "tester", input });
  if (!created.ok) return { created, send: null, secret: "", thread: null };
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  unwrap(await thread.turn());
  const [due] = unwrap(await rt.store.dueDeliveries(rt.clock.now() + 1000, 10));
  if (!due) throw new Error("nothing is due");
  const send = () => sendWebhook(rt, due, { fetcher, links: null, owner: "worker", timeout_ms: 2_000 });
  return { created, send, secret: created.value.secret, thread };
}

describe("a webhook over a real connection", () => {
  test("arrives signed", async () => {
    const { send, secret } = await aDue();
    expect(await send?.()).toEqual({ kind: "delivered" });
    const [got] = seen;
    expect(got).toMatchObject({ path: "/hook", headers: { "content-type": "application/json" } });
    expect(new Verifier(secret).verify(got?.body ?? "", got?.headers ?? {})).toMatchObject({ type: "turn.committed" });
  });

  test("is checked again at every attempt: a name that was public and became private is not reached", async () => {
    let address = "93.184.216.34";
    const { send } = await aDue({ url: "http://turned.example.com/hook", names: () => [address] });
    address = "127.0.0.1";
    expect(await send?.()).toMatchObject({ kind: "retry", reason: "blocked_address (address)" });
    expect(seen).toEqual([]);
  });

  test("is not registered for a name that is private or has no address", async () => {
    const inner = await aDue({ url: "http://inner.example.com/", names: () => ["10.0.0.7"] });
    expect(problemCode(inner.created)).toBe("blocked_address");
    const mixed = await aDue({ url: "http://mixed.example.com/", names: () => ["93.184.216.34", "::1"] });
    expect(problemCode(mixed.created)).toBe("blocked_address");
    const nowhere = await aDue({ url: "http://nowhere.example.com/", names: () => [] });
    expect(problemCode(nowhere.created)).toBe("fetch_failed");
  });

  test.each([301, 302, 303, 307, 308])("does not follow a redirect (%i)", async (status) => {
    handler = (_request, response) => response.writeHead(status, { location: `http://127.0.0.1:${port}/else` }).end();
    const { send } = await aDue();
    expect(await send?.()).toMatchObject({ kind: "retry" });
    expect(seen.map(({ path }) => path)).toEqual(["/hook"]);
  });

  test("counts as delivered by its status, however large or endless the response is", async () => {
    const endings: Handler[] = [
      (_request, response) => void response.writeHead(200).write("x"),
      (_request, response) => {
        response.writeHead(200, { "content-length": String(2 ** 30) });
        const flood = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on("drain", flood);
        flood();
      },
      (_request, response) => void response.writeHead(200).flushHeaders(),
      (_request, response) => void response.writeHead(200, { "content-encoding": "gzip, gzip, gzip" }).end("x"),
    ];
    for (const one of endings) {
      handler = one;
      const before = process.memoryUsage().rss;
      expect(await (await aDue()).send?.()).toEqual({ kind: "delivered" });
      expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
    }
  });

  test("is retried later if the connection is closed", async () => {
    handler = (request) => request.socket.destroy();
    expect(await (await aDue()).send?.()).toMatchObject({ kind: "retry", reason: "fetch_failed (network)" });
  });

  test("times out if the endpoint never responds, and delays no turn", async () => {
    handler = () => undefined;
    const { send, thread } = await aDue();
    let ended = false;
    const sending = send?.().finally(() => {
      ended = true;
    });
    expect((await thread?.turn())?.ok).toBe(true);
    expect(ended).toBe(false);
    expect(await sending).toMatchObject({ kind: "retry", reason: expect.stringMatching(/timeout|idle/) });
  });
});
