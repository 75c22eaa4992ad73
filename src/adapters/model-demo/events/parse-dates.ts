// Dates of a normalized request: a day, or the days of a week.
const MS_PER_DAY = 86_400_000;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const CHINESE_WEEKDAYS = "日一二三四五六";
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** The first and the last day, YYYY-MM-DD; null if the request names none. */
export type Dates = { readonly date: string | null; readonly until: string | null };

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);
export const addDays = (date: string, days: number): string => iso(dayOf(date) + days * MS_PER_DAY);
const mondayOf = (date: string): string => addDays(date, -((new Date(dayOf(date)).getUTCDay() + 6) % 7));

const MONTH_DAY =
  /\b(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?: (\d{1,2})(?:st|nd|rd|th)?)?\b/i;
const MONTH_DAY_ZH = /(\d{1,2})月(\d{1,2})[日号]/;
const DAY_OF_MONTH = /\bthe (\d{1,2})(?:st|nd|rd|th)\b|(?<![月\d])(\d{1,2})[日号](?!楼|会议室|线|厅)/i;
const WEEKDAY =
  /\b(next |this |coming )?(sun|mon|tues?|wednes|thurs?|fri|satur)(?:day)?s?\b|(下{1,2}|这|本)?个?(?:周|星期|礼拜)([一二三四五六日天])/i;
const NEXT_WEEK = /\bnext week\b|下个?(?:周|星期)/i;
const AFTER_NEXT = /\bweek after next\b|下下个?(?:周|星期)/i;
const DISTANCE = /\bin (\d+) (day|week)s?\b|(\d+)(天|周)(?:之?后)/i;

/** A date without a year is the next one. */
function monthDay(month: number, day: number, today: string): string {
  const text = `-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const year = Number(today.slice(0, 4));
  return `${year}${text}` < today ? `${year + 1}${text}` : `${year}${text}`;
}

/** The next such day; months that are too short for it are passed over. */
function dayOfMonth(day: number, today: string): string | null {
  for (let date = today, n = 0; n < 62; n += 1, date = addDays(date, 1)) if (Number(date.slice(8)) === day) return date;
  return null;
}

function weekdayIn(text: string, today: string): string | null {
  const [, next = "", name, zhNext = "", zhName] = WEEKDAY.exec(text) ?? [];
  const weekday = name
    ? WEEKDAYS.findIndex((one) => one.startsWith(name.toLowerCase().slice(0, 3)))
    : zhName
      ? CHINESE_WEEKDAYS.indexOf(zhName === "天" ? "日" : zhName)
      : -1;
  if (weekday < 0) return null;
  const inWeek = addDays(mondayOf(today), (weekday + 6) % 7);
  if (AFTER_NEXT.test(text)) return addDays(inWeek, 14);
  if (/next/i.test(next) || zhNext === "下" || NEXT_WEEK.test(text)) return addDays(inWeek, 7);
  if (/this/i.test(next) || /[这本]/.test(zhNext) || /\bthis week\b|这周|本周/i.test(text)) return inWeek;
  return inWeek < today ? addDays(inWeek, 7) : inWeek;
}

/** A single day of the request, by what names it most exactly. */
function dayIn(text: string, today: string): string | null {
  const [isoDate] = /\d{4}-\d\d-\d\d/.exec(text) ?? [];
  if (isoDate) return isoDate;
  if (/大后天/.test(text)) return addDays(today, 3);
  if (/day after tomorrow|后天/i.test(text)) return addDays(today, 2);
  if (/tomorrow|明天|明早|明晚/i.test(text)) return addDays(today, 1);
  if (/\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今天|今晚|今早/i.test(text)) return today;
  const [, count, unit, zhCount, zhUnit] = DISTANCE.exec(text) ?? [];
  if (count ?? zhCount)
    return addDays(today, Number(count ?? zhCount) * (/^week/i.test(unit ?? "") || zhUnit === "周" ? 7 : 1));
  const [, zhMonth, zhDay] = MONTH_DAY_ZH.exec(text) ?? [];
  if (zhMonth) return monthDay(Number(zhMonth), Number(zhDay), today);
  const [, before, month = "", after] = MONTH_DAY.exec(text) ?? [];
  if (before || after) return monthDay(MONTHS.indexOf(month.toLowerCase()) + 1, Number(before ?? after), today);
  const [, day, numbered] = DAY_OF_MONTH.exec(text) ?? [];
  return day || numbered ? dayOfMonth(Number(day ?? numbered), today) : weekdayIn(text, today);
}

export function datesIn(text: string, today: string): Dates {
  const day = dayIn(text, today);
  if (day !== null) return { date: day, until: day };
  const monday = mondayOf(today);
  const week = AFTER_NEXT.test(text) ? 14 : NEXT_WEEK.test(text) || /\bnext weekend\b/i.test(text) ? 7 : 0;
  if (/\bweekend\b|周末/i.test(text)) return { date: addDays(monday, week + 5), until: addDays(monday, week + 6) };
  if (week > 0) return { date: addDays(monday, week), until: addDays(monday, week + 6) };
  return /this week|\bweek\b|这(?:个)?(?:周|星期)|本周/i.test(text)
    ? { date: today, until: addDays(monday, 6) }
    : { date: null, until: null };
}

const DAY_WORDS =
  /\b(?:on |in the |by |until |before |for |the |from |of )*(?:(?:a|next|this|coming|one) )?(?:day after tomorrow|week after next|tomorrow|today|tonight|(?:sun|mon|tues|wednes|thurs|fri|satur)days?|weekend|week)(?:'s)?(?: (?:morning|afternoon|evening|night))?\b(?: onwards?\b| on\b)?/gi;
/** "Evening class" is a title. */
const PART_WORDS =
  /\b(?:in the|on the|in a|on a|on one|this|one|a) (?:free )?(?:morning|afternoon|evening)s?\b|\b(?:morning|afternoon|evening)s?\b(?=\s*(?:$|[,.;!?]|next\b))/gi;
const DAY_WORDS_ZH =
  /大后天|后天|明天|明早|明晚|今天|今晚|今早|每?个?(?:下{0,2}|这|本)个?(?:周|星期|礼拜)(?:[一二三四五六日天]|末)|(?:下{1,2}|这|本)个?(?:周|星期)|上午|早上|早晨|下午|傍晚|晚上|中午/g;

export const withoutDates = (text: string): string =>
  text
    .replace(/\b(?:on )?\d{4}-\d\d-\d\d/g, " ")
    .replace(DISTANCE, " ")
    .replace(MONTH_DAY_ZH, " ")
    .replace(MONTH_DAY, (found, before, _month, after) => (before || after ? " " : found))
    .replace(new RegExp(`(?:on )?${DAY_OF_MONTH.source}`, "gi"), " ")
    .replace(DAY_WORDS, " ")
    .replace(PART_WORDS, " ")
    .replace(DAY_WORDS_ZH, " ");
