// Converts the repetition of a new event to a recurrence rule, or returns null if the request names none.
import { addDays, firstWeekdayFrom, weekdayFrom, weekdaysIn } from "./parse-dates.ts";

export type Repetition = {
  readonly rule: string;
  /** The day of the first occurrence, or null if the request names neither a day nor weekdays. */
  readonly first: string | null;
};

const CODES = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const REPEATS =
  /\b(?:every|each|daily|weekly|biweekly|fortnightly|monthly|yearly|annually|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays)\b|每|隔(?:一)?(?:周|天)/i;
const WORKDAYS = /\bweekdays?\b|\bworkdays?\b|\bworking days?\b|工作日/i;
const OTHER_UNIT =
  /\b(?:daily|monthly|yearly|annually|every (?:\d+ |other |second )?(?:days?|months?|years?))\b|每(?:隔?\d*)天|每\d*个?月|每年/i;
const FOUND_DAYS = 366;

/** Matches "every first Monday of the month", which is not written as a rule here. */
const UNSUPPORTED_REPETITION =
  /\b(?:first|second|third|last) \w+ (?:of|in) (?:the|each|every)\b|\bexcept\b|\bother than\b|除了|第[一二三四]个(?:周|星期)/i;

export const repeats = (text: string): boolean => REPEATS.test(text);
export const repeatsBeyondRules = (text: string): boolean => repeats(text) && UNSUPPORTED_REPETITION.test(text);

function intervalIn(text: string): number {
  if (/\bevery (?:other|second)\b|\bbiweekly\b|\bfortnightly\b|每隔一|隔(?:一)?(?:周|天)/i.test(text)) return 2;
  const [, english, chinese] = /\bevery (\d+) (?:days?|weeks?|months?)\b|每(\d+)个?(?:天|周|星期|月)/i.exec(text) ?? [];
  return Number(english ?? chinese ?? 1);
}

function frequencyOf(text: string, hasWeekdays: boolean): { readonly name: string; readonly usual: number } {
  if (hasWeekdays) return { name: "WEEKLY", usual: 12 };
  if (/\bmonthly\b|\bmonths?\b|每(?:\d+)?个?月/i.test(text)) return { name: "MONTHLY", usual: 12 };
  if (/\byearly\b|\bannually\b|\bevery year\b|每年/i.test(text)) return { name: "YEARLY", usual: 5 };
  if (/\bdaily\b|\bdays?\b|每(?:隔?\d*)天|隔(?:一)?天/i.test(text)) return { name: "DAILY", usual: 30 };
  return { name: "WEEKLY", usual: 12 };
}

/** Sunday is 0. */
const weekdayOf = (date: string): number => (weekdayFrom(date) + 1) % 7;
const daysBetween = (first: string, last: string): string[] =>
  Array.from({ length: 7 }, (_, n) => addDays(first, n)).filter((day) => day <= last);

type Named = { readonly date: string | null; readonly until: string | null; readonly times: number | null };

export function repetitionIn(text: string, { date, until, times }: Named, today: string): Repetition | null {
  if (!repeats(text)) return null;
  // In "Daily, starting on Monday", the weekday applies only to the start.
  const days = WORKDAYS.test(text) ? [1, 2, 3, 4, 5] : OTHER_UNIT.test(text) ? [] : weekdaysIn(text);
  const { name, usual } = frequencyOf(text, days.length > 0);
  const interval = intervalIn(text);
  const first = days.length > 0 ? firstWeekdayFrom(date ?? today, days) : date;
  // A single weekday needs no BYDAY, because the start determines it.
  const by = days.length > 1 ? [`BYDAY=${days.map((day) => CODES[day]).join(",")}`] : [];
  const weeks = Number(/\bfor (\d+) weeks\b|(?:连续|持续)(\d+)周/i.exec(text)?.slice(1).find(Boolean) ?? 0);
  const count =
    times ?? (weeks > 0 && name === "WEEKLY" ? Math.ceil(weeks / interval) : usual) * Math.max(1, days.length);
  // "Every weekday this week" ends with the week, but "starting next week" does not.
  const isWithin = date !== null && until !== null && date !== until && !/\bstart|\bbegin|\bfrom\b|从|起/i.test(text);
  if (isWithin && first !== null && times === null && (name === "DAILY" || days.length > 0)) {
    const within = daysBetween(first, until).filter((day) => days.length === 0 || days.includes(weekdayOf(day)));
    return { rule: [`FREQ=${name}`, ...by, `COUNT=${Math.max(1, within.length)}`].join(";"), first };
  }
  const parts = [`FREQ=${name}`, ...(interval > 1 ? [`INTERVAL=${interval}`] : []), ...by];
  return { rule: [...parts, `COUNT=${Math.min(count, FOUND_DAYS)}`].join(";"), first };
}

const REPETITION_WORDS =
  /\b(?:on )?(?:every|each)(?: (?:other|second|\d+))?(?: (?:days?|weeks?|months?|year))?\b|\b(?:daily|weekly|biweekly|fortnightly|monthly|yearly|annually)\b|\bfor \d+ weeks\b|\bstarting\b|每隔?(?:一|两|\d+)?个?(?:周|星期|月|年|天|工作日)?|隔(?:一)?(?:周|天)|工作日|(?<=[、和及跟,,]\s*)[一二三四五六日天](?=\s)|\s+(?:and|&|、|和)\s+(?=$|[,.;]|at\b)/gi;

/** If the days of "Tuesday and Thursday" were removed before, also removes the remaining "and". */
export const withoutRepetition = (text: string): string =>
  repeats(text)
    ? text.replace(REPETITION_WORDS, " ").replace(/^\s*(?:and|&|、|和|,)\s+|\s+(?:and|&|、|和|,)\s*$/gi, " ")
    : text;
