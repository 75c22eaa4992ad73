// Tests what a host serves besides the API: the page with its strict headers, facts about itself, and the calendar of a
// thread.
import { describe, expect, test } from "vitest";
import { consoleFiles } from "../../../src/hosts/node/console-files.ts";
import { createApp } from "../../../src/http/app.ts";
import { aboutRoutes } from "../../../src/http/routes/about.ts";
import { consoleFileRoutes } from "../../../src/http/routes/console-page.ts";
import { CalendarView } from "../../../src/toolkits/timetable/schema/calendar-view.ts";
import { createTimetable } from "../../support/calendars.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../../support/server.ts";

const PAGE = [{ path: "/", type: "text/html; charset=utf-8", body: "<!doctype html>", etag: '"one"' }];
const ABOUT = { model: "main", demo: false, data: "/somewhere/pawl.db" };
const host = { host: "localhost" };

describe("the page", () => {
  const app = createApp(testSettings(createTestRuntime([])), consoleFileRoutes(PAGE));

  test("may run and load nothing but its own files", async () => {
    const response = await app.request("/", { headers: host });
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.text()).toBe("<!doctype html>");
  });

  test("is not sent again when it has not changed", async () => {
    const response = await app.request("/", { headers: { ...host, "if-none-match": '"one"' } });
    expect([response.status, await response.text()]).toEqual([304, ""]);
  });

  test("explains how to build it if it was never built", async () => {
    const bare = createApp(testSettings(createTestRuntime([])), consoleFileRoutes(consoleFiles([])));
    const response = await bare.request("/", { headers: host });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("npm run build");
  });

  test("needs no key, but does not accept every host name", async () => {
    const keyed = createApp(
      testSettings(createTestRuntime([]), { keys: () => [aKeyRow("ann", "acme")] }),
      consoleFileRoutes(PAGE),
    );
    expect((await keyed.request("/", { headers: host })).status).toBe(200);
    expect((await app.request("/", { headers: { host: "evil.example" } })).status).toBe(403);
  });
});

describe("about", () => {
  test("lists the keys of the caller's tenant with names and scopes, never values or hashes", async () => {
    const rows = [aKeyRow("ann", "acme"), aKeyRow("bob", "acme", ["read"]), aKeyRow("eve", "other")];
    const app = createApp(testSettings(createTestRuntime([]), { keys: () => rows }), aboutRoutes(ABOUT));
    const read = (name: string) =>
      app.request("/v1/keys", { headers: { ...host, authorization: `Bearer ${apiKeyFor(name)}` } });
    const text = await (await read("ann")).text();
    expect(JSON.parse(text)).toMatchObject({ keys: [{ name: "ann" }, { name: "bob", scopes: ["read"] }] });
    expect(text).not.toMatch(/pawl_|sha256|eve/);
    expect((await read("bob")).status).toBe(403);
  });

  test("a background run shows its failed attempts and when it is tried again", async () => {
    const rt = createTestRuntime([]);
    const app = createApp(testSettings(rt), aboutRoutes(ABOUT));
    const headers = { ...host, "content-type": "application/json" };
    const body = JSON.stringify({ goal: "Say hello", run: "background" });
    const created = (await (await app.request("/v1/threads", { method: "POST", headers, body })).json()) as {
      thread: { id: string };
    };
    const due = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 1))[0];
    if (due) await rt.store.settleDelivery(due, { ...due, attempts: 2, due_at: rt.clock.now() + 4000 });
    const run = await app.request(`/v1/threads/${created.thread.id}/run`, { headers: host });
    expect(await run.json()).toMatchObject({ background: { status: "on" }, attempts: 2 });
  });

  test("names release, model and caller, and the data file to this machine only", async () => {
    const local = createApp(testSettings(createTestRuntime([])), aboutRoutes(ABOUT));
    expect(await (await local.request("/v1/about", { headers: host })).json()).toEqual({
      release: "test",
      ...ABOUT,
      worker: true,
      caller: { name: "tester", scopes: ["read", "advance", "confirm", "admin"] },
    });
    const idle = { ...createTestRuntime([]), worker: { running: false } };
    const settings = testSettings(idle, { keys: () => [aKeyRow("ann", "acme", ["read"])] });
    const keyed = createApp(settings, aboutRoutes(ABOUT));
    expect((await keyed.request("/v1/about", { headers: host })).status).toBe(401);
    const authorization = `Bearer ${apiKeyFor("ann")}`;
    const about = await (await keyed.request("/v1/about", { headers: { ...host, authorization } })).json();
    expect(about).toMatchObject({ data: null, worker: false, caller: { name: "ann", scopes: ["read"] } });
  });
});

describe("the calendar of a thread", () => {
  const MOVE = {
    action: "confirm",
    tool_call: { name: "move", arguments: { task_id: 13, new_day: 4, new_slot_start: 9 } },
  };

  function anApp(script: readonly object[]) {
    const { tools, companions, routes } = createTimetable();
    const rt = createTestRuntime(script as [], tools, { companions });
    const app = createApp(testSettings(rt), routes);
    const post = async (path: string, body: object) => {
      const headers = { ...host, "content-type": "application/json" };
      return (await app.request(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
    };
    const look = async (thread: string, args?: unknown) => {
      const query = args === undefined ? "" : `?arguments=${encodeURIComponent(JSON.stringify(args))}`;
      const response = await app.request(`/v1/threads/${thread}/calendar${query}`, { headers: host });
      return CalendarView.parse(await response.json());
    };
    return { app, post, look };
  }

  test("shows what the waiting call would change, for other arguments too, and changes nothing", async () => {
    const { app, post, look } = anApp([MOVE]);
    const { thread } = await post("/v1/threads", { goal: "Move it", mode: "direct" });
    expect((await look(thread.id)).proposed).toBeNull();
    await post(`/v1/threads/${thread.id}/turns`, {});
    const first = await look(thread.id);
    expect(first.proposed).toMatchObject({
      tool: "move",
      possible: true,
      changes: [{ task_id: 13, to: [{ day: 4 }] }],
    });
    const other = await look(thread.id, { task_id: 13, new_day: 5, new_slot_start: 3 });
    expect(other.proposed).toMatchObject({ possible: true, changes: [{ to: [{ day: 5, slot_start: 3 }] }] });
    const clash = await look(thread.id, { task_id: 13, new_day: 4, new_slot_start: 6 });
    expect(clash.proposed).toMatchObject({ possible: false, changes: [] });
    expect((await look(thread.id)).calendar).toEqual(first.calendar);
    const broken = await app.request(`/v1/threads/${thread.id}/calendar?arguments=%7B`, { headers: host });
    expect([broken.status, (await broken.json()).code]).toEqual([400, "request_invalid"]);
  });

  test("names the effect of every change, so that a receipt finds its own", async () => {
    const { post, look } = anApp([MOVE]);
    const { thread } = await post("/v1/threads", { goal: "Move it", mode: "direct" });
    const { thread: waiting } = await post(`/v1/threads/${thread.id}/turns`, {});
    const { id: gate_id, digest } = waiting.gate;
    const input = { type: "confirm", gate_id, digest, decision: "approve" };
    const { turn } = await post(`/v1/threads/${thread.id}/turns`, { input });
    const { effects, calendar, proposed } = await look(thread.id);
    expect(effects).toMatchObject([
      { effect_id: turn.receipts[0].effect_id, tool: "move", changes: [{ task_id: 13 }] },
    ]);
    expect(calendar?.tasks.find((task) => task.state_id === 13)?.slots).toMatchObject([{ day: 4 }]);
    expect(proposed).toBeNull();
  });

  test("of a thread that is not there is not found", async () => {
    const { app } = anApp([]);
    const response = await app.request(`/v1/threads/thr_${"0".repeat(26)}/calendar`, { headers: host });
    expect([response.status, (await response.json()).code]).toEqual([404, "thread_not_found"]);
  });

  test("and the facts about the server are in the OpenAPI document if the host provides them", async () => {
    const routes = [...aboutRoutes(ABOUT), ...createTimetable().routes];
    const app = createApp(testSettings(createTestRuntime([])), routes);
    const { paths } = await (await app.request("/openapi.json", { headers: host })).json();
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/v1/about", "/v1/threads/{id}/calendar"]));
  });
});
