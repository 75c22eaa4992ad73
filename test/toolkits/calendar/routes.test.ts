import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/adapters/clock-system.ts";
import { createApp } from "../../../src/http/app.ts";
import type { Fetcher } from "../../../src/ports/fetcher.ts";
import { ok } from "../../../src/schema/problem.ts";
import { calendar as toolkit } from "../../../src/toolkits/calendar/toolkit.ts";
import { plugToolkits } from "../../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { createTestRuntime } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../../support/server.ts";

function start(fetcher?: Fetcher) {
  const plugged = plugToolkits(createToolbox([]), [toolkit], {
    clock: systemClock,
    documents: createMemoryDocuments(),
    ...(fetcher ? { fetch: fetcher } : {}),
  });
  if (!plugged.ok) throw new Error(plugged.problem.message);
  const keys = () => [aKeyRow("ada", "acme"), aKeyRow("reader", "acme", ["read"]), aKeyRow("eve", "other")];
  const app = createApp(
    testSettings(createTestRuntime([], [], { companions: plugged.value.companions }), { keys }),
    [],
    plugged.value.routes,
  );
  return async (
    method: string,
    path: string,
    body?: unknown,
    { key = "ada", headers = {} as Record<string, string> } = {},
  ) => {
    const isText = typeof body === "string";
    const response = await app.request(path, {
      method,
      headers: {
        authorization: `Bearer ${apiKeyFor(key)}`,
        host: "localhost",
        "content-type": isText ? "text/calendar" : "application/json",
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = () => JSON.parse(text) as Record<string, never>;
    return { status: response.status, text, json, headers: response.headers };
  };
}

const FILE = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//Test//EN",
  "BEGIN:VEVENT",
  "UID:standup",
  "DTSTART;TZID=Europe/Berlin:20260302T091500",
  "DTEND;TZID=Europe/Berlin:20260302T094500",
  "RRULE:FREQ=DAILY;COUNT=24;BYDAY=MO,TU,WE,TH,FR",
  "SUMMARY:Stand-up",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "UID:holiday",
  "DTSTART;VALUE=DATE:20260306",
  "SUMMARY:Holiday",
  "END:VEVENT",
  "BEGIN:VTODO",
  "UID:report",
  "DUE;VALUE=DATE:20260305",
  "SUMMARY:Report",
  "END:VTODO",
  "END:VCALENDAR",
  "",
].join("\r\n");

const WORK = { name: "Work", time_zone: "Europe/Berlin" };

describe("calendars over HTTP", () => {
  test("are created, listed, filled from a file, read by range, exported and deleted", async () => {
    const send = start();
    const created = await send("POST", "/v1/calendars", WORK);
    expect(created.status).toBe(201);
    const { id } = created.json() as unknown as { id: string };
    expect(created.headers.get("location")).toBe(`/v1/calendars/${id}`);
    const report = await send("PUT", `/v1/calendars/${id}/ics`, FILE);
    expect(report.json()).toEqual({ events: 1, series: 1, todos: 1, notes: [], left_out: [] });
    const week = await send("GET", `/v1/calendars/${id}/events?from=2026-03-02&to=2026-03-08`);
    const { events } = week.json() as unknown as {
      events: { title: string; start: string; end: string; id: string }[];
    };
    expect(events.map(({ title }) => title)).toEqual([
      "Stand-up",
      "Stand-up",
      "Stand-up",
      "Stand-up",
      "Report",
      "Holiday",
      "Stand-up",
    ]);
    expect(events[0]).toMatchObject({
      id: "e1@2026-03-02T09:15",
      start: "2026-03-02T09:15:00+01:00",
      end: "2026-03-02T09:45:00+01:00",
    });
    expect(events[4]).toMatchObject({ start: "2026-03-05", end: "2026-03-05", type: "todo" });
    expect(events[5]).toMatchObject({ start: "2026-03-06", end: "2026-03-07", all_day: true, busy: true });
    const exported = await send("GET", `/v1/calendars/${id}/ics`);
    expect(exported.headers.get("content-type")).toContain("text/calendar");
    expect(exported.text).toBe(FILE);
    const shown = await send("GET", `/v1/calendars/${id}`);
    expect(shown.json()).toMatchObject({ id, ...WORK, default: true, version: 1, source: null });
    expect(shown.headers.get("etag")).toBe('"1"');
    expect((await send("DELETE", `/v1/calendars/${id}`)).status).toBe(204);
    expect((await send("GET", `/v1/calendars/${id}`)).status).toBe(404);
    expect((await send("GET", "/v1/calendars")).json()).toEqual({ calendars: [] });
  });

  test("can be chosen for a new thread, and must exist", async () => {
    const send = start();
    const { id } = (await send("POST", "/v1/calendars", WORK)).json() as unknown as { id: string };
    const thread = await send("POST", "/v1/threads", { calendar: id, metadata: { title: "Week" } });
    expect(thread.status).toBe(201);
    const listed = (await send("GET", "/v1/threads")).json() as unknown as { threads: { metadata: unknown }[] };
    expect(listed.threads.map(({ metadata }) => metadata)).toEqual([{ calendar: id, title: "Week" }]);
    const unknown = await send("POST", "/v1/threads", { calendar: "cal_99" });
    expect([unknown.status, unknown.json().code]).toEqual([404, "calendar_not_found"]);
  });

  test("are created once for one key", async () => {
    const send = start();
    const headers = { "idempotency-key": "abc" };
    const first = await send("POST", "/v1/calendars", WORK, { headers });
    const again = await send("POST", "/v1/calendars", WORK, { headers });
    expect(again.json()).toEqual(first.json());
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const { calendars } = (await send("GET", "/v1/calendars")).json() as unknown as { calendars: unknown[] };
    expect(calendars).toHaveLength(1);
  });

  test("belong to one tenant, and need a scope", async () => {
    const send = start();
    const { id } = (await send("POST", "/v1/calendars", WORK)).json() as unknown as { id: string };
    expect((await send("GET", `/v1/calendars/${id}/ics`, undefined, { key: "eve" })).json().code).toBe(
      "calendar_not_found",
    );
    expect((await send("GET", "/v1/calendars", undefined, { key: "eve" })).json()).toEqual({ calendars: [] });
    expect((await send("POST", "/v1/calendars", WORK, { key: "reader" })).json().code).toBe("forbidden");
    expect((await send("PUT", `/v1/calendars/${id}/ics`, FILE, { key: "reader" })).json().code).toBe("forbidden");
  });

  test.each([
    ["an unknown zone", { name: "A", time_zone: "Mars/Base" }],
    ["an offset as a zone", { name: "A", time_zone: "+01:00" }],
    ["no name", { name: " ", time_zone: "UTC" }],
    ["hours that end before they start", { ...WORK, working_hours: Array(7).fill({ start: "17:00", end: "09:00" }) }],
    ["an unknown field", { ...WORK, url: "http://127.0.0.1" }],
  ])("are refused with %s", async (_, body) => {
    const send = start();
    expect((await send("POST", "/v1/calendars", body)).json().code).toBe("request_invalid");
  });

  test.each([
    ["from=yesterday", "from"],
    ["from=2026-03-02&to=2026-03-01", "to"],
    ["from=2026-02-30&to=2026-03-01", "from"],
    ["from=2026-01-01&to=2036-01-01", "to"],
  ])("refuse the range %s", async (query, field) => {
    const send = start();
    const { id } = (await send("POST", "/v1/calendars", WORK)).json() as unknown as { id: string };
    const refused = (await send("GET", `/v1/calendars/${id}/events?${query}`)).json() as unknown as {
      code: string;
      field: string;
    };
    expect([refused.code, refused.field]).toEqual(["request_invalid", field]);
  });

  test("keep their events when a file cannot be read or was made for another version", async () => {
    const send = start();
    const { id } = (await send("POST", "/v1/calendars", WORK)).json() as unknown as { id: string };
    await send("PUT", `/v1/calendars/${id}/ics`, FILE);
    expect((await send("PUT", `/v1/calendars/${id}/ics`, "<html>")).json().code).toBe("calendar_invalid");
    const outdated = { headers: { "if-match": '"0"' } };
    expect((await send("PUT", `/v1/calendars/${id}/ics`, FILE, outdated)).json().code).toBe("version_mismatch");
    expect((await send("GET", `/v1/calendars/${id}/ics`)).text).toContain("UID:standup");
  });

  test("stay empty and unconnected if their source cannot be read, and take no file while they have one", async () => {
    const served: { body: string } = { body: "<html>Sign in</html>" };
    const page = { status: 200, url: "", redirects: [], content_type: "text/calendar", headers: {}, truncated: false };
    const send = start({ fetch: async () => ok({ ...page, body: Buffer.from(served.body) }) });
    const { id } = (await send("POST", "/v1/calendars", WORK)).json() as unknown as { id: string };
    const subscribe = () => send("PUT", `/v1/calendars/${id}/source`, { subscribe: "https://example.com/a.ics" });
    expect((await subscribe()).json().code).toBe("calendar_invalid");
    expect((await send("GET", `/v1/calendars/${id}`)).json().source).toBeNull();
    served.body = FILE;
    expect((await subscribe()).json()).toMatchObject({ source: "subscription", changed: 3 });
    const upload = await send("PUT", `/v1/calendars/${id}/ics`, FILE.replaceAll("Holiday", "Workday"));
    expect([upload.status, upload.json().code]).toEqual([400, "request_invalid"]);
    expect((await send("GET", `/v1/calendars/${id}/ics`)).text).toContain("SUMMARY:Holiday");
  });
});
