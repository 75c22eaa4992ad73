// Resolves the days in dialogue files, which are relative to the day of the run. For example, `+1` is tomorrow, and
// `week2 mon` is the Monday of the week after next.
const MS_PER_DAY = 86_400_000;
const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export const DAY_PATTERN = /^(?:\+\d{1,2}|(?:next|week[2-9]) (?:mon|tue|wed|thu|fri|sat|sun))$/;

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * MS_PER_DAY).toISOString().slice(0, 10);

export const dateIn = (zone: string, now: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(now);

export function resolveDay(day: string, today: string): string {
  if (day.startsWith("+")) return addDays(today, Number(day.slice(1)));
  const [week = "", weekday = ""] = day.split(" ");
  const monday = addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7));
  const weeks = week === "next" ? 1 : Number(week.slice(4));
  return addDays(monday, weeks * 7 + WEEKDAYS.indexOf(weekday));
}

/** Replaces placeholders such as `{next tue}` by dates. */
export const fillDays = (text: string, today: string): string =>
  text.replace(/\{([^{}]+)\}/g, (whole, day: string) => (DAY_PATTERN.test(day) ? resolveDay(day, today) : whole));
