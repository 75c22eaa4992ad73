// Tests invariants after random sequences of calls: no double booking, valid links, unchanged existing entries.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { succeeded } from "../../../src/testing/expect.ts";
import { createCalendar } from "../../../src/toolkits/timetable/create.ts";
import { sampleSemester } from "../../../src/toolkits/timetable/sample.ts";
import { Calendar, type Task } from "../../../src/toolkits/timetable/schema/calendar.ts";
import { at, call, smallCalendar, smallDraft, WRITES } from "./small-calendar.ts";

/** Finds violations independently of the code under test. Two tasks may overlap only as guest and host. */
function violationsOf(calendar: Calendar): string[] {
  const violations: string[] = [];
  const overlap = (a: Task, b: Task) =>
    a.slots.some((p) =>
      b.slots.some((q) => p.day === q.day && p.slot_start <= q.slot_end && q.slot_start <= p.slot_end),
    );
  const holds = (host: Task, guest: Task) =>
    host.can_embed &&
    host.embedded_by === guest.state_id &&
    guest.embed_host === host.state_id &&
    guest.slots.length === 1 &&
    guest.slots.every((g) =>
      host.slots.some((h) => h.day === g.day && h.slot_start <= g.slot_start && g.slot_end <= h.slot_end),
    );
  for (const a of calendar.tasks) {
    for (const b of calendar.tasks) {
      if (a.state_id < b.state_id && overlap(a, b) && !holds(a, b) && !holds(b, a))
        violations.push(`${a.name} overlaps ${b.name}`);
    }
    const { embed_host: host, embedded_by: guest } = a;
    const find = (id: number) => calendar.tasks.find((one) => one.state_id === id);
    if (host !== null && find(host)?.embedded_by !== a.state_id)
      violations.push(`${a.name} names a host that does not hold it`);
    if (guest !== null && find(guest)?.embed_host !== a.state_id)
      violations.push(`${a.name} names a guest that is elsewhere`);
    if ((a.status === "pending") !== (a.slots.length === 0))
      violations.push(`${a.name} is ${a.status} with ${a.slots.length} positions`);
  }
  return violations;
}

/** Returns all existing entries without their guests. */
const existingEntries = (calendar: Calendar) =>
  calendar.tasks.filter((one) => one.status === "existing").map(({ embedded_by: _guest, ...entry }) => entry);

const crowded = () => {
  const lab = { state_id: 20, name: "Lab", status: "suggested", can_embed: true, slots: [at(5, 1, 4)] } as const;
  const guest = { state_id: 21, name: "Guest", status: "suggested", embed_host: 20, slots: [at(5, 2, 3)] } as const;
  const split = { state_id: 22, name: "Split", status: "suggested", slots: [at(6, 1), at(7, 1)] } as const;
  return succeeded(createCalendar({ ...smallDraft, tasks: [...smallDraft.tasks, lab, guest, split] }));
};

/** Creates a calendar of two days, one of them mostly a host, so that most moves conflict. */
const tight = () => {
  const hall = { state_id: 1, name: "Hall", event_type: "course", can_embed: true, slots: [at(1, 2, 9)] } as const;
  const existing = { state_id: 2, name: "Existing", event_type: "task", slots: [at(2, 4, 5)] } as const;
  const placed = [1, 3, 6, 8].map((slot) => ({ name: `S${slot}`, status: "suggested" as const, slots: [at(2, slot)] }));
  const pending = [1, 2, 2].map((duration) => ({ name: `P${duration}`, duration }));
  return succeeded(createCalendar({ total_days: 2, tasks: [hall, existing, ...placed, ...pending] }));
};

const starts = {
  "the small calendar": smallCalendar(),
  "the sample semester": sampleSemester(),
  "a calendar with movable hosts": crowded(),
  "a tight calendar": tight(),
};

/**
 * Generates steps. They favour days with hosts and include some invalid values, so that calls interact and every
 * sequence has refusals.
 */
function stepsOn(calendar: Calendar) {
  const id = fc
    .integer({ min: 0, max: calendar.tasks.length + 1 })
    .map((index) => calendar.tasks[index]?.state_id ?? index);
  const hostDays = calendar.tasks.filter((one) => one.can_embed).flatMap((one) => one.slots.map((slot) => slot.day));
  const day = fc.oneof(fc.constantFrom(...hostDays), fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 40 }));
  const slot = fc.integer({ min: 0, max: 13 });
  const asText = fc.oneof(id.map(String), id);
  const movable = calendar.tasks.filter((one) => one.status === "suggested").map((one) => one.state_id);
  const ids = fc.oneof(
    fc.array(asText, { minLength: 1, maxLength: 6 }),
    fc.shuffledSubarray(movable, { minLength: 2 }),
  );
  const oneMove = fc.record({ task_id: asText, new_day: day, new_slot_start: slot });
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant("place"), fc.record({ task_id: asText, day, slot_start: slot })) },
    { weight: 4, arbitrary: fc.tuple(fc.constant("move"), oneMove) },
    fc.tuple(fc.constant("batch_move"), fc.record({ moves: fc.array(oneMove, { minLength: 1, maxLength: 4 }) })),
    fc.tuple(fc.constant("swap"), fc.record({ task_a: id, task_b: id })),
    fc.tuple(fc.constant("unplace"), fc.record({ task_id: asText })),
    fc.tuple(fc.constant("spread_even"), fc.record({ task_ids: ids, day_start: day }, { requiredKeys: ["task_ids"] })),
    fc.tuple(fc.constant("min_context_switch"), fc.record({ task_ids: ids })),
    fc.tuple(fc.constant("undo_last_change"), fc.constant({})),
    fc.tuple(fc.constant("evaluate"), fc.constant({})),
    fc.tuple(fc.constant("query_available_slots"), fc.record({ day, duration: slot })),
  );
  return fc.array(step, { minLength: 1, maxLength: 25, size: "max" });
}

describe.each(Object.entries(starts))("after any sequence of calls on %s", (_name, start) => {
  test("no task is double booked, links are valid, and no existing task has moved", () => {
    fc.assert(
      fc.property(stepsOn(start), (steps) => {
        let calendar = start;
        for (const [name, args] of steps) {
          const before = JSON.stringify(calendar);
          const outcome = call(calendar, name, args);
          expect(JSON.stringify(calendar)).toBe(before);
          if (!outcome.ok) continue;
          calendar = outcome.calendar;
          expect(violationsOf(calendar)).toEqual([]);
        }
        expect(existingEntries(calendar)).toEqual(existingEntries(start));
        expect(Calendar.safeParse(calendar).error).toBeUndefined();
      }),
      { numRuns: 80, seed: 20_260_907 },
    );
  });
});

test("the generated steps include a success and a refusal of every write", () => {
  const seen = new Set<string>();
  const samples = fc.sample(stepsOn(crowded()), { numRuns: 100, seed: 20_260_907 });
  for (const steps of samples) {
    let calendar = crowded();
    for (const [name, args] of steps) {
      const outcome = call(calendar, name, args);
      seen.add(`${name} ${outcome.ok}`);
      if (outcome.ok) calendar = outcome.calendar;
      if (calendar.tasks.some((one) => one.embed_host === 2)) seen.add("a guest in the hall");
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(WRITES.flatMap((name) => [`${name} true`, `${name} false`])));
  expect(seen).toContain("a guest in the hall");
});
