// Tests which saves of a calendar may be left to the commit of the receipt: those of a calendar that is here only, with
// the entry of a new calendar in the list. A change that is sent to a server must be stored before it is sent.
import { expect, test } from "vitest";
import type { DocumentSave } from "../../../src/ports/documents.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { createCalendarStore } from "../../../src/toolkits/calendar/store/calendar-store.ts";
import type { CalendarSource } from "../../../src/toolkits/calendar/store/head.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { unwrap } from "../../support/runtime.ts";

const NOTE = { key: "eff_1", tool: "create_event", text: "Created it.", at: 0, result: {} };
const CALDAV: CalendarSource = { kind: "caldav", account: "work", url: "https://dav.example.com/c/", sync_token: null };

/** Saves a change of the first calendar and returns what is left to the commit of the receipt. */
async function saveOf(source: CalendarSource | null) {
  const documents = createMemoryDocuments();
  const store = createCalendarStore(documents);
  const made = { time_zone: "Europe/Berlin", created_at: 0 };
  const left: DocumentSave[] = [];
  const saveLater = (_: unknown, save: DocumentSave): boolean => left.push(save) > 0;
  const first = unwrap(await store.openFirst(LOCAL_TENANT, made, source ? undefined : saveLater));
  if (!source) {
    unwrap(await first.save([], NOTE));
    return { left, stored: unwrap(await store.list(LOCAL_TENANT)).calendars };
  }
  unwrap(await first.save([], NOTE, { source }));
  const connected = unwrap(await store.open(first.at, saveLater));
  unwrap(await connected.save([], { ...NOTE, key: "eff_2" }));
  const { head } = unwrap(await store.open(first.at));
  return { left, stored: head.changes.map(({ key }) => key) };
}

test("the first calendar of a tenant is listed in the commit that saves it", async () => {
  const { left, stored } = await saveOf(null);
  expect(left.map(({ at }) => at.kind).toSorted()).toEqual(["calendar_heads", "calendar_index"]);
  expect(stored).toEqual([]);
});

test("a change of a connected calendar is stored before it is sent, and not left to the receipt", async () => {
  const { left, stored } = await saveOf(CALDAV);
  expect(left).toEqual([]);
  expect(stored).toEqual(["eff_1", "eff_2"]);
});
