// Checks the permission table for every write and status.
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

function calendarWith(status: WriteStatus): Calendar {
  const tasks: TaskDraft[] = [
    { state_id: SUBJECT, name: "Subject", category: "B", ...subjects[status] },
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

const suggestedOnly = { pending: false, suggested: true, existing: false, locked: false };
const expected: Record<WriteName, Record<WriteStatus, boolean>> = {
  place: { pending: true, suggested: false, existing: false, locked: false },
  move: suggestedOnly,
  batch_move: suggestedOnly,
  swap: suggestedOnly,
  unplace: suggestedOnly,
  spread_even: suggestedOnly,
  min_context_switch: suggestedOnly,
};

const cells = Object.entries(expected).flatMap(([write, row]) =>
  Object.entries(row).map(([status, allowed]) => [write as WriteName, status as WriteStatus, allowed] as const),
);

describe("permissions", () => {
  test("match the documented table", () => {
    expect(PERMISSIONS).toEqual(expected);
  });

  test.each(cells)("%s of a %s task is allowed: %s", (write, status, allowed) => {
    const calendar = calendarWith(status);
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
  ] as const)("the refusal for a %s task gives the reason", (status, text) => {
    expect(call(calendarWith(status), "move", argumentsOf.move)).toEqual({ ok: false, text });
  });

  test("a lock takes precedence over the status", () => {
    const draft = { name: "Pinned", status: "suggested", locked: true, slots: [at(1, 1)] } as const;
    const calendar = succeeded(createCalendar({ total_days: 1, tasks: [draft] }));
    expect(call(calendar, "unplace", { task_id: 1 }).text).toContain("is fixed");
  });
});
