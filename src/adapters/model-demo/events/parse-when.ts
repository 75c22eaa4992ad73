// Dates, times and durations in English and Chinese requests, as local dates and clock times.
const MS_PER_DAY = 86_400_000;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const CHINESE_WEEKDAYS = "日一二三四五六";
const DIGITS: Readonly<Record<string, number>> = {
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
  十一: 11,
  十二: 12,
  半: 0.5,
};
const WORDS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  half: 0.5,
};

export type When = {
  /** YYYY-MM-DD; the last day of a range is `until`. */
  readonly date: string | null;
  readonly until: string | null;
  /** HH:MM */
  readonly clock: string | null;
  /** HH:MM, if the request names an end. */
  readonly end: string | null;
  /** How often something repeats. */
  readonly times: number | null;
  readonly minutes: number | null;
  readonly part: "morning" | "afternoon" | "evening" | null;
};

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);
export const addDays = (date: string, days: number): string => iso(dayOf(date) + days * MS_PER_DAY);
const mondayOf = (date: string): string => addDays(date, -((new Date(dayOf(date)).getUTCDay() + 6) % 7));

const DURATION_EN =
  /\b(?:for )?(\d+(?:\.\d+)?|half an|an?|one|two|three|four|five|six)[ -]?(hours?|hrs?|h|minutes?|mins?|min)\b(?: (?:and a half))?(?: each| long)?/i;
const DURATION_ZH = /(\d+(?:\.\d+)?|[一二两三四五六七八九十半]+)个?(半)?(小时|分钟|钟头)/;

function minutesIn(text: string): number | null {
  const [english, amount = "", unit = ""] = DURATION_EN.exec(text) ?? [];
  if (english !== undefined) {
    const n = Number(amount) || WORDS[amount.toLowerCase().split(" ")[0] ?? ""] || 1;
    const hours = /^h/i.test(unit) || /^half/i.test(amount);
    return Math.round((n + (/and a half/.test(english) ? 0.5 : 0)) * (hours ? 60 : 1));
  }
  const [chinese, count = "", half, zhUnit = ""] = DURATION_ZH.exec(text) ?? [];
  if (chinese === undefined) return null;
  const n = Number(count) || DIGITS[count] || 1;
  return Math.round((n + (half ? 0.5 : 0)) * (zhUnit === "分钟" ? 1 : 60));
}

const CLOCK =
  /\b(?:at |from |to |until )?(\d{1,2})(?::(\d\d))?\s?(am|pm)\b|\b(?:at |from |to )?([01]?\d|2[0-3]):([0-5]\d)\b|\bat (\d{1,2})\b(?! ?(?:hours|minutes))/i;
const CLOCK_ZH = /(上午|早上|下午|晚上|中午)?\s?(\d{1,2}|十一|十二|[一二两三四五六七八九十])[点::](半|\d\d)?分?/;

function clockIn(text: string): string | null {
  if (/\bnoon\b|正午/.test(text)) return "12:00";
  const [found, h12, m12, half, h24, m24, bare] = CLOCK.exec(text) ?? [];
  if (found !== undefined) {
    const hour = Number(h12 ?? h24 ?? bare);
    const later =
      half?.toLowerCase() === "pm" && hour < 12 ? 12 : half?.toLowerCase() === "am" && hour === 12 ? -12 : 0;
    const evening = half === undefined && bare !== undefined && hour > 0 && hour < 8 ? 12 : 0;
    return clockText(hour + later + evening, Number(m12 ?? m24 ?? 0));
  }
  const [zh, part, hourText = "", minute] = CLOCK_ZH.exec(text) ?? [];
  if (zh === undefined) return null;
  const hour = Number(hourText) || DIGITS[hourText] || 0;
  const later = (part === "下午" || part === "晚上") && hour < 12 ? 12 : 0;
  return clockText(hour + later, minute === "半" ? 30 : Number(minute ?? 0));
}

/** "From 10 to 12", "2-4pm", "10点到12点": the second time ends the event. */
const RANGE =
  /\b(?:from |between )?(\d{1,2}(?::\d\d)?) ?([ap]m)? ?(?:to|until|till|and|-|–) ?(\d{1,2}(?::\d\d)?) ?([ap]m)?\b/i;
const RANGE_ZH = new RegExp(`(${CLOCK_ZH.source})(?:到|至|-|–)(${CLOCK_ZH.source})`);

function rangeIn(text: string): { readonly clock: string; readonly end: string } | null {
  const zh = RANGE_ZH.exec(text);
  if (zh) {
    const [clock, end] = [clockIn(zh[1] ?? ""), clockIn(`${zh[2] ?? ""}${zh[5] ?? ""}`)];
    return clock && end && end > clock ? { clock, end } : null;
  }
  const [found, from = "", fromHalf, to = "", toHalf] = RANGE.exec(text) ?? [];
  if (found === undefined || !/:|[ap]m|^(?:from|between) /i.test(found)) return null;
  const half = toHalf ?? fromHalf ?? "";
  const [clock, end] = [clockIn(`at ${from}${fromHalf ?? half}`), clockIn(`at ${to}${half}`)];
  return clock && end && end > clock ? { clock, end } : null;
}

const minutesBetween = (from: string, to: string): number => {
  const minute = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  return minute(to) - minute(from);
};

function timesIn(text: string): number | null {
  const [, english, chinese] =
    /\b(\d+|two|three|four|five|six|seven|eight|nine|ten) times\b|(\d+|[一二两三四五六七八九十]+)次/i.exec(text) ?? [];
  const count = english ?? chinese;
  return count === undefined ? null : Number(count) || WORDS[count.toLowerCase()] || DIGITS[count] || null;
}

const clockText = (hour: number, minute: number): string | null =>
  hour > 23 ? null : `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

const NEXT_WEEK = /\bnext week\b|下个?(?:周|星期)/i;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH_DAY =
  /\b(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?: (\d{1,2})(?:st|nd|rd|th)?)?\b/i;

/** A date without a year is the next one. */
function monthDay(month: number, day: number, today: string): string {
  const text = `-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const year = Number(today.slice(0, 4));
  return `${year}${text}` < today ? `${year + 1}${text}` : `${year}${text}`;
}

/** A single day, or the first and last day of a week. */
function datesIn(text: string, today: string): Pick<When, "date" | "until"> {
  const one = (date: string) => ({ date, until: date });
  const [isoDate] = /\d{4}-\d\d-\d\d/.exec(text) ?? [];
  if (isoDate) return one(isoDate);
  if (/day after tomorrow|后天/i.test(text)) return one(addDays(today, 2));
  if (/tomorrow|明天/i.test(text)) return one(addDays(today, 1));
  if (/\btoday\b|\btonight\b|今天|今晚/i.test(text)) return one(today);
  const [, zhMonth, zhDay] = /(\d{1,2})月(\d{1,2})[日号]/.exec(text) ?? [];
  if (zhMonth) return one(monthDay(Number(zhMonth), Number(zhDay), today));
  const [, before, month = "", after] = MONTH_DAY.exec(text) ?? [];
  if (before || after) return one(monthDay(MONTHS.indexOf(month.toLowerCase()) + 1, Number(before ?? after), today));
  const [, next, name] =
    /\b(next |this |coming )?(sun|mon|tues?|wednes|thurs?|fri|satur)(?:day)?s?\b/i.exec(text) ?? [];
  const [, zhNext, zhName] = /(下{1,2})?个?(?:周|星期|礼拜)([一二三四五六日天])/.exec(text) ?? [];
  const weekday = name
    ? WEEKDAYS.findIndex((one_) => one_.startsWith(name.toLowerCase().slice(0, 3)))
    : zhName
      ? CHINESE_WEEKDAYS.indexOf(zhName === "天" ? "日" : zhName)
      : -1;
  if (weekday >= 0) {
    const inWeek = addDays(mondayOf(today), (weekday + 6) % 7);
    if (/下下/.test(zhNext ?? "")) return one(addDays(inWeek, 14));
    if (zhNext || /next/i.test(next ?? "") || NEXT_WEEK.test(text)) return one(addDays(inWeek, 7));
    if (/this/i.test(next ?? "") || /\bthis week\b|这周|本周/i.test(text)) return one(inWeek);
    return one(inWeek < today ? addDays(inWeek, 7) : inWeek);
  }
  if (NEXT_WEEK.test(text)) return { date: addDays(mondayOf(today), 7), until: addDays(mondayOf(today), 13) };
  if (/this week|\bweek\b|这(?:个)?(?:周|星期)|本周/i.test(text))
    return { date: today, until: addDays(mondayOf(today), 6) };
  return { date: null, until: null };
}

export function parseWhen(text: string, today: string): When {
  const withoutLength = text.replace(DURATION_EN, " ").replace(DURATION_ZH, " ");
  const part = /\bmorning\b|上午|早上/i.test(text)
    ? "morning"
    : /\bafternoon\b|下午/i.test(text)
      ? "afternoon"
      : /\bevening\b|\btonight\b|晚上|今晚/i.test(text)
        ? "evening"
        : null;
  const range = rangeIn(withoutLength);
  return {
    ...datesIn(text, today),
    clock: range?.clock ?? clockIn(withoutLength),
    end: range?.end ?? null,
    minutes: minutesIn(text) ?? (range && minutesBetween(range.clock, range.end)),
    times: timesIn(text),
    part,
  };
}

/** The text without everything that says when. */
export const withoutWhen = (text: string): string =>
  text
    .replace(DURATION_EN, " ")
    .replace(DURATION_ZH, " ")
    .replace(RANGE_ZH, " ")
    .replace(RANGE, (found) => (/:|[ap]m|^(?:from|between) /i.test(found) ? " " : found))
    .replace(CLOCK, " ")
    .replace(CLOCK_ZH, " ")
    .replace(/\b(?:on )?\d{4}-\d\d-\d\d|\d{1,2}月\d{1,2}[日号]/g, " ")
    .replace(MONTH_DAY, (found, before, _month, after) => (before || after ? " " : found))
    .replace(
      /\b(?:on |in the |by |until |before |for |the )*(?:(?:a|next|this|coming) )?(?:day after tomorrow|tomorrow|today|tonight|noon|(?:sun|mon|tues|wednes|thurs|fri|satur)days?|week|morning|afternoon|evening)(?:'s)?\b/gi,
      " ",
    )
    .replace(
      /后天|明天|今天|今晚|每?下{0,2}个?(?:周|星期|礼拜)[一二三四五六日天]|(?:下|这|本)个?(?:周|星期)|上午|早上|下午|晚上|中午/g,
      " ",
    );

const LENGTHS = /(\d+(?:\.\d+)?)[ -]?(hours?|h\b|小时|minutes?|min|分钟)/gi;
/** All durations of a request in minutes, in its order. */
export const lengthsIn = (text: string): number[] =>
  [...text.matchAll(LENGTHS)].map(([, n, unit = ""]) => Number(n) * (/^(?:h|小)/i.test(unit) ? 60 : 1));

/** The text without durations and the words that introduce them. */
export const withoutLengths = (text: string): string =>
  text
    .replace(new RegExp(`(?:in |each )?(?:blocks? of )?${LENGTHS.source}(?: of| for| blocks?| each)?`, "gi"), " ")
    .replace(/\b(?:in )?blocks?\b/gi, " ");
