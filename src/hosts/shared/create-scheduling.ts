// The scheduling demo on any store of calendars: its tools, what follows a thread, and routes to look at calendars.
import type { Route } from "../../http/app.ts";
import { calendarRoutes } from "../../http/routes/calendar.ts";
import type { Companions } from "../../ports/companions.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { ok } from "../../schema/problem.ts";
import type { CalendarStore } from "../../toolkits/timetable/calendar-store.ts";
import { sampleSemester } from "../../toolkits/timetable/sample.ts";
import { schedulingTools } from "../../toolkits/timetable/tools.ts";
import type { Tool } from "../../tools/define-tool.ts";

export type Scheduling = {
  readonly tools: readonly Tool[];
  readonly companions: Companions;
  /** Calendars for people to look at. */
  readonly routes: readonly Route[];
  readonly close: () => Promise<void>;
};

export function createScheduling(calendars: CalendarStore): Scheduling {
  const initial = sampleSemester();
  return {
    // Everything in these calendars comes from the bundled sample and from the thread's own writes.
    tools: schedulingTools(calendars, { initial, output_trust: "trusted" }),
    companions: calendarCompanions(calendars),
    routes: calendarRoutes({ store: calendars, initial }),
    close: () => calendars.close(),
  };
}

/** A thread's own calendar is named by its id. */
export function calendarCompanions(calendars: CalendarStore): Companions {
  const calendarOf = ({ tenant, thread }: ThreadRef) => ({ tenant, calendar: thread });
  return {
    async forked(from, to) {
      const copied = await calendars.copy(calendarOf(from), calendarOf(to));
      return copied.ok ? ok(undefined) : copied;
    },
    removed: (at) => calendars.remove(calendarOf(at)),
  };
}
