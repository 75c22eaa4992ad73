import { describe, expect, test } from "vitest";
import { place } from "../../../src/toolkits/timetable/changes/place.ts";
import { createCalendar } from "../../../src/toolkits/timetable/create.ts";
import { getOverview } from "../../../src/toolkits/timetable/queries/overview.ts";
import { outcomeOf } from "./small-calendar.ts";

const created = createCalendar({
  total_days: 7,
  tasks: [{ name: "Essay", state_id: 1, task_class: 1, duration: 2 }],
  classes: [
    {
      id: 1,
      name: "Writing",
      strategy: "steady",
      total_slots: null,
      allow_embed: true,
      excluded_slots: [5, 6],
      day_start: 2,
      day_end: 5,
    },
  ],
});
if (!created.ok) throw new Error(created.problem.message);
const calendar = created.value;

describe("place", () => {
  test.each([
    [{ task_id: 1, day: 3, slot_start: 5 }, "not in slots 5, 6"],
    [{ task_id: 1, day: 1, slot_start: 1 }, "not before day 2"],
    [{ task_id: 1, day: 7, slot_start: 1 }, "not after day 5"],
  ])("says that %j breaks a rule of the class", (args, rule) => {
    const placed = outcomeOf(place(calendar, args));
    expect(placed.text).toContain(`This breaks a rule of the class "Writing": ${rule}.`);
  });

  test("reports nothing if all rules are met", () => {
    expect(outcomeOf(place(calendar, { task_id: 1, day: 3, slot_start: 1 })).text).not.toContain("breaks a rule");
  });
});

test("the overview shows the time of every slot", () => {
  expect(outcomeOf(getOverview(calendar)).text).toContain("Times of the slots: 1 from 08:00, 2 from 09:00");
});
