// Wall clock and instant in a named time zone, by the tables of Intl. Reads no clock: every instant is an argument.

const MS_PER_MINUTE = 60_000;
const MINUTES_PER_DAY = 1440;

/** A moment as people read it: a day number (days since 1970-01-01) and the minute of that day. */
export type LocalTime = { readonly day: number; readonly minute: number };

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  formats.set(zone, made);
  return made;
}

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

export const localTimeOf = (minutes: number): LocalTime => {
  const day = Math.floor(minutes / MINUTES_PER_DAY);
  return { day, minute: minutes - day * MINUTES_PER_DAY };
};

export const minutesOf = (localTime: LocalTime): number => localTime.day * MINUTES_PER_DAY + localTime.minute;

/** What a clock in the zone shows at an instant. */
export function localTimeIn(zone: string, instantMs: number): LocalTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instantMs)
      .map((part) => [part.type, part.value]),
  );
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type) ?? 0);
  const midnight = Date.UTC(number("year"), number("month") - 1, number("day"));
  return {
    day: Math.round(midnight / (MINUTES_PER_DAY * MS_PER_MINUTE)),
    minute: number("hour") * 60 + number("minute"),
  };
}

/** The instant at which a clock in the zone shows this; in the hour a spring change leaves out, the hour after. */
export function instantIn(zone: string, localTime: LocalTime): number {
  const asUtc = minutesOf(localTime);
  const offsetAt = (minutes: number) => minutesOf(localTimeIn(zone, minutes * MS_PER_MINUTE)) - minutes;
  const first = asUtc - offsetAt(asUtc);
  // The offset at the first guess may be that of the other side of a change: look once more from there.
  return (asUtc - offsetAt(first)) * MS_PER_MINUTE;
}
