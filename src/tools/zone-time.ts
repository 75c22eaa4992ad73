// Dates and times in a zone, with nothing but Intl: wall clock to instant and back, and counting by the calendar.

export type WallTime = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
};

export const isTimeZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
};

const formatOf = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });

export function wallTime(ms: number, zone: string): WallTime {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

const asUtc = ({ year, month, day, hour, minute, second }: WallTime): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  return date.getTime();
};

/** How far the zone's clocks are ahead of UTC at that instant, in ms. */
export const offsetAt = (ms: number, zone: string): number => asUtc(wallTime(ms, zone)) - Math.floor(ms / 1000) * 1000;

/** The instant of a wall time. Of one that comes twice the first; one that is skipped is moved on by the gap. */
export function instantOf(wall: WallTime, zone: string): number {
  const local = asUtc(wall);
  const before = offsetAt(local - 86_400_000, zone);
  const after = offsetAt(local + 86_400_000, zone);
  const candidates = [local - before, local - after].sort((a, b) => a - b);
  return candidates.find((ms) => asUtc(wallTime(ms, zone)) === local) ?? local - before;
}

export type CalendarDuration = {
  readonly years?: number | undefined;
  readonly months?: number | undefined;
  readonly weeks?: number | undefined;
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
};

/** Years to days are counted by the calendar of the zone, hours and minutes by the clock. The 31st becomes the last of a month. */
export function addDuration(ms: number, span: CalendarDuration, zone: string): number {
  const wall = wallTime(ms, zone);
  const months = wall.year * 12 + (wall.month - 1) + (span.years ?? 0) * 12 + (span.months ?? 0);
  const year = Math.floor(months / 12);
  const month = (((months % 12) + 12) % 12) + 1;
  const day = Math.min(wall.day, daysIn(year, month)) + (span.weeks ?? 0) * 7 + (span.days ?? 0);
  const byCalendar = span.years || span.months || span.weeks || span.days;
  const moved = byCalendar ? instantOf(wallTime(asUtc({ ...wall, year, month, day }), "UTC"), zone) + (ms % 1000) : ms;
  return moved + (span.hours ?? 0) * 3_600_000 + (span.minutes ?? 0) * 60_000;
}

const daysIn = (year: number, month: number): number =>
  wallTime(asUtc({ year, month: month + 1, day: 0, hour: 0, minute: 0, second: 0 }), "UTC").day;

/** `2026-03-29 14:30` in the zone, or a date alone (midnight), or an instant that names its own offset; null if none of these. */
export function parseTime(text: string, zone: string): number | null {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
      text.trim(),
    );
  if (!match) return null;
  const [, y, mo, d, h = "0", mi = "0", s = "0", offset] = match;
  const wall = {
    year: Number(y),
    month: Number(mo),
    day: Number(d),
    hour: Number(h),
    minute: Number(mi),
    second: Number(s),
  };
  const local = asUtc(wall);
  const roundTrip = wallTime(local, "UTC");
  // 30 February and 25 o'clock would come out as another day.
  if (Object.entries(wall).some(([part, value]) => roundTrip[part as keyof WallTime] !== value)) return null;
  if (offset === undefined) return instantOf(wall, zone);
  return local - offsetOf(offset);
}

const offsetOf = (text: string): number => {
  if (text === "Z") return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return (text.startsWith("-") ? -1 : 1) * minutes * 60_000;
};

const padTwo = (n: number): string => String(n).padStart(2, "0");
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** `Sunday 2026-03-29 14:30:00 Europe/Berlin (UTC+02:00)`. */
export function formatTime(ms: number, zone: string): string {
  const { year, month, day, hour, minute, second } = wallTime(ms, zone);
  const offset = Math.round(offsetAt(ms, zone) / 60_000);
  const sign = offset < 0 ? "-" : "+";
  const offsetText = `${sign}${padTwo(Math.floor(Math.abs(offset) / 60))}:${padTwo(Math.abs(offset) % 60)}`;
  const weekday = DAYS[new Date(ms + offset * 60_000).getUTCDay()] ?? "";
  return `${weekday} ${String(year).padStart(4, "0")}-${padTwo(month)}-${padTwo(day)} ${padTwo(hour)}:${padTwo(minute)}:${padTwo(second)} ${zone} (UTC${offsetText})`;
}
