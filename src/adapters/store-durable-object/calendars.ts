// Stores calendars as documents, one object each, so that a tenant's calendars do not block each other.

import { fail, ok, type Result } from "../../schema/problem.ts";
import type { CalendarRef, CalendarStore } from "../../toolkits/timetable/calendar-store.ts";
import { Calendar } from "../../toolkits/timetable/schema/calendar.ts";
import { type DirectoryObject, unavailable } from "./create-store.ts";
import type { DirectoryRows, StoredDocument } from "./directory-rows.ts";
import type { Namespace } from "./platform.ts";

const DOCUMENT = "calendar";

/** A tenant id cannot contain the separator, so two different pairs never share a name. */
const calendarName = (at: CalendarRef, prefix: string): string => `${prefix}calendar/${at.tenant}/${at.calendar}`;

export function createDurableObjectCalendars(directory: Namespace<DirectoryObject>, prefix = ""): CalendarStore {
  const directoryRequest = async <K extends keyof DirectoryRows>(
    at: CalendarRef,
    method: K,
    ...args: Parameters<DirectoryRows[K]>
  ): Promise<Result<ReturnType<DirectoryRows[K]>>> => {
    try {
      return ok(await directory.get(directory.idFromName(calendarName(at, prefix))).rows(method, args));
    } catch (error) {
      return unavailable(error);
    }
  };
  const saveText = (at: CalendarRef, text: string, expectedVersion: number) =>
    directoryRequest(at, "saveDocument", DOCUMENT, text, expectedVersion);

  return {
    async load(at) {
      const stored = await directoryRequest(at, "document", DOCUMENT);
      if (!stored.ok) return stored;
      return ok(stored.value ? parseStored(stored.value) : null);
    },
    async save(at, calendar, expectedVersion) {
      const saved = await saveText(at, JSON.stringify(calendar), expectedVersion);
      if (!saved.ok) return saved;
      const { won, version } = saved.value;
      return won ? ok(version) : fail("calendar_moved", `The calendar is at version ${version}.`, { version });
    },
    async copy(from, to) {
      const stored = await directoryRequest(from, "document", DOCUMENT);
      if (!stored.ok) return stored;
      if (!stored.value) return ok(false);
      const copied = await directoryRequest(to, "copyDocument", DOCUMENT, stored.value);
      return copied;
    },
    async remove(at) {
      return directoryRequest(at, "removeDocument", DOCUMENT);
    },
    close: async () => undefined,
  };
}

const parseStored = ({ version, body }: StoredDocument) => ({
  version,
  calendar: { ...Calendar.parse(JSON.parse(body)), version },
});
