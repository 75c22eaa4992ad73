// Tests that a host can embed one task in each of its positions, completely inside it, by the same rule for searches,
// writes and evaluation.
import { describe, expect, test } from "vitest";
import { succeeded } from "../../../src/testing/expect.ts";
import { createCalendar } from "../../../src/toolkits/timetable/create.ts";
import {
  at,
  calendarAfter,
  call,
  ESSAY,
  HOST,
  PENDING,
  PENDING_SECOND,
  REPORT,
  SHORT,
  smallCalendar,
  smallDraft,
  task,
  UNSHARED,
} from "./small-calendar.ts";

const inHost = (slot_start: number, task_id = PENDING) => ({ task_id, day: 2, slot_start });
const shared = () => calendarAfter(smallCalendar(), "place", inHost(3));

describe("placing inside a host", () => {
  test("links guest and host in both directions and adds no load", () => {
    const before = smallCalendar();
    const calendar = shared();
    expect(task(calendar, PENDING)).toMatchObject({ status: "suggested", embed_host: HOST, slots: [at(2, 3, 4)] });
    expect(task(calendar, HOST)).toEqual({ ...task(before, HOST), embedded_by: PENDING });
    expect(call(calendar, "query_range", { day: 2 }).text).toContain("Day 2 (week 1, Tue): 5/12 slots in use");
  });

  test.each([
    ["on the guest's slots", inHost(3, PENDING_SECOND)],
    ["on the free half of the host", inHost(5, PENDING_SECOND)],
  ])("a second task %s is rejected", (_name, args) => {
    const calendar = shared();
    const outcome = call(calendar, "place", args);
    expect(outcome.ok).toBe(false);
    expect(outcome.text).toContain(`[${HOST}] Study hall`);
    expect(outcome.text).toContain(`[${PENDING}]`);
  });

  test.each([
    ["starts before the host", 2],
    ["ends after the host", 6],
  ])("a task that %s is rejected", (_name, slot_start) => {
    const outcome = call(smallCalendar(), "place", inHost(slot_start));
    expect(outcome.ok).toBe(false);
    expect(outcome.text).toContain("only a part of it would lie inside the host [2] Study hall");
  });

  test("a task whose class forbids sharing is rejected with the name of the class", () => {
    const outcome = call(smallCalendar(), "place", inHost(3, UNSHARED));
    expect(outcome.ok).toBe(false);
    expect(outcome.text).toContain('the class "Exams"');
  });

  test("a host cannot be embedded in another host", () => {
    const draft = { state_id: 20, name: "Lab", status: "suggested", can_embed: true, slots: [at(5, 1, 2)] } as const;
    const calendar = succeeded(createCalendar({ ...smallDraft, tasks: [...smallDraft.tasks, draft] }));
    const outcome = call(calendar, "move", { task_id: 20, new_day: 2, new_slot_start: 3 });
    expect(outcome.ok).toBe(false);
    expect(outcome.text).toContain("is a host itself");
  });
});

describe("guest that leaves its host", () => {
  test("frees the host for another task after a move", () => {
    const moved = calendarAfter(shared(), "move", { task_id: PENDING, new_day: 4, new_slot_start: 1 });
    expect(task(moved, HOST).embedded_by).toBeNull();
    expect(task(moved, PENDING).embed_host).toBeNull();
    expect(task(calendarAfter(moved, "place", inHost(5, PENDING_SECOND)), HOST).embedded_by).toBe(PENDING_SECOND);
  });

  test("occupies its new slots after a move", () => {
    const moved = calendarAfter(shared(), "move", { task_id: PENDING, new_day: 4, new_slot_start: 1 });
    const outcome = call(moved, "place", { task_id: PENDING_SECOND, day: 4, slot_start: 2 });
    expect(outcome.ok).toBe(false);
    expect(outcome.text).toContain("[7] Worksheet has slots 1-2");
  });

  test("clears the link in both directions after unplace", () => {
    const calendar = calendarAfter(shared(), "unplace", { task_id: PENDING });
    expect(task(calendar, HOST).embedded_by).toBeNull();
    expect(task(calendar, PENDING)).toMatchObject({ status: "pending", embed_host: null, slots: [] });
  });

  test("passes its position and link to the other task in a swap", () => {
    const calendar = calendarAfter(shared(), "swap", { task_a: PENDING, task_b: ESSAY });
    expect(task(calendar, ESSAY)).toMatchObject({ embed_host: HOST, slots: [at(2, 3, 4)] });
    expect(task(calendar, HOST).embedded_by).toBe(ESSAY);
    expect(task(calendar, PENDING)).toMatchObject({ embed_host: null, slots: [at(1, 3, 4)] });
  });

  test("may move within its own host", () => {
    const calendar = calendarAfter(shared(), "move", { task_id: PENDING, new_day: 2, new_slot_start: 5 });
    expect(task(calendar, PENDING)).toMatchObject({ embed_host: HOST, slots: [at(2, 5, 6)] });
    expect(task(calendar, HOST).embedded_by).toBe(PENDING);
  });

  test("may be replaced by another guest in the same batch", () => {
    const calendar = calendarAfter(shared(), "batch_move", {
      moves: [
        { task_id: REPORT, new_day: 2, new_slot_start: 3 },
        { task_id: PENDING, new_day: 1, new_slot_start: 5 },
      ],
    });
    expect(task(calendar, HOST).embedded_by).toBe(REPORT);
    expect(task(calendar, PENDING)).toMatchObject({ embed_host: null, slots: [at(1, 5, 6)] });
  });
});

describe("suggested host", () => {
  const lab = { state_id: 20, name: "Lab", status: "suggested", can_embed: true, slots: [at(5, 1, 4)] } as const;
  const guest = { state_id: 21, name: "Guest", status: "suggested", embed_host: 20, slots: [at(5, 2, 3)] } as const;
  const calendar = succeeded(createCalendar({ ...smallDraft, tasks: [...smallDraft.tasks, lab, guest] }));

  test("cannot move without its guest", () => {
    const outcome = call(calendar, "move", { task_id: 20, new_day: 6, new_slot_start: 1 });
    expect(outcome.ok).toBe(false);
    expect(outcome.text).toContain("it holds [21], which would be left behind");
  });

  test("moves together with its guest in one batch, in any order", () => {
    const moves = [
      { task_id: 21, new_day: 6, new_slot_start: 1 },
      { task_id: 20, new_day: 6, new_slot_start: 1 },
    ];
    for (const order of [moves, moves.toReversed()]) {
      const moved = calendarAfter(calendar, "batch_move", { moves: order });
      expect(task(moved, 21)).toMatchObject({ embed_host: 20, slots: [at(6, 1, 2)] });
      expect(task(moved, 20)).toMatchObject({ embedded_by: 21, slots: [at(6, 1, 4)] });
    }
  });

  test("is unplaced together with its guest", () => {
    const unplaced = calendarAfter(calendar, "unplace", { task_id: 20 });
    expect(task(unplaced, 20)).toMatchObject({ status: "pending", embedded_by: null });
    expect(task(unplaced, 21)).toMatchObject({ status: "pending", embed_host: null });
  });
});

describe("a host that repeats", () => {
  const repeating = () => {
    const tasks = smallDraft.tasks?.map((one) =>
      one.state_id === HOST ? { ...one, slots: [at(2, 3, 6), at(9, 3, 6)] } : one,
    );
    return succeeded(createCalendar({ ...smallDraft, tasks: tasks ?? [] }));
  };
  const first = () => calendarAfter(repeating(), "place", inHost(3));
  const both = () => calendarAfter(first(), "place", { task_id: PENDING_SECOND, day: 9, slot_start: 5 });

  test("takes a guest per occurrence, and no second one in any of them", () => {
    const calendar = both();
    expect([PENDING, PENDING_SECOND].map((id) => task(calendar, id).embed_host)).toEqual([HOST, HOST]);
    expect(task(calendar, HOST).embedded_by).toBe(PENDING);
    expect(call(calendar, "evaluate").text).toContain("Hard conflicts: none.");
    const third = call(calendar, "move", { task_id: ESSAY, new_day: 9, new_slot_start: 3 });
    expect([third.ok, third.text]).toEqual([false, expect.stringContaining(`already holds [${PENDING_SECOND}]`)]);
    expect(call(calendar, "query_range", { day: 9 }).text).toContain(`holds [${PENDING_SECOND}], no room`);
  });

  test("is offered where it has room, and shown as such", () => {
    const search = { duration: 2, section_from: 3, section_to: 6 };
    expect(call(first(), "query_available_slots", { ...search, day: 2 })).toMatchObject({ data: { total: 0 } });
    expect(call(first(), "query_available_slots", { ...search, day: 9 })).toMatchObject({
      data: { slots: [{ host: HOST }, { host: HOST }] },
    });
    expect(call(first(), "query_range", { day: 9 }).text).toContain("1 with room: [2] slots 3-6");
  });

  test("keeps the other guest when one leaves, and an undo restores both", () => {
    const calendar = both();
    const left = calendarAfter(calendar, "unplace", { task_id: PENDING });
    expect(task(left, HOST).embedded_by).toBe(PENDING_SECOND);
    expect(calendarAfter(left, "undo_last_change", {}).tasks).toEqual(calendar.tasks);
  });
});

describe("search", () => {
  test("offers a host only while it has room", () => {
    const full = { duration: 2, day: 2, section_from: 3, section_to: 6 };
    const offered = call(smallCalendar(), "query_available_slots", full);
    expect(offered).toMatchObject({
      ok: true,
      data: { total: 2, slots: [{ host: HOST, load_before: 5, load_after: 5 }, {}] },
    });
    expect(call(shared(), "query_available_slots", full)).toMatchObject({ ok: true, data: { total: 0 } });
  });

  test("get_overview says which host a task shares", () => {
    const { text } = call(shared(), "get_overview", {});
    expect(text).toMatch(/^- \[7\] Worksheet \(suggested.*\): .*slots 3-4, shares the slots of \[2\]$/m);
  });

  test("query_range shows sharing, not a conflict", () => {
    const text = call(shared(), "query_range", { day: 2 }).text;
    expect(text).toContain(
      "- [2] Study hall, slots 3-6 (existing, holds [7], no room)\n- [7] Worksheet, slots 3-4 (suggested, inside [2])",
    );
    expect(call(shared(), "evaluate").text).toContain("Hard conflicts: none.");
  });

  test("find_first_free uses a host only as the last resort", () => {
    const packed = { name: "Workshop", event_type: "task", slots: [at(2, 2), at(2, 7, 12)] } as const;
    const calendar = succeeded(createCalendar({ ...smallDraft, tasks: [...smallDraft.tasks, packed] }));
    expect(call(calendar, "find_first_free", { duration: 2, day: 2 })).toMatchObject({
      ok: true,
      data: { found: true, host: HOST, position: at(2, 3, 4) },
    });
    expect(task(calendar, SHORT).slots).toEqual([at(2, 1)]);
  });
});
