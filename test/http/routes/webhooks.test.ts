import { describe, expect, test } from "vitest";
import { createGuardedFetcher } from "../../../src/adapters/fetch-guarded/guarded-fetcher.ts";
import { callTool } from "../../support/decisions.ts";
import { createJobsApp, type JobsApp } from "../../support/jobs-app.ts";
import { look } from "../../support/tools.ts";

const desk = { name: "desk", url: "https://example.com/hook", events: ["turn.committed"] };
const pathOf = (created: { headers: Headers }): string => created.headers.get("location") ?? "";

describe("webhooks over HTTP", () => {
  test("are created, listed, shown, changed and removed", async () => {
    const { ask } = createJobsApp();
    const created = await ask("POST", "/v1/webhooks", desk);
    expect(created).toMatchObject({
      status: 201,
      body: { secret: expect.stringMatching(/^whsec_/), webhook: { ...desk, thread: null, created_by: "ann" } },
    });
    const path = pathOf(created);
    expect((await ask("GET", "/v1/webhooks")).body).toEqual({ webhooks: [created.body.webhook] });
    expect((await ask("GET", path)).body).toEqual({ webhook: created.body.webhook });
    expect((await ask("PATCH", path, { events: [] })).body).toMatchObject({ webhook: { events: [], name: "desk" } });
    expect((await ask("DELETE", path)).status).toBe(204);
    for (const method of ["GET", "DELETE"])
      expect(await ask(method, path)).toMatchObject({ status: 404, body: { code: "webhook_not_found" } });
  });

  test("belong to administrators of their tenant", async () => {
    const { ask } = createJobsApp();
    const path = pathOf(await ask("POST", "/v1/webhooks", desk));
    expect((await ask("GET", "/v1/webhooks", undefined, "bob")).body).toEqual({ webhooks: [] });
    const tries = [
      ["GET", path],
      ["DELETE", path],
      ["GET", `${path}/deliveries`],
    ] as const;
    for (const [method, at] of tries) expect((await ask(method, at, undefined, "bob")).status).toBe(404);
    expect((await ask("POST", `${path}/rotate`, {}, "bob")).status).toBe(404);
    expect((await ask("POST", `${path}/redeliver`, { delivery: "dlv_1" }, "bob")).status).toBe(404);
    const weak = createJobsApp({ scopes: ["read", "advance", "confirm"] });
    expect((await weak.ask("POST", "/v1/webhooks", desk)).status).toBe(403);
    expect((await weak.ask("GET", "/v1/webhooks")).status).toBe(403);
  });

  test("with links need the right to confirm, at create and at change", async () => {
    const { ask } = createJobsApp({ scopes: ["admin"] });
    expect((await ask("POST", "/v1/webhooks", { ...desk, links: true })).status).toBe(403);
    const path = pathOf(await ask("POST", "/v1/webhooks", desk));
    expect((await ask("PATCH", path, { links: true })).status).toBe(403);
  });

  test.each([
    ["http://127.0.0.1/", "address"],
    ["http://127.0.0.1:8080/", "port"],
    ["http://[::1]/", "address"],
    ["http://localhost/", "name"],
    ["http://169.254.169.254/latest/meta-data/", "address"],
    ["http://metadata.google.internal/computeMetadata/v1/", "name"],
    ["http://10.0.0.1/", "address"],
    ["http://0x7f000001/", "address"],
    ["file:///etc/passwd", "scheme"],
    ["gopher://127.0.0.1:6379/_FLUSHALL", "scheme"],
    ["https://user:secret@example.com/", "credentials"],
    ["https://example.com:25/", "port"],
    ["no address at all", "url"],
  ])("are not sent to %s", async (url, reason) => {
    const { ask } = createJobsApp({ guard: createGuardedFetcher() });
    const refused = await ask("POST", "/v1/webhooks", { ...desk, url });
    expect(refused).toMatchObject({ status: 422, body: { code: "blocked_address", reason } });
    expect(refused.text).not.toContain("secret@");
    expect((await ask("GET", "/v1/webhooks")).body).toEqual({ webhooks: [] });
  });

  test("an address that is not allowed cannot be set by a change either", async () => {
    const guard = createGuardedFetcher({ allow: ["127.0.0.1:9"] });
    const { ask } = createJobsApp({ guard });
    const path = pathOf(await ask("POST", "/v1/webhooks", { ...desk, url: "http://127.0.0.1:9/" }));
    expect((await ask("PATCH", path, { url: "http://127.0.0.1:10/" })).status).toBe(422);
    expect((await ask("GET", path)).body).toMatchObject({ webhook: { url: "http://127.0.0.1:9/" } });
  });

  test("names and events are validated", async () => {
    const { ask } = createJobsApp();
    const wrong = async (change: object) => (await ask("POST", "/v1/webhooks", { ...desk, ...change })).body.field;
    expect(await wrong({ events: ["thread.created"] })).toBe("events.0");
    expect(await wrong({ events: ["turn.committed", "turn.committed"] })).toBe("events");
    expect(await wrong({ name: "a b" })).toBe("name");
    expect(await wrong({ thread: "thr_1" })).toBe("thread");
    expect((await ask("POST", "/v1/webhooks", { ...desk, thread: `thr_${"0".repeat(26)}` })).status).toBe(404);
  });
});

test("webhooks of a thread are removed with it, and no others are", async () => {
  const { ask } = createJobsApp();
  const thread = (await ask("POST", "/v1/threads", { goal: "Look" })).headers.get("location") ?? "";
  const id = thread.replace("/v1/threads/", "");
  const desk = { url: "https://example.com/hook", events: ["turn.committed"] };
  await ask("POST", "/v1/webhooks", { ...desk, name: "all" });
  await ask("POST", "/v1/webhooks", { ...desk, name: "one", thread: id });
  const names = async () =>
    ((await ask("GET", "/v1/webhooks")).body.webhooks as unknown as { name: string }[]).map(({ name }) => name);
  expect((await ask("DELETE", `/v1/threads/thr_${"0".repeat(26)}`)).status).toBe(404);
  expect((await ask("DELETE", thread, undefined, "bob")).status).toBe(404);
  expect(await names()).toEqual(["all", "one"]);
  expect((await ask("DELETE", thread)).status).toBe(204);
  expect(await names()).toEqual(["all"]);
});

describe("deliveries over HTTP", () => {
  async function createDelivery(bench: JobsApp): Promise<string> {
    const path = pathOf(await bench.ask("POST", "/v1/webhooks", desk));
    const created = await bench.ask("POST", "/v1/threads", { goal: "Look", mode: "direct" });
    await bench.ask("POST", `${pathOf(created)}/turns`, {});
    await bench.work();
    return path;
  }

  test("are listed with their result, and redelivered on request under the same id", async () => {
    const bench = createJobsApp({ script: [callTool("look", { at: "desk" })], tools: [look] });
    bench.endpoint.respond = () => 500;
    const path = await createDelivery(bench);
    const first = (await bench.ask("GET", `${path}/deliveries`)).body as unknown as { deliveries: { id: string }[] };
    expect(first.deliveries).toMatchObject([
      { type: "turn.committed", status: "retrying", attempts: 1, http_status: 500, reason: "answered 500" },
    ]);
    bench.endpoint.respond = () => 204;
    const delivery = first.deliveries[0]?.id;
    expect((await bench.ask("POST", `${path}/redeliver`, { delivery })).status).toBe(202);
    await bench.work();
    expect((await bench.ask("GET", `${path}/deliveries`)).body).toMatchObject({
      deliveries: [{ id: delivery, status: "delivered", http_status: 204, reason: null, next_at: null }],
    });
    expect(bench.endpoint.received.map(({ id }) => id)).toEqual([delivery, delivery]);
    const unknown = await bench.ask("POST", `${path}/redeliver`, { delivery: "dlv_none" });
    expect(unknown).toMatchObject({ status: 404, body: { code: "delivery_not_found" } });
  });

  test("a secret is returned when it is created and nowhere else: not in responses, logs, problems or payloads", async () => {
    const bench = createJobsApp({ script: [callTool("look", { at: "desk" })], tools: [look] });
    const created = await bench.ask("POST", "/v1/webhooks", { ...desk, events: ["turn.committed"] });
    const path = pathOf(created);
    const rotated = await bench.ask("POST", `${path}/rotate`, { grace_s: 3600 });
    const secrets = [created.body.secret, rotated.body.secret] as unknown as string[];
    expect(new Set(secrets).size).toBe(2);
    const thread = pathOf(await bench.ask("POST", "/v1/threads", { goal: "Look", mode: "direct" }));
    await bench.ask("POST", `${thread}/turns`, {});
    bench.endpoint.respond = () => "down";
    await bench.work();
    const answers = [
      await bench.ask("GET", "/v1/webhooks"),
      await bench.ask("GET", path),
      await bench.ask("PATCH", path, { name: "other" }),
      await bench.ask("GET", `${path}/deliveries`),
      await bench.ask("POST", "/v1/webhooks", desk),
      await bench.ask("POST", "/v1/webhooks", { ...desk, name: "other" }),
      await bench.ask("GET", `${thread}/turns`),
      await bench.ask("GET", `${thread}/turns/1/prompt`),
      await bench.ask("GET", `${thread}/events`),
    ].filter(({ status }) => status !== 201);
    const written = [
      ...answers.map(({ text }) => text),
      ...bench.lines,
      ...bench.endpoint.received.map(({ body }) => body),
    ];
    expect(written.length).toBeGreaterThan(15);
    for (const secret of secrets) {
      const bare = secret.replace("whsec_", "");
      expect(written.filter((text) => text.includes(bare))).toEqual([]);
    }
  });
});
