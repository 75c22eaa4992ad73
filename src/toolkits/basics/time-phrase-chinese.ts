// Reads Chinese phrases for dates and times, such as 下周二上午 or 两周后. Local times are counted as if the clock showed UTC.
import type { ReadPhrase, TimeOfDay } from "./phrase-reading.ts";

const NUMBER = "(\\d{1,4}|[零〇一二两三四五六七八九十]{1,3})";
const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
const WEEKDAYS = "一二三四五六日";
const DAYS: Readonly<Record<string, number>> = { 大前: -3, 前: -2, 昨: -1, 今: 0, 明: 1, 后: 2, 大后: 3 };
const STEPS: Readonly<Record<string, number>> = { 上: -1, 本: 0, 这: 0, 今: 0, 下: 1, 明: 1, 下下: 2, 后: 2 };
const UNITS: Readonly<Record<string, { readonly days?: number; readonly months?: number }>> = {
  ...{ 天: { days: 1 }, 日: { days: 1 }, 周: { days: 7 }, 星期: { days: 7 }, 礼拜: { days: 7 } },
  ...{ 月: { months: 1 }, 年: { months: 12 } },
};
const [MORNING, EVENING] = [[6, 12] as const, [18, 22] as const];
/** Parts of the day, each with the hours at which it begins and ends. */
const PARTS: Readonly<Record<string, readonly [number, number]>> = {
  ...{ 凌晨: [0, 6], 早上: MORNING, 早晨: MORNING, 早: MORNING, 上午: MORNING, 中午: [11, 13], 下午: [12, 18] },
  ...{ 傍晚: [17, 19], 晚上: EVENING, 晚: EVENING, 夜里: [20, 24] },
};

type Words = readonly (string | undefined)[];
/** The midnight at which the day begins, or null if there is no such day. */
type ReadDay = (words: Words, today: number) => number | null;

const LATER = new RegExp(`(半|${NUMBER})个?(半)?(分钟|小时|钟头)[以之]?([后前])`, "u");
/** Patterns for dates. The first one that matches is used. */
const DATES: readonly (readonly [RegExp, ReadDay])[] = [
  [
    new RegExp(`${NUMBER}个?(天|日|周|星期|礼拜|月|年)[以之]?([后前])`, "u"),
    ([, amount, unit = "", direction], today) => {
      const count = numberOf(amount) * (direction === "前" ? -1 : 1);
      const { days = 0, months = 0 } = UNITS[unit] ?? {};
      return months === 0 ? today + count * days * MS_PER_DAY : addMonths(today, count * months);
    },
  ],
  [
    /(上|本|这|下下|下)?个?(?:周|星期|礼拜)([一二三四五六日天末])/u,
    ([, week, weekday = ""], today) => {
      const wanted = weekday === "末" ? 5 : WEEKDAYS.indexOf(weekday === "天" ? "日" : weekday);
      const current = (new Date(today).getUTCDay() + 6) % 7;
      // Weeks begin on Monday. A weekday without a week is the next such day, which may be today.
      const weeks = week === undefined ? Number(wanted < current) : (STEPS[week] ?? 0);
      return today + (wanted - current + 7 * weeks) * MS_PER_DAY;
    },
  ],
  [
    new RegExp(`(?:(\\d{4}|[今明后])年)?${NUMBER}月${NUMBER}[号日]?`, "u"),
    ([, year, month, day], today) => {
      const current = new Date(today).getUTCFullYear();
      const named = year === undefined ? current : (STEPS[year] ?? Number(year) - current) + current;
      const made = dateOf(named, numberOf(month) - 1, numberOf(day));
      const passed = year === undefined && made !== null && made < today;
      return passed ? dateOf(named + 1, numberOf(month) - 1, numberOf(day)) : made;
    },
  ],
  [
    new RegExp(`(?:([上本这下])个?月)?${NUMBER}[号日]`, "u"),
    ([, month, day], today) => {
      const date = new Date(today);
      const passed = month === undefined && numberOf(day) < date.getUTCDate();
      const months = passed ? 1 : (STEPS[month ?? "本"] ?? 0);
      return dateOf(date.getUTCFullYear(), date.getUTCMonth() + months, numberOf(day));
    },
  ],
  [
    /([上本这下])?个?月底/u,
    ([, month = "本"], today) => {
      const date = new Date(today);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1 + (STEPS[month] ?? 0), 0);
    },
  ],
  [/(大前|前|昨|今|明|大后|后)(?:天|日|(?=早|晚))/u, ([, day = ""], today) => today + (DAYS[day] ?? 0) * MS_PER_DAY],
];
const TIME = new RegExp(
  `(凌晨|早上|早晨|早|上午|中午|下午|傍晚|晚上|晚|夜里)?(?:${NUMBER}(?:点钟?|[:：])(?:(半)|([一三])刻|${NUMBER}分?)?)?`,
  "gu",
);

export const readChinese: ReadPhrase = (text, { now, local }) => {
  const later = LATER.exec(text);
  if (later) return { text: later[0], readings: [{ at: now + minutesLater(later) * MS_PER_MINUTE }] };
  const today = Math.floor(local / MS_PER_DAY) * MS_PER_DAY;
  const found = DATES.map(([pattern, read]) => ({ match: pattern.exec(text), read })).find(({ match }) => match);
  const rest = found?.match ? text.replace(found.match[0], " ") : text;
  const time = [...rest.matchAll(TIME)].find(([all]) => all !== "");
  const times = timesOf(time ?? []);
  if ((!found?.match && !time) || times === null) return null;
  const read = [found?.match?.[0], time?.[0]].filter((part) => part !== undefined).join(" ");
  const day = found?.match ? found.read(found.match, today) : null;
  if (found && day === null) return null;
  const minute = (local - today) / MS_PER_MINUTE;
  /** A time without a day is its next occurrence. */
  const dayFor = ({ from = 0, to = from }: TimeOfDay) => day ?? (to > minute ? today : today + MS_PER_DAY);
  return { text: read, readings: times.map((one) => ({ day: dayFor(one), ...one })) };
};

/** Null if there is no such time. Without 上午 or 下午, 三点 results in two times, 3:00 and 15:00. */
function timesOf([, part, hour, half, quarter, minute]: Words): readonly TimeOfDay[] | null {
  const [from, to] = PARTS[part ?? ""] ?? [0, 24];
  if (hour === undefined) return part === undefined ? [{}] : [{ from: from * 60, to: to * 60 }];
  const past = half ? 30 : quarter ? numberOf(quarter) * 15 : minute ? numberOf(minute) : 0;
  const said = numberOf(hour);
  if (said > 23 || past > 59) return null;
  if (part !== undefined) return [{ from: (from >= 11 && said < 11 ? said + 12 : said) * 60 + past }];
  const either = said >= 1 && said < 12 && !hour.startsWith("0");
  return [said, ...(either ? [said + 12] : [])].map((hours) => ({ from: hours * 60 + past }));
}

function minutesLater([, amount, , andHalf, unit, direction]: Words): number {
  const count = (amount === "半" ? 0.5 : numberOf(amount)) + (andHalf ? 0.5 : 0);
  return Math.round(count * (unit === "分钟" ? 1 : 60)) * (direction === "前" ? -1 : 1);
}

function numberOf(text = ""): number {
  if (/^\d+$/.test(text)) return Number(text);
  const digit = (one: string) => "〇一二三四五六七八九".indexOf(one.replace("两", "二").replace("零", "〇"));
  const [tens = "", units] = text.split("十");
  if (units === undefined) return [...text].reduce((sum, one) => sum * 10 + digit(one), 0);
  return (tens === "" ? 1 : digit(tens)) * 10 + (units === "" ? 0 : digit(units));
}

function dateOf(year: number, month: number, day: number): number | null {
  const made = new Date(Date.UTC(year, month, day));
  return made.getUTCDate() === day ? made.getTime() : null;
}

/** The 31st becomes the last day of a shorter month. */
function addMonths(today: number, months: number): number {
  const date = new Date(today);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  return Math.min(Date.UTC(year, month, date.getUTCDate()), Date.UTC(year, month + 1, 0));
}
