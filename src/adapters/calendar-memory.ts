// Keeps calendars in process memory, serialized as text so that a caller cannot mutate a stored document. Lost at exit.

import { fail, ok } from "../schema/problem.ts";
import type { CalendarRef, CalendarStore } from "../toolkits/timetable/calendar-store.ts";
import { Calendar } from "../toolkits/timetable/schema/calendar.ts";

export type MemoryCalendarData = Map<string, { readonly version: number; readonly text: string }>;

/** Stores created with the same data share the same calendars. */
export function createMemoryCalendarStore(documents: MemoryCalendarData = new Map()): CalendarStore {
  const key = (at: CalendarRef) => JSON.stringify([at.tenant, at.calendar]);
  return {
    async load(at) {
      const found = documents.get(key(at));
      if (!found) return ok(null);
      return ok({ calendar: Calendar.parse(JSON.parse(found.text)), version: found.version });
    },
    async save(at, calendar, expectedVersion) {
      const version = documents.get(key(at))?.version ?? 0;
      if (version !== expectedVersion)
        return fail("calendar_moved", `The calendar is at version ${version}.`, { version });
      documents.set(key(at), {
        version: expectedVersion + 1,
        text: JSON.stringify({ ...calendar, version: expectedVersion + 1 }),
      });
      return ok(expectedVersion + 1);
    },
    async copy(from, to) {
      const found = documents.get(key(from));
      if (!found || documents.has(key(to))) return ok(false);
      documents.set(key(to), found);
      return ok(true);
    },
    async remove(at) {
      documents.delete(key(at));
      return ok(undefined);
    },
    async close() {},
  };
}
