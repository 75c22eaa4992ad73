// Generates iCalendar files that are allowed or common but hard to read: series across changes of the clocks,
// exceptions written in a different form than the series, zones under custom names, lines folded inside a character,
// escapes, and unknown properties.
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { ZONE_NAMES } from "./odd-zones.ts";

export const EXPANDED = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 6, 1) };

const MS_PER_MIN = 60_000;
const MS_PER_DAY = 86_400_000;
const basic = (local: number): string => new Date(local).toISOString().replace(/[-:]|\.\d+Z/g, "");

/** Generates local times near changes of the clocks in Europe and America, and ordinary ones. */
const localStart = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("2026-03-07", "2026-03-08", "2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25", "2026-10-31"),
      fc.constantFrom("00:30", "01:30", "02:00", "02:30", "03:00", "22:00", "23:59"),
    )
    .map(([date, clock]) => Date.parse(`${date}T${clock}:00Z`)),
  fc
    .tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 1439 }))
    .map(([day, minute]) => EXPANDED.from + day * MS_PER_DAY + minute * MS_PER_MIN),
);

const DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const dayNames = (start: number) => {
  const at = new Date(start);
  return {
    own: DAYS[at.getUTCDay()] ?? "MO",
    nth: Math.ceil(at.getUTCDate() / 7),
    date: at.getUTCDate(),
    month: at.getUTCMonth() + 1,
  };
};

/** Rules whose first date is the start, because other starts are undefined (RFC 5545, 3.8.5.3). */
type RuleSeed = {
  kind: number;
  interval: number;
  days: string[];
  wkst: string;
  end: number;
  count: number;
  days_until: number;
};
const ruleSeed: fc.Arbitrary<RuleSeed> = fc.record({
  kind: fc.integer({ min: 0, max: 9 }),
  interval: fc.integer({ min: 1, max: 4 }),
  days: fc.subarray(DAYS, { minLength: 1 }),
  wkst: fc.constantFrom("", ";WKST=SU", ";WKST=MO", ";WKST=TH"),
  end: fc.integer({ min: 0, max: 4 }),
  count: fc.integer({ min: 1, max: 40 }),
  days_until: fc.integer({ min: 0, max: 400 }),
});

function ruleOf(seed: RuleSeed, entry: { start: number; form: Form }): string {
  const { own, nth, date, month } = dayNames(entry.start);
  const days = [...new Set([...seed.days, own])].join(",");
  const bases = [
    `FREQ=DAILY;INTERVAL=${seed.interval}`,
    `FREQ=DAILY;BYDAY=${days}`,
    `FREQ=WEEKLY;INTERVAL=${seed.interval};BYDAY=${days}${seed.wkst}`,
    `FREQ=WEEKLY;INTERVAL=${seed.interval}${seed.wkst}`,
    `FREQ=MONTHLY;INTERVAL=${seed.interval};BYMONTHDAY=${date}`,
    `FREQ=MONTHLY;BYDAY=${Math.min(nth, 4) === nth ? nth : -1}${own}`,
    `FREQ=MONTHLY;BYDAY=${own};BYSETPOS=${nth <= 4 ? nth : -1}`,
    `FREQ=YEARLY;BYMONTH=${month};BYMONTHDAY=${date}`,
    `FREQ=YEARLY;BYMONTH=${month};BYDAY=${nth <= 4 ? nth : -1}${own}`,
    "FREQ=MONTHLY",
  ];
  return `${bases[seed.kind] ?? "FREQ=DAILY"}${limitOf(seed, entry)}`;
}

function limitOf({ end, count, days_until }: RuleSeed, { start, form }: { start: number; form: Form }): string {
  const until = start + days_until * MS_PER_DAY;
  if (end === 0) return "";
  // The standard forbids both ends together, but some programs write them.
  const counted = end === 2 ? `;COUNT=${count}` : "";
  if (end === 1) return `;COUNT=${count}`;
  if (form === "date") return `${counted};UNTIL=${basic(until).slice(0, 8)}`;
  if (form === "floating") return `${counted};UNTIL=${basic(until)}`;
  // Noon is between the occurrences of two days in any zone and for most starts.
  return `${counted};UNTIL=${basic(Math.floor(until / MS_PER_DAY) * MS_PER_DAY + MS_PER_DAY / 2)}Z`;
}

const FORMS = ["zoned", "zoned", "zoned", "utc", "floating", "date"] as const;
type Form = (typeof FORMS)[number];

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom("\\n", "\\N", "\\,", "\\;", "\\\\ ", ":", '"', "中文", "é", "👩‍👩‍👧", "=", "%", " ", "^n"),
      fc.string({ minLength: 1, maxLength: 12 }).map((value) => value.replace(/[\\;,\p{C}]/gu, "-")),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => `t${parts.join("")}`);

const entry = fc.record({
  form: fc.constantFrom(...FORMS),
  zone: fc.constantFrom(...ZONE_NAMES),
  start: localStart,
  minutes: fc.constantFrom(0, 15, 45, 60, 90, 300, 480, 1440, 2880, 1530),
  duration: fc.boolean(),
  rule: fc.option(ruleSeed, { freq: 4 }),
  /**
   * The numbers of days after the start on which the series skips an occurrence, if there is one. The same applies to
   * `changed`.
   */
  skipped: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
  skip_form: fc.constantFrom("same", "utc", "list"),
  changed: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
  changed_by: fc.constantFrom(-180, -30, 15, 240, 1440),
  changed_first: fc.boolean(),
  cancelled: fc.boolean(),
  summary: text,
  description: fc.option(text),
  own: fc.option(text),
});
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;

/** Writes a property with a time in the form of the entry. */
function timed(name: string, local: number, { form, zone }: Pick<Entry, "form" | "zone">): string {
  if (form === "date") return `${name};VALUE=DATE:${basic(local).slice(0, 8)}`;
  if (form === "utc") return `${name}:${basic(local)}Z`;
  if (form === "floating") return `${name}:${basic(local)}`;
  const quoted = /[:;,]/.test(zone.tzid) ? `"${zone.tzid}"` : zone.tzid;
  return `${name};TZID=${quoted}:${basic(local)}`;
}

/** Writes the same time in the form that some programs use to name an occurrence, whatever the form of the series. */
function otherForm(name: string, local: number, e: Entry): string {
  if (e.form === "zoned" && (e.skip_form === "utc" || e.zone.own_name)) {
    const at = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO("UTC").toPlainDateTime();
    return timed(name, at.toZonedDateTime(e.zone.zone).epochMilliseconds, { ...e, form: "utc" });
  }
  return timed(name, local, e);
}

const durationText = (minutes: number): string => {
  const [days, rest] = [Math.floor(minutes / 1440), minutes % 1440];
  const clock = `T${rest >= 60 ? `${Math.floor(rest / 60)}H` : ""}${rest % 60 ? `${rest % 60}M` : ""}`;
  return minutes === 0 ? "PT0S" : `P${days ? `${days}D` : ""}${rest ? clock : ""}`;
};

function span(e: Entry, local: number): string[] {
  const minutes = e.form === "date" ? Math.max(1440, Math.floor(e.minutes / 1440) * 1440) : e.minutes;
  const end = e.duration ? `DURATION:${durationText(minutes)}` : timed("DTEND", local + minutes * MS_PER_MIN, e);
  return [timed("DTSTART", local, e), end];
}

function exclusions(e: Entry, start: number): string[] {
  const at = e.skipped.map((days) => start + days * MS_PER_DAY);
  const [first] = at;
  if (first === undefined) return [];
  if (e.form === "date" || (e.skip_form === "list" && !e.zone.own_name)) {
    const values = at.map((local) => timed("X", local, e).split(":").at(-1)).join(",");
    return [timed("EXDATE", first, e).replace(/:[^:]*$/, `:${values}`)];
  }
  return at.map((local) => otherForm("EXDATE", local, e));
}

const uidOf = (n: number): string => `adversarial-${n}@example.com`;

/**
 * Returns a start outside the hours in which clocks change. The standard contradicts itself about those hours, which
 * have separate tests.
 */
function startOf({ form, start, rule }: Entry): number {
  const day = Math.floor(start / MS_PER_DAY) * MS_PER_DAY;
  if (form === "date") return day;
  return rule && start - day < 4 * 60 * MS_PER_MIN ? start + 4 * 60 * MS_PER_MIN : start;
}

function components(e: Entry, n: number): string[][] {
  const start = startOf(e);
  const uid = `UID:${uidOf(n)}`;
  const rule = e.rule && ruleOf(e.rule, { start, form: e.form });
  const main = [
    ...["BEGIN:VEVENT", uid, "DTSTAMP:20260101T000000Z", ...span(e, start), `SUMMARY;LANGUAGE=en:${e.summary}`],
    ...(rule ? [`RRULE:${rule}`, ...exclusions(e, start)] : []),
    ...(e.description ? [`description:${e.description}`] : []),
    ...(e.own ? [`X-OWN;X-A="b;c:d";X-E=f:${e.own}`, `X-OWN:${e.own}`, "X-EMPTY:"] : []),
    ...["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "X-ALARM:1", "END:VALARM", "END:VEVENT"],
  ];
  if (!rule) return [main];
  const changed = e.changed
    .filter((days) => !e.skipped.includes(days))
    .map((days, index) => {
      const at = start + days * MS_PER_DAY;
      const by = e.form === "date" ? MS_PER_DAY : e.changed_by * MS_PER_MIN;
      return [
        ...["BEGIN:VEVENT", uid, "DTSTAMP:20260101T000000Z", otherForm("RECURRENCE-ID", at, e), ...span(e, at + by)],
        ...[`SUMMARY:${e.summary} changed ${index}`, ...(e.cancelled ? ["STATUS:CANCELLED"] : []), "END:VEVENT"],
      ];
    });
  return e.changed_first ? [...changed, main] : [main, ...changed];
}

/** Folds a line after this many bytes, even inside a character. */
function fold(line: string, width: number, lineBreak: string, space: string): Uint8Array[] {
  const bytes = new TextEncoder().encode(line);
  const parts = [bytes.subarray(0, width)];
  for (let at = width; at < bytes.length; at += width - 1)
    parts.push(new TextEncoder().encode(`${lineBreak}${space}`), bytes.subarray(at, at + width - 1));
  return [...parts, new TextEncoder().encode(lineBreak)];
}

/** An event or a series: its UID, the zone of its clock (null if it has none), and whether it lasts a day or longer. */
export type AdversarialEntry = { readonly uid: string; readonly zone: string | null; readonly long: boolean };
export type AdversarialFile = {
  readonly bytes: Uint8Array;
  readonly lines: readonly string[];
  readonly entries: readonly AdversarialEntry[];
};

const layout = fc.record({
  width: fc.constantFrom(75, 40, 23, 1000),
  lineBreak: fc.constantFrom("\r\n", "\n"),
  space: fc.constantFrom(" ", "\t"),
});

/** Generates the bytes of a file and its lines before they were folded. */
export const adversarialFile: fc.Arbitrary<AdversarialFile> = fc
  .tuple(fc.array(entry, { minLength: 1, maxLength: 4 }), layout)
  .map(([drawn, { width, lineBreak, space }]) => {
    // Some programs read times without a zone in the first zone that the file defines, so a file with such times
    // defines none.
    const defines = drawn.some(({ form, zone }) => form === "zoned" && zone.definition);
    const entries = drawn.map((one) => (defines && one.form === "floating" ? { ...one, form: "utc" as const } : one));
    const zones = new Map(
      entries.filter(({ form }) => form === "zoned").map(({ zone }) => [zone.tzid, zone.definition ?? []]),
    );
    const lines = [
      ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Adversarial//EN", "X-WR-CALNAME;X-P=1:A\\, B"],
      ...[...zones.values()].flat(),
      ...entries.flatMap(components).flat(),
      "END:VCALENDAR",
    ];
    const parts = lines.flatMap((line) => fold(line, width, lineBreak, space));
    return {
      bytes: Uint8Array.from(Buffer.concat(parts)),
      lines,
      entries: entries.map(({ form, zone, minutes }, n) => ({
        uid: uidOf(n),
        zone: form === "zoned" ? zone.zone : null,
        long: form !== "date" && minutes >= 1440,
      })),
    };
  });
