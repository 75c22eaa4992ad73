// Tests changes of a series after single occurrences were moved, renamed, made longer or removed.
import { expect, test } from "vitest";
import { startCalendar } from "./calendar-tools.ts";

type Calendar = Awaited<ReturnType<typeof startCalendar>>;

const startsOf = async ({ occurrences }: Calendar): Promise<string[]> =>
  (await occurrences()).map(({ start }) => new Date(start + 3_600_000).toISOString().slice(5, 16));

async function series(start: string, repeat: string, ...moves: [id: string, to: string][]): Promise<Calendar> {
  const calendar = await startCalendar();
  const created = await calendar.call("create_event", { title: "S", start, duration_min: 30, repeat });
  expect(created.ok).toBe(true);
  for (const [id, to] of moves)
    expect((await calendar.call("move_event", { id: `e1@${id}`, start: to, scope: "this" })).ok).toBe(true);
  return calendar;
}

test.each(["following", "all"])(
  "a moved occurrence is where it was asked to be when it moves again with scope %s",
  async (scope) => {
    const calendar = await series("2026-03-03T09:00", "FREQ=WEEKLY;COUNT=3", ["2026-03-10", "2026-03-12T09:00"]);
    await calendar.call("move_event", { id: "e1@2026-03-12", start: "2026-03-11T10:00", scope });
    const first = scope === "all" ? "03-02T10:00" : "03-03T09:00";
    expect(await startsOf(calendar)).toEqual([first, "03-11T10:00", "03-16T10:00"]);
  },
);

test("the length of a changed occurrence does not become that of the series", async () => {
  const calendar = await series("2026-03-03T09:00", "FREQ=WEEKLY;COUNT=3");
  await calendar.call("move_event", {
    id: "e1@2026-03-10",
    start: "2026-03-10T09:00",
    duration_min: 90,
    scope: "this",
  });
  await calendar.call("move_event", { id: "e1@2026-03-10", start: "2026-03-10T11:00", scope: "all" });
  const lengths = (await calendar.occurrences()).map(({ start, end }) => (end - start) / 60_000);
  expect(lengths).toEqual([30, 90, 30]);
  await calendar.call("move_event", { id: "e1@2026-03-17", start: "2026-03-17T11:00", duration_min: 45, scope: "all" });
  expect((await calendar.occurrences()).map(({ start, end }) => (end - start) / 60_000)).toEqual([45, 90, 45]);
});

test("the days of a series every second week stay in their weeks", async () => {
  const calendar = await series("2026-03-05T09:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=3");
  await calendar.call("move_event", { id: "e1@2026-03-05", start: "2026-03-04", scope: "all" });
  expect(await startsOf(calendar)).toEqual(["03-04T09:00", "03-15T09:00", "03-18T09:00"]);
});

test("the rest of a series is not moved to the time of an occurrence that stays", async () => {
  const calendar = await series("2026-03-03T09:00", "FREQ=DAILY;COUNT=3");
  const move = { id: "e1@2026-03-05", start: "2026-03-04", scope: "following" };
  const moved = await calendar.call("move_event", move);
  expect([moved.ok, moved.text]).toEqual([false, expect.stringMatching(/^The time is taken:\n- .*2026-03-04 09:00/)]);
  expect((await calendar.call("move_event", { ...move, if_busy: "allow" })).ok).toBe(true);
  expect(await startsOf(calendar)).toEqual(["03-03T09:00", "03-04T09:00", "03-04T09:00"]);
});

test("a series does not move to days that would bring a removed occurrence back, or leave the named one out", async () => {
  const monthly = await series("2026-01-28T09:00", "FREQ=MONTHLY;COUNT=4");
  await monthly.call("cancel_event", { id: "e1@2026-02-28", scope: "this" });
  for (const [calendar, id, start] of [
    [monthly, "e1@2026-01-28", "2026-02-04"],
    [await series("2026-01-30T09:00", "FREQ=MONTHLY;COUNT=4"), "e1@2026-04-30", "2026-05-01"],
  ] as const) {
    const before = await calendar.file();
    const moved = await calendar.call("move_event", { id, start, scope: "all" });
    expect([moved.ok, await calendar.file()]).toEqual([false, before]);
  }
});

test.each(["following", "all"])(
  "an update with scope %s changes the named occurrence, also if it has a title of its own, and no other such one",
  async (scope) => {
    const calendar = await series("2026-03-03T09:00", "FREQ=WEEKLY;COUNT=4");
    const rename = async (day: string, title: string, over: string) =>
      calendar.call("update_event", { id: `e1@2026-03-${day}`, title, scope: over });
    await rename("10", "Guest", "this");
    await rename("17", "Review", "this");
    const renamed = await rename("10", "Call", scope);
    expect(renamed.text).toMatch(
      scope === "all" ? /, with the whole series: title/ : /, with all following occurrences: title/,
    );
    const titles = (await calendar.occurrences()).map(({ title }) => title);
    expect(titles).toEqual([scope === "all" ? "Call" : "S", "Call", "Review", "Call"]);
  },
);
