// Compares the calendar after a dialogue with what the dialogue expects, and returns one line per difference.
import { fillDays, resolveDay } from "./days.ts";
import type { Added, Chosen, Expect } from "./suite.ts";

export type ListedEvent = {
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly all_day: boolean;
  readonly location: string | null;
};
export type Reminder = { readonly at: string; readonly text: string };
export type DialogueResult = {
  readonly before: readonly ListedEvent[];
  readonly after: readonly ListedEvent[];
  /** The reminders that were set, with local times in the time zone of the calendar. */
  readonly reminders: readonly Reminder[];
  readonly text: string;
};

type Entry = { title: string; date: string; time: string; location: string };

const entryOf = ({ title, start, end, all_day, location }: ListedEvent): Entry => ({
  title,
  date: start.slice(0, 10),
  time: all_day ? "all day" : `${start.slice(11, 16)}-${end.slice(11, 16)}`,
  location: location ?? "",
});
const lineOf = ({ title, date, time, location }: Entry): string =>
  `${date} ${time} ${title}${location ? ` (${location})` : ""}`;
const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
const spanOf = (time: string): readonly [number, number] => [minutesOf(time.slice(0, 5)), minutesOf(time.slice(6))];

/** Returns one line per difference. */
export function differences(expect: Expect, result: DialogueResult, today: string): string[] {
  const isChosen = (entry: Entry, { title, day, from }: Chosen): boolean =>
    entry.title === title &&
    (day === undefined || entry.date === resolveDay(day, today)) &&
    (from === undefined || entry.date >= resolveDay(from, today));
  const wanted = result.before
    .map(entryOf)
    .filter((entry) => !expect.removed.some((one) => isChosen(entry, one)))
    .map((entry) => {
      const retimed = expect.retimed.find((one) => isChosen(entry, one));
      const relocated = expect.relocated.find((one) => isChosen(entry, one));
      return {
        ...entry,
        ...(retimed ? { time: retimed.time } : {}),
        ...(retimed?.to ? { date: resolveDay(retimed.to, today) } : {}),
        ...(relocated ? { location: relocated.location } : {}),
      };
    });
  const left = result.after.map(entryOf);
  const missing = wanted.filter((entry) => !take(left, (one) => lineOf(one) === lineOf(entry)));
  const notAdded = expect.added.flatMap((added) =>
    Array.from({ length: added.count }, () => take(left, (one) => isAdded(one, added, today)))
      .filter((taken) => !taken)
      .map(() => `not created: ${added.title}`),
  );
  return [
    ...missing.map((entry) => `missing: ${lineOf(entry)}`),
    ...notAdded,
    ...left.map((entry) => `not expected: ${lineOf(entry)}`),
    ...reminderDifferences(expect, result.reminders, today),
    ...expect.says
      .filter((pattern) => !new RegExp(fillDays(pattern, today), "i").test(result.text))
      .map((pattern) => `does not say: ${pattern}`),
    ...expect.never_says
      .filter((pattern) => new RegExp(fillDays(pattern, today), "i").test(result.text))
      .map((pattern) => `says: ${pattern}`),
  ];
}

function take<T>(list: T[], matches: (one: T) => boolean): boolean {
  const index = list.findIndex(matches);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}

function isAdded(entry: Entry, added: Added, today: string): boolean {
  const [first, last] = typeof added.day === "string" ? [added.day, added.day] : added.day;
  if (!contains(entry.title, added.title)) return false;
  if (entry.date < resolveDay(first, today) || entry.date > resolveDay(last, today)) return false;
  if (added.all_day || entry.time === "all day") return added.all_day && entry.time === "all day";
  if (added.time !== undefined) return entry.time === added.time;
  const [start, end] = spanOf(entry.time);
  const [from, to] = spanOf(added.between ?? "00:00-24:00");
  return start >= from && end <= to && (added.minutes === undefined || end - start === added.minutes);
}

function reminderDifferences(expect: Expect, reminders: readonly Reminder[], today: string): string[] {
  const left = [...reminders];
  const missing = expect.reminders.filter(
    ({ day, clock, text }) =>
      !take(left, (one) => one.at === `${resolveDay(day, today)}T${clock}` && contains(one.text, text)),
  );
  return [
    ...missing.map(({ day, clock, text }) => `no reminder: ${resolveDay(day, today)} ${clock} ${text}`),
    ...left.map(({ at, text }) => `reminder not expected: ${at} ${text}`),
  ];
}
