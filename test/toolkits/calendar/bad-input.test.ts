// Tests input that no calendar can use, or that would take forever. Each causes a clear problem or a note, and nothing
// is partly written.
import { describe, expect, test } from "vitest";
import { exportIcs } from "../../../src/toolkits/calendar/ics/export-ics.ts";
import { importIcs } from "../../../src/toolkits/calendar/ics/import-ics.ts";
import { startCalendar } from "./calendar-tools.ts";

const calendar = (...lines: string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", ...lines, "END:VCALENDAR", ""].join("\r\n");
const event = (uid: string, ...lines: string[]): string[] => ["BEGIN:VEVENT", uid, ...lines, "END:VEVENT"];
const DAILY = ["DTSTART;TZID=Europe/Berlin:20260302T080000", "DURATION:PT1M", "RRULE:FREQ=DAILY"];

/** Creates a calendar with the content of a file. */
async function filled(text: string) {
  const started = await startCalendar();
  const read = importIcs(text, { zone: "Europe/Berlin" });
  if (!read.ok) throw new Error(read.problem.message);
  const { report, ...content } = read.value;
  const open = await started.store.open(started.at);
  if (!open.ok) throw new Error(open.problem.message);
  await open.value.replace(content, null);
  return { ...started, report };
}

describe("a calendar with too much in it", () => {
  test("refuses a range with more than 10,000 occurrences, in every tool, and answers a shorter one", async () => {
    const many = Array.from({ length: 40 }, (_, n) => event(`UID:u${n}`, ...DAILY)).flat();
    const { call, file } = await filled(calendar(...many));
    const before = await file();
    const year = { from: "2026-03-02", to: "2027-03-01" };
    for (const [name, args] of [
      ["list_events", year],
      ["check_calendar", year],
      ["find_time", { ...year, duration_min: 30 }],
      ["plan_blocks", { title: "A", total_min: 60, block_min: 60, until: "2027-03-01" }],
    ] as const) {
      const refused = await call(name, args);
      expect([name, refused.ok, refused.text]).toEqual([
        name,
        false,
        expect.stringContaining("more than 10000 events"),
      ]);
    }
    const week = await call("list_events", { from: "2026-03-02", to: "2026-03-08" });
    expect(week.text).toContain("280 events");
    expect(await file()).toBe(before);
  });

  test("shows an endless series only in the range that is asked for", async () => {
    const { call } = await filled(calendar(...event("UID:a", ...DAILY)));
    expect((await call("list_events", { from: "2126-03-02", to: "2126-03-04" })).text).toContain("3 events");
    expect((await call("create_event", { title: "B", start: "2126-03-02T08:00" })).text).toContain("The time is taken");
  });

  test.each([
    [
      "every second of everything",
      `FREQ=YEARLY;BYMONTH=${list(12)};BYHOUR=${list(23)};BYMINUTE=${list(59)};BYSECOND=${list(59)}`,
    ],
    ["a list of 10,000 weekdays", `FREQ=WEEKLY;BYDAY=${Array(10_000).fill("MO").join(",")}`],
    ["two ends", "FREQ=DAILY;COUNT=3;UNTIL=20260305"],
    ["a count without end", `FREQ=DAILY;COUNT=${"9".repeat(400)}`],
    ["an interval that never comes", "FREQ=YEARLY;INTERVAL=999999999"],
    ["an interval of zero", "FREQ=DAILY;INTERVAL=0"],
    ["a negative count", "FREQ=DAILY;COUNT=-1"],
    ["a day that no month has", "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2"],
    ["itself again and again", Array(2000).fill("FREQ=DAILY").join(";")],
  ])("reads a rule of %s without expanding it forever, and keeps it", async (_, rule) => {
    const text = calendar(...event("UID:a", "DTSTART:20260302T080000Z", `RRULE:${rule}`));
    const { call, file } = await filled(text);
    const listed = await call("list_events", { from: "2026-03-01", to: "2027-03-31" });
    expect(typeof listed.text).toBe("string");
    expect(await file()).toBe(text);
  });
});

describe("a night on which clocks change", () => {
  test("takes no event to an hour that is skipped, by its date alone either", async () => {
    const { call, file } = await startCalendar();
    await call("create_event", { title: "Backup", start: "2026-03-20T02:30" });
    const before = await file();
    const moved = await call("move_event", { id: "e1@2026-03-20", start: "2026-03-29" });
    expect([moved.ok, moved.text]).toEqual([false, expect.stringContaining("does not exist in Europe/Berlin")]);
    expect(await file()).toBe(before);
  });

  test("takes no time from an event that ends in the second of two equal hours, and starts none there", async () => {
    const { call, occurrences } = await startCalendar();
    const night = async () =>
      (await occurrences()).map(({ start, end }) => [start, end].map((at) => new Date(at).toJSON()));
    const long = [["2026-10-24T23:30:00.000Z", "2026-10-25T02:00:00.000Z"]];
    const created = await call("create_event", { title: "Backup", start: "2026-10-25T01:30", duration_min: 90 });
    expect([created.text, await night()]).toEqual([expect.stringContaining("01:30–03:00"), long]);
    await call("undo_calendar_change", {});
    await call("create_event", { title: "Backup", start: "2026-10-24T01:30", duration_min: 90 });
    const moved = await call("move_event", { id: "e2@2026-10-24", start: "2026-10-25T01:30" });
    expect([moved.text, await night()]).toEqual([expect.stringContaining("01:30–03:00"), long]);
    const second = { start: "2026-10-25T02:30:00+01:00", if_busy: "allow" };
    const refused = { ok: false, text: expect.stringContaining("second of two equal hours in Europe/Berlin") };
    expect(await call("create_event", { title: "Other", ...second })).toMatchObject(refused);
    expect(await call("move_event", { id: "e2@2026-10-24", ...second })).toMatchObject(refused);
    expect(await night()).toEqual(long);
  });

  test("gives an event the length that was asked for", async () => {
    const { call, occurrences } = await startCalendar();
    await call("create_event", { title: "Backup", start: "2026-03-29T01:30", duration_min: 120 });
    const [only] = await occurrences();
    expect(((only?.end ?? 0) - (only?.start ?? 0)) / 60_000).toBe(120);
  });
});

describe("an identifier of an unusual kind", () => {
  test.each([
    ["empty", "UID:"],
    ["a number", "UID:42"],
    ["with parameters", "UID;VALUE=URI:urn:uuid:1"],
    ["a property of objects", "UID:__proto__"],
    ["a constructor", "UID:constructor"],
    ["with a path", "UID:../../etc/passwd"],
    ["with escapes", "UID:a\\nb\\,c"],
    ["long", `UID:${"x".repeat(5000)}`],
    ["not of Latin letters", "UID:会议🗓"],
  ])("that is %s keeps its event, which can be moved and exported under it", async (_, uid) => {
    const text = calendar(...event(uid, "DTSTART:20260302T080000Z", "SUMMARY:A"));
    const { call, file, occurrences, report } = await filled(text);
    expect(report.events).toBe(1);
    expect(await file()).toBe(text);
    expect(await call("move_event", { id: "e1@2026-03-02", start: "2026-03-03T09:00" })).toMatchObject({ ok: true });
    expect(await occurrences()).toHaveLength(1);
    expect((await file()).split("\r\n")).toContain(uid);
    expect(await call("undo_calendar_change", {})).toMatchObject({ ok: true });
    expect(await file()).toBe(text);
  });

  test.each([[7], [null], [{}], [["e1"]], [""], ["e1@2026-13-45"], ["e99999999999"], ["e1\u0000"]])(
    "such as %j as an argument is refused",
    async (id) => {
      const { call, file } = await filled(calendar(...event("UID:a", "DTSTART:20260302T080000Z")));
      const before = await file();
      for (const name of ["move_event", "cancel_event"])
        expect((await call(name, { id, start: "2026-03-03" })).ok).toBe(false);
      expect((await call("swap_events", { first: id, second: "e1@2026-03-02" })).ok).toBe(false);
      expect(await file()).toBe(before);
    },
  );
});

describe("a file", () => {
  test("keeps what few programs write, byte for byte", () => {
    const text = calendar(
      "X-WR-TIMEZONE:Europe/Berlin",
      ...event("UID:range", "DTSTART;TZID=Europe/Berlin:20260302T080000", "RRULE:FREQ=WEEKLY;COUNT=5", "SUMMARY:A"),
      ...event(
        "UID:range",
        "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260316T080000",
        "DTSTART;TZID=Europe/Berlin:20260316T090000",
        "SUMMARY:B",
      ),
      ...event(
        "UID:rdate",
        "DTSTART:20260302T080000Z",
        "RDATE;VALUE=PERIOD:20260304T080000Z/PT2H,20260305T080000Z/20260305T090000Z",
        "RDATE;VALUE=DATE-TIME:20260306T080000Z",
      ),
      ...event("UID:days", "DTSTART;VALUE=DATE:20260309", "DTEND;VALUE=DATE:20260313", "TRANSP:OPAQUE"),
      ...event("UID:floating", "DTSTART:20260310T080000", "DURATION:P1DT2H"),
      ...event(
        "UID:params",
        "DTSTART:20260311T080000Z",
        'ATTENDEE;CN="A:B;C";DELEGATED-TO="mailto:x@y.z",\r\n\t"mailto:q@y.z";X-A=1:mailto:a@b.c',
        "ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA",
      ),
      "BEGIN:VTODO",
      "UID:todo",
      "DTSTART:20260301T080000Z",
      "DURATION:P2D",
      "PERCENT-COMPLETE:20",
      "BEGIN:VALARM",
      "TRIGGER;RELATED=END:-PT5M",
      "ACTION:AUDIO",
      "X-A:b",
      "END:VALARM",
      "END:VTODO",
      "BEGIN:X-OWN",
      "X-LINE:1",
      "END:X-OWN",
    );
    const read = importIcs(text, { zone: "Europe/Berlin" });
    if (!read.ok) throw new Error(read.problem.message);
    expect(read.value.report.left_out).toEqual([]);
    expect(exportIcs(read.value.objects, read.value.kept)).toBe(text);
    // A note names what is shown differently from what the file means.
    expect(read.value.report.notes.map(({ uid }) => uid)).toEqual(expect.arrayContaining(["range"]));
  });
});

function list(last: number): string {
  return Array.from({ length: last }, (_, n) => n + 1).join(",");
}

describe("an event", () => {
  test("that repeats has its first occurrence at its start, and its end in the form that the standard wants", async () => {
    const { call, file } = await startCalendar();
    const start = "2026-03-03T18:00";
    const create = (repeat: string, from = start) => call("create_event", { title: "Yoga", start: from, repeat });
    const other = await create("FREQ=WEEKLY;BYDAY=MO;COUNT=3");
    expect(other).toMatchObject({ ok: false, text: expect.stringContaining("its first one is 2026-03-09T18:00") });
    const over = await create("FREQ=DAILY;UNTIL=20260101");
    expect(over).toMatchObject({ ok: false, text: expect.stringContaining("no occurrence from then on") });
    for (const [until, written] of [
      ["20260310", "20260310T225959Z"],
      ["20260331T180000", "20260331T160000Z"],
      ["20260310T170000Z", "20260310T170000Z"],
    ]) {
      expect((await create(`FREQ=WEEKLY;UNTIL=${until}`)).ok).toBe(true);
      expect(await file()).toContain(`;UNTIL=${written}\r\n`);
      await call("undo_calendar_change", {});
    }
    expect((await create("FREQ=WEEKLY;UNTIL=20260317T000000Z", "2026-03-03")).ok).toBe(true);
    expect(await file()).toContain("UNTIL=20260317\r\n");
  });

  test("of whole days has no length in minutes", async () => {
    const { call } = await startCalendar();
    const refused = { ok: false, text: expect.stringContaining("duration_min: 90 minutes are not whole days") };
    expect(await call("create_event", { title: "Gym", start: "2026-03-04", duration_min: 90 })).toMatchObject(refused);
    const trip = await call("create_event", { title: "Trip", start: "2026-03-09", duration_min: 2 * 1440 });
    expect(trip.text).toContain("Mon 2026-03-09 – Tue 2026-03-10 (all day) [e1@2026-03-09]");
    const move = (duration_min: number) =>
      call("move_event", { id: "e1@2026-03-09", start: "2026-03-16", duration_min });
    expect(await move(90)).toMatchObject(refused);
    expect((await move(3 * 1440)).text).toContain("to Mon 2026-03-16 – Wed 2026-03-18 (all day)");
  });

  test("of a series that moves to other weekdays says which", async () => {
    const { call } = await startCalendar();
    await call("create_event", { title: "Run", start: "2026-03-02T07:00", repeat: "FREQ=WEEKLY;BYDAY=MO,FR" });
    const moved = await call("move_event", { id: "e1@2026-03-02", start: "2026-03-03T07:30", scope: "all" });
    expect(moved.text).toContain("with the whole series, which then repeats on TU, SA.");
  });

  test("of a series is found by its day alone", async () => {
    const { call } = await startCalendar();
    await call("create_event", { title: "Run", start: "2026-03-04T07:00", repeat: "FREQ=WEEKLY;COUNT=4" });
    expect((await call("cancel_event", { id: "e1@2026-03-11" })).text).toContain("Wed 2026-03-11 07:00");
    expect((await call("cancel_event", { id: "e1@2026-03-12" })).ok).toBe(false);
  });
});
