// Tests a calendar that two threads and its CalDAV server change at the same time, and a process that is killed at
// every point of a write.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRadicale } from "../../../scripts/radicale.ts";
import type { DavAccounts } from "../../../src/ports/dav/dav-accounts.ts";
import type { DocumentStore } from "../../../src/ports/documents.ts";
import { fail } from "../../../src/schema/problem.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import { pullCalendar } from "../../../src/toolkits/calendar/sources/pull.ts";
import { callTool } from "../../support/decisions.ts";
import { createMemoryDocuments, type MemoryDocuments } from "../../support/documents-memory.ts";
import { type Radicale, startRadicale, USER } from "../../support/radicale.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { accountsFor, serverEvents, startOnRadicale } from "./caldav-calendar.ts";

const DENTIST = { title: "Dentist", start: "2026-03-03T09:00", duration_min: 90 };

describe.skipIf(!findRadicale())("a calendar on Radicale", () => {
  let radicale: Radicale;
  beforeAll(async () => {
    radicale = await startRadicale();
  });
  afterAll(() => radicale.stop());

  const localEvents = async (calendar: Awaited<ReturnType<typeof startOnRadicale>>) =>
    (await calendar.occurrences())
      .map(({ title, object }) => `${title} ${new Date(object.start).toISOString().replace(/[-:]|\.000Z/g, "")}`)
      .sort();

  /** Moves the event on the server, like another client. */
  async function moveOnServer(from: string, to: string): Promise<void> {
    for (const href of await radicale.names()) {
      const text = await (await radicale.send("GET", href)).text();
      if (text.includes(from)) await radicale.send("PUT", href, text.replaceAll(from, to));
    }
  }

  test("asks again with a new preview after a change on the server, and by another thread", async () => {
    const calendar = await startOnRadicale(radicale);
    await calendar.call("create_event", DENTIST);
    const move = callTool("move_event", { id: "e1@2026-03-03", start: "2026-03-06T09:00" });
    const rt = createTestRuntime([move, move], calendar.tools);
    const threads = [
      await createTestThread(rt, { goal: "A", mode: "direct" }),
      await createTestThread(rt, { goal: "B", mode: "direct" }),
    ];
    type Gate = { id: never; digest: string; preview?: string };
    const gateOf = (outcome: { thread: { gate: unknown } }) => outcome.thread.gate as Gate | null;
    const open = [];
    for (const thread of threads) open.push(gateOf(unwrap(await thread.turn()).outcome));
    const approve = async (n: number, gate: Gate | null | undefined) => {
      if (!gate) throw new Error("there is no gate");
      const { id: gate_id, digest } = gate;
      return unwrap(
        await (threads[n] as (typeof threads)[0]).turn({ type: "confirm", gate_id, digest, decision: "approve" }),
      ).outcome;
    };
    await moveOnServer("20260303T", "20260304T");
    const again = gateOf(await approve(0, open[0]));
    expect(again?.preview).toContain("from Wed 2026-03-04 09:00–10:30 to Fri 2026-03-06 09:00–10:30");
    expect(await serverEvents(radicale)).toEqual(["Dentist 20260304T090000"]);
    await approve(0, again);
    expect(await serverEvents(radicale)).toEqual(["Dentist 20260306T090000"]);
    // The gate of the other thread still shows the event on Tuesday.
    const other = gateOf(await approve(1, open[1]));
    expect(other?.preview).toContain("from Fri 2026-03-06");
    expect(await serverEvents(radicale)).toEqual(await localEvents(calendar));
  });

  test("keeps what others change after a write whose answer was lost", async () => {
    const real = accountsFor(radicale.url);
    let isLost = true;
    const dav: DavAccounts = {
      ...real,
      put: async (...args) => {
        const answer = await real.put(...args);
        if (!isLost) return answer;
        isLost = false;
        await moveOnServer("SUMMARY:Dentist", "SUMMARY:Dentist (bring the form)");
        return fail("outcome_unknown", "The server did not answer.");
      },
    };
    const { call } = await startOnRadicale(radicale, createMemoryDocuments(), dav);
    expect(await call("create_event", DENTIST, { key: "eff_lost" })).toMatchObject({ ok: false });
    expect(await call("create_event", DENTIST, { key: "eff_lost" })).toMatchObject({ ok: true });
    const moved = await call("move_event", { id: "e1@2026-03-03", start: "2026-03-05T09:00" });
    expect(moved.text).toContain('Moved "Dentist (bring the form)"');
    expect(await serverEvents(radicale)).toEqual(["Dentist (bring the form) 20260305T090000"]);
  });

  test.each(["b1", "b2"])(
    "keeps changes of other clients between two pending writes (%s is sent again first)",
    async (resent) => {
      const real = accountsFor(radicale.url);
      let isDown = false;
      const dav: DavAccounts = {
        ...real,
        put: async (...args) => {
          if (!isDown) return real.put(...args);
          // The first of the waiting writes arrives, but its response is lost.
          if (args[2].includes("b1")) await real.put(...args);
          return fail("outcome_unknown", "The server did not answer.");
        },
      };
      const { call, file } = await startOnRadicale(radicale, createMemoryDocuments(), dav);
      await call("create_event", DENTIST);
      isDown = true;
      const place = (name: string) =>
        call("update_event", { id: "e1@2026-03-03", location: `Room ${name}` }, { key: `eff_${name}` });
      expect(await place("b1")).toMatchObject({ ok: false });
      expect(await place("b2")).toMatchObject({ ok: false });
      await moveOnServer("SUMMARY:Dentist", "SUMMARY:Dentist (theirs)");
      isDown = false;
      expect((await place(resent)).ok).toBe(resent === "b1");
      const [href = ""] = await radicale.names();
      for (const text of [await (await radicale.send("GET", href)).text(), await file()]) {
        expect(text).toContain("SUMMARY:Dentist (theirs)");
        expect(text).toContain("LOCATION:Room b1");
      }
    },
  );

  test("keeps the definitions of zones, and adds those that a change needs", async () => {
    const calendar = await startOnRadicale(radicale);
    const { call, file } = calendar;
    const zone = (name: string, offset: string) => [
      ...["BEGIN:VTIMEZONE", `TZID:${name}`, "BEGIN:STANDARD", "DTSTART:19700101T000000"],
      ...[`TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, "END:STANDARD", "END:VTIMEZONE"],
    ];
    const event = [
      ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//EN", ...zone("Office", "+0123")],
      ...[...zone("Asia/Tokyo", "+0900"), "BEGIN:VEVENT", "UID:flight"],
      ...["DTSTAMP:20260101T000000Z", "DTSTART;TZID=Office:20260303T090000", "DTEND;TZID=Asia/Tokyo:20260303T200000"],
      ...["SUMMARY:Flight", "END:VEVENT", "END:VCALENDAR", ""],
    ].join("\r\n");
    expect((await radicale.send("PUT", `/${USER}/team/flight.ics`, event)).status).toBe(201);
    expect((await call("update_event", { id: "e1@2026-03-03", location: "Gate 4" })).ok).toBe(true);
    const stored = await (await radicale.send("GET", `/${USER}/team/flight.ics`)).text();
    for (const text of [stored, await file()]) {
      expect(text).toContain("LOCATION:Gate 4");
      expect(text).toContain("TZID:Office\r\n");
      expect(text).toContain("TZOFFSETTO:+0123");
      expect(text).toContain("TZID:Asia/Tokyo");
    }
  });

  test("loses no change and books no time twice when two threads and the server write at once", async () => {
    const calendar = await startOnRadicale(radicale);
    const { call, store, at, dav } = calendar;
    const file = (n: number) =>
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\nBEGIN:VEVENT\r\nUID:theirs-${n}\r\nDTSTAMP:20260301T000000Z\r\nDTSTART;TZID=Europe/Berlin:202603${10 + n}T080000\r\nDTEND;TZID=Europe/Berlin:202603${10 + n}T083000\r\nSUMMARY:Theirs ${n}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
    const written: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      // Both threads want the same time, which only one can get.
      const start = `2026-03-${String(10 + round).padStart(2, "0")}T10:00`;
      const [a, b] = await Promise.all([
        call("create_event", { title: `A ${round}`, start }),
        call("create_event", { title: `B ${round}`, start }),
        radicale.send("PUT", `${radicale.collection}theirs-${round}.ics`, file(round)),
      ]);
      expect([a.ok, b.ok].filter(Boolean)).toHaveLength(1);
      written.push(a.ok ? `A ${round}` : `B ${round}`, `Theirs ${round}`);
    }
    succeeded(await pullCalendar({ store, dav }, at));
    const server = await serverEvents(radicale);
    expect(server.map((line) => line.replace(/ \d{8}T\d+$/, "")).sort()).toEqual(written.sort());
    expect(await localEvents(calendar)).toEqual(server);
    const busy = await calendar.occurrences();
    for (const [i, one] of busy.entries()) expect(busy[i + 1]?.start ?? one.end).toBeGreaterThanOrEqual(one.end);
  });

  const SERIES = { title: "Series", start: "2026-03-05T14:00", repeat: "FREQ=DAILY;COUNT=6" };
  test.each([
    ["create_event", DENTIST, 1],
    ["move_event", { id: "e1@2026-03-07T14:00", start: "2026-03-07T16:00", scope: "following" }, 2],
    ["undo_calendar_change", {}, 0],
  ])("has the effect of %s once after a kill at any point of it", async (name, args, objects) => {
    const isNew = name === "create_event";
    for (let point = 1; point < 60; point += 1) {
      const data: MemoryDocuments = new Map();
      let steps = Number.POSITIVE_INFINITY;
      const step = () => {
        steps -= 1;
        if (steps <= 0) throw new Error("killed");
      };
      /** Ends a process before or after each of its requests. */
      const killing =
        <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
        async (...given: A): Promise<R> => {
          step();
          const result = await run(...given);
          step();
          return result;
        };
      const inner = createMemoryDocuments(data);
      const documents: DocumentStore = { ...inner, save: killing(inner.save), remove: killing(inner.remove) };
      const real = accountsFor(radicale.url);
      const dav: DavAccounts = {
        ...real,
        put: killing(real.put),
        get: killing(real.get),
        remove: killing(real.remove),
      };
      const calendar = await startOnRadicale(radicale, documents, dav);
      if (!isNew)
        expect(await calendar.call("create_event", SERIES, { key: "eff_series" })).toMatchObject({ ok: true });
      steps = point;
      const first = await calendar.call(name, args, { key: `eff_${point}` }).catch(() => null);
      steps = Number.POSITIVE_INFINITY;
      const again = await calendar.call(name, args, { key: `eff_${point}` });
      expect(again, `killed at ${point}`).toMatchObject({ ok: true });
      expect(await radicale.names(), `killed at ${point}`).toHaveLength(objects);
      succeeded(await pullCalendar({ store: calendar.store, dav }, calendar.at));
      const open = succeeded(await calendar.store.open(calendar.at));
      expect(open.head.pushes).toEqual([]);
      expect(succeeded(await open.all())).toHaveLength(objects);
      if (first?.ok) {
        expect(point).toBeGreaterThan(4);
        return;
      }
    }
    throw new Error("never reached the end of the write");
  });
});
