// Creates a deterministic sample semester of five weeks. Week 1 is deliberately crowded.
import { createCalendar, type TaskDraft } from "./create.ts";
import type { Calendar, Position, TaskClass } from "./schema/calendar.ts";

const WEEKS = 5;

/** One position per week, each on the same weekday and in the same slots. */
const weekly = (weekday: number, slot_start: number, slot_end: number): Position[] =>
  Array.from({ length: WEEKS }, (_, week) => ({ day: week * 7 + weekday, slot_start, slot_end }));

const onDay = (day: number, slot_start: number, slot_end: number): Position[] => [{ day, slot_start, slot_end }];

const [MON, TUE, WED, THU, FRI, SAT] = [1, 2, 3, 4, 5, 6];

const courses: readonly TaskDraft[] = [
  { state_id: 1, name: "Linear Algebra", category: "Mathematics", slots: [...weekly(MON, 1, 2), ...weekly(THU, 3, 4)] },
  {
    state_id: 2,
    name: "Operating Systems",
    category: "Computing",
    slots: [...weekly(TUE, 1, 2), ...weekly(FRI, 1, 2)],
  },
  { state_id: 3, name: "Statistics", category: "Mathematics", slots: weekly(WED, 3, 4) },
  { state_id: 4, name: "Academic Writing", category: "Languages", slots: weekly(TUE, 5, 6) },
  { state_id: 5, name: "Physics Lab", category: "Physics", slots: weekly(THU, 5, 8) },
].map((course) => ({ ...course, event_type: "course" }));

/** Courses that can each embed one task. */
const hosts: readonly TaskDraft[] = [
  { state_id: 6, name: "Study Hall", category: "Self-study", slots: weekly(WED, 7, 8) },
  { state_id: 7, name: "Open Computer Lab", category: "Computing", slots: weekly(FRI, 5, 8) },
].map((host) => ({ ...host, event_type: "course", can_embed: true }));

const fixedEntries: readonly TaskDraft[] = [
  { state_id: 8, name: "Dentist appointment", category: "Personal", slots: onDay(9, 9, 10) },
  { state_id: 9, name: "Football practice", category: "Sports", slots: weekly(SAT, 3, 4) },
].map((entry) => ({ ...entry, event_type: "task" }));

const suggested: readonly TaskDraft[] = [
  { state_id: 10, name: "Scheduler simulation, part 1", category: "Computing", slots: onDay(1, 3, 4), task_class: 1 },
  { state_id: 11, name: "Proof exercises, sheet 1", category: "Mathematics", slots: onDay(1, 5, 6) },
  { state_id: 12, name: "error analysis", category: "Physics", slots: onDay(1, 7, 8) },
  { state_id: 13, name: "Essay outline", category: "Languages", slots: onDay(1, 9, 10) },
  { state_id: 14, name: "Scheduler simulation, part 2", category: "Computing", slots: onDay(2, 7, 8), task_class: 1 },
  { state_id: 15, name: "Proof exercises, sheet 2", category: "Mathematics", slots: onDay(2, 9, 10) },
  { state_id: 16, name: "Vocabulary review", category: "Languages", slots: onDay(3, 1, 1) },
  { state_id: 17, name: "Read chapter 4", category: "Self-study", slots: onDay(10, 7, 8), embed_host: 6 },
  { state_id: 18, name: "Probability worksheet", category: "Mathematics", slots: onDay(3, 5, 6) },
].map((task) => ({ ...task, status: "suggested" }));

const pending: readonly TaskDraft[] = [
  { state_id: 19, name: "Scheduler simulation, part 3", category: "Computing", task_class: 1 },
  { state_id: 20, name: "Scheduler simulation, report", category: "Computing", task_class: 1 },
  { state_id: 21, name: "Algebra mock exam", category: "Mathematics", duration: 3, task_class: 2 },
  { state_id: 22, name: "Statistics revision", category: "Mathematics", duration: 2, task_class: 2 },
  { state_id: 23, name: "Lab report draft", category: "Physics", duration: 2 },
];

const classes: TaskClass[] = [
  {
    id: 1,
    name: "Systems project",
    strategy: "steady",
    total_slots: 8,
    allow_embed: true,
    excluded_slots: [11, 12],
    day_start: 1,
    day_end: 28,
  },
  {
    id: 2,
    name: "Exam revision",
    strategy: "rapid",
    total_slots: null,
    allow_embed: false,
    excluded_slots: [1, 11, 12],
    day_start: 15,
    day_end: 35,
  },
];

export function sampleSemester(): Calendar {
  const created = createCalendar({
    total_days: WEEKS * 7,
    starts_on: "2026-09-07",
    tasks: [...courses, ...hosts, ...fixedEntries, ...suggested, ...pending],
    classes,
  });
  if (!created.ok) throw new Error(created.problem.message);
  return created.value;
}
