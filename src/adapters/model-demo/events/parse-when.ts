// Parses the dates, times and durations of a normalized request into local dates and clock times.
import { datesIn } from "./parse-dates.ts";

export type When = {
  /** The first and the last day as YYYY-MM-DD, which are the same for a single day. */
  readonly date: string | null;
  readonly until: string | null;
  /** The start as HH:MM. */
  readonly clock: string | null;
  /** The end as HH:MM, if the request names one. */
  readonly end: string | null;
  /** The number of occurrences of a series. */
  readonly times: number | null;
  readonly minutes: number | null;
  readonly part: "morning" | "afternoon" | "evening" | null;
};

const AMOUNT = String.raw`(\d+(?:\.\d+)?)[ -]?`;
const DURATION = new RegExp(
  String.raw`\b(?:for )?${AMOUNT}(hours?|hrs?|h|minutes?|mins?|min)\b(?: each| long\b)?|${AMOUNT}(小时|分钟)`,
  "i",
);

function minutesIn(text: string): number | null {
  const [found, amount, unit = "", zhAmount, zhUnit] = DURATION.exec(text) ?? [];
  if (found === undefined) return null;
  return Math.round(Number(amount ?? zhAmount) * (/^h/i.test(unit) || zhUnit === "小时" ? 60 : 1));
}

const CLOCK =
  /\b(?:at |from |to |until |by )?(\d{1,2})(?::(\d\d))?\s?(am|pm)\b|\b(?:at |from |to )?([01]?\d|2[0-3]):([0-5]\d)\b|\bat (\d{1,2})\b(?! ?(?:hours|minutes))/i;
const CLOCK_ZH =
  /(上午|早上|早晨|凌晨|下午|傍晚|晚上|中午|早|晚)?\s?(\d{1,2})(?:点|时(?!间)|[::](?=\d))(半|\d{1,2})?分?/;

/** Words that make "at 8" mean eight in the evening. */
const IN_THE_EVENING = /\b(?:night|tonight|evening|dinner|movie|cinema|party|concert|theat(?:re|er)|drinks)\b/i;

function clockIn(text: string): string | null {
  const [zh, part, hourText = "", minute] = CLOCK_ZH.exec(text) ?? [];
  if (zh !== undefined && (part || /点|时/.test(zh))) {
    const hour = Number(hourText);
    const isLater = /下午|傍晚|晚/.test(part ?? "") ? hour < 12 : part === "中午" ? hour < 3 : !part && hour < 7;
    return clockText(hour + (isLater ? 12 : 0), minute === "半" ? 30 : Number(minute ?? 0));
  }
  const [found, h12, m12, half, h24, m24, bare] = CLOCK.exec(text) ?? [];
  if (found === undefined) return null;
  const hour = Number(h12 ?? h24 ?? bare);
  const later = half?.toLowerCase() === "pm" && hour < 12 ? 12 : half?.toLowerCase() === "am" && hour === 12 ? -12 : 0;
  const latest = IN_THE_EVENING.test(text) ? 12 : 8;
  const isEvening = half === undefined && bare !== undefined && hour > 0 && hour < latest && !/\bmorning\b/i.test(text);
  return clockText(hour + later + (isEvening ? 12 : 0), Number(m12 ?? m24 ?? 0));
}

const clockText = (hour: number, minute: number): string | null =>
  hour > 23 || minute > 59 ? null : `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

/** Matches "From 10 to 12", "2-4pm" and "10点到12点". The second time ends the event. */
const RANGE =
  /\b(?:from |between )?(\d{1,2}(?::\d\d)?) ?([ap]m)? ?(?:to|until|till?|and|-|–) ?(\d{1,2}(?::\d\d)?) ?([ap]m)?\b/i;
const RANGE_ZH = new RegExp(`(${CLOCK_ZH.source})(?:到|至|-|–|~)(${CLOCK_ZH.source})`);
const isRange = (found: string): boolean => /:|[ap]m|^(?:from|between) /i.test(found);

function rangeIn(text: string): { readonly clock: string; readonly end: string } | null {
  const zh = RANGE_ZH.exec(text);
  if (zh) {
    const clock = clockIn(zh[1] ?? "");
    // In "下午2点到4点", the part of the day applies to both times.
    const ends = [clockIn(zh[5] ?? ""), clockIn(`${zh[2] ?? ""}${zh[5] ?? ""}`)];
    const end = ends.find((one) => clock !== null && one !== null && one > clock);
    return clock && end ? { clock, end } : null;
  }
  const [found, from = "", fromHalf, to = "", toHalf] = RANGE.exec(text) ?? [];
  if (found === undefined || !isRange(found)) return null;
  const end = clockIn(`at ${to}${toHalf ?? fromHalf ?? ""}`);
  const starts = [clockIn(`at ${from}${fromHalf ?? toHalf ?? ""}`), clockIn(`at ${from}${fromHalf ?? ""}`)];
  const clock = starts.find((one) => one !== null && end !== null && one < end);
  return clock && end ? { clock, end } : null;
}

export const minutesBetween = (from: string, to: string): number => {
  const minute = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  return minute(to) - minute(from);
};

function timesIn(text: string): number | null {
  const [, english, chinese] = /\b(\d+) (?:times|sessions)\b|(\d+)次/i.exec(text) ?? [];
  const count = english ?? chinese;
  return count === undefined ? null : Number(count);
}

const PARTS = [
  ["morning", /\bmorning\b|上午|早上|早晨/i],
  ["afternoon", /\bafternoon\b|下午/i],
  ["evening", /\bevening\b|\btonight\b|晚上|傍晚/i],
] as const;

const ISO_DATE = /\d{4}-\d\d-\d\d/g;
const withoutDurations = (text: string): string => text.replace(new RegExp(DURATION, "gi"), " ");

export function parseWhen(text: string, today: string): When {
  const withoutLength = withoutDurations(text).replace(ISO_DATE, " ");
  const range = rangeIn(withoutLength);
  return {
    ...datesIn(text, today),
    clock: range?.clock ?? clockIn(withoutLength),
    end: range?.end ?? null,
    minutes: minutesIn(text) ?? (range && minutesBetween(range.clock, range.end)),
    times: timesIn(text),
    part: PARTS.find(([, pattern]) => pattern.test(text))?.[0] ?? null,
  };
}

export const withoutTimes = (text: string): string =>
  withoutDurations(text)
    .replace(RANGE_ZH, " ")
    .replace(RANGE, (found) => (isRange(found) ? " " : found))
    .replace(new RegExp(CLOCK, "gi"), " ")
    .replace(new RegExp(CLOCK_ZH, "g"), (found) => (/[点时::]/.test(found) ? " " : found));

export const lengthsIn = (text: string): number[] =>
  [...text.matchAll(new RegExp(DURATION, "gi"))].map(([found]) => minutesIn(found) ?? 0);
