// The matrix of permissions, cell by cell, on the writes themselves.
import { describe, expect, test } from "vitest";
import { succeeded } from "../../../src/testing/expect.ts";
import { PERMISSIONS, type WriteName, type WriteStatus } from "../../../src/toolkits/timetable/changes/permission.ts";
import { createCalendar, type TaskDraft } from "../../../src/toolkits/timetable/create.ts";
import type { Calendar } from "../../../src/toolkits/timetable/schema/calendar.ts";
import { at, call } from "./small-calendar.ts";

const SUBJECT = 1;
const PARTNER = 2;

const subjects: Record<WriteStatus, Partial<TaskDraft>> = {
  pending: { duration: 2 },
  suggested: { status: "suggested", slots: [at(1, 1, 2)] },
  existing: { status: "existing", event_type: "task", slots: [at(1, 1, 2)] },
  locked: { status: "existing", event_type: "course", slots: [at(1, 1, 2)] },
};

function calendarWith(standing: WriteStatus): Calendar {
  const tasks: TaskDraft[] = [
    { state_id: SUBJECT, name: "Subject", category: "B", ...subjects[standing] },
    { state_id: PARTNER, name: "Partner", category: "A", status: "suggested", slots: [at(1, 5, 6)] },
  ];
  return succeeded(createCalendar({ total_days: 7, tasks }));
}

const argumentsOf: Record<WriteName, unknown> = {
  place: { task_id: SUBJECT, day: 2, slot_start: 1 },
  move: { task_id: SUBJECT, new_day: 2, new_slot_start: 1 },
  batch_move: { moves: [{ task_id: SUBJECT, new_day: 2, new_slot_start: 1 }] },
  swap: { task_a: PARTNER, task_b: SUBJECT },
  unplace: { task_id: SUBJECT },
  spread_even: { task_ids: [PARTNER, SUBJECT] },
  min_context_switch: { task_ids: [PARTNER, SUBJECT] },
};

const yes = { pending: false, suggested: true, existing: false, locked: false };
const expected: Record<WriteName, Record<WriteStatus, boolean>> = {
  place: { pending: true, suggested: false, existing: false, locked: false },
  move: yes,
  batch_move: yes,
  swap: yes,
  unplace: yes,
  spread_even: yes,
  min_context_switch: yes,
};

const cells = Object.entries(expected).flatMap(([write, row]) =>
  Object.entries(row).map(([standing, allowed]) => [write as WriteName, standing as WriteStatus, allowed] as const),
);

describe("permissions", () => {
  test("the table is the documented one", () => {
    expect(PERMISSIONS).toEqual(expected);
  });

  test.each(cells)("%s of a %s task: %s", (write, standing, allowed) => {
    const calendar = calendarWith(standing);
    const untouched = structuredClone(calendar);
    const outcome = call(calendar, write, argumentsOf[write]);
    expect(outcome.ok).toBe(allowed);
    expect(calendar).toEqual(untouched);
  });

  test.each([
    ["locked", "task_id: [1] Subject is fixed; move cannot touch it. Nothing was changed."],
    [
      "existing",
      "task_id: [1] Subject is an existing entry; it stays where it is and move cannot touch it. Nothing was changed.",
    ],
    [
      "pending",
      "task_id: [1] Subject is pending and has no place yet; move takes suggested tasks only, place gives it one. Nothing was changed.",
    ],
  ] as const)("the refusal of a %s task says why and what it is", (standing, text) => {
    expect(call(calendarWith(standing), "move", argumentsOf.move)).toEqual({ ok: false, text });
  });

  test("a lock outranks the status", () => {
    const draft = { name: "Pinned", status: "suggested", locked: true, slots: [at(1, 1)] } as const;
    const calendar = succeeded(createCalendar({ total_days: 1, tasks: [draft] }));
    expect(call(calendar, "unplace", { task_id: 1 }).text).toContain("is fixed");
  });
});
