// Tests a worker that keeps running while its keys change, in the real runtime.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createTestCloudflare, type TestCloudflare } from "../../support/cloudflare.ts";
import { unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";

const NAME = "pawl-changing";
const ROWS = ["ann:acme:", "bob:acme:", "cleo:acme:"];
const keys = (...names: string[]): string =>
  ROWS.filter((row) => names.includes(row.split(":")[0] ?? ""))
    .map((row) => row + apiKeyFor(row.split(":")[0] ?? ""))
    .join(",");

let workers: TestCloudflare;
beforeAll(async () => {
  const vars = { PAWL_API_KEYS: keys("ann", "bob"), PAWL_SECRET: "a secret of more than thirty-two letters" };
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
