// Stores the calendars of this toolkit as one versioned document per thread, in any document store.
import type { DocumentRef, DocumentStore } from "../../ports/documents.ts";
import type { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { Calendar } from "./schema/calendar.ts";

/** A thread's own calendar is named by the thread's id. */
export type CalendarRef = { readonly tenant: TenantId; readonly calendar: string };
export type LoadedCalendar = { readonly calendar: Calendar; readonly version: number };

export interface CalendarStore {
  /** Never returns a state older than an acknowledged save. `calendar.version` equals `version`. */
  load(at: CalendarRef): Promise<Result<LoadedCalendar | null>>;
  /**
   * Version 0 creates the calendar. Of two racing saves exactly one wins and gets the new version; the other fails with
   * `calendar_moved` and details {version}.
   */
  save(at: CalendarRef, calendar: Calendar, expectedVersion: number): Promise<Result<number>>;
  /** Returns false and changes nothing if there is nothing to copy or the target exists, so repeating it is harmless. */
  copy(from: CalendarRef, to: CalendarRef): Promise<Result<boolean>>;
  /** Succeeds even if the calendar does not exist. */
  remove(at: CalendarRef): Promise<Result<void>>;
  close(): Promise<void>;
}

const documentOf = ({ tenant, calendar }: CalendarRef): DocumentRef => ({ tenant, kind: "calendar", id: calendar });

export function createCalendarStore(documents: DocumentStore): CalendarStore {
  return {
    async load(at) {
      const loaded = await documents.load(documentOf(at));
      if (!loaded.ok || loaded.value === null) return loaded.ok ? ok(null) : loaded;
      const { version, value } = loaded.value;
      const parsed = Calendar.safeParse(value);
      if (!parsed.success)
        return fail("state_corrupt", `The stored calendar cannot be read: ${parsed.error.issues[0]?.message}.`);
      return ok({ calendar: { ...parsed.data, version }, version });
    },
    async save(at, calendar, expectedVersion) {
      const value = { ...calendar, version: expectedVersion + 1 };
      const result = await documents.save(documentOf(at), value, expectedVersion);
      if (!result.ok) return result;
      const { saved, version } = result.value;
      return saved ? ok(version) : fail("calendar_moved", `The calendar is at version ${version}.`, { version });
    },
    copy: (from, to) => documents.copy(documentOf(from), documentOf(to)),
    remove: (at) => documents.remove(documentOf(at)),
    close: () => documents.close(),
  };
}
