// Resolves the custom zone names of a file with its VTIMEZONE components, and writes the definitions of known zones.

import ICAL from "ical.js";
import { toIanaZone, WINDOWS_ZONES } from "../../../tools/ical/zone-names.ts";
import { isTimeZone, type OffsetChange, offsetAt, offsetChanges } from "../../../tools/time-zone.ts";
import { MS_PER_DAY, WEEKDAYS, weekdayOf } from "../events/local-days.ts";
import { parseComponent } from "./read-fields.ts";
import { type RawComponent, unfold } from "./split-text.ts";

export const zoneIdOf = (text: string): string | null =>
  /^TZID(?:;[^:\r\n]*)?:(.+?)\s*$/im.exec(unfold(text))?.[1] ?? null;

/** Resolves a known name, the location that a program noted in the definition, or the zone that it describes. */
export function zoneResolver(components: readonly RawComponent[], preferred: string): (tzid: string) => string | null {
  const definitions = new Map(
    components.flatMap(({ name, text }) =>
      name === "VTIMEZONE" ? [[zoneIdOf(text) ?? "", unfold(text)] as const] : [],
    ),
  );
  const known = new Map<string, string | null>();
  return (tzid) => {
    if (!known.has(tzid)) known.set(tzid, toIanaZone(tzid) ?? zoneOfDefinition(definitions.get(tzid) ?? "", preferred));
    return known.get(tzid) ?? null;
  };
}

function zoneOfDefinition(text: string, preferred: string): string | null {
  const location = /^X-LIC-LOCATION:(.+?)\s*$/im.exec(text)?.[1];
  if (location && isTimeZone(location)) return location;
  const offsets = new Set([...text.matchAll(/^TZOFFSETTO:([+-]\d{4})/gim)].map(([, offset]) => offset));
  const [, sign, hours] = /^([+-])(\d\d)00$/.exec([...offsets][0] ?? "") ?? [];
  if (offsets.size !== 1 || hours === undefined) return matchZone(text, preferred);
  // The names of the Etc/GMT zones have the opposite sign.
  const name = `Etc/GMT${sign === "+" ? "-" : "+"}${Number(hours)}`;
  return Number(hours) === 0 ? "UTC" : isTimeZone(name) ? name : null;
}

/** The definition is valid from the year of `instant` until the rules of the zone change. */
export function zoneDefinition(zone: string, instant: number, name = zone): string {
  const from = Date.UTC(new Date(instant).getUTCFullYear() - 1, 0, 1);
  const changes = offsetChanges(zone, from, 2);
  const observances = changes.length === 2 ? changes.map(observance) : [fixedObservance(offsetAt(from, zone))];
  return ["BEGIN:VTIMEZONE", `TZID:${name}`, ...observances.flat(), "END:VTIMEZONE", ""].join("\r\n");
}

function observance({ at, before, after }: OffsetChange): string[] {
  const kind = after > before ? "DAYLIGHT" : "STANDARD";
  const local = at + before;
  const date = new Date(local);
  const isLast = new Date(local + 7 * MS_PER_DAY).getUTCMonth() !== date.getUTCMonth();
  const day = `${isLast ? -1 : Math.ceil(date.getUTCDate() / 7)}${WEEKDAYS[weekdayOf(local)]}`;
  return [
    `BEGIN:${kind}`,
    `DTSTART:${basicTime(local)}`,
    `TZOFFSETFROM:${offsetText(before)}`,
    `TZOFFSETTO:${offsetText(after)}`,
    `RRULE:FREQ=YEARLY;BYMONTH=${date.getUTCMonth() + 1};BYDAY=${day}`,
    `END:${kind}`,
  ];
}

const fixedObservance = (offset: number): string[] => [
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  `TZOFFSETFROM:${offsetText(offset)}`,
  `TZOFFSETTO:${offsetText(offset)}`,
  "END:STANDARD",
];

export const basicTime = (local: number): string => new Date(local).toISOString().replace(/[-:]|\.\d+Z/g, "");

function offsetText(offset: number): string {
  const minutes = Math.abs(Math.round(offset / 60_000));
  const pad = (n: number) => String(n).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}${pad(minutes % 60)}`;
}

const SAMPLE_DAYS = 5;
const OBSERVANCES_MAX = 100;
/** Matches the supported rules. Expanding any other rule might never end. */
const YEARLY =
  /^FREQ=YEARLY(?:;(?:INTERVAL=1|BYMONTH=\d{1,2}|BYDAY=-?[1-5](?:MO|TU|WE|TH|FR|SA|SU)|WKST=\w\w|UNTIL=[\dTZ]+))*$/i;

type Sample = { readonly instant: number; readonly offset: number };

/** `preferred` is tried first. */
function matchZone(definition: string, preferred: string): string | null {
  const samples = samplesOf(definition);
  if (!samples) return null;
  const zones = [preferred, "UTC", ...Object.values(WINDOWS_ZONES), ...Intl.supportedValuesOf("timeZone")];
  return zones.find((zone) => samples.every(({ instant, offset }) => offsetAt(instant, zone) === offset)) ?? null;
}

function samplesOf(definition: string): Sample[] | null {
  const rules = [...definition.matchAll(/^RRULE:(.*?)\s*$/gim)].map(([, rule = ""]) => rule);
  const starts = [...definition.matchAll(/^DTSTART:(\d{4})\d{4}T\d{6}\s*$/gim)].map(([, year]) => Number(year));
  if (starts.length === 0 || starts.length > OBSERVANCES_MAX || !rules.every((rule) => YEARLY.test(rule))) return null;
  try {
    const zone = new ICAL.Timezone(parseComponent(definition));
    const first = Date.UTC(Math.max(2025, ...starts.map((year) => year + 1)), 0, 1, 12);
    return Array.from({ length: Math.floor(730 / SAMPLE_DAYS) }, (_, n) => {
      const local = new Date(first + n * SAMPLE_DAYS * MS_PER_DAY);
      const date = { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
      const offset = zone.utcOffset(ICAL.Time.fromData({ ...date, hour: 12, minute: 0, second: 0, isDate: false }));
      return { instant: local.getTime() - offset * 1000, offset: offset * 1000 };
    });
  } catch {
    return null;
  }
}
