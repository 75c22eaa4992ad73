// Creates a valid calendar from a draft: applies defaults and converts old formats. All new documents are created here.
import { fail, ok, type Result } from "../../schema/problem.ts";
import { calendarLine } from "../../tools/ical/calendar-line.ts";
import { dayMapping, dayNumber, weekdayOf } from "./dates.ts";
import { comparePositions, linkGuests, totalLength } from "./occupancy.ts";
import { Calendar, type CalendarDay, type Position, type Task, type TaskClass } from "./schema/calendar.ts";

const DEFAULT_DURATION = 2;

export type TaskDraft = Partial<Omit<Task, "name" | "slots">> & {
  readonly name: string;
  readonly slots?: readonly Position[];
};
export type CalendarDraft = {
  readonly total_days: number;
  readonly starts_on?: string | null;
  /** The weekday of day 1 for a calendar without dates, by default Monday. */
  readonly first_weekday?: number;
  readonly days?: readonly CalendarDay[];
  readonly tasks: readonly TaskDraft[];
  readonly classes?: readonly TaskClass[];
  /** The classes to include. Pending tasks of other classes are dropped, and scheduled ones are kept. */
  readonly scope?: readonly number[];
  /** True if the calendar's names come from third parties. */
  readonly outside?: boolean;
};

export function createCalendar(draft: CalendarDraft): Result<Calendar> {
  const starts_on = draft.starts_on ?? null;
  const first = starts_on === null ? (draft.first_weekday ?? 1) : weekdayOf(dayNumber(starts_on));
  const inScope = draft.tasks.filter((task) => isPlaced(task) || !draft.scope || isInScope(draft.scope, task));
  const classes = [...(draft.classes ?? [])];
  const tasks = linkGuests(withIds(inScope).map((task) => withDefaults(task, durationFor(task, classes, inScope))));
  const parsed = Calendar.safeParse({
    version: 0,
    total_days: draft.total_days,
    starts_on,
    days: draft.days ?? dayMapping(draft.total_days, first),
    tasks,
    classes,
    outside: draft.outside ?? false,
    applied_effects: [],
    previous: null,
  });
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  return fail("calendar_invalid", `The calendar is not valid. ${where}${issue?.message}`);
}

const isPlaced = (task: TaskDraft): boolean => (task.slots ?? []).length > 0;
const isInScope = (scope: readonly number[], task: TaskDraft): boolean =>
  task.task_class != null && scope.includes(task.task_class);

function withIds(tasks: readonly TaskDraft[]): (TaskDraft & { state_id: number })[] {
  let last = Math.max(0, ...tasks.flatMap((task) => task.state_id ?? []));
  return tasks.map((task) => ({ ...task, state_id: task.state_id ?? ++last }));
}

/** The length of a scheduled task, the given duration, or an equal share of the budget of the task's class. */
function durationFor(task: TaskDraft, classes: readonly TaskClass[], all: readonly TaskDraft[]): number {
  if (isPlaced(task)) return totalLength(task.slots ?? []);
  if (task.duration !== undefined && task.duration > 0) return task.duration;
  const budget = classes.find((one) => one.id === task.task_class)?.total_slots ?? null;
  if (budget === null) return DEFAULT_DURATION;
  const items = all.filter((one) => one.task_class === task.task_class).length;
  return Math.max(1, Math.floor(budget / items));
}

function withDefaults(task: TaskDraft & { state_id: number }, duration: number): Task {
  const source = task.source ?? (isPlaced(task) && (task.status ?? "existing") === "existing" ? "event" : "task_item");
  const event_type = task.event_type ?? null;
  const can_embed = task.can_embed ?? false;
  return {
    state_id: task.state_id,
    name: calendarLine(task.name, 200) || "untitled",
    category: task.category == null ? null : calendarLine(task.category, 80) || "untitled",
    status: statusOf(task, source),
    source,
    source_id: task.source_id ?? null,
    event_type,
    locked: task.locked ?? (event_type === "course" && !can_embed),
    can_embed,
    embedded_by: null,
    embed_host: task.embed_host ?? null,
    slots: [...(task.slots ?? [])].sort(comparePositions),
    duration,
    task_class: task.task_class ?? null,
  };
}

/** Scheduled tasks are suggested if they come from a task list, or if older data has them as "pending". */
function statusOf(task: TaskDraft, source: Task["source"]): Task["status"] {
  if (!isPlaced(task)) return "pending";
  if (source === "task_item" || task.status === "pending") return "suggested";
  return task.status ?? "existing";
}
