// Tests argument parsing: integers as text, aliases, unknown names, and errors that name the field.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readToolSpecs, writeToolSpecs } from "../../../src/toolkits/timetable/tool-specs.ts";
import { at, call, changesOf, ESSAY, PENDING, REPORT, smallCalendar } from "./small-calendar.ts";

const calendar = smallCalendar();

describe("integers", () => {
  test.each([
    ["place", { task_id: String(PENDING), day: "4", slot_start: " 1 " }],
    ["move", { task_id: String(ESSAY), new_day: "4", new_slot_start: "+1" }],
    ["batch_move", { moves: [{ task_id: String(ESSAY), new_day: "4", new_slot_start: "1" }] }],
    ["swap", { task_a: String(ESSAY), task_b: String(REPORT) }],
    ["spread_even", { task_ids: ["4", "5"], day_of_week: ["3"], week: "2" }],
    ["query_range", { day: "2", slot_start: "1", slot_end: "12" }],
    ["find_free", { duration: "2", day: "2" }],
    ["query_available_slots", { limit: "3", exclude_sections: ["1", "2"] }],
  ])("%s accepts integers sent as text", (name, args) => {
    expect(call(calendar, name, args)).toMatchObject({ ok: true });
  });

  test("an integer sent as text means the same as the integer", () => {
    const asText = call(calendar, "move", { task_id: "4", new_day: "4", new_slot_start: "1" });
    expect(asText).toEqual(call(calendar, "move", { task_id: 4, new_day: 4, new_slot_start: 1 }));
    expect(changesOf(asText)).toEqual([{ task_id: 4, name: "Essay", from: [at(1, 3, 4)], to: [at(4, 1, 2)] }]);
  });

  test.each([["soon"], ["3.5"], [3.5], ["0x3"], ["1e1"], [""], ["٣"], [true], [[3]], [Number.NaN], ["99999999999"]])(
    "%j is no integer",
    (day) => {
      expect(call(calendar, "query_range", { day })).toEqual({
        ok: false,
        text: "query_range: day: must be an integer from 1 to 366.",
      });
    },
  );
});

describe("errors name the field", () => {
  test.each([
    ["place", {}, "place: task_id: is missing; day: is missing; slot_start: is missing."],
    ["find_free", {}, "find_free: duration: is missing."],
    ["find_first_free", { duration: 0 }, "find_first_free: duration: must be an integer from 1 to 12."],
    ["place", { task_id: 7, day: 2, slot_start: 13 }, "place: slot_start: must be an integer from 1 to 12."],
    ["batch_move", { moves: [] }, "batch_move: moves: must have at least one move."],
    ["batch_move", { moves: [{ task_id: 4, new_day: 1 }] }, "batch_move: moves[0].new_slot_start: is missing."],
    ["spread_even", { task_ids: [4] }, "spread_even: task_ids: must name at least two tasks."],
    ["list_tasks", { status: 7 }, "list_tasks: status: must be text."],
    ["evaluate", { day_from: 1 }, "evaluate: day_from is not an argument, use day_start."],
    ["get_overview", { week: 1 }, "get_overview: week is not an argument (the arguments are: none)."],
    ["place", { task_id: 999, day: 1, slot_start: 1 }, "task_id: there is no task 999; ids go from 1 to 9."],
    ["query_range", { day: 15 }, "day: day 15 is outside this calendar, which has days 1 to 14."],
  ])("%s %j", (name, args, text) => {
    expect(call(calendar, name, args)).toEqual({ ok: false, text });
  });

  test("an unknown argument is rejected, never ignored", () => {
    const outcome = call(calendar, "spread_even", { task_ids: [4, 5], span: 2, day_from: 3 });
    expect(outcome.ok).toBe(false);
    expect(outcome.text).toContain("span is not an argument");
    expect(outcome.text).toContain("day_from is not an argument, use day_start");
  });

  test.each([[null], ["move"], [[]], [7]])("arguments that are not an object (%j) are rejected", (args) => {
    expect(call(calendar, "move", args).ok).toBe(false);
  });
});

describe("aliases", () => {
  test("span is an alias of duration", () => {
    expect(call(calendar, "find_free", { span: 3 })).toEqual(call(calendar, "find_free", { duration: 3 }));
  });

  test("both names with the same value are accepted", () => {
    expect(call(calendar, "find_free", { span: 3, duration: 3 }).ok).toBe(true);
  });

  test("both names with different values are rejected", () => {
    expect(call(calendar, "find_free", { span: 3, duration: 2 }).ok).toBe(false);
  });

  test("find_free is an alias of find_first_free", () => {
    const args = { duration: 2, day: 2 };
    expect(call(calendar, "find_free", args)).toEqual(call(calendar, "find_first_free", args));
  });

  test("null counts as an omitted argument", () => {
    expect(call(calendar, "query_range", { day: 1, slot_start: null, slot_end: null })).toEqual(
      call(calendar, "query_range", { day: 1 }),
    );
  });
});

describe("JSON Schema of the arguments", () => {
  test.each([...readToolSpecs, ...writeToolSpecs].map((one) => [one.name, one] as const))(
    "%s has a closed object with a description for every field",
    (_name, operation) => {
      const schema = z.toJSONSchema(operation.input, { io: "input" });
      expect(schema).toMatchObject({ type: "object", additionalProperties: false });
      for (const field of Object.values(schema.properties ?? {})) expect(field).toHaveProperty("description");
      expect(operation.input.safeParse(operation.example).success).toBe(true);
    },
  );

  test("integers have a type and a range", () => {
    const place = writeToolSpecs.find((one) => one.name === "place");
    expect(z.toJSONSchema(place?.input ?? z.never(), { io: "input" })).toMatchObject({
      required: ["task_id", "day", "slot_start"],
      properties: { slot_start: { type: "integer", minimum: 1, maximum: 12 } },
    });
  });
});
