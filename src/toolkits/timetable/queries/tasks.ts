// Implements list_tasks, which lists tasks, and get_task_info, which shows the details of one.
import type { z } from "zod";
import { argumentSchema, optionalText, taskId } from "../arguments.ts";
import { capitalize, plural, positionsText, taskLabel, unknownTask } from "../format.ts";
import { findTask, guestsOf } from "../occupancy.ts";
import { type CalendarResult, type ResultData, refuse, succeed } from "../result.ts";
import type { Calendar, Task, TaskStatus } from "../schema/calendar.ts";

const STATUSES: readonly TaskStatus[] = ["existing", "suggested", "pending"];

export const listArguments = argumentSchema({
  category: optionalText("exact name of a category"),
  status: optionalText("all, existing, suggested or pending; all if left out"),
});

export function listTasks(calendar: Calendar, args: z.infer<typeof listArguments>): CalendarResult {
  const status = (args.status ?? "all").trim().toLowerCase() || "all";
  if (status.includes(",")) return refuse("status: takes one value; use all to see every status.");
  const wanted = STATUSES.filter((one) => status === "all" || status === one);
  if (wanted.length === 0) return refuse("status: must be all, existing, suggested or pending.");
  const category = args.category?.trim() || null;
  const found = calendar.tasks
    .filter((task) => wanted.includes(task.status) && (category === null || task.category === category))
    .sort((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status) || a.state_id - b.state_id);
  const text = found.length === 0 ? emptyText(calendar, category, status) : groupedText(calendar, found);
  return succeed(calendar, text, { tasks: found.map(taskData) });
}

function groupedText(calendar: Calendar, tasks: readonly Task[]): string {
  const groups = STATUSES.map((status) => ({ status, tasks: tasks.filter((task) => task.status === status) }));
  return groups
    .filter((group) => group.tasks.length > 0)
    .flatMap((group) => [
      `${capitalize(group.status)} (${group.tasks.length}):`,
      ...group.tasks.map((task) => `- ${taskLabel(task)} (${kindOf(task)}): ${placementText(calendar, task)}`),
    ])
    .join("\n");
}

function emptyText(calendar: Calendar, category: string | null, status: string): string {
  if (category === null) return `No task is ${status === "all" ? "in this calendar" : status}.`;
  const names = [...new Set(calendar.tasks.flatMap((task) => (task.category === null ? [] : [task.category])))].sort();
  const asNumbers = /^[\d\s,]+$/.test(category) ? " category takes a name, not numbers." : "";
  const known = names.length > 0 ? `Categories: ${names.join(", ")}.` : "No task has a category.";
  return `No ${status === "all" ? "" : `${status} `}task has the category "${category}".${asNumbers} ${known}`;
}

const kindOf = (task: Task): string =>
  [task.category ?? "no category", task.locked ? "fixed" : null, task.can_embed ? "embeddable" : null]
    .filter(Boolean)
    .join(", ");

const placementText = (calendar: Calendar, task: Task): string =>
  task.status === "pending" ? `needs ${plural(task.duration, "slot")}` : positionsText(calendar, task.slots);

/** Omits the fields that only describe where the task came from. */
export function taskData(task: Task): ResultData {
  const { source: _source, source_id: _sourceId, event_type: _eventType, ...facts } = task;
  return facts;
}

export const taskInfoArguments = argumentSchema(
  { task_id: taskId("number of the task") },
  { aliases: { id: "task_id", state_id: "task_id" } },
);

export function getTaskInfo(calendar: Calendar, args: z.infer<typeof taskInfoArguments>): CalendarResult {
  const task = findTask(calendar, args.task_id);
  if (!task) return refuse(unknownTask(calendar, "task_id", args.task_id));
  const rules = calendar.classes.find((one) => one.id === task.task_class);
  const text = [
    taskLabel(task),
    `Category: ${task.category ?? "none"}`,
    `Status: ${task.status}${task.locked ? " (fixed)" : ""}`,
    `Source: ${sourceText(task)}`,
    ...(rules ? [`Class: ${rules.id} ${rules.name}`] : []),
    `Embeddable: ${task.can_embed ? "yes, may hold one task" : "no"}`,
    `Where: ${placementText(calendar, task)}`,
    `Length: ${plural(task.duration, "slot")}`,
    ...embeddingLines(calendar, task),
  ].join("\n");
  return succeed(calendar, text, { task: taskData(task) });
}

function sourceText(task: Task): string {
  if (task.source === "task_item") return "a task to be scheduled";
  return task.event_type === "course" ? "a course of the timetable" : "an entry of the calendar";
}

function embeddingLines(calendar: Calendar, task: Task): string[] {
  const host = task.embed_host === null ? undefined : findTask(calendar, task.embed_host);
  const guests = guestsOf(calendar.tasks, task);
  return [...(host ? [`Lies inside ${taskLabel(host)}`] : []), ...guests.map((guest) => `Holds ${taskLabel(guest)}`)];
}
