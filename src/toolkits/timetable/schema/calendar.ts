// Defines the schema of a calendar document: days of twelve slots, tasks, and the data needed to replay or undo a
// change.
import * as z from "zod";

export const SLOTS_PER_DAY = 12;
/** The number of effect ids that a document keeps. A call resent after more writes than this is not recognized. */
export const APPLIED_EFFECTS_MAX = 64;

const Slot = z.int().min(1).max(SLOTS_PER_DAY);
const StateId = z.int().min(1);

export const Position = z
  .object({ day: z.int().min(1), slot_start: Slot, slot_end: Slot })
  .refine((p) => p.slot_start <= p.slot_end, "slot_end lies before slot_start");
export type Position = z.infer<typeof Position>;

export const contains = (outer: Position, inner: Position): boolean =>
  outer.day === inner.day && outer.slot_start <= inner.slot_start && inner.slot_end <= outer.slot_end;

/** A day of the calendar. Weekday 1 is Monday, and 7 is Sunday. */
export const CalendarDay = z.object({ day: z.int().min(1), week: z.int().min(1), weekday: z.int().min(1).max(7) });
export type CalendarDay = z.infer<typeof CalendarDay>;

/** The status of a task: a fixed entry (existing), scheduled and movable (suggested), or not scheduled yet (pending). */
export const TaskStatus = z.enum(["existing", "suggested", "pending"]);
export type TaskStatus = z.infer<typeof TaskStatus>;

export const Task = z.object({
  state_id: StateId,
  name: z.string().min(1).max(200),
  category: z.string().min(1).max(80).nullable(),
  status: TaskStatus,
  /** The kind of record that the task comes from. The model never sees it. */
  source: z.enum(["event", "task_item"]),
  /** The id of that record in its system. The model never sees it. */
  source_id: z.string().max(200).nullable(),
  event_type: z.enum(["course", "task"]).nullable(),
  locked: z.boolean(),
  /** True for a host, which can embed one other task in each of its positions. */
  can_embed: z.boolean(),
  embedded_by: StateId.nullable(),
  embed_host: StateId.nullable(),
  slots: z.array(Position),
  /** The number of slots that the task needs. For a scheduled task, it is the total length of its positions. */
  duration: z.int().min(1),
  task_class: z.int().min(1).nullable(),
});
export type Task = z.infer<typeof Task>;

export const TaskClass = z.object({
  id: z.int().min(1),
  name: z.string().min(1).max(80),
  strategy: z.enum(["steady", "rapid"]),
  total_slots: z.int().min(1).nullable(),
  allow_embed: z.boolean(),
  /** The slots of a day that tasks of the class should avoid. */
  excluded_slots: z.array(Slot),
  day_start: z.int().min(1).nullable(),
  day_end: z.int().min(1).nullable(),
});
export type TaskClass = z.infer<typeof TaskClass>;

/** The positions of a task before and after a change; an empty list means "pending". */
export const TaskChange = z.object({
  task_id: StateId,
  name: z.string(),
  from: z.array(Position),
  to: z.array(Position),
});
export type TaskChange = z.infer<typeof TaskChange>;

/** An applied write. A repeated request with the same id changes nothing and returns the same result. */
export const AppliedEffect = z.object({
  effect_id: z.string().min(1),
  tool: z.string().min(1),
  text: z.string(),
  changes: z.array(TaskChange),
});
export type AppliedEffect = z.infer<typeof AppliedEffect>;

/** All fields of a task that a write can change. */
export const Placement = Task.pick({
  state_id: true,
  status: true,
  slots: true,
  duration: true,
  embedded_by: true,
  embed_host: true,
});
export type Placement = z.infer<typeof Placement>;

const Document = z.object({
  /** The number of saves, counted by the store, which is 0 before the first. */
  version: z.int().min(0),
  total_days: z.int().min(1).max(366),
  /** The date of day 1 (YYYY-MM-DD), or null for a timetable without dates. */
  starts_on: z.iso.date().nullable(),
  days: z.array(CalendarDay),
  tasks: z.array(Task),
  classes: z.array(TaskClass),
  /** True if third parties wrote names in the calendar, as in invitations. Tool output about it is then untrusted. */
  outside: z.boolean().default(false),
  applied_effects: z.array(AppliedEffect).max(APPLIED_EFFECTS_MAX),
  /** The earlier placements of the tasks that the last change affected, or null if there is nothing to undo. */
  previous: z.object({ what: z.string(), placements: z.array(Placement) }).nullable(),
});
export type Calendar = z.infer<typeof Document>;

export const Calendar = Document.superRefine((calendar, ctx) => {
  for (const message of consistencyIssues(calendar)) ctx.addIssue({ code: "custom", message });
});

/** Overlaps are not errors: real calendars have them, and `evaluate` reports them. */
function consistencyIssues(calendar: Calendar): string[] {
  const issues: string[] = [];
  const tasks = new Map(calendar.tasks.map((task) => [task.state_id, task]));
  const classes = new Set(calendar.classes.map((one) => one.id));
  if (calendar.days.length !== calendar.total_days || calendar.days.some((one, index) => one.day !== index + 1))
    issues.push(`days: must list day 1 to day ${calendar.total_days} in order`);
  if (tasks.size !== calendar.tasks.length) issues.push("tasks: a state_id occurs twice");
  if (classes.size !== calendar.classes.length) issues.push("classes: an id occurs twice");
  for (const task of calendar.tasks) {
    const name = `task ${task.state_id}`;
    if ((task.status === "pending") !== (task.slots.length === 0))
      issues.push(`${name}: only a pending task has no slots`);
    if (task.slots.some((p) => p.day > calendar.total_days)) issues.push(`${name}: lies after the last day`);
    if (task.task_class !== null && !classes.has(task.task_class)) issues.push(`${name}: unknown task_class`);
    issues.push(...linkIssues(task, tasks).map((issue) => `${name}: ${issue}`));
  }
  return issues;
}

function linkIssues(task: Task, tasks: ReadonlyMap<number, Task>): string[] {
  const issues: string[] = [];
  if (task.can_embed && task.embed_host !== null) issues.push("a host cannot be a guest");
  if (task.embedded_by !== null) {
    if (!task.can_embed) issues.push("has a guest but is no host");
    if (tasks.get(task.embedded_by)?.embed_host !== task.state_id) issues.push("its guest does not name it as host");
  }
  if (task.embed_host === null) return issues;
  const host = tasks.get(task.embed_host);
  if (host?.can_embed !== true || host.embedded_by === null) issues.push("its host does not name a guest");
  const [only, ...more] = task.slots;
  const inside = only !== undefined && more.length === 0 && host?.slots.some((one) => contains(one, only));
  if (!inside) issues.push("does not lie inside its host");
  if (only && sharesPosition(task, only, tasks)) issues.push("another task lies in the same position of its host");
  return issues;
}

/** True if another guest of the same host lies in the same position. */
function sharesPosition(task: Task, at: Position, tasks: ReadonlyMap<number, Task>): boolean {
  const position = tasks.get(task.embed_host ?? 0)?.slots.find((one) => contains(one, at));
  if (!position) return false;
  const guests = [...tasks.values()].filter((other) => other !== task && other.embed_host === task.embed_host);
  return guests.some((other) => other.slots.some((one) => contains(position, one)));
}
