// Defines the timetable toolkit: one calendar of slots per thread, which begins as the bundled sample.
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok } from "../../schema/problem.ts";
import { defineToolkit, type PartsWith } from "../../tools/toolkit.ts";
import { type CalendarRef, createCalendarStore } from "./calendar-store.ts";
import { calendarRoutes } from "./routes.ts";
import { sampleSemester } from "./sample.ts";
import { Calendar } from "./schema/calendar.ts";
import { schedulingTools } from "./tools.ts";

const calendarOf = ({ tenant, thread }: ThreadRef): CalendarRef => ({ tenant, calendar: thread });
const calendarsOf = ({ documents }: PartsWith<"documents">) => createCalendarStore(documents);

let sample: Calendar | null = null;

/** The sample is created on first use, because creating and checking it takes longer than creating all tools. */
const withSample = <T extends object>(options: T): T & { readonly initial: Calendar } =>
  Object.defineProperty(options as T & { initial: Calendar }, "initial", {
    get: () => {
      sample ??= sampleSemester();
      return sample;
    },
  });

export const timetable = defineToolkit({
  name: "timetable",
  parts: ["documents"],
  offered: "on request",
  // All names in these calendars come from the bundled sample and from the thread's own writes.
  tools: (parts) => schedulingTools(calendarsOf(parts), withSample({ output_trust: "trusted" as const })),
  routes: (parts) => calendarRoutes(withSample({ store: calendarsOf(parts) })),
  threads: {
    async forked(parts, from, to) {
      const copied = await calendarsOf(parts).copy(calendarOf(from), calendarOf(to));
      return copied.ok ? ok(undefined) : copied;
    },
    removed: (parts, at) => calendarsOf(parts).remove(calendarOf(at)),
    async exported(parts, at) {
      const loaded = await calendarsOf(parts).load(calendarOf(at));
      return loaded.ok ? ok(loaded.value?.calendar ?? null) : loaded;
    },
    async imported(parts, at, data) {
      const calendar = Calendar.safeParse(data);
      if (!calendar.success)
        return fail("export_invalid", `The calendar in the file is invalid: ${calendar.error.issues[0]?.message}.`);
      const saved = await calendarsOf(parts).save(calendarOf(at), calendar.data, 0);
      return saved.ok ? ok(undefined) : saved;
    },
  },
});
