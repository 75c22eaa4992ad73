// Calendars: one versioned item each, in the same table as the threads.
import { randomUUID } from "node:crypto";
import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { CalendarRef, CalendarStore, LoadedCalendar } from "../../toolkits/timetable/calendar-store.ts";
import { Calendar } from "../../toolkits/timetable/schema/calendar.ts";
import { calendarKey, keyItem } from "./keys.ts";
import type { OpenTable } from "./table.ts";
import { type Document, readDocument, saveDocument } from "./versioned-document.ts";

const keyOf = ({ tenant, calendar }: CalendarRef) => calendarKey(tenant, calendar);

export function createCalendarStore(table: OpenTable): CalendarStore {
  async function save(at: CalendarRef, calendar: Calendar, expectedVersion: number): Promise<Result<number>> {
    const text = JSON.stringify({ ...calendar, version: expectedVersion + 1 });
    const saved = await saveDocument(table, keyOf(at), text, expectedVersion, randomUUID());
    if (!saved.ok) return saved;
    const { won, version } = saved.value;
    return won ? ok(version) : fail("calendar_moved", `The calendar is at version ${version}.`, { version });
  }

  return {
    async load(at) {
      const found = await readDocument(table, keyOf(at));
      if (!found.ok || found.value === null) return found.ok ? ok(null) : found;
      return readCalendar(found.value);
    },
    save,
    async copy(from, to) {
      const found = await readDocument(table, keyOf(from));
      if (!found.ok) return found;
      if (found.value === null) return ok(false);
      const { text, version } = found.value;
      // Written with version n where no document exists, instead of over n - 1: a copy keeps its source's version.
      const saved = await saveDocument(table, keyOf(to), text, 0, randomUUID(), version);
      return saved.ok ? ok(saved.value.won) : saved;
    },
    remove: (at) =>
      table.retryUnavailable(async () => {
        await table.client.send(new DeleteItemCommand({ TableName: table.name, Key: keyItem(keyOf(at)) }));
        return ok(undefined);
      }),
    async close() {},
  };
}

function readCalendar({ text }: Document): Result<LoadedCalendar> {
  const parsed = Calendar.safeParse(JSON.parse(text));
  if (!parsed.success) {
    return fail("state_corrupt", `The stored calendar cannot be read: ${parsed.error.issues[0]?.message}.`);
  }
  return ok({ calendar: parsed.data, version: parsed.data.version });
}
