// Parses times and places in English and Chinese, such as "Thursday of week 2", "第3天第5-6节" and "a free morning". Does
// not read the calendar.

/** The user's constraints on a place. A field is null if the user gave no such constraint. */
export type PlaceConstraint = {
  readonly day: number | null;
  readonly week: number | null;
  /** 1 is Monday. */
  readonly weekday: number | null;
  /** Days from today, for "today" or "明天". Resolving them needs a clock. */
  readonly from_today: number | null;
  readonly slot: number | null;
  readonly part: "morning" | "afternoon" | "evening" | null;
  /** True for "any", "a free" or "随便", which need no further question. */
  readonly anywhere: boolean;
  readonly earliest: boolean;
};

export const NO_CONSTRAINT: PlaceConstraint = {
  day: null,
  week: null,
  weekday: null,
  from_today: null,
  slot: null,
  part: null,
  anywhere: false,
  earliest: false,
};

export const DAY_PARTS = { morning: [1, 4], afternoon: [5, 8], evening: [9, 12] } as const;

const ENGLISH_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const CHINESE_DIGITS = "一二三四五六七八九";
const NUMBER_PATTERN = `(\\d{1,3}|${ENGLISH_NUMBERS.join("|")}|${ORDINALS.join("|")}|[一二两三四五六七八九十]{1,3})`;

/** Reads "4", "four", "fourth", "四" and "十二". */
export function parseNumber(text: string | undefined): number | null {
  if (!text) return null;
  if (/^\d+$/.test(text)) return Number(text);
  const word = text.toLowerCase();
  const english = Math.max(ENGLISH_NUMBERS.indexOf(word), ORDINALS.indexOf(word));
  if (english >= 0) return english + 1;
  const chinese = text.replace("两", "二");
  if (!chinese.includes("十")) return CHINESE_DIGITS.indexOf(chinese) + 1 || null;
  const [tens = "", ones = ""] = chinese.split("十");
  return (
    (tens === "" ? 1 : CHINESE_DIGITS.indexOf(tens) + 1) * 10 + (ones === "" ? 0 : CHINESE_DIGITS.indexOf(ones) + 1)
  );
}

const DAY = new RegExp(`\\bday ${NUMBER_PATTERN}\\b|第\\s*${NUMBER_PATTERN}\\s*[天日]`, "i");
const WEEK = new RegExp(
  `\\bweek ${NUMBER_PATTERN}\\b|\\bthe ${NUMBER_PATTERN} week\\b|第\\s*${NUMBER_PATTERN}\\s*周`,
  "i",
);
const SLOT = new RegExp(
  `\\bslots? ${NUMBER_PATTERN}(?:\\s*(?:-|–|to)\\s*\\d+)?\\b|第\\s*${NUMBER_PATTERN}(?:\\s*[-–到至]\\s*\\d+)?\\s*节`,
  "i",
);
const WEEKDAY =
  /\b(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?\b|(?:周|星期|礼拜)\s*([一二三四五六日天])/i;
const DAY_PART_PATTERNS = [
  ["morning", /\bmornings?\b|上午|早上|早晨/i],
  ["afternoon", /\bafternoons?\b|下午/i],
  ["evening", /\b(?:evenings?|nights?)\b|晚上|傍晚/i],
] as const;
const EARLIEST = /\b(?:earliest|first free|next free|as early as|as soon as|asap)\b|最早|尽快|尽早/i;
const ANYWHERE =
  /\b(?:any|anywhere|any ?time|some|somewhere|wherever|whenever|a free|free|lightest|quiet(?:er)?|lighter)\b|任意|随便|有空|空闲|轻松|都行|都可以/i;

/** The first match wins, because "the day after tomorrow" also contains "tomorrow". */
const FROM_TODAY = [
  [3, /大后天/],
  [2, /\b(?:the )?day after tomorrow\b|后天/i],
  [1, /\btomorrow\b|明[天日晚]/i],
  [0, /\b(?:today|tonight)\b|今[天日晚]/i],
  [-1, /\byesterday\b|昨[天日晚]/i],
] as const;

const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

const firstGroup = (match: RegExpExecArray | null): string | undefined =>
  match?.slice(1).find((part) => part !== undefined);

export function parseConstraint(text: string): PlaceConstraint {
  const [, english, chinese] = WEEKDAY.exec(text.replace(WEEK, " ")) ?? [];
  const weekday = english
    ? WEEKDAYS.indexOf(english.slice(0, 3).toLowerCase()) + 1
    : chinese
      ? CHINESE_DIGITS.indexOf(chinese) + 1 || 7
      : null;
  const earliest = EARLIEST.test(text);
  return {
    day: parseNumber(firstGroup(DAY.exec(text))),
    week: parseNumber(firstGroup(WEEK.exec(text))),
    weekday,
    from_today: FROM_TODAY.find(([, pattern]) => pattern.test(text))?.[0] ?? null,
    slot: parseNumber(firstGroup(SLOT.exec(text))),
    part: DAY_PART_PATTERNS.find(([, pattern]) => pattern.test(text))?.[0] ?? null,
    anywhere: earliest || ANYWHERE.test(text),
    earliest,
  };
}

/** The rest may name a task. */
export const withoutConstraint = (text: string): string => {
  let rest = text;
  for (const pattern of [SLOT, DAY, WEEK, WEEKDAY, ...DAY_PART_PATTERNS.map(([, part]) => part), DURATION]) {
    rest = rest.replace(new RegExp(pattern.source, "gi"), " ");
  }
  return rest;
};

const DURATION = new RegExp(
  `(?<!第\\s{0,2})(?<![-–到至]\\s{0,2})${NUMBER_PATTERN}\\s*(?:free\\s+)?(?:slots|节|个?空档)|\\b(?:one|1|a) (?:free )?slot\\b`,
  "i",
);

/** Reads "two slots" or "3节". */
export function parseDuration(text: string): number | null {
  const found = DURATION.exec(text.replace(SLOT, " "));
  return found ? (parseNumber(found[1]) ?? 1) : null;
}

export const hasConstraint = ({ day, week, weekday, slot, part, anywhere }: PlaceConstraint): boolean =>
  anywhere || [day, week, weekday, slot, part].some((one) => one !== null);

export const isOneDay = ({ day, week, weekday }: PlaceConstraint): boolean =>
  day !== null || (week !== null && weekday !== null);

/** A new day replaces the old day, but a new time of day keeps it. */
export function refine(before: PlaceConstraint, after: PlaceConstraint): PlaceConstraint {
  if (!hasConstraint(after) && after.from_today !== null)
    return { ...before, day: null, week: null, weekday: null, from_today: after.from_today };
  if (!hasConstraint(after)) return before;
  if (after.day !== null) return after;
  if (after.week !== null || after.weekday !== null) {
    return { ...after, week: after.week ?? before.week, weekday: after.weekday ?? before.weekday };
  }
  const { slot, part, anywhere, earliest } = after;
  return { ...before, slot, part, anywhere: anywhere || before.anywhere, earliest };
}
