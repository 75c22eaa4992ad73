import { beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../../src/http/app.ts";
import { createTickets, TICKET_TTL_MS } from "../../../src/http/edge/tickets.ts";
import { TenantId } from "../../../src/schema/ids.ts";
import { createTestRuntime, problemCode, type TestRuntime, unwrap } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../../support/server.ts";

let rt: TestRuntime;
let rows: ReturnType<typeof aKeyRow>[];
let app: ReturnType<typeof createApp>;
beforeEach(() => {
  rt = createTestRuntime([]);
  rows = [aKeyRow("ada", "acme"), aKeyRow("eve", "other"), aKeyRow("driver", "acme", ["advance"])];
  app = createApp(testSettings(rt, { keys: () => rows }));
});

const as = (name: string) => ({ authorization: `Bearer ${apiKeyFor(name)}` });
const ticketFor = async (name: string): Promise<string> =>
  ((await (await app.request("/v1/tickets", { method: "POST", headers: as(name) })).json()) as { ticket: string })
    .ticket;
const aThread = async (name: string): Promise<string> =>
  (await app.request("/v1/threads", { method: "POST", headers: as(name) })).headers.get("location") ?? "";
const events = async (thread: string, ticket: string, headers = {}): Promise<number> =>
  (await app.request(`${thread}/events?ticket=${ticket}`, { headers })).status;

describe("a ticket", () => {
  test("opens the events of a thread, once", async () => {
    const thread = await aThread("ada");
    const ticket = await ticketFor("ada");
    expect(ticket).toMatch(/^tkt_[0-9a-z]{52}$/);
    expect([await events(thread, ticket), await events(thread, ticket)]).toEqual([200, 401]);
  });

  test("expires after a minute", async () => {
    const thread = await aThread("ada");
    const [early, late] = [await ticketFor("ada"), await ticketFor("ada")];
    rt.clock.advance(TICKET_TTL_MS - 1);
    expect(await events(thread, early)).toBe(200);
    rt.clock.advance(1);
    expect(await events(thread, late)).toBe(401);
  });

  test("opens nothing of another tenant, and is used up by the attempt", async () => {
    const thread = await aThread("ada");
    const ticket = await ticketFor("eve");
    expect([await events(thread, ticket), await events(thread, ticket)]).toEqual([404, 401]);
  });

  test("is invalid once its key is removed", async () => {
    const thread = await aThread("ada");
    const ticket = await ticketFor("ada");
    rows = rows.filter((row) => row.name !== "ada");
    expect(await events(thread, ticket)).toBe(401);
  });

  test("replaces the header and is not checked in addition to it", async () => {
    const thread = await aThread("ada");
    expect(await events(thread, "tkt_wrong", as("ada"))).toBe(401);
  });

  test("opens no other route", async () => {
    const thread = await aThread("ada");
    for (const path of [thread, `${thread}/turns`, "/v1/threads", "/v1/gates"]) {
      const response = await app.request(`${path}?ticket=${await ticketFor("ada")}`);
      expect(`${path} ${response.status}`).toBe(`${path} 401`);
    }
  });

  test("needs a caller who may read, and no fields", async () => {
    expect((await app.request("/v1/tickets", { method: "POST" })).status).toBe(401);
    expect((await app.request("/v1/tickets", { method: "POST", headers: as("driver") })).status).toBe(403);
    const extra = {
      method: "POST",
      headers: { ...as("ada"), "content-type": "application/json" },
      body: '{"for":"ever"}',
    };
    expect((await app.request("/v1/tickets", extra)).status).toBe(400);
  });
});

test("unused tickets do not accumulate", () => {
  const tickets = createTickets(rt);
  const caller = { tenant: TenantId.parse("acme"), name: "ada", scopes: new Set(["read"] as const) };
  const first = tickets.issue(caller);
  for (let i = 0; i < 10_000; i++) tickets.issue(caller);
  expect(problemCode(tickets.redeem(first.ticket))).toBe("unauthorized");
  expect(unwrap(tickets.redeem(tickets.issue(caller).ticket)).name).toBe("ada");
});
