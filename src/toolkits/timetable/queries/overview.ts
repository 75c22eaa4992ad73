// Implements get_overview, which shows the whole calendar without truncation. It counts courses and lists all other
// tasks.
import { argumentSchema } from "../arguments.ts";
import { dateOfDay } from "../dates.ts";
import { datedName, loadText, plural, positionsText, slotRangeText, taskLabel } from "../format.ts";
import { isCourse, loadOf, occupantsOn } from "../occupancy.ts";
import { type CalendarResult, succeed } from "../result.ts";
import { type Calendar, SLOTS_PER_DAY, type Task, type TaskClass } from "../schema/calendar.ts";
import { hourlySlots } from "../slot-times.ts";

export const overviewArguments = argumentSchema({});

export function getOverview(calendar: Calendar): CalendarResult {
  const days = calendar.days.map(({ day, week, weekday }) => {
    return { day, week, weekday, date: dateOfDay(calendar, day), ...loadOf(calendar.tasks, day) };
  });
  const slots = calendar.total_days * SLOTS_PER_DAY;
  const used = days.reduce((sum, one) => sum + one.total, 0);
  const tasks = calendar.tasks.filter((task) => !isCourse(task)).sort((a, b) => a.state_id - b.state_id);
  const courses = calendar.tasks.length - tasks.length;
  const counts = { existing: 0, suggested: 0, pending: 0 };
  for (const task of tasks) counts[task.status] += 1;

  const text = [
    `${plural(calendar.total_days, "day")} of ${SLOTS_PER_DAY} slots: ${slots} slots, ${used} in use, ${slots - used} free.`,
    `${plural(courses, "course")}; tasks: ${counts.existing} existing, ${counts.suggested} suggested, ${counts.pending} pending.`,
    "Days:",
    ...days.map(({ day }) => dayLine(calendar, day)),
    "Tasks:",
    ...(tasks.length > 0 ? tasks.map((task) => taskLine(calendar, task)) : ["- none"]),
    ...(calendar.classes.length > 0 ? ["Classes:", ...calendar.classes.map(classLine)] : []),
    `Times of the slots: ${hourlySlots.map(({ start }, n) => `${n + 1} from ${start}`).join(", ")}, each an hour.`,
  ].join("\n");
  return succeed(calendar, text, {
    total_days: calendar.total_days,
    slots,
    used,
    free: slots - used,
    courses,
    tasks: counts,
    days,
    pending: tasks.filter((task) => task.status === "pending").map((task) => task.state_id),
  });
}

function dayLine(calendar: Calendar, day: number): string {
  const tasks = occupantsOn(calendar.tasks, day)
    .filter(({ task }) => !isCourse(task))
    .map(({ task, position }) => `${taskLabel(task)} (${task.status}, ${slotRangeText(position)})`);
  return `- ${datedName(calendar, day)}: ${loadText(calendar, day)}; tasks: ${tasks.join("; ") || "none"}`;
}

function taskLine(calendar: Calendar, task: Task): string {
  const where =
    task.status === "pending" ? `needs ${plural(task.duration, "slot")}` : positionsText(calendar, task.slots);
  const kind = [task.category, task.task_class === null ? null : `class ${task.task_class}`].filter(Boolean).join(", ");
  const host = task.embed_host === null ? "" : `, shares the slots of [${task.embed_host}]`;
  return `- ${taskLabel(task)} (${task.status}${kind ? `, ${kind}` : ""}): ${where}${host}`;
}

function classLine(one: TaskClass): string {
  const rules = [
    one.strategy === "steady" ? "steady (spread evenly)" : "rapid (as early as possible)",
    one.total_slots === null ? null : `${plural(one.total_slots, "slot")} in all`,
    one.allow_embed ? "may share a host" : "never inside a host",
    one.excluded_slots.length > 0 ? `not in slots ${one.excluded_slots.join(", ")}` : null,
    one.day_start === null && one.day_end === null ? null : `days ${one.day_start ?? 1} to ${one.day_end ?? "the end"}`,
  ];
  return `- class ${one.id} ${one.name}: ${rules.filter(Boolean).join("; ")}`;
}
