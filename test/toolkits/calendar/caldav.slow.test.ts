// Tests calendars on a real CalDAV server: both directions, conflicts, a kill at every point, and passwords that must
// not leak.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRadicale } from "../../../scripts/radicale.ts";
import { createGuardedFetcher } from "../../../src/adapters/fetch-guarded/guarded-fetcher.ts";
import type { DavAccounts } from "../../../src/ports/dav/dav-accounts.ts";
import type { DocumentStore } from "../../../src/ports/documents.ts";
import { fail } from "../../../src/schema/problem.ts";
import { failedWith, succeeded } from "../../../src/testing/expect.ts";
import { pullCalendar } from "../../../src/toolkits/calendar/sources/pull.ts";
import { createMemoryDocuments, type MemoryDocuments } from "../../support/documents-memory.ts";
import { PASSWORD, type Radicale, startRadicale, USER } from "../../support/radicale.ts";
import { accountsFor, serverEvents, startConnected, startOnRadicale } from "./caldav-calendar.ts";
import { MONDAY, startCalendar } from "./calendar-tools.ts";

const DENTIST = { title: "Dentist", start: "2026-03-03T09:00", duration_min: 90 };

describe.skipIf(!findRadicale())("a calendar on Radicale", () => {
  let radicale: Radicale;
  beforeAll(async () => {
    radicale = await startRadicale();
  });
  afterAll(() => radicale.stop());

  const connected = (documents?: DocumentStore, dav?: DavAccounts) => startOnRadicale(radicale, documents, dav);

  test("is discovered by its account", async () => {
    const found = succeeded(await accountsFor(radicale.url).collections("home"));
    expect(found).toEqual([{ url: radicale.collection, name: "Work" }]);
  });

  test("gets what tools write, and shows what others write, by the next call", async () => {
    const { call, occurrences } = await connected();
    const created = await call("create_event", DENTIST, { key: "eff_one" });
    expect(created).toMatchObject({ ok: true });
    expect(await radicale.names()).toEqual([`/${USER}/team/eff_one%40pawl.ics`]);
    const [href = ""] = await radicale.names();
    const stored = await (await radicale.send("GET", href)).text();
    expect(stored).toContain("UID:eff_one@pawl");
    await radicale.send(
      "PUT",
      href,
      stored.replace("SUMMARY:Dentist", "SUMMARY:Dentist (new time)").replace(/T090000/, "T093000"),
    );
    const listed = await call("list_events", { from: "2026-03-02", to: "2026-03-08" });
    expect(listed.text).toContain("Dentist (new time)");
    expect(listed.trusted).toBe(false);
    expect((await call("move_event", { id: "e1@2026-03-03", start: "2026-03-04T10:00" })).ok).toBe(true);
    expect(await (await radicale.send("GET", href)).text()).toContain("20260304T100000");
    expect((await call("undo_calendar_change", {})).ok).toBe(true);
    expect(await (await radicale.send("GET", href)).text()).toContain("20260303T093000");
    expect((await call("cancel_event", { id: "e1@2026-03-03" })).ok).toBe(true);
    expect(await radicale.names()).toEqual([]);
    expect(await occurrences()).toEqual([]);
    expect((await call("undo_calendar_change", {})).ok).toBe(true);
    expect(await radicale.names()).toHaveLength(1);
  });

  test("keeps the version of the server in a conflict, and says so", async () => {
    const real = accountsFor(radicale.url);
    let meanwhile: (() => Promise<unknown>) | null = null;
    const dav: DavAccounts = {
      ...real,
      put: async (...args) => {
        const run = meanwhile;
        meanwhile = null;
        await run?.();
        return real.put(...args);
      },
    };
    const { call } = await connected(createMemoryDocuments(), dav);
    await call("create_event", DENTIST, { key: "eff_two" });
    const [href = ""] = await radicale.names();
    const text = await (await radicale.send("GET", href)).text();
    meanwhile = () => radicale.send("PUT", href, text.replace("SUMMARY:Dentist", "SUMMARY:Theirs"));
    const moved = await call("move_event", { id: "e1@2026-03-03", start: "2026-03-04T10:00" });
    expect(moved).toMatchObject({ ok: false });
    expect(moved.text).toContain("changed on the calendar server");
    expect((await call("list_events", { from: "2026-03-02", to: "2026-03-08" })).text).toContain(
      "Tue 2026-03-03 09:00–10:30: Theirs",
    );
  });

  test.each([
    ["has no room for the second object of a call", () => Promise.resolve(fail("fetch_failed", "It answered 507."))],
    ["changed the second object of a call meanwhile", null],
  ])("that %s gets its first one back", async (_, second) => {
    const real = accountsFor(radicale.url);
    let puts = Number.NEGATIVE_INFINITY;
    const dav: DavAccounts = {
      ...real,
      put: async (...args) => {
        puts += 1;
        if (puts !== 2) return real.put(...args);
        if (second) return second();
        const theirs = await (await radicale.send("GET", args[1])).text();
        await radicale.send("PUT", args[1], theirs.replace("SUMMARY:", "SUMMARY:Their "));
        return real.put(...args);
      },
    };
    const { call, store, at } = await connected(createMemoryDocuments(), dav);
    await call("create_event", DENTIST);
    await call("create_event", { title: "Board", start: "2026-03-04T11:00" });
    puts = 0;
    const swapped = await call("swap_events", { first: "e1@2026-03-03", second: "e2@2026-03-04" });
    expect(swapped.ok).toBe(false);
    expect(swapped.text).toMatch(/Nothing was (changed|overwritten)/);
    const board = second ? "Board" : "Their Board";
    expect(await serverEvents(radicale)).toEqual([`${board} 20260304T110000`, "Dentist 20260303T090000"].sort());
    const open = succeeded(await store.open(at));
    expect(open.head.pushes).toEqual([]);
    expect(
      succeeded(await open.all())
        .map(({ title }) => title)
        .sort(),
    ).toEqual([board, "Dentist"].sort());
  });

  test("refuses a wrong password, and shows a password nowhere", async () => {
    const data: MemoryDocuments = new Map();
    const { call, dav } = await connected(createMemoryDocuments(data));
    const created = await call("create_event", DENTIST);
    const wrong = accountsFor(radicale.url, "wrong-password");
    const refused = await wrong.objects("home", radicale.collection, null);
    failedWith(refused, "fetch_failed");
    const discovery = await wrong.collections("home");
    const seen = JSON.stringify([created, refused, discovery, dav, [...data.values()]]);
    expect(seen).not.toContain(PASSWORD);
    expect(seen).not.toContain("wrong-password");
    expect(seen).not.toContain(Buffer.from(`${USER}:${PASSWORD}`).toString("base64"));
  });

  test("at a private address is reached only if its account allows it", async () => {
    const dav = accountsFor(radicale.url, PASSWORD, false);
    failedWith(await dav.put("home", `${radicale.collection}x.ics`, "", null), "blocked_address");
  });
});

describe("a calendar server that misbehaves", () => {
  /** Marks a request that is never answered. */
  const HANGS = -1;
  async function answering(status: number, body: string, headers: Record<string, string> = {}) {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.headers.authorization ? "with password" : "without"}`);
      if (status === 0) return request.socket.destroy();
      if (status === HANGS) return;
      response.writeHead(status, headers).end(body);
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const stop = () => {
      server.closeAllConnections();
      server.close();
    };
    return { dav: accountsFor(url, PASSWORD, true, { idle_ms: 300, total_ms: 600 }), url, seen, stop };
  }

  test.each([
    [507, "full", "tool_refused"],
    [401, "no", "tool_refused"],
    [403, "no", "tool_refused"],
    [500, "<html>oops</html>", "tool_refused"],
    [302, "", "tool_refused"],
    // The server reports a different version but has none.
    [412, "", "tool_refused"],
    [200, "<html>Sign in</html>", "tool_refused"],
    [0, "", "outcome_unknown"],
    [HANGS, "", "outcome_unknown"],
  ])("answers a write with %i: nothing is half written, and the call says why", async (status, body, code) => {
    const { dav, url, stop } = await answering(status, body, { location: "http://127.0.0.1:1/" });
    const calendar = await startConnected(dav, `${url}ada/team/`);
    const answer = await calendar.call("create_event", DENTIST);
    expect(answer).toMatchObject({ ok: false, data: { code } });
    const waiting = status <= 0 ? 1 : 0;
    expect(succeeded(await calendar.store.open(calendar.at)).head.pushes).toHaveLength(waiting);
    expect(await calendar.occurrences()).toHaveLength(waiting);
    stop();
  });

  test("answers a listing with HTML: the calendar is used as it was", async () => {
    const { dav, url, stop } = await answering(200, "<html>Sign in</html>");
    const calendar = await startConnected(dav, `${url}ada/team/`);
    failedWith(await pullCalendar({ store: calendar.store, dav }, calendar.at), "fetch_failed");
    expect((await calendar.call("list_events", { from: "2026-03-02", to: "2026-03-08" })).text).toContain("0 events");
    stop();
  });

  test("names an address of another origin: the password is not sent there", async () => {
    const other = await answering(200, "");
    const { dav, stop } = await answering(200, "");
    failedWith(await dav.put("home", `${other.url}x.ics`, "", null), "blocked_address");
    expect(other.seen).toEqual([]);
    stop();
    other.stop();
  });

  test("redirects to another origin, or lists addresses there: the password is not sent, and nothing is read", async () => {
    const other = await answering(200, "BEGIN:VCALENDAR");
    const answer = `<multistatus xmlns="DAV:"><response><href>${other.url}x.ics</href><propstat><prop><current-user-principal><href>${other.url}p/</href></current-user-principal><getetag>"1"</getetag><resourcetype><collection/></resourcetype></prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`;
    for (const [status, body, headers] of [
      [302, "", { location: other.url }],
      [308, "", { location: other.url }],
      [207, answer, { "content-type": "application/xml" }],
    ] as const) {
      const { dav, url, stop } = await answering(status, body, headers);
      const found = await dav.collections("home");
      const objects = await dav.objects("home", `${url}ada/team/`, null);
      const got = await dav.get("home", `${url}ada/team/x.ics`);
      expect(JSON.stringify([found, objects, got])).not.toContain("VCALENDAR");
      expect(other.seen.filter((line) => line.includes("with password"))).toEqual([]);
      stop();
    }
    other.stop();
  });

  test("serves a subscription: read with its ETag, never written", async () => {
    const FILE =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260303T090000Z\r\nSUMMARY:Match\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    const { url, stop } = await answering(200, FILE, { etag: '"1"' });
    const fetch = createGuardedFetcher({ ports: [Number(new URL(url).port)], allow: [new URL(url).host] });
    const calendar = await startCalendar(createMemoryDocuments(), MONDAY, { fetch });
    const open = succeeded(await calendar.store.open(calendar.at));
    succeeded(await open.save([], null, { source: { kind: "subscription", url, etag: null } }));
    expect((await calendar.call("list_events", { from: "2026-03-02", to: "2026-03-08" })).text).toContain("Match");
    expect((await calendar.call("create_event", DENTIST)).text).toContain("can only be read");
    stop();
  });
});
