import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import { importIcs } from "../../../src/toolkits/calendar/ics/import-ics.ts";
import type { Sources } from "../../../src/toolkits/calendar/sources/pull.ts";
import { createCalendarStore } from "../../../src/toolkits/calendar/store/calendar-store.ts";
import { OFFICE_HOURS } from "../../../src/toolkits/calendar/store/head.ts";
import { calendarTools } from "../../../src/toolkits/calendar/tools/tools.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { startCalendar, ZONE } from "./calendar-tools.ts";

const DENTIST = { title: "Dentist", start: "2026-03-03T09:00", duration_min: 90 };
const STANDUP = {
  title: "Stand-up",
  start: "2026-03-02T09:15",
  duration_min: 30,
  repeat: "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=20",
};

describe("calendar tools", () => {
  test("create, list, move, update, cancel and undo an event", async () => {
    const { call } = await startCalendar();
    const created = await call("create_event", DENTIST);
    expect(created.text).toBe('Created "Dentist" on Tue 2026-03-03 09:00–10:30 [e1@2026-03-03].');
    const moved = await call("move_event", { id: "e1@2026-03-03", start: "2026-03-05" });
    expect(moved.text).toBe('Moved "Dentist" from Tue 2026-03-03 09:00–10:30 to Thu 2026-03-05 09:00–10:30.');
    // The old id still identifies the event, although its date has changed.
    const updated = await call("update_event", { id: "e1@2026-03-03", location: "Main St 1" });
    expect(updated.ok).toBe(true);
    const listed = await call("list_events", { from: "2026-03-02", to: "2026-03-08" });
    expect(listed.text).toContain("- Thu 2026-03-05 09:00–10:30: Dentist (at Main St 1) [e1@2026-03-05]");
    expect((await call("cancel_event", { id: "e1@2026-03-05" })).ok).toBe(true);
    expect((await call("list_events", { from: "2026-03-02", to: "2026-03-08" })).text).toContain("0 events");
    expect((await call("undo_calendar_change", {})).text).toContain('Undone: Cancelled "Dentist"');
    expect((await call("list_events", { from: "2026-03-02", to: "2026-03-08", query: "main st" })).text).toContain(
      "Dentist",
    );
  });

  test("say which zone counts if the prompt shows the time in another one", async () => {
    const { call } = await startCalendar();
    const week = { from: "2026-03-02", to: "2026-03-06" };
    const note = "Today, tomorrow and next week are those of Europe/Berlin.";
    const elsewhere = { over: { time_zone: "Asia/Shanghai" } };
    expect((await call("list_events", week, elsewhere)).text).toContain(note);
    expect((await call("find_time", { ...week, duration_min: 30 }, elsewhere)).text).toContain(note);
    expect((await call("list_events", week, { over: { time_zone: ZONE } })).text).not.toContain(note);
  });

  test("refuse a time that is taken before a person is asked, unless it is allowed", async () => {
    const { call, check, preview } = await startCalendar();
    await call("create_event", STANDUP);
    const clash = { ...DENTIST, start: "2026-03-03T09:30" };
    const objection = await check("create_event", clash);
    expect(objection?.text).toContain("The time is taken:\n- Tue 2026-03-03 09:15–09:45: Stand-up (repeats)");
    expect((await call("create_event", clash)).ok).toBe(false);
    expect(await preview("create_event", { ...clash, if_busy: "allow" })).toContain(
      'Create "Dentist" on Tue 2026-03-03',
    );
    expect((await call("create_event", { ...clash, if_busy: "allow" })).text).toContain("At the same time:");
  });

  test("give the rest of a series another title where it overlaps already, and refuse a new overlap of the rest", async () => {
    const { call } = await startCalendar();
    await call("create_event", STANDUP);
    await call("create_event", { title: "Trip", start: "2026-03-12", if_busy: "allow" });
    const rest = { id: "e1@2026-03-10T09:15", scope: "following" };
    expect((await call("update_event", { ...rest, title: "Daily" })).ok).toBe(true);
    await call("create_event", { title: "Review", start: "2026-03-13T11:00" });
    const moved = await call("move_event", { ...rest, id: "e3@2026-03-13T09:15", start: "2026-03-13T11:00" });
    expect(moved.text).toContain("The time is taken");
  });

  test("move one occurrence, the following ones, and a whole series", async () => {
    const { call, occurrences } = await startCalendar();
    await call("create_event", STANDUP);
    const times = async () => (await occurrences()).map((one) => new Date(one.start).toISOString().slice(5, 16));
    expect((await times()).length).toBe(20);
    await call("move_event", { id: "e1@2026-03-04T09:15", start: "2026-03-04T11:00" });
    expect((await times())[2]).toBe("03-04T10:00");
    await call("move_event", { id: "e1@2026-03-10T09:15", start: "2026-03-10T10:00", scope: "following" });
    expect((await times()).length).toBe(20);
    expect((await times()).slice(5, 8)).toEqual(["03-09T08:15", "03-10T09:00", "03-11T09:00"]);
    await call("cancel_event", { id: "e1@2026-03-03T09:15" });
    expect((await times()).length).toBe(19);
    const all = await call("move_event", { id: "e1@2026-03-05T09:15", start: "2026-03-05T08:30", scope: "all" });
    expect(all.text).toContain("with the whole series");
    expect((await times())[0]).toBe("03-02T07:30");
  });

  test("whole days block, and deadlines limit work", async () => {
    const { call, store, at } = await startCalendar();
    const file = [
      "BEGIN:VCALENDAR",
      "BEGIN:VEVENT",
      "UID:h",
      "DTSTART;VALUE=DATE:20260304",
      "SUMMARY:Holiday",
      "END:VEVENT",
      "BEGIN:VTODO",
      "UID:t",
      "DUE;TZID=Europe/Berlin:20260305T120000",
      "SUMMARY:Thesis",
      "END:VTODO",
      "END:VCALENDAR",
      "",
    ].join("\r\n");
    const { objects, kept } = succeeded(importIcs(file, { zone: ZONE }));
    const calendar = succeeded(await store.open(at));
    succeeded(
      await calendar.replace(
        { objects, kept },
        { key: "i", tool: "import", text: "", at: 0, result: null },
        { outside: true },
      ),
    );
    expect((await call("create_event", { ...DENTIST, start: "2026-03-04T09:00" })).text).toContain("Holiday");
    const late = await call("create_event", { title: "thesis", start: "2026-03-05T11:30" });
    expect(late).toMatchObject({ ok: false, trusted: false });
    expect(late.text).toContain("is due Thu 2026-03-05 12:00");
    const free = await call("find_time", { duration_min: 120, from: "2026-03-04", to: "2026-03-06", title: "Thesis" });
    expect(free.text).toContain("Thu 2026-03-05 09:00–11:00");
    expect(free.text).not.toContain("2026-03-06");
    expect(free.text).not.toContain("Wed 2026-03-04");
    const blocks = await call("plan_blocks", {
      title: "Thesis",
      total_min: 600,
      block_min: 60,
      until: "2026-03-20",
      max_per_day: 3,
    });
    expect(blocks.text).toContain("(its deadline)");
  });

  test("find_time prefers, avoids, keeps buffers and gives reasons in a fixed order", async () => {
    const { call } = await startCalendar();
    await call("create_event", { title: "Lunch", start: "2026-03-03T12:00", location: "Bistro" });
    const free = await call("find_time", {
      duration_min: 60,
      from: "2026-03-02",
      to: "2026-03-04",
      prefer: "afternoon",
      avoid: ["monday"],
      travel_min: 30,
      count: 3,
    });
    expect(free.text.split("\n").slice(1)).toEqual([
      '- Tue 2026-03-03 13:30–14:30: free 13:30–17:00, after "Lunch"',
      "- Wed 2026-03-04 12:00–13:00: free 09:00–17:00",
      '- Tue 2026-03-03 09:00–10:00: free 09:00–11:30, before "Lunch"',
    ]);
    const none = await call("find_time", { duration_min: 600, from: "2026-03-02", to: "2026-03-06" });
    expect(none.text).toContain("Nothing is free");
    expect(none.text).toContain("the rest of the range was left out");
  });

  test.each([
    ["2026-03-02T12:00", "2026-03-02T18:00", true],
    ["2026-03-02T12:00", "2026-03-02T16:00", false],
    ["2026-03-06T12:00", "2026-03-07T12:00", true],
  ])(
    "find_time from %s to %s names the hours it searched, and says that it left some out: %s",
    async (from, to, leftOut) => {
      const { call } = await startCalendar();
      const { text } = await call("find_time", { duration_min: 60, from, to });
      expect(text).toMatch(/^Searched: the working hours \(Mon–Fri 09:00–17:00\)/);
      expect(text.includes("the rest of the range was left out")).toBe(leftOut);
      const within = await call("find_time", { duration_min: 60, from, to, within: { start: "12:00", end: "20:00" } });
      expect(within.text).toMatch(/^Searched: 12:00–20:00 on each day\. Free for/);
    },
  );

  test("hours that pass midnight belong to the night that begins on the day before", async () => {
    const { call } = await startCalendar();
    await call("create_event", { title: "Deploy", start: "2026-03-04T22:00", duration_min: 180 });
    const within = { start: "22:00", end: "02:00" };
    const found = await call("find_time", { duration_min: 60, from: "2026-03-04", to: "2026-03-05", within });
    const { candidates } = (found.data as { data: { candidates: { start: string }[] } }).data;
    expect(candidates.map(({ start }) => start.slice(0, 16))).toEqual([
      "2026-03-04T00:00",
      "2026-03-05T01:00",
      "2026-03-05T22:00",
    ]);
    const blocks = { title: "Backup", total_min: 60, block_min: 60, until: "2026-03-03", within };
    const placed = await call("plan_blocks", blocks);
    expect([placed.ok, placed.text]).toEqual([true, expect.stringMatching(/Mon 2026-03-02 22:00–23:00/)]);
  });

  test("plan_blocks places all blocks evenly, or none", async () => {
    const { call, occurrences } = await startCalendar();
    const plan = { title: "Study", total_min: 270, block_min: 60, until: "2026-03-06", max_per_day: 1 };
    const placed = await call("plan_blocks", plan);
    expect(placed.ok).toBe(true);
    const days = (await occurrences()).map((one) => new Date(one.start).toISOString().slice(8, 10));
    expect(days).toEqual(["02", "03", "04", "05", "06"]);
    expect((await call("plan_blocks", { ...plan, total_min: 2400 })).text).toContain("Nothing was changed");
    expect(await occurrences()).toHaveLength(5);
  });

  test("swap_events exchanges two times; check_calendar finds problems", async () => {
    const { call, occurrences } = await startCalendar();
    await call("create_event", { title: "A", start: "2026-03-02T10:00", duration_min: 30 });
    await call("create_event", { title: "B", start: "2026-03-03T15:00", duration_min: 60 });
    await call("swap_events", { first: "e1@2026-03-02", second: "e2@2026-03-03" });
    expect((await occurrences()).map(({ title }) => title)).toEqual(["B", "A"]);
    await call("create_event", { title: "C", start: "2026-03-02T10:30", duration_min: 300, if_busy: "allow" });
    await call("create_event", { title: "D", start: "2026-03-02T20:00" });
    const checked = await call("check_calendar", { from: "2026-03-02", to: "2026-03-06" });
    expect(checked.data).toMatchObject({ data: { overlaps: 1, outside_hours: 1, without_break: 1 } });
  });

  test.each([
    [
      "an occurrence that moves to long before its series",
      { title: "Series", start: "2026-03-20T10:00", repeat: "FREQ=DAILY;COUNT=3" },
      ["move_event", { id: "e2@2026-03-21T10:00", start: "2026-03-03T09:00", scope: "this" }],
      "Dentist",
    ],
    [
      "an occurrence that moves to the time of another one of its series",
      { title: "Series", start: "2026-03-20T10:00", repeat: "FREQ=DAILY;COUNT=3" },
      ["move_event", { id: "e2@2026-03-21T10:00", start: "2026-03-22T10:00", scope: "this" }],
      "Series",
    ],
    [
      "a series that began years ago",
      { title: "Series", start: "2023-03-07T14:00", repeat: "FREQ=WEEKLY" },
      ["move_event", { id: "e2@2023-03-07T14:00", start: "2023-03-07T09:00", scope: "all" }],
      "Dentist",
    ],
    [
      "an event that was not busy",
      { title: "Holiday", start: "2026-03-03", busy: false },
      ["update_event", { id: "e2@2026-03-03", busy: true }],
      "Dentist",
    ],
  ] as const)("%s does not take a time that is taken", async (_, other, [name, args], taken) => {
    const { call, file } = await startCalendar();
    await call("create_event", DENTIST);
    expect(await call("create_event", other)).toMatchObject({ ok: true });
    const before = await file();
    const refused = await call(name, args);
    expect(refused.ok).toBe(false);
    expect(refused.text).toContain("The time is taken");
    expect(refused.text).toContain(taken);
    expect(await file()).toBe(before);
  });

  test.each([
    ["create_event", { title: "A", start: "2026-03-03T10:00", end: "2026-03-03T09:00" }, "is not after the start"],
    ["create_event", { title: "A", start: "2026-03-29T02:30" }, "does not exist in Europe/Berlin"],
    ["create_event", { title: "A", start: "next Tuesday" }, "is not a time"],
    ["create_event", { title: "A", start: "2026-02-30" }, "is not a time"],
    ["create_event", { title: "A", start: "2026-03-03T10:00", repeat: "FREQ=SECONDLY" }, "not a repetition"],
    ["create_event", { title: "A", start: "2026-03-03T10:00", repeat: "every day" }, "not a repetition"],
    ["create_event", { title: "A", start: "2026-03-03", duration_min: 60, end: "2026-03-04" }, "not both"],
    ["create_event", { title: "A", start: "2026-03-03T10:00", calendar: "cal_99" }, "There is no calendar"],
    ["move_event", { id: "e9@2026-03-02", start: "2026-03-03" }, "there is no event"],
    ["move_event", { id: "../../etc/passwd", start: "2026-03-03" }, "there is no event"],
    ["update_event", { id: "e9@2026-03-02" }, "at least one field"],
    ["list_events", { from: "2026-03-02", to: "2036-03-02" }, "must not be longer"],
    ["list_events", { from: "2026-03-05", to: "2026-03-02" }, "is not after"],
    ["find_time", { duration_min: 30, from: "2020-01-01", to: "2020-01-02" }, "in the past"],
    ["find_time", { duration_min: 30, from: "2026-03-02", to: "2026-03-04", avoid: ["someday"] }, "neither a weekday"],
    ["find_time", { duration_min: 30, from: "2026-03-02", to: "2026-03-04", attendees: ["cal_77"] }, "attendees"],
    ["plan_blocks", { title: "A", total_min: 20_000, block_min: 5, until: "2026-03-20" }, "blocks; at most"],
    ["undo_calendar_change", {}, "no change that can be undone"],
  ])("%s %j is refused, and nothing is written", async (name, args, text) => {
    const { call, store, at } = await startCalendar();
    const answer = await call(name, args);
    expect(answer.ok).toBe(false);
    expect(answer.text).toContain(text);
    expect(succeeded(await store.open(at)).version).toBe(0);
  });

  test("a call that is sent again with its key writes once and gives the same answer", async () => {
    const { call, occurrences, reconcile } = await startCalendar();
    expect(await reconcile("create_event", DENTIST, "eff_x")).toBeNull();
    const first = await call("create_event", DENTIST, { key: "eff_x" });
    const again = await call("create_event", DENTIST, { key: "eff_x" });
    expect(again).toEqual(first);
    expect(await occurrences()).toHaveLength(1);
    expect(await reconcile("create_event", DENTIST, "eff_x")).toMatchObject({
      happened: true,
      output: { text: first.text },
    });
  });

  test("two threads that write at the same time both succeed, and never book a time twice", async () => {
    const { call, occurrences } = await startCalendar();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        call("create_event", { ...DENTIST, title: `T${n % 3}`, start: `2026-03-0${3 + (n % 3)}T09:00` }),
      ),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
    expect(await occurrences()).toHaveLength(3);
  });

  test("text that a tainted thread writes is untrusted for every thread", async () => {
    const { call } = await startCalendar();
    await call("create_event", DENTIST, { over: { tainted: true } });
    const list = () => call("list_events", { from: "2026-03-02", to: "2026-03-08" });
    expect((await list()).trusted).toBe(false);
    // A clean thread does not make the text trusted.
    await call("create_event", { ...DENTIST, title: "Lunch", start: "2026-03-04T12:00" });
    expect((await list()).trusted).toBe(false);
  });
});

describe("text of others reaches a thread as untrusted", () => {
  const week = { from: "2026-03-02", to: "2026-03-08" };
  const outside = { over: { tainted: true } };

  test("when find_time names the events of another calendar", async () => {
    const { call, store } = await startCalendar();
    const settings = {
      name: "Sam",
      time_zone: ZONE,
      working_hours: OFFICE_HOURS,
      owner: "ada",
      created_at: 0,
      key: null,
    };
    const { entry } = succeeded(await store.create(LOCAL_TENANT, { ...settings, make_default: false }));
    await call("create_event", { ...DENTIST, calendar: entry.id }, outside);
    const alone = await call("find_time", { ...week, duration_min: 60 });
    expect(alone.trusted).toBe(true);
    const both = await call("find_time", { ...week, duration_min: 60, attendees: [entry.id] });
    expect(both.text).toContain(DENTIST.title);
    expect(both.trusted).toBe(false);
  });

  test("when a call that was interrupted is looked up afterwards", async () => {
    const { call, reconcile } = await startCalendar();
    await call("create_event", DENTIST, { key: "eff_own" });
    expect(await reconcile("create_event", DENTIST, "eff_own")).not.toHaveProperty("output_trust");
    await call("update_event", { id: "e1", title: "Dr. No" }, { key: "eff_outside", ...outside });
    expect(await reconcile("update_event", { id: "e1" }, "eff_outside")).toMatchObject({ output_trust: "untrusted" });
  });
});

test("on a host with accounts, a change can carry data out to the server of a calendar", () => {
  const store = createCalendarStore(createMemoryDocuments());
  const outward = (sources: Sources) => calendarTools(sources).filter(({ manifest }) => manifest.outward);
  expect(outward({ store })).toEqual([]);
  const dav = { names: () => ["home"] } as unknown as NonNullable<Sources["dav"]>;
  expect(outward({ store, dav }).map(({ manifest }) => manifest.name)).toContain("update_event");
});

describe("any sequence of calendar calls", () => {
  const clock = fc.tuple(fc.integer({ min: 2, max: 13 }), fc.integer({ min: 6, max: 20 }), fc.constantFrom(0, 15, 30));
  const time = clock.map(([day, hour, minute]) => `2026-03-${pad(day)}T${pad(hour)}:${pad(minute)}`);
  const repeat = fc.option(fc.constantFrom("FREQ=DAILY;COUNT=4", "FREQ=WEEKLY;COUNT=3"), { nil: undefined, freq: 3 });
  const minutes = fc.constantFrom(15, 30, 60, 180);
  const scope = fc.constantFrom("this", "following", "all");
  const step = fc.oneof(
    fc.record({ name: fc.constant("create_event"), start: time, duration_min: minutes, repeat }),
    fc.record({ name: fc.constant("move_event"), pick: fc.nat(40), start: time, scope }),
    fc.record({ name: fc.constant("update_event"), pick: fc.nat(40), busy: fc.boolean(), scope }),
    fc.record({ name: fc.constant("cancel_event"), pick: fc.nat(40), scope }),
    fc.record({ name: fc.constant("swap_events"), pick: fc.nat(40), other: fc.nat(40) }),
    fc.record({ name: fc.constant("plan_blocks"), total_min: fc.constantFrom(60, 120), block_min: minutes }),
    fc.record({ name: fc.constant("undo_calendar_change") }),
  );

  test("makes no overlap that was not allowed, and each undo restores the file byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const { call, occurrences, file } = await startCalendar();
        const history: string[] = [await file()];
        for (const [n, { name, ...given }] of steps.entries()) {
          const ids = await listedIds(call);
          const answer = await call(name, argumentsFor(name, given, ids, n));
          if (name === "undo_calendar_change") {
            if (!answer.ok) continue;
            history.pop();
            expect(await file()).toBe(history.at(-1));
          } else if (answer.ok) history.push(await file());
          const busy = (await occurrences()).filter((one) => one.busy);
          for (const [i, one] of busy.entries()) expect(busy[i + 1]?.start ?? one.end).toBeGreaterThanOrEqual(one.end);
        }
      }),
      {
        numRuns: 60,
        // Every run uses the same sequences, so that a failure can be reproduced.
        seed: 20_260_302,
        examples: [
          // In this case an occurrence moves to a day before its series begins.
          [
            [
              { name: "plan_blocks", total_min: 120, block_min: 15 },
              { name: "create_event", start: "2026-03-07T09:30", duration_min: 60, repeat: "FREQ=WEEKLY;COUNT=3" },
              { name: "plan_blocks", total_min: 60, block_min: 60 },
              { name: "move_event", pick: 0, start: "2026-03-05T10:00", scope: "this" },
              { name: "create_event", start: "2026-03-05T09:15", duration_min: 15, repeat: "FREQ=DAILY;COUNT=4" },
              { name: "create_event", start: "2026-03-06T06:00", duration_min: 15, repeat: "FREQ=WEEKLY;COUNT=3" },
              { name: "create_event", start: "2026-03-02T06:00", duration_min: 15, repeat: undefined },
              { name: "swap_events", pick: 30, other: 24 },
            ],
          ],
        ],
      },
    );
  }, 30_000);
});

type Call = Awaited<ReturnType<typeof startCalendar>>["call"];

async function listedIds(call: Call): Promise<string[]> {
  const listed = await call("list_events", { from: "2026-03-01", to: "2026-04-30" });
  const { data } = listed.data as { data: { events: { id: string }[] } };
  return data.events.map(({ id }) => id);
}

function argumentsFor(name: string, given: Record<string, unknown>, ids: readonly string[], n: number): object {
  const { pick, other, ...rest } = given;
  const id = (at: unknown) => ids[Number(at) % Math.max(1, ids.length)] ?? "e1";
  if (name === "create_event") return { title: `Event ${n}`, ...rest };
  if (name === "plan_blocks") return { title: `Block ${n}`, until: "2026-03-13", ...rest };
  if (name === "swap_events") return { first: id(pick), second: id(other) };
  return name === "undo_calendar_change" ? {} : { id: id(pick), ...rest };
}

const pad = (n: number): string => String(n).padStart(2, "0");
