// Tests what a caller of the Cloudflare host cannot do: use another key's permissions over a socket, or read how the
// worker is configured.
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createTestCloudflare, type TestCloudflare } from "../../support/cloudflare.ts";
import { unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";

/** Two keys with the same name, of which only the first may approve. */
const STRONG = apiKeyFor("strong");
const WEAK = apiKeyFor("weak");
let workers: TestCloudflare;
let url: URL;

beforeAll(async () => {
  workers = createTestCloudflare({
    "pawl-keyed": { vars: { PAWL_API_KEYS: `ada:acme:${STRONG},ada:acme:read+advance:${WEAK}` } },
    "pawl-broken": { vars: { PAWL_API_KEYS: "ada:acme:too-short", PAWL_SECRET: "a-secret" } },
  });
  ({ url } = await workers.harness.listen());
}, 240_000);
afterAll(() => workers?.harness.close());

async function openGate(): Promise<{ readonly thread: string; readonly answer: string }> {
  const client = workers.client("pawl-keyed", STRONG);
  const goal = "Move the essay outline to Thursday of week 2";
  const { thread } = unwrap(await client.create({ goal, mode: "direct" }));
  const { gate } = unwrap(await client.advanceUntilPause(thread.id)).thread;
  if (gate?.kind !== "confirmation") throw new Error("the call waits for approval");
  const { id: requestId, digest } = gate;
  const frame = { type: "tool_confirmation_response", requestId, digest, decision: "approve" };
  return { thread: thread.id, answer: JSON.stringify(frame) };
}

/** Sends the frame when `opened` is done, and returns the answer. */
function sendOverSocket(
  path: string,
  headers: Record<string, string>,
  frame: string,
  opened: () => Promise<unknown> = async () => undefined,
): Promise<object> {
  const socket = new WebSocket(`${url.origin.replace("http", "ws")}${path}`, { headers });
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => void opened().then(() => socket.send(frame), reject));
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as { type: string };
      if (message.type !== "response" && message.type !== "problem") return;
      socket.close();
      resolve(message);
    });
  });
}

test("a socket has the scopes of the key that opened it, not those of another key with its name", async () => {
  const { thread, answer } = await openGate();
  const path = `/v1/threads/${thread}/live`;
  const forbidden = { type: "problem", problem: { code: "forbidden" } };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  expect(await sendOverSocket(path, bearer(WEAK), answer)).toMatchObject(forbidden);
  // The object forgets everything except what is attached to the socket.
  const evict = () => workers.worker("pawl-keyed").evictDurableObject("PawlThread", { name: `acme/${thread}` });
  expect(await sendOverSocket(path, bearer(WEAK), answer, evict)).toMatchObject(forbidden);
  const issued = await workers.fetch("pawl-keyed", "/v1/tickets", { method: "POST", headers: bearer(WEAK) });
  const { ticket } = (await issued.json()) as { ticket: string };
  expect(await sendOverSocket(`${path}?ticket=${ticket}`, {}, answer)).toMatchObject(forbidden);
  expect(await sendOverSocket(path, bearer(STRONG), answer)).toMatchObject({ type: "response" });
});

test.each(["/", "/healthz", "/v1/threads"])("a worker that cannot start says at %s only that", async (path) => {
  const answer = await workers.fetch("pawl-broken", path);
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ code: "config_invalid" });
  expect(text).not.toMatch(/PAWL_|ada|acme/);
});
