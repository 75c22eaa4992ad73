// Tests a worker that keeps running while its keys change, in the real runtime.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestCloudflare, type TestCloudflare } from "../../support/cloudflare.ts";
import { unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";

const NAME = "pawl-changing";
const GOAL = "Move the essay outline to Thursday of week 2";
const ROWS = ["ann:acme:", "bob:acme:", "cleo:acme:"];
const keys = (...names: string[]): string =>
  ROWS.filter((row) => names.includes(row.split(":")[0] ?? ""))
    .map((row) => row + apiKeyFor(row.split(":")[0] ?? ""))
    .join(",");

const PAWL_CONFIG = JSON.stringify({ public_url: "https://pawl.example.com", log: { level: "error" } });
let workers: TestCloudflare;
beforeAll(async () => {
  const vars = {
    PAWL_API_KEYS: keys("ann", "bob"),
    PAWL_SECRET: "a secret of more than thirty-two letters",
    PAWL_CONFIG,
  };
  workers = createTestCloudflare({ [NAME]: { main: "test/hosts/cloudflare/changing-host.ts", vars } });
  await workers.harness.listen();
}, 240_000);
afterAll(async () => {
  await workers?.harness.close();
});

const change = async (variables: Readonly<Record<string, string>>): Promise<void> => {
  await workers.fetch(NAME, "/test/variables", { method: "POST", body: JSON.stringify(variables) });
};
beforeEach(() => change({}));

const headersOf = (name: string) => ({ authorization: `Bearer ${apiKeyFor(name)}` });
const status = async (name: string, host = "localhost"): Promise<number> =>
  (await workers.fetch(NAME, `http://${host}/v1/threads`, { headers: headersOf(name) })).status;
const newThread = async (): Promise<string> =>
  unwrap(await workers.client(NAME, apiKeyFor("ann")).create({ goal: "Look around", mode: "direct" })).thread.id;

test("a removed key is refused by the next request, and an added one is accepted", async () => {
  expect([await status("ann"), await status("bob"), await status("cleo")]).toEqual([200, 200, 401]);
  await change({ PAWL_API_KEYS: keys("ann", "cleo") });
  expect([await status("ann"), await status("bob"), await status("cleo")]).toEqual([200, 401, 200]);
});

test.each([
  ["all keys are removed", { PAWL_API_KEYS: "" }],
  ["the new keys are wrong", { PAWL_API_KEYS: "ann:short" }],
  ["another variable is wrong", { PAWL_API_KEYS: keys("ann"), PAWL_SECRET: "short" }],
])("a removed key is refused if %s", async (_how, variables) => {
  expect(await status("bob", "pawl.example.com")).toBe(200);
  await change(variables);
  expect(await status("bob", "pawl.example.com")).not.toBe(200);
  await change({ PAWL_API_KEYS: keys("ann") });
  expect([await status("ann"), await status("bob")]).toEqual([200, 401]);
});

test("a ticket of a removed key opens no socket", async () => {
  const id = await newThread();
  const issued = await workers.fetch(NAME, "/v1/tickets", { method: "POST", headers: headersOf("bob") });
  const { ticket } = (await issued.json()) as { ticket: string };
  await change({ PAWL_API_KEYS: keys("ann") });
  const headers = { upgrade: "websocket" };
  expect((await workers.fetch(NAME, `/v1/threads/${id}/live?ticket=${ticket}`, { headers })).status).toBe(401);
});

describe("a confirmation link", () => {
  /** Opens a gate and returns bob's link to answer it. */
  async function openLink() {
    const ann = workers.client(NAME, apiKeyFor("ann"));
    const { thread } = unwrap(await ann.create({ goal: GOAL, mode: "direct" }));
    const { gate } = unwrap(await ann.advanceUntilPause(thread.id)).thread;
    if (gate?.kind !== "confirmation") throw new Error("the call waits for approval");
    const bob = workers.client(NAME, apiKeyFor("bob"));
    const { url } = unwrap(await bob.call<{ url: string }>("POST", `/v1/gates/${gate.id}/link`, {}));
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const press = async () =>
      (await workers.fetch(NAME, new URL(url).pathname, { method: "POST", headers, body: "decision=approve" })).status;
    return { press, isOpen: async () => unwrap(await ann.get(thread.id)).thread.gate?.id === gate.id };
  }

  test.each([
    ["its key is removed", { PAWL_API_KEYS: keys("ann") }],
    ["its key may no longer approve", { PAWL_API_KEYS: `${keys("ann")},bob:acme:read:${apiKeyFor("bob")}` }],
    ["the signing secret is another one", { PAWL_SECRET: "the secret that came after the rotation" }],
  ])("approves nothing after %s", async (_how, variables) => {
    const { press, isOpen } = await openLink();
    await change(variables);
    expect([403, 404]).toContain(await press());
    expect(await isOpen()).toBe(true);
    await change({});
    expect(await press()).toBe(200);
    expect(await isOpen()).toBe(false);
  });
});

test("a background run of a removed key goes on until it waits for a person", async () => {
  const bob = workers.client(NAME, apiKeyFor("bob"));
  const { thread } = unwrap(await bob.create({ goal: GOAL, mode: "direct", run: "background" }));
  await change({ PAWL_API_KEYS: keys("ann") });
  const ann = workers.client(NAME, apiKeyFor("ann"));
  await vi.waitFor(
    async () => expect(unwrap(await ann.get(thread.id)).thread.gate).toMatchObject({ kind: "confirmation" }),
    { timeout: 60_000, interval: 200 },
  );
  expect(await bob.get(thread.id)).toMatchObject({ ok: false, problem: { code: "unauthorized" } });
}, 120_000);

test("the event stream of a removed key ends, and that of another key goes on", async () => {
  const id = await newThread();
  const open = async (name: string) => {
    const response = await workers.fetch(NAME, `/v1/threads/${id}/events`, {
      headers: { ...headersOf(name), accept: "text/event-stream" },
    });
    expect(response.status).toBe(200);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    let ended = false;
    const reading = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        text += new TextDecoder().decode(part.value);
      ended = true;
    })();
    return { text: () => text, ended: () => ended, reading, stop: () => reader.cancel() };
  };
  const [ann, bob] = [await open("ann"), await open("bob")];
  await change({ PAWL_API_KEYS: keys("ann") });
  // The worker learns of its new variables by a request.
  expect(await status("ann")).toBe(200);
  unwrap(await workers.client(NAME, apiKeyFor("ann")).advanceUntilPause(id));
  await bob.reading;
  await vi.waitFor(() => expect(ann.text()).toContain('"version":1'), { timeout: 30_000 });
  expect([ann.ended(), bob.text().includes('"version":1')]).toEqual([false, false]);
  await ann.stop();
}, 120_000);
