// Computes overlap, load and free ranges of a day. It changes nothing; the rules for sharing are in fit.ts.
import { type Calendar, contains, type Position, SLOTS_PER_DAY, type Task } from "./schema/calendar.ts";

export type SlotRange = { readonly slot_start: number; readonly slot_end: number };
export type Occupant = { readonly task: Task; readonly position: Position };
export type DayLoad = { readonly total: number; readonly courses: number; readonly tasks: number };

export const slotNumbers: readonly number[] = Array.from({ length: SLOTS_PER_DAY }, (_, index) => index + 1);

export const slotsOf = ({ slot_start, slot_end }: SlotRange): readonly number[] =>
  slotNumbers.slice(slot_start - 1, slot_end);

export const slotCount = (range: SlotRange): number => range.slot_end - range.slot_start + 1;

export const positionAt = (day: number, slot_start: number, duration: number): Position => ({
  day,
  slot_start,
  slot_end: slot_start + duration - 1,
});

export const totalLength = (slots: readonly Position[]): number => slots.reduce((sum, one) => sum + slotCount(one), 0);

export const overlaps = (a: Position, b: Position): boolean =>
  a.day === b.day && a.slot_start <= b.slot_end && b.slot_start <= a.slot_end;

export const samePosition = (a: Position, b: Position): boolean =>
  a.day === b.day && a.slot_start === b.slot_start && a.slot_end === b.slot_end;

export const sameSlots = (a: readonly Position[], b: readonly Position[]): boolean =>
  a.length === b.length &&
  a.every((one, index) => samePosition(one, b[index] ?? { day: 0, slot_start: 0, slot_end: 0 }));

export const comparePositions = (a: Position, b: Position): number => a.day - b.day || a.slot_start - b.slot_start;

export const findTask = (calendar: Calendar, id: number): Task | undefined =>
  calendar.tasks.find((task) => task.state_id === id);

export const isCourse = (task: Task): boolean => task.event_type === "course";

export const isCalendarDay = (calendar: Calendar, day: number): boolean => day >= 1 && day <= calendar.total_days;

/** All tasks on a day, sorted by start. A host comes before its guest. */
export function occupantsOn(tasks: readonly Task[], day: number): Occupant[] {
  return tasks
    .flatMap((task) => task.slots.filter((one) => one.day === day).map((position) => ({ task, position })))
    .sort(
      (a, b) =>
        comparePositions(a.position, b.position) ||
        Number(b.task.can_embed) - Number(a.task.can_embed) ||
        a.task.state_id - b.task.state_id,
    );
}

export const occupantsAt = (tasks: readonly Task[], position: Position): Task[] =>
  tasks.filter((task) => task.slots.some((one) => overlaps(one, position)));

/** Each position of a host has room for one task. */
export const guestsOf = (tasks: readonly Task[], host: Task): Task[] =>
  host.can_embed ? tasks.filter((task) => task.embed_host === host.state_id) : [];

export const guestAt = (tasks: readonly Task[], host: Task, position: Position): Task | undefined =>
  guestsOf(tasks, host).find((guest) => guest.slots.some((one) => contains(position, one)));

/** Sets `embedded_by` of each host to the guest with the lowest number that has it as `embed_host`. */
export function linkGuests(tasks: readonly Task[]): Task[] {
  const first = new Map<number, number>();
  for (const { embed_host, state_id } of tasks)
    if (embed_host !== null) first.set(embed_host, Math.min(state_id, first.get(embed_host) ?? state_id));
  return tasks.map((task) => {
    const embedded_by = first.get(task.state_id) ?? null;
    return task.embedded_by === embedded_by ? task : { ...task, embedded_by };
  });
}

/** Counts each used slot once, because guests share the slots of their host and entries can overlap. */
export function loadOf(tasks: readonly Task[], day: number): DayLoad {
  const used = new Set<number>();
  const byCourses = new Set<number>();
  for (const { task, position } of occupantsOn(tasks, day)) {
    for (const slot of slotsOf(position)) {
      used.add(slot);
      if (isCourse(task)) byCourses.add(slot);
    }
  }
  return { total: used.size, courses: byCourses.size, tasks: used.size - byCourses.size };
}

export function freeRanges(
  tasks: readonly Task[],
  day: number,
  allowed: (slot: number) => boolean = () => true,
): SlotRange[] {
  const taken = new Set(occupantsOn(tasks, day).flatMap(({ position }) => slotsOf(position)));
  return slotRuns((slot) => !taken.has(slot) && allowed(slot));
}

/** The contiguous ranges of slots that pass the predicate. */
export function slotRuns(passes: (slot: number) => boolean): SlotRange[] {
  const found: SlotRange[] = [];
  let start: number | null = null;
  for (const slot of slotNumbers) {
    if (passes(slot)) {
      start ??= slot;
      if (slot === SLOTS_PER_DAY) found.push({ slot_start: start, slot_end: slot });
      continue;
    }
    if (start !== null) found.push({ slot_start: start, slot_end: slot - 1 });
    start = null;
  }
  return found;
}
