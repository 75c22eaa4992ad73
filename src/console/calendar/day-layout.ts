// Places the events of one day on a time scale, in minutes from midnight, and side by side where they overlap.
import type { EventView } from "./calendar-api.ts";

const MINUTES_PER_DAY = 1440;
/** The minimum length of a drawn event, so that its title can be read. */
const SHOWN_MIN = 30;
export const GRID_MIN = 15;

export type PlacedEvent = {
  readonly event: EventView;
  readonly from: number;
  readonly to: number;
  readonly lane: number;
  readonly lanes: number;
};

export const dateOf = (time: string): string => time.slice(0, 10);
export const clockOf = (time: string): string => time.slice(11, 16);
const minuteOf = (time: string): number => Number(time.slice(11, 13)) * 60 + Number(time.slice(14, 16));

export const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the Monday of the week of a date. */
export const weekStart = (date: string): string =>
  addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));

export const dateIn = (zone: string, now: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(now);

/** Returns the all-day events and the deadlines of a date. */
export const allDayEvents = (events: readonly EventView[], date: string): EventView[] =>
  events.filter(
    (event) =>
      event.all_day && dateOf(event.start) <= date && (date < dateOf(event.end) || date === dateOf(event.start)),
  );

/** Places the timed events of a day. An event that began earlier or ends later is cut off at midnight. */
export function placeEvents(events: readonly EventView[], date: string): PlacedEvent[] {
  const timed = events
    .filter((event) => !event.all_day && dateOf(event.start) <= date && date <= dateOf(event.end))
    .map((event) => {
      const from = dateOf(event.start) < date ? 0 : minuteOf(event.start);
      const end = dateOf(event.end) > date ? MINUTES_PER_DAY : minuteOf(event.end);
      return { event, from, to: Math.min(MINUTES_PER_DAY, Math.max(end, from + SHOWN_MIN)), end };
    })
    .filter(({ event, end }) => end > 0 || dateOf(event.start) === date)
    .sort((a, b) => a.from - b.from || b.to - a.to);
  const placed: PlacedEvent[] = [];
  let group: { event: EventView; from: number; to: number; lane: number }[] = [];
  let groupEnd = 0;
  const close = (): void => {
    const lanes = Math.max(0, ...group.map(({ lane }) => lane + 1));
    placed.push(...group.map((one) => ({ ...one, lanes })));
    group = [];
  };
  for (const { event, from, to } of timed) {
    if (from >= groupEnd) close();
    const taken = new Set(group.filter((one) => one.to > from).map(({ lane }) => lane));
    let lane = 0;
    while (taken.has(lane)) lane += 1;
    group.push({ event, from, to, lane });
    groupEnd = Math.max(groupEnd, to);
  }
  close();
  return placed;
}

/** Returns the first hour to show and the hour after the last, with an hour around all timed events, at least six. */
export function shownHours(events: readonly EventView[], days: readonly string[]): readonly [number, number] {
  const placed = days.flatMap((date) => placeEvents(events, date));
  if (placed.length === 0) return [8, 18];
  const first = Math.max(0, Math.floor(Math.min(...placed.map(({ from }) => from)) / 60) - 1);
  const last = Math.min(24, Math.ceil(Math.max(...placed.map(({ to }) => to)) / 60) + 1);
  return [Math.min(first, 18), Math.max(last, Math.min(first, 18) + 6)];
}

/** Returns the start of an event after a drag, on the grid and within the day. */
export function draggedStart({ from, to }: Pick<PlacedEvent, "from" | "to">, minutes: number): number {
  const start = Math.round((from + minutes) / GRID_MIN) * GRID_MIN;
  return Math.min(Math.max(0, start), MINUTES_PER_DAY - Math.min(to - from, MINUTES_PER_DAY));
}

/** The size and position of an event in a column that starts at the hour `first`, with `gap` pixels to the next event. */
export const blockStyle = ({ from, to, lane, lanes }: PlacedEvent, hourPx: number, first: number, gap: number) => ({
  top: `${(from / 60 - first) * hourPx}px`,
  height: `${((to - from) / 60) * hourPx - gap}px`,
  left: `${(lane / lanes) * 100}%`,
  width: `${100 / lanes}%`,
});

export const blockKind = ({ type, busy }: EventView): string =>
  type === "todo" ? "block-due" : busy ? "" : "block-free";
