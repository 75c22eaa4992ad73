// Computes when a cron expression is due around a change of the clocks, without the code under test. Every minute that
// passes is looked up in the tables of the platform, one after another.

export type Wall = {
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
};

export type Rule = { readonly expression: string; readonly everyHour: boolean; readonly is: (wall: Wall) => boolean };

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

/** Returns the minutes that the zone's clocks are ahead of UTC, from the format of `longOffset`. */
export function minutesAhead(format: Intl.DateTimeFormat, ms: number): number {
  const name = format.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign = "+", hours = "0", minutes = "0"] = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

export const offsetFormat = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });

export type Change = { readonly at: number; readonly before: number; readonly behind: number };

/** Returns every change of the clocks between two instants. Clocks change only on a quarter hour. */
export function changesOf(zone: string, from: number, to: number): readonly Change[] {
  const format = offsetFormat(zone);
  const changes: Change[] = [];
  // The step is shorter than the time between any two changes of a zone.
  const step = 7 * 24 * 60 * MINUTE;
  let before = minutesAhead(format, from);
  for (let week = from; week < to; week += step) {
    const behind = minutesAhead(format, week + step);
    if (before === behind) continue;
    let at = week;
    while (minutesAhead(format, at) === before) at += QUARTER;
    changes.push({ at, before, behind });
    before = behind;
  }
  return changes;
}

type Minute = { readonly at: number; readonly wall: Wall; readonly again: boolean; readonly skipped: boolean };

/** Returns the due times within a day and a half before and after a change, in order. */
export const dueAround = (change: Change, rule: Rule): readonly number[] => dueIn(minutesAround(change), rule);

/** Returns the due times of a rule. The minutes do not depend on the rule, so several rules can share them. */
export const dueIn = (minutes: readonly Minute[], { is, everyHour }: Rule): readonly number[] => {
  const due = minutes.filter(({ wall, again, skipped }) => is(wall) && (everyHour ? !skipped : !again));
  return [...new Set(due.map(({ at }) => at))].sort((a, b) => a - b);
};

export function minutesAround({ at, before, behind }: Change): readonly Minute[] {
  const reach = 36 * 60 * MINUTE;
  const minutes: Minute[] = [];
  const seen = new Set<number>();
  for (let ms = at - reach; ms < at + reach; ms += MINUTE) {
    const wall = ms + (ms < at ? before : behind) * MINUTE;
    minutes.push({ at: ms, wall: readWall(wall), again: seen.has(wall), skipped: false });
    seen.add(wall);
  }
  // Times that the clocks jumped over count as the instant of the change.
  for (let wall = at + before * MINUTE; wall < at + behind * MINUTE; wall += MINUTE)
    minutes.push({ at, wall: readWall(wall), again: false, skipped: true });
  return minutes;
}

function readWall(wall: number): Wall {
  const date = new Date(wall);
  return {
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}

const rule = (expression: string, is: Rule["is"], everyHour = false): Rule => ({ expression, is, everyHour });

export const RULES: readonly Rule[] = [
  rule("30 2,14 * * *", ({ hour, minute }) => minute === 30 && (hour === 2 || hour === 14)),
  rule("30 2 * * *", ({ hour, minute }) => minute === 30 && hour === 2),
  rule("0 0 * * *", ({ hour, minute }) => minute === 0 && hour === 0),
  rule("15 0,1,2,3,23 * * *", ({ hour, minute }) => minute === 15 && (hour < 4 || hour === 23)),
  rule("*/20 0-3 * * *", ({ hour, minute }) => minute % 20 === 0 && hour < 4),
  rule("45 */2 * * *", ({ hour, minute }) => minute === 45 && hour % 2 === 0),
  rule("10 1-23 * * *", ({ hour, minute }) => minute === 10 && hour > 0),
  rule("0 30 1 * * *", ({ hour, minute }) => minute === 30 && hour === 1),
  rule("30 1 * * 0", ({ hour, minute, weekday }) => minute === 30 && hour === 1 && weekday === 0),
  rule("30 23 * 3,10 *", ({ hour, minute, month }) => minute === 30 && hour === 23 && (month === 3 || month === 10)),
  rule("59 23 31 * *", ({ hour, minute, day }) => minute === 59 && hour === 23 && day === 31),
  rule("0 * * * *", ({ minute }) => minute === 0, true),
  rule("*/15 * * * *", ({ minute }) => minute % 15 === 0, true),
  rule("30 0-23 * * *", ({ minute }) => minute === 30, true),
  rule("5 */1 * * *", ({ minute }) => minute === 5, true),
  rule("40 0-11,12-23 * * *", ({ minute }) => minute === 40, true),
];
