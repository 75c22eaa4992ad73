// Generates iCalendar files as other programs write them: folded lines, parameters, alarms, custom properties, zones,
// series and to-dos.
import fc from "fast-check";
import { zoneDefinition } from "../../../src/toolkits/calendar/ics/zone-definitions.ts";

const ZONES = ["Europe/Berlin", "America/New_York", "Asia/Shanghai"];

const fold = (line: string): string => {
  const parts: string[] = [];
  let rest = [...line];
  for (let max = 73; rest.length > 0; max = 60) {
    parts.push(rest.slice(0, max).join(""));
    rest = rest.slice(max);
  }
  return parts.join("\r\n ");
};

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 120 })
  .map((value) => value.replace(/[\p{C}\p{Z}]+/gu, " ").trim() || "x")
  .map((value) => value.replace(/[\\;,]/g, (c) => `\\${c}`));

const day = fc.integer({ min: 0, max: 700 });
const pad = (n: number, size = 2) => String(n).padStart(size, "0");
const dateOf = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10).replaceAll("-", "");
const time = fc.record({ h: fc.integer({ min: 4, max: 21 }), m: fc.integer({ min: 0, max: 59 }) });

const optionalLines = fc.record({
  location: fc.option(text),
  description: fc.option(text),
  attendee: fc.boolean(),
  alarm: fc.boolean(),
  own: fc.option(text),
  transparent: fc.boolean(),
  geo: fc.boolean(),
});

const extraLines = (o: {
  location: string | null;
  description: string | null;
  attendee: boolean;
  alarm: boolean;
  own: string | null;
  transparent: boolean;
  geo: boolean;
}): string[] => [
  ...(o.location ? [`LOCATION;LANGUAGE=en:${o.location}`] : []),
  ...(o.description ? [`DESCRIPTION:${o.description}`] : []),
  ...(o.attendee
    ? [
        'ATTENDEE;CN="Doe, Jane";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:jane@example.com',
        "ORGANIZER;CN=Boss:mailto:boss@example.com",
      ]
    : []),
  ...(o.own ? [`X-VENDOR-FIELD;X-PARAM=1:${o.own}`] : []),
  ...(o.transparent ? ["TRANSP:TRANSPARENT"] : []),
  ...(o.geo ? ["GEO:52.52;13.405", "CATEGORIES:Work,Home"] : []),
  ...(o.alarm ? ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:soon", "TRIGGER:-PT15M", "END:VALARM"] : []),
];

const RULES = [
  "FREQ=DAILY;COUNT=10",
  "FREQ=WEEKLY;BYDAY=MO,WE,FR;UNTIL=20271231T225959Z",
  "FREQ=MONTHLY;BYDAY=-1FR",
  "FREQ=YEARLY",
  "FREQ=WEEKLY;INTERVAL=2",
];

const entry = fc.record({
  kind: fc.constantFrom("timed", "utc", "all-day", "floating", "todo", "duration"),
  zone: fc.constantFrom(...ZONES),
  day,
  time,
  length: fc.integer({ min: 1, max: 400 }),
  summary: text,
  extra: optionalLines,
  rule: fc.option(fc.constantFrom(...RULES)),
  exception: fc.boolean(),
});

function times(e: {
  kind: string;
  zone: string;
  day: number;
  time: { h: number; m: number };
  length: number;
}): string[] {
  const start = `${dateOf(e.day)}T${pad(e.time.h)}${pad(e.time.m)}00`;
  const endMinute = e.time.h * 60 + e.time.m + Math.min(e.length, 100);
  const end = `${dateOf(e.day)}T${pad(Math.floor(endMinute / 60))}${pad(endMinute % 60)}00`;
  switch (e.kind) {
    case "timed":
      return [`DTSTART;TZID=${e.zone}:${start}`, `DTEND;TZID=${e.zone}:${end}`];
    case "utc":
      return [`DTSTART:${start}Z`, `DTEND:${end}Z`];
    case "all-day":
      return [`DTSTART;VALUE=DATE:${dateOf(e.day)}`, `DTEND;VALUE=DATE:${dateOf(e.day + 1)}`];
    case "duration":
      return [`DTSTART;TZID=${e.zone}:${start}`, `DURATION:PT${Math.min(e.length, 100)}M`];
    case "todo":
      return [`DUE;TZID=${e.zone}:${start}`];
    default:
      return [`DTSTART:${start}`, `DTEND:${end}`];
  }
}

/** Generates the text of a file, with the number of its events and to-dos. */
export const icsFile = fc.array(entry, { minLength: 1, maxLength: 8 }).map((entries) => {
  const zones = ZONES.map((zone) => zoneDefinition(zone, Date.UTC(2026, 0, 1)).trimEnd());
  const components = entries.map((e, n) => {
    const name = e.kind === "todo" ? "VTODO" : "VEVENT";
    const uid = `UID:event-${n}-${e.day}@example.com`;
    const rule = e.kind === "todo" ? null : e.rule;
    const master = [
      `BEGIN:${name}`,
      uid,
      "DTSTAMP:20260101T000000Z",
      ...times(e),
      `SUMMARY:${e.summary}`,
      ...(rule ? [`RRULE:${rule}`] : []),
      ...extraLines(e.extra),
      `END:${name}`,
    ];
    const [start = ""] = times(e);
    const exception =
      rule && e.exception
        ? [
            "BEGIN:VEVENT",
            uid,
            "DTSTAMP:20260101T000000Z",
            start.replace("DTSTART", "RECURRENCE-ID"),
            ...times({ ...e, time: { ...e.time, m: (e.time.m + 7) % 60 } }),
            `SUMMARY:${e.summary} changed`,
            "END:VEVENT",
          ]
        : [];
    return [...master, ...exception].map(fold).join("\r\n");
  });
  const file = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Example//Generated//EN",
    "X-WR-CALNAME:Generated",
    ...zones,
    ...components,
    "END:VCALENDAR",
    "",
  ].join("\r\n");
  return { text: file, entries: entries.length };
});
