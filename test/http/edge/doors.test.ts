import { describe, expect, test } from "vitest";
import { createApp, ROUTES } from "../../../src/http/app.ts";
import type { AppSettings } from "../../../src/http/env.ts";
import { codeOfRefusal } from "../../support/refusal.ts";
import { createTestRuntime } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../../support/server.ts";

const appWith = (settings: Partial<AppSettings> = {}) => createApp(testSettings(createTestRuntime([]), { settings }));
const keyed = (settings: Partial<AppSettings> = {}) =>
  createApp(testSettings(createTestRuntime([]), { keys: () => [aKeyRow("ada", "acme")], settings }));
const codeOf = async (response: Response) => codeOfRefusal(await response.json());
const local = { host: "127.0.0.1:8787" };

describe("every answer", () => {
  const paths = ["/v1/threads", "/nowhere", "/healthz", "/docs", "/v1/threads/x"];

  test.each(paths)("%s is never cached, framed or sniffed", async (path) => {
    const { headers } = await appWith().request(path, { headers: local });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
  });

  test("has these headers also where an SDK made it", async () => {
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const accepted = { ...local, "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await appWith().request("/mcp", { method: "POST", headers: accepted, body: list });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    // The SDK's own header is kept.
    expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
  });

  test("has an id that the server generated, whatever id the request sends", async () => {
    const app = appWith();
    const ask = () => app.request("/v1/threads/x", { headers: { ...local, "x-request-id": "req_mine" } });
    const [one, two] = [await ask(), await ask()];
    expect(one.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{26}$/);
    expect(one.headers.get("x-request-id")).not.toBe(two.headers.get("x-request-id"));
    expect(await one.json()).toMatchObject({ request_id: one.headers.get("x-request-id") });
  });
});

describe("methods", () => {
  const paths = [...new Set(ROUTES.map((route) => route.path))];
  const named = (path: string): string => path.replace(":id", "x").replace(":n", "1").replace(":name", "t");
  const methods = (path: string): string[] =>
    ROUTES.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());

  test.each(paths)("%s refuses other methods and lists those it supports", async (path) => {
    const response = await appWith().request(named(path), { method: "PUT", headers: local });
    expect(response.status).toBe(405);
    const allowed = (response.headers.get("allow") ?? "").split(", ");
    const expected = methods(path).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    expect(allowed).toEqual([...expected, "OPTIONS"]);
    expect(await codeOf(response)).toBe("method_not_allowed");
  });

  test.each(paths)("%s returns its methods to OPTIONS", async (path) => {
    const response = await appWith().request(named(path), { method: "OPTIONS", headers: local });
    expect(response.status).toBe(204);
    expect(response.headers.get("allow")).toContain(methods(path)[0]);
  });

  test("HEAD answers like GET without a body, and never opens a stream", async () => {
    const app = appWith();
    const made = await app.request("/v1/threads", {
      method: "POST",
      headers: { ...local, "content-type": "application/json" },
      body: "{}",
    });
    const path = made.headers.get("location") ?? "";
    const head = await app.request(path, { method: "HEAD", headers: local });
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, '"0"', ""]);
    const events = await app.request(`${path}/events`, {
      method: "HEAD",
      headers: { ...local, accept: "text/event-stream" },
    });
    expect(events.headers.get("content-type")).toBe("application/json");
    const post = await app.request(`${path}/fork`, { method: "HEAD", headers: local });
    expect(post.status).toBe(405);
  });
});

describe("ids that this server cannot have created", () => {
  const bad = [
    "x",
    "thr_",
    `thr_${"0".repeat(25)}`,
    `THR_${"0".repeat(26)}`,
    `thr_${"0".repeat(27)}`,
    "%00",
    "%zz",
    "%252e%252e",
  ];
  const paths = ROUTES.filter(({ path }) => path.includes("/threads/:id"));

  test.each(paths.map(({ method, path }) => [method.toUpperCase(), path] as const))(
    "%s %s does not find them",
    async (method, path) => {
      for (const id of bad) {
        const response = await appWith().request(path.replace(":id", id).replace(":n", "0"), {
          method,
          headers: local,
        });
        expect(`${id} ${response.status}`).toBe(`${id} 404`);
      }
    },
  );

  test.each(["-1", "1.5", "x", "99999999999"])("turn %s is not found", async (n) => {
    const app = appWith();
    const made = await app.request("/v1/threads", { method: "POST", headers: local });
    const response = await app.request(`${made.headers.get("location")}/turns/${n}`, { headers: local });
    expect(await codeOf(response)).toBe("turn_not_found");
  });
});

describe("other origins", () => {
  const page = "https://app.example.com";
  const preflight = {
    method: "OPTIONS",
    headers: {
      origin: page,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    },
  };
  const granted = (response: Response) => response.headers.get("access-control-allow-origin");

  test("are refused until configured", async () => {
    const response = await keyed().request("/v1/threads", preflight);
    expect([response.status, granted(response)]).toEqual([204, null]);
    expect(response.headers.get("access-control-allow-methods")).toBeNull();
  });

  test("are allowed by name, and may read what they need", async () => {
    const app = keyed({ cors_origins: [page] });
    const asked = await app.request("/v1/threads", preflight);
    expect([asked.status, granted(asked)]).toEqual([204, page]);
    expect(asked.headers.get("access-control-allow-headers")).toContain("idempotency-key");
    expect(asked.headers.get("access-control-allow-methods")).toContain("DELETE");
    const answer = await app.request("/v1/threads", { headers: { origin: page } });
    expect([answer.status, granted(answer), answer.headers.get("vary")]).toEqual([401, page, "Origin"]);
    expect(answer.headers.get("access-control-expose-headers")).toContain("etag");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("may send the headers of clients of other protocols, and no others", async () => {
    const app = keyed({ cors_origins: [page] });
    const sent = ["x-stainless-helper-method", "a2a-extensions", "mcp-param-x", "user-agent", "x-other"];
    const headers = { ...preflight.headers, "access-control-request-headers": sent.join(", ") };
    const allowed = (await app.request("/v1/threads", { ...preflight, headers })).headers;
    const names = allowed.get("access-control-allow-headers")?.split(",") ?? [];
    expect(sent.filter((name) => !names.includes(name))).toEqual(["x-other"]);
  });

  test("that are not named get nothing", async () => {
    const app = keyed({ cors_origins: [page] });
    const response = await app.request("/v1/threads", {
      ...preflight,
      headers: { ...preflight.headers, origin: "https://evil.test" },
    });
    expect([granted(response), response.headers.get("access-control-allow-methods")]).toEqual([null, null]);
  });

  test("are all allowed by a star if keys are configured", async () => {
    const response = await keyed({ cors_origins: ["*"] }).request("/v1/threads", preflight);
    expect([response.status, granted(response)]).toEqual([204, "*"]);
  });

  test.each([
    ["a foreign page", { origin: "https://evil.test" }],
    ["a page without an origin", { origin: "null" }],
    ["the same host on another port", { origin: "http://127.0.0.1:3000" }],
    ["an image of a foreign page", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
    ["an image of a page on another port", { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }],
    ["a name that leads here", { host: "evil.test" }],
    ["a name that looks like here", { host: "127.0.0.1.evil.test" }],
  ])("never drive a server without keys: %s", async (_, headers) => {
    const app = appWith({ cors_origins: ["*"] });
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      const response = await app.request("/v1/threads", { method, headers: { ...local, ...headers } });
      expect(`${method} ${response.status} ${await codeOf(response)}`).toBe(`${method} 403 origin_refused`);
    }
  });

  test.each([
    ["a link that is followed", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
    ["an address that is typed", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }],
    ["the page of the server itself", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" }],
  ])("%s opens a server without keys", async (_, headers) => {
    expect((await appWith().request("/v1/threads", { headers: { ...local, ...headers } })).status).toBe(200);
  });

  test("a request without a Host is refused, too", async () => {
    const response = await appWith().request("/v1/threads");
    expect(`${response.status} ${await codeOf(response)}`).toBe("400 header_invalid");
  });

  test("that are named may drive it", async () => {
    const app = appWith({ cors_origins: ["http://localhost:5173"] });
    const response = await app.request("/v1/threads", { headers: { ...local, origin: "http://localhost:5173" } });
    expect([response.status, granted(response)]).toEqual([200, "http://localhost:5173"]);
  });
});

describe("the rate of a key", () => {
  test("is limited, with a time to wait; other callers are not", async () => {
    const rt = createTestRuntime([]);
    const keys = () => [aKeyRow("ada", "acme"), aKeyRow("bob", "acme")];
    const { createRateLimit } = await import("../../../src/http/edge/rate-limit.ts");
    const app = createApp(testSettings(rt, { keys, settings: { rate_limit: createRateLimit(3) } }));
    const ask = (name: string) =>
      app.request("/v1/threads", { headers: { authorization: `Bearer ${apiKeyFor(name)}` } });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await ask("ada")).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await ask("ada");
    expect([refused.headers.get("retry-after"), await codeOf(refused)]).toEqual(["20", "rate_limited"]);
    expect((await ask("bob")).status).toBe(200);
    rt.clock.advance(20_000);
    expect((await ask("ada")).status).toBe(200);
  });
});

test("a stopping server accepts nothing new", async () => {
  const app = appWith({ stopping: AbortSignal.abort() });
  const response = await app.request("/v1/threads", { method: "POST", headers: local });
  expect([response.status, response.headers.get("retry-after"), await codeOf(response)]).toEqual([
    503,
    "1",
    "stopping",
  ]);
});

test("a host without sockets says so", async () => {
  const app = appWith();
  const made = await app.request("/v1/threads", { method: "POST", headers: local });
  const response = await app.request(`${made.headers.get("location")}/live`, {
    headers: { ...local, upgrade: "websocket", connection: "upgrade" },
  });
  expect([response.status, await codeOf(response)]).toEqual([501, "not_supported_here"]);
});
