// Provides a small calendar for tests: two weeks, a lecture, a host of four slots, a fixed entry, and a few movable
// tasks.

import { succeeded } from "../../../src/testing/expect.ts";
import { type CalendarDraft, createCalendar } from "../../../src/toolkits/timetable/create.ts";
import type { CalendarResult, Changes, ResultData } from "../../../src/toolkits/timetable/result.ts";
import type { Calendar, Position, Task } from "../../../src/toolkits/timetable/schema/calendar.ts";
import { readToolSpecs, writeToolSpecs } from "../../../src/toolkits/timetable/tool-specs.ts";

export const READS = [
  ...["get_overview", "query_range", "find_first_free", "find_free", "query_available_slots", "list_tasks"],
  ...["get_task_info", "evaluate"],
];
export const WRITES = [
  ...["place", "move", "batch_move", "swap", "unplace", "spread_even", "min_context_switch", "undo_last_change"],
];

export const at = (day: number, slot_start: number, slot_end = slot_start): Position => ({ day, slot_start, slot_end });

/** The ids of the tasks in `smallCalendar`. */
export const LECTURE = 1;
export const HOST = 2;
export const DENTIST = 3;
export const ESSAY = 4;
export const REPORT = 5;
export const SHORT = 6;
export const PENDING = 7;
export const PENDING_SECOND = 8;
export const UNSHARED = 9;

export const smallDraft: CalendarDraft = {
  total_days: 14,
  tasks: [
    { state_id: LECTURE, name: "Lecture", category: "Maths", event_type: "course", slots: [at(1, 1, 2), at(8, 1, 2)] },
    { state_id: HOST, name: "Study hall", event_type: "course", can_embed: true, slots: [at(2, 3, 6)] },
    { state_id: DENTIST, name: "Dentist", event_type: "task", slots: [at(3, 1, 2)] },
    { state_id: ESSAY, name: "Essay", category: "Languages", status: "suggested", slots: [at(1, 3, 4)] },
    { state_id: REPORT, name: "error analysis", category: "Physics", status: "suggested", slots: [at(1, 5, 6)] },
    { state_id: SHORT, name: "Vocabulary", category: "Languages", status: "suggested", slots: [at(2, 1)] },
    { state_id: PENDING, name: "Worksheet", category: "Maths", duration: 2 },
    { state_id: PENDING_SECOND, name: "Reading", category: "Languages", duration: 2 },
    { state_id: UNSHARED, name: "Mock exam", category: "Maths", duration: 2, task_class: 1 },
  ],
  classes: [
    {
      id: 1,
      name: "Exams",
      strategy: "rapid",
      total_slots: null,
      allow_embed: false,
      excluded_slots: [12],
      day_start: 3,
      day_end: 10,
    },
  ],
};

export const smallCalendar = (): Calendar => succeeded(createCalendar(smallDraft));

type CalendarSuccess = { ok: true; calendar: Calendar; text: string; data: ResultData };
export type CalendarOutcome = CalendarSuccess | { ok: false; text: string };

/** Returns a result with its text, whether it is a success or a refusal. */
export const outcomeOf = (result: CalendarResult): CalendarOutcome =>
  result.ok ? { ok: true, ...result.value } : { ok: false, text: result.problem.message };

/** Calls a calendar tool as a model would: by name, with raw arguments. */
export function call(calendar: Calendar, name: string, args: unknown = {}): CalendarOutcome {
  const found = [...readToolSpecs, ...writeToolSpecs].find((one) => one.name === name);
  if (!found) throw new Error(`unknown tool ${name}`);
  return outcomeOf(found.execute(calendar, args));
}

export function expectDone(outcome: CalendarOutcome): CalendarSuccess {
  if (!outcome.ok) throw new Error(`refused: ${outcome.text}`);
  return outcome;
}

/** Returns the calendar after a write that must succeed. */
export const calendarAfter = (calendar: Calendar, name: string, args: unknown): Calendar =>
  expectDone(call(calendar, name, args)).calendar;

export const changesOf = (outcome: CalendarOutcome): Changes["changes"] =>
  expectDone(outcome).data.changes as Changes["changes"];

export function task(calendar: Calendar, id: number): Task {
  const found = calendar.tasks.find((one) => one.state_id === id);
  if (!found) throw new Error(`no task ${id}`);
  return found;
}
