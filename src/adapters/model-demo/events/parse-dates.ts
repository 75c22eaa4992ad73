// Parses the dates of a normalized request: a day, or the days of a week.
const MS_PER_DAY = 86_400_000;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const CHINESE_WEEKDAYS = "日一二三四五六";
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** The first and the last day as YYYY-MM-DD, which are the same for a single day. Null if the request names none. */
export type Dates = { readonly date: string | null; readonly until: string | null };

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);
export const addDays = (date: string, days: number): string => iso(dayOf(date) + days * MS_PER_DAY);
/** Monday is 0. */
export const weekdayFrom = (date: string): number => (new Date(dayOf(date)).getUTCDay() + 6) % 7;
const mondayOf = (date: string): string => addDays(date, -weekdayFrom(date));

const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const MONTH_DAY = new RegExp(
  String.raw`\b(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? )?(${MONTH})\b\.?(?: (?:the )?(\d{1,2})(?:st|nd|rd|th)?\b(?!:| ?[ap]m))?`,
  "i",
);
const MONTH_DAY_ZH = /(\d{1,2})月(\d{1,2})[日号]?/;
const DAY_OF_MONTH =
  /\b(?:the )?(\d{1,2})(?:st|nd|rd|th)\b(?! (?:floor|street|st\b|avenue|ave\b|time|birthday|anniversary|hour|day))|(?<!\d月|\d)(\d{1,2})[日号](?!楼|会议室|线|厅)/i;
const WEEKDAY_NAME = "(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?";
const WEEKDAY = new RegExp(
  String.raw`\b(next |this |coming )?(${WEEKDAY_NAME})s?\b|(下{1,2}|这|本)?个?(?:周|星期|礼拜)([一二三四五六日天])`,
  "i",
);
const NEXT_WEEK = /\bnext week\b|下个?(?:周|星期)/i;
const AFTER_NEXT = /\bweek after next\b|下下个?(?:周|星期)/i;
const DISTANCE = /\bin (\d+) (day|week)s?\b|(\d+)(天|周)(?:之?后)/i;

function monthDay(month: number, day: number, today: string): string {
  const text = `-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const year = Number(today.slice(0, 4));
  return `${year}${text}` < today ? `${year + 1}${text}` : `${year}${text}`;
}

/** Skips months that are too short. */
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
  const [, weeks] = /\bin (\d+) weeks?\b/i.exec(text) ?? [];
  if (weeks !== undefined) return addDays(inWeek, 7 * Number(weeks));
  if (AFTER_NEXT.test(text)) return addDays(inWeek, 14);
  if (/next/i.test(next) || zhNext === "下" || NEXT_WEEK.test(text)) return addDays(inWeek, 7);
  if (/this/i.test(next) || /[这本]/.test(zhNext) || /\bthis week\b|这周|本周/i.test(text)) return inWeek;
  return inWeek < today ? addDays(inWeek, 7) : inWeek;
}

const ANY_WEEKDAY =
  /\b(sun|mon|tue|wed|thu|fri|sat)(?:s|rs?|nes|urs?)?(?:day)?s?\b|(?:周|星期|礼拜)([一二三四五六日天](?:(?:、|和|及|跟|,|,|到|至)?(?:周|星期|礼拜)?[一二三四五六日天](?![点时个月号小]))*)/gi;

/** Sunday is 0. "Monday to Friday" includes the days between. */
export function weekdaysIn(text: string): number[] {
  const days = [...text.matchAll(ANY_WEEKDAY)].flatMap(([, name, chinese = ""]) =>
    name
      ? [WEEKDAYS.findIndex((one) => one.startsWith(name.toLowerCase()))]
      : [...chinese.replaceAll("天", "日")].map((one) => CHINESE_WEEKDAYS.indexOf(one)).filter((at) => at >= 0),
  );
  const [from = 0, to = 0] = days;
  if (days.length === 2 && from < to && RANGE_DAYS.test(text))
    return Array.from({ length: to - from + 1 }, (_, n) => from + n);
  return [...new Set(days)];
}

export function firstWeekdayFrom(date: string, days: readonly number[]): string {
  for (let n = 0; n < 7; n += 1) {
    const day = addDays(date, n);
    if (days.includes(new Date(dayOf(day)).getUTCDay())) return day;
  }
  return date;
}

const ORDINAL = String.raw`(?:the )?\d{1,2}(?:st|nd|rd|th)?`;
const A_DAY = String.raw`(?:(?:next |this |coming )?${WEEKDAY_NAME}|today|tomorrow|\d{4}-\d\d-\d\d|${MONTH} ${ORDINAL}|${ORDINAL}(?: of)?(?: ${MONTH})?)`;
const A_DAY_ZH = String.raw`(?:(?:下{0,2}|这|本)个?(?:周|星期|礼拜)[一二三四五六日天]|(?:\d{1,2}月)?\d{1,2}[日号]|今天|明天|后天)`;
const RANGE_DAYS = new RegExp(
  String.raw`\b(?:from )?(${A_DAY}) ?(?:to|until|till|through|thru|-|–) ?(${A_DAY})(?![\d:]| ?[ap]m\b)\b|(${A_DAY_ZH})(?:到|至|-|~)(${A_DAY_ZH}|[一二三四五六日天](?![点时个月号小]))`,
  "i",
);
/** The numbers in "2 to 4" are clock times: a day of a month is written with an ordinal or a month. */
const isDay = (text: string): boolean => /[a-z]{3}|\d(?:st|nd|rd|th)\b|\d-|[一-龥]/i.test(text);

/** Reads "from Monday to Wednesday", "9–13 March" and "下周一到周三". */
function dayRangeIn(text: string, today: string): Dates | null {
  const [found, from = "", to = "", zhFrom, zhTo = ""] = RANGE_DAYS.exec(text) ?? [];
  if (found === undefined || (zhFrom === undefined && !isDay(from) && !isDay(to))) return null;
  // Only one of the two days needs to name the month. A week, such as "next week", may follow both.
  const [month = ""] = new RegExp(MONTH, "i").exec(`${to} ${from}`) ?? [];
  const hasMonth = (one: string) => !/\d/.test(one) || new RegExp(MONTH, "i").test(one) || month === "";
  const whole = text.replace(found, " ");
  const start = dayIn(zhFrom ?? `${hasMonth(from) ? from : `${from} ${month}`} ${weekWords(whole)}`, today);
  if (start === null) return null;
  const end = /^[一-龥]$/.test(zhTo) ? `周${zhTo}` : zhTo || (hasMonth(to) ? to : `${to} ${month}`);
  const until = dayIn(end.replace(/下|next /gi, ""), start);
  return until === null || until < start ? null : { date: start, until };
}

const weekWords = (text: string): string =>
  /\b(?:next week|week after next|this week|in \d+ weeks?)\b/i.exec(text)?.[0] ?? "";

const DAY_MENTION = new RegExp(String.raw`\b${A_DAY}\b|${A_DAY_ZH}`, "gi");

export const countDays = (text: string, today: string): number =>
  new Set([...text.matchAll(DAY_MENTION)].filter(([found]) => isDay(found)).map(([found]) => dayIn(found, today))).size;

export const namesDayRange = (text: string): boolean => dayRangeIn(text, "2024-01-01") !== null;

/** The most specific expressions are tried first. */
function dayIn(text: string, today: string): string | null {
  const [isoDate] = /\d{4}-\d\d-\d\d/.exec(text) ?? [];
  if (isoDate) return isoDate;
  if (/大后天/.test(text)) return addDays(today, 3);
  if (/day after tomorrow|后天/i.test(text)) return addDays(today, 2);
  if (/tomorrow|明天|明早|明晚|明日/i.test(text)) return addDays(today, 1);
  if (/\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今天|今晚|今早|今日/i.test(text)) return today;
  const [, count, unit, zhCount, zhUnit] = DISTANCE.exec(text) ?? [];
  // "Friday in two weeks" is the Friday of that week.
  if ((count ?? zhCount) && !(/^week/i.test(unit ?? "") && WEEKDAY.test(text)))
    return addDays(today, Number(count ?? zhCount) * (/^week/i.test(unit ?? "") || zhUnit === "周" ? 7 : 1));
  const [, zhMonth, zhDay] = MONTH_DAY_ZH.exec(text) ?? [];
  if (zhMonth) return monthDay(Number(zhMonth), Number(zhDay), today);
  const [, before, month = "", after] = MONTH_DAY.exec(text) ?? [];
  if (before || after)
    return monthDay(MONTHS.indexOf(month.toLowerCase().slice(0, 3)) + 1, Number(before ?? after), today);
  const [, day, numbered] = DAY_OF_MONTH.exec(text) ?? [];
  return day || numbered ? dayOfMonth(Number(day ?? numbered), today) : weekdayIn(text, today);
}

export function datesIn(text: string, today: string): Dates {
  const range = dayRangeIn(text, today);
  if (range !== null) return range;
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
  /\b(?:on |in the |by |until |before |for |the |from |of )*(?:(?:a|next|this|coming|one) )?(?:day after tomorrow|week after next|tomorrow|today|tonight|(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:days?)?|weekdays?|weekend|week)(?:'s)?(?: (?:morning|afternoon|evening|night))?\b(?: onwards?\b| on\b)?/gi;
/** "Evening" in "evening class" does not match, because it belongs to a title. */
const PART_WORDS =
  /\b(?:in the|on the|in a|on a|on one|this|one|a) (?:free )?(?:morning|afternoon|evening)s?\b|\b(?:morning|afternoon|evening)s?\b(?=\s*(?:$|[,.;!?]|next\b))/gi;
const DAY_WORDS_ZH =
  /大后天|后天|明天|明早|明晚|今天|今晚|今早|每?个?(?:下{0,2}|这|本)个?(?:周|星期|礼拜)(?:[一二三四五六日天](?:(?:、|和|及|跟)(?:周|星期|礼拜)?[一二三四五六日天](?![点时个月号小人]))*|末)|(?:下{1,2}|这|本)个?(?:周|星期)|上午|早上|早晨|下午|傍晚|晚上|中午/g;

export const withoutDates = (text: string): string =>
  text
    .replace(RANGE_DAYS, (found, from, to, chinese) => (chinese || isDay(from) || isDay(to) ? " " : found))
    .replace(/\b(?:on )?\d{4}-\d\d-\d\d/g, " ")
    .replace(DISTANCE, " ")
    .replace(MONTH_DAY_ZH, " ")
    .replace(new RegExp(`(?:on (?:the )?)?${MONTH_DAY.source}`, "i"), (found, before, _month, after) =>
      before || after ? " " : found,
    )
    .replace(new RegExp(`(?:\\bon )?${DAY_OF_MONTH.source}`, "gi"), " ")
    .replace(DAY_WORDS, " ")
    .replace(PART_WORDS, " ")
    .replace(DAY_WORDS_ZH, " ");
