// Measures a calendar: imbalance, overlaps, and violations of class rules.
import { loadOf, overlaps, slotsOf } from "../occupancy.ts";
import { type Calendar, contains, type Position, type Task } from "../schema/calendar.ts";

/** The population standard deviation in slots, which is 0 if all days have the same load. */
export function deviation(loads: readonly number[]): number {
  if (loads.length === 0) return 0;
  const mean = loads.reduce((sum, one) => sum + one, 0) / loads.length;
  return Math.sqrt(loads.reduce((sum, one) => sum + (one - mean) ** 2, 0) / loads.length);
}

export const imbalance = (calendar: Calendar, days: readonly number[]): number =>
  deviation(days.map((day) => loadOf(calendar.tasks, day).total));

export const roundToHundredths = (value: number): number => Math.round(value * 100) / 100;

export type Overlap = { readonly a: Task; readonly b: Task; readonly day: number };

/** A guest inside its host is sharing, and every other overlap is a conflict. */
export function overlapsOf(calendar: Calendar): { conflicts: Overlap[]; shared: Overlap[] } {
  const conflicts: Overlap[] = [];
  const shared: Overlap[] = [];
  for (const [index, a] of calendar.tasks.entries()) {
    for (const b of calendar.tasks.slice(index + 1)) {
      const where = a.slots.find((one) => b.slots.some((other) => overlaps(one, other)));
      if (!where) continue;
      const list = isSharing(a, b) || isSharing(b, a) ? shared : conflicts;
      list.push({ a, b, day: where.day });
    }
  }
  return { conflicts, shared };
}

function isSharing(host: Task, guest: Task): boolean {
  const linked = host.can_embed && guest.embed_host === host.state_id;
  const [only, ...more] = guest.slots;
  return linked && more.length === 0 && only !== undefined && host.slots.some((one) => contains(one, only));
}

/** Rules of a class guide searches, but the user may override them. */
export function ruleViolation(calendar: Calendar, task: Task, position: Position): string | null {
  const rules = calendar.classes.find((one) => one.id === task.task_class);
  if (!rules) return null;
  const excluded = slotsOf(position).filter((slot) => rules.excluded_slots.includes(slot));
  if (excluded.length > 0) return `class ${rules.name} leaves out slot ${excluded.join(", ")}`;
  const { day_start, day_end } = rules;
  if (position.day >= (day_start ?? 1) && position.day <= (day_end ?? position.day)) return null;
  return `class ${rules.name} runs from day ${day_start ?? 1} to day ${day_end ?? calendar.total_days}`;
}
