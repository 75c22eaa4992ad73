// Finds the known time zone that a VTIMEZONE describes under a custom name, by comparing offsets every five days over
// two years.
import ICAL from "ical.js";
import { WINDOWS_ZONES } from "../../../tools/ical/zone-names.ts";
import { offsetAt } from "../../../tools/time-zone.ts";
import { MS_PER_DAY } from "../events/rule-dates.ts";
import { parseComponent } from "./read-fields.ts";

const SAMPLE_DAYS = 5;
const OBSERVANCES_MAX = 100;
/** Matches the supported rules. Expanding any other rule might never end. */
const YEARLY =
  /^FREQ=YEARLY(?:;(?:INTERVAL=1|BYMONTH=\d{1,2}|BYDAY=-?[1-5](?:MO|TU|WE|TH|FR|SA|SU)|WKST=\w\w|UNTIL=[\dTZ]+))*$/i;

type Sample = { readonly instant: number; readonly offset: number };

/** `preferred` is tried first. */
export function matchZone(definition: string, preferred: string): string | null {
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
