import { beforeAll, describe, expect, test } from "vitest";
import { createApp, ROUTES } from "../../src/http/app.ts";
import { aboutRoutes } from "../../src/http/routes/about.ts";
import { confirmRoutes } from "../../src/http/routes/confirm-link.ts";
import { PROBLEMS } from "../../src/schema/problem.ts";
import { type Document, violations } from "../support/json-schema.ts";
import { createTestRuntime } from "../support/runtime.ts";
import { testSettings } from "../support/server.ts";
import { clarify, createWriteTool, look } from "../support/tools.ts";

type Operation = {
  readonly parameters: readonly { name: string; in: string }[];
  readonly requestBody?: { content: Record<string, { schema: Record<string, unknown>; example?: unknown }> };
  readonly responses: Record<string, { content?: Record<string, { schema: Record<string, unknown> }> }>;
};
type OpenApi = Document & { openapi: string; paths: Record<string, Record<string, Operation>>; "x-problems": object };

const call = (name: string, args: Record<string, unknown>, action = "continue") => ({
  action,
  tool_call: { name, arguments: args },
});
const SCRIPT = [
  {
    action: "plan_done",
    speak: "Two steps.",
    plan_steps: [
      { content: "Look", needs: "observation" },
      { content: "Write", needs: "write" },
    ],
  },
  call("look", { at: "desk" }),
  call("clarify", { question: "Which line?", choices: ["a", "b"] }),
  { action: "next_plan", goal_check: "seen" },
  call("write", { line: "a" }, "confirm"),
  "no decision at all",
  "still none",
  "nor now",
  { action: "done", goal_check: "all there" },
  "All done.",
];

function anApp() {
  const rt = createTestRuntime(SCRIPT, [look, clarify, createWriteTool([])]);
  return createApp(testSettings(rt));
}

async function readDocument(): Promise<OpenApi> {
  const response = await anApp().request("/openapi.json", { headers: { host: "localhost" } });
  return (await response.json()) as OpenApi;
}

let document: OpenApi;
beforeAll(async () => {
  document = await readDocument();
});

const pathOf = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

describe("the OpenAPI document", () => {
  test.each(ROUTES.map(({ method, path }) => [method, path] as const))("describes %s %s", (method, path) => {
    const operation = document.paths[pathOf(path)]?.[method];
    expect(operation).toBeDefined();
    const names = operation?.parameters.filter((field) => field.in === "path").map((field) => field.name);
    expect(names).toEqual([...path.matchAll(/:(\w+)/g)].map((match) => match[1]));
    expect(Object.keys(operation?.responses ?? {}).some((status) => Number(status) < 300)).toBe(true);
  });

  test("describes no route that does not exist", () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${pathOf(path)}`).toSorted());
  });

  test("refers only to schemas that it defines", () => {
    const names = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(names.length).toBeGreaterThan(100);
    const missing = names.filter((name) => !(name.replace("#/components/schemas/", "") in document.components.schemas));
    expect(missing).toEqual([]);
  });

  test("lists every problem, and for every route those that it can return", () => {
    expect(document["x-problems"]).toEqual(PROBLEMS);
    const documented = JSON.stringify(document.paths["/v1/threads/{id}/turns"]?.post?.responses);
    for (const code of ["gate_open", "digest_mismatch", "version_mismatch", "unauthorized", "turn_running"])
      expect(documented).toContain(`\`${code}\``);
  });

  test("lists the headers that have an effect", () => {
    const headers = (path: string, method: string) =>
      document.paths[path]?.[method]?.parameters.filter((field) => field.in === "header").map((field) => field.name);
    expect(headers("/v1/threads/{id}/turns", "post")).toEqual(["Idempotency-Key", "If-Match"]);
    expect(headers("/v1/threads/{id}/events", "get")).toEqual(["Last-Event-ID"]);
    expect(JSON.stringify(document.paths["/v1/threads/{id}"])).toContain('"ETag"');
  });

  test("has examples that fit their own schemas", () => {
    const bodies = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap((operation) => operation.requestBody?.content["application/json"] ?? [])
      .filter((body) => body.example !== undefined);
    expect(bodies.length).toBeGreaterThan(3);
    for (const { schema, example } of bodies) expect(violations(document, schema, example)).toEqual([]);
  });

  test("gives every operation a single name", () => {
    const ids = ROUTES.map(({ openapi }) => openapi?.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** Checks every response in the life of a thread against the document for its route and status. */
describe("the responses of a played thread", () => {
  const seen = new Map<string, number>();

  async function ask(app: ReturnType<typeof anApp>, method: string, path: string, route: string, body?: unknown) {
    const response = await app.request(path, {
      method,
      headers: { host: "localhost", ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    const answer = response.status === 204 ? null : await response.json();
    const documented = document.paths[route]?.[method.toLowerCase()]?.responses[response.status];
    expect(documented, `${method} ${route} answers ${response.status}`).toBeDefined();
    const schema = documented?.content?.[type]?.schema;
    if (answer !== null) {
      expect(schema, `${method} ${route} ${response.status} as ${type}`).toBeDefined();
      expect(violations(document, schema ?? {}, answer)).toEqual([]);
    }
    seen.set(`${method} ${route} ${response.status}`, (seen.get(`${method} ${route} ${response.status}`) ?? 0) + 1);
    return answer;
  }

  test("match the document", async () => {
    const app = anApp();
    const created = await ask(app, "POST", "/v1/threads", "/v1/threads", { goal: "Tidy up", metadata: { of: "test" } });
    const id = created.thread.id as string;
    const turn = (input?: object) =>
      ask(app, "POST", `/v1/threads/${id}/turns`, "/v1/threads/{id}/turns", input ? { input } : {});
    const look = (path: string, route: string) =>
      ask(app, "GET", `/v1/threads/${id}${path}`, `/v1/threads/{id}${route}`);
    const confirm = (gate: { id: string; digest: string }, decision = "approve") =>
      turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision });

    const planned = await turn();
    await turn();
    await ask(app, "GET", "/v1/gates", "/v1/gates");
    await confirm(planned.thread.gate);
    await turn();
    const asked = await turn();
    await look("", "");
    await turn({ type: "answer", gate_id: asked.thread.gate.id, choice: "a" });
    const gated = await turn();
    await look("", "");
    await confirm({ ...gated.thread.gate, digest: "0" });
    await confirm(gated.thread.gate);
    await turn();
    await turn();
    const delivered = await turn();
    expect(delivered.thread).toMatchObject({ state: "rest", outcome: "completed" });
    await turn();
    for (const n of [0, 1, 3, 6]) await look(`/turns/${n}`, "/turns/{n}");
    for (const n of [0, 1]) await look(`/turns/${n}/prompt`, "/turns/{n}/prompt");
    await look("/turns?limit=3", "/turns");
    await look("/events", "/events");
    await look("/tools", "/tools");
    await look("/live", "/live");
    await ask(app, "GET", "/v1/threads?state=rest", "/v1/threads");
    await ask(app, "GET", "/v1/threads?state=nowhere", "/v1/threads");
    await ask(app, "GET", "/v1/tools", "/v1/tools");
    await ask(app, "POST", "/v1/tickets", "/v1/tickets", {});
    await ask(app, "GET", "/healthz", "/healthz");
    await ask(app, "GET", "/readyz", "/readyz");
    await ask(app, "POST", `/v1/threads/${id}/fork`, "/v1/threads/{id}/fork", { turn: 1 });
    await ask(app, "DELETE", `/v1/threads/${id}`, "/v1/threads/{id}");
    await look("", "");
    expect(seen.size).toBeGreaterThanOrEqual(22);
  });

  test("match the document when several turns run in one request", async () => {
    const app = anApp();
    const created = await ask(app, "POST", "/v1/threads", "/v1/threads", { goal: "Tidy up", plan_approval: "auto" });
    const path = `/v1/threads/${created.thread.id}/turns?until=pause`;
    const ran = await ask(app, "POST", path, "/v1/threads/{id}/turns", {});
    expect(ran).toMatchObject({ stopped: "gate", turns: [{}, {}, {}] });
  });
});

test("a route of a host is described and matches its description", async () => {
  const routes = aboutRoutes({ model: "scripted", demo: false, data: "memory" });
  const app = createApp(testSettings(createTestRuntime([])), routes);
  const headers = { host: "localhost" };
  const documented = (await (await app.request("/openapi.json", { headers })).json()) as OpenApi;
  const schema = documented.paths["/v1/about"]?.get?.responses["200"]?.content?.["application/json"]?.schema;
  expect(schema).toBeDefined();
  expect(violations(documented, schema ?? {}, await (await app.request("/v1/about", { headers })).json())).toEqual([]);
});

test("the types of pages and of plain text are described", async () => {
  const routes = confirmRoutes({ secret: "s".repeat(32), base: "" });
  const app = createApp(testSettings(createTestRuntime([])), routes);
  const get = (path: string, accept = "*/*") => app.request(path, { headers: { host: "localhost", accept } });
  const documented = (await (await get("/openapi.json")).json()) as OpenApi;
  const described = (route: string, response: Response) =>
    Object.keys(documented.paths[route]?.get?.responses[response.status]?.content ?? {}).includes(
      response.headers.get("content-type")?.split(";")[0] ?? "",
    );
  expect(described("/problems/{code}", await get("/problems/gate_open"))).toBe(true);
  expect(described("/problems/{code}", await get("/problems/gate_open", "text/html"))).toBe(true);
  expect(described("/confirm/{token}", await get("/confirm/nobody"))).toBe(true);
});

test("the document checker finds a field without a description", () => {
  const thread = { $ref: "#/components/schemas/EventPage" };
  expect(violations(document, thread, { events: [], after: -1 })).toEqual([]);
  expect(violations(document, thread, { events: [], after: -1, more: 1 })).toEqual(["$.more: is not in the document"]);
  expect(violations(document, thread, { events: {}, after: -2 })).toHaveLength(2);
});
