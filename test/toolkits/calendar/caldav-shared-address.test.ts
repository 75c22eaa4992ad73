// Tests servers that keep several components at one address: occurrences of a series whose rest belongs to another
// client, and components that are not shown.
import { describe, expect, test } from "vitest";
import type { DavAccounts } from "../../../src/ports/dav/dav-accounts.ts";
import { ok } from "../../../src/schema/problem.ts";
import { hasSameContent } from "../../../src/toolkits/calendar/sources/push.ts";
import { startConnected } from "./caldav-calendar.ts";

const HREF = "http://127.0.0.1/ada/team/invited.ics";

/** Creates a server with one address in memory, because Radicale does not accept occurrences without their series. */
function serverWith(first: string) {
  let [text, version] = [first as string | null, 1];
  const etag = () => (text === null ? null : `"${version}"`);
  const replace = (next: string | null, expected: string | null) => {
    if (expected !== etag()) return ok({ kind: "conflict" } as const);
    [text, version] = [next, version + 1];
    return ok({ kind: "written", etag: etag() } as const);
  };
  const object = () => (text === null ? null : { href: HREF, etag: etag(), text });
  const dav: DavAccounts = {
    names: () => ["home"],
    collections: async () => ok([]),
    objects: async () => ok({ tag: null, objects: [object() ?? []].flat() }),
    get: async () => ok(object()),
    put: async (_account, _href, next, expected) => replace(next, expected),
    remove: async (_account, _href, expected) => replace(null, expected),
  };
  const lines = () => (text ?? "").split("\r\n").filter((line) => /^(SUMMARY|DTSTART|LOCATION|RECUR|X-OWN)/.test(line));
  return { dav, lines, text: () => text };
}

const occurrence = (day: string, title: string): string[] => [
  ...["BEGIN:VEVENT", "UID:invited", "DTSTAMP:20260101T000000Z", `RECURRENCE-ID:202603${day}T080000Z`],
  ...[`DTSTART:202603${day}T090000Z`, `DTEND:202603${day}T100000Z`, `SUMMARY:${title}`, "X-OWN:1", "END:VEVENT"],
];
const fileOf = (...lines: string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//EN", ...lines, "END:VCALENDAR", ""].join("\r\n");

describe("an address of a calendar server with several components", () => {
  test("shows each occurrence of a series whose rest is not there, and keeps the others in every write", async () => {
    const server = serverWith(
      fileOf(...occurrence("03", "One"), ...occurrence("10", "Two"), ...occurrence("17", "Six")),
    );
    const { call, occurrences } = await startConnected(server.dav, "http://127.0.0.1/ada/team/");
    const listed = await call("list_events", { from: "2026-03-02", to: "2026-03-20" });
    expect(listed.text).toMatch(/One.*Two.*Six/s);
    expect(await call("update_event", { id: "e2", location: "Hall" })).toMatchObject({ ok: true });
    expect(await call("swap_events", { first: "e1", second: "e3" })).toMatchObject({ ok: true });
    const swapped = server.lines();
    expect(swapped.filter((line) => line === "X-OWN:1")).toHaveLength(3);
    expect(swapped).toContain("LOCATION:Hall");
    await call("list_events", { from: "2026-03-02", to: "2026-03-20" });
    expect((await occurrences()).map(({ title }) => title)).toEqual(["Six", "Two", "One"]);
    expect(await call("cancel_event", { id: "e2" })).toMatchObject({ ok: true });
    expect(server.lines()).not.toContain("SUMMARY:Two");
    expect(server.lines().filter((line) => line === "X-OWN:1")).toHaveLength(2);
    expect(await call("undo_calendar_change", {})).toMatchObject({ ok: true });
    expect(server.lines().sort()).toEqual(swapped.sort());
    for (const id of ["e1", "e2", "e3"]) expect(await call("cancel_event", { id })).toMatchObject({ ok: true });
    expect(server.text()).toBeNull();
  });

  test("names what is removed because it would show an old value", async () => {
    const server = serverWith(fileOf(...occurrence("03", "One").slice(0, -1), "X-ALT-DESC:Old", "END:VEVENT"));
    const { call } = await startConnected(server.dav, "http://127.0.0.1/ada/team/");
    const updated = await call("update_event", { id: "e1", description: "New" });
    expect(updated.text).toContain("Removed, because it showed the old value: X-ALT-DESC.");
  });

  test("keeps a component that is not shown", async () => {
    const other = ["BEGIN:VEVENT", "UID:other", "SUMMARY:No time", "X-OWN:2", "END:VEVENT"];
    const server = serverWith(fileOf(...occurrence("03", "One"), ...other));
    const { call } = await startConnected(server.dav, "http://127.0.0.1/ada/team/");
    expect(await call("move_event", { id: "e1", start: "2026-03-04" })).toMatchObject({ ok: true });
    expect(server.lines()).toEqual(expect.arrayContaining(["DTSTART:20260304T090000Z", "X-OWN:2"]));
  });
});

describe("the content of two files", () => {
  const file = fileOf(...occurrence("03", "One"), ...occurrence("10", "Two"));
  test.each([
    ["in another order", fileOf(...occurrence("10", "Two"), ...occurrence("03", "One")), true],
    ["with another stamp", file.replace("20260101T", "20260102T"), true],
    ["with folded lines", file.replace("SUMMARY:One", "SUMM\r\n ARY:One"), true],
    ["with another title", file.replace("SUMMARY:One", "SUMMARY:Uno"), false],
    ["with a line more", file.replace("X-OWN:1", "X-OWN:1\r\nX-OWN:2"), false],
    ["that cannot be read", "BEGIN:VEVENT", false],
  ])("%s is compared by what it means", (_, other, same) => {
    expect(hasSameContent(file, other)).toBe(same);
  });
});
