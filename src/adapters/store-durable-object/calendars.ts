// Calendars as documents, one object each, so that a tenant's calendars do not wait for one another.

import { fail, ok, type Result } from "../../schema/problem.ts";
import type { CalendarAt, CalendarStore } from "../../toolkits/timetable/calendar-store.ts";
import { Calendar } from "../../toolkits/timetable/schema/calendar.ts";
import { type DirectoryObject, unavailable } from "./create-store.ts";
import type { DirectoryRows, StoredDocument } from "./directory-rows.ts";
import type { Namespace } from "./platform.ts";

const DOCUMENT = "calendar";

/** No tenant holds the separator, so whatever a calendar is called, no two pairs share a name. */
const calendarName = (at: CalendarAt, prefix: string): string => `${prefix}calendar/${at.tenant}/${at.calendar}`;

export function createDurableObjectCalendars(directory: Namespace<DirectoryObject>, prefix = ""): CalendarStore {
  const ask = async <K extends keyof DirectoryRows>(
    at: CalendarAt,
    method: K,
    ...args: Parameters<DirectoryRows[K]>
  ): Promise<Result<ReturnType<DirectoryRows[K]>>> => {
    try {
      return ok(await directory.get(directory.idFromName(calendarName(at, prefix))).rows(method, args));
    } catch (error) {
      return unavailable(error);
    }
  };
  const saveText = (at: CalendarAt, text: string, over: number) => ask(at, "saveDocument", DOCUMENT, text, over);

  return {
    async load(at) {
      const held = await ask(at, "document", DOCUMENT);
      if (!held.ok) return held;
      return ok(held.value ? read(held.value) : null);
    },
    async save(at, calendar, over) {
      const saved = await saveText(at, JSON.stringify(calendar), over);
      if (!saved.ok) return saved;
      const { won, version } = saved.value;
      return won ? ok(version) : fail("calendar_moved", `The calendar is at version ${version}.`, { version });
    },
    async copy(from, to) {
      const held = await ask(from, "document", DOCUMENT);
      if (!held.ok) return held;
      if (!held.value) return ok(false);
      const copied = await ask(to, "copyDocument", DOCUMENT, held.value);
      return copied;
    },
    async remove(at) {
      return ask(at, "removeDocument", DOCUMENT);
    },
    close: async () => undefined,
  };
}

const read = ({ version, body }: StoredDocument) => ({
  version,
  calendar: { ...Calendar.parse(JSON.parse(body)), version },
});
