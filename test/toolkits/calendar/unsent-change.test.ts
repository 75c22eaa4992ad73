// Tests what a call reports after a crash while its change waits to be sent to the calendar server.
import { expect, test } from "vitest";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { createCalendarStore } from "../../../src/toolkits/calendar/store/calendar-store.ts";
import { calendarTools } from "../../../src/toolkits/calendar/tools/tools.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { unwrap } from "../../support/runtime.ts";
import { aContext } from "../../support/tool-context.ts";

const KEY = "eff_1";
const PUSH = {
  effect: KEY,
  key: "one",
  href: "https://dav.example.com/c/one.ics",
  etag: null,
  text: "BEGIN:VCALENDAR",
};
const CALDAV = { kind: "caldav", account: "work", url: "https://dav.example.com/c/", sync_token: null } as const;

test("a change that was not sent to its server yet is not reported as happened", async () => {
  const store = createCalendarStore(createMemoryDocuments());
  const first = unwrap(await store.openFirst(LOCAL_TENANT, { time_zone: "Europe/Berlin", created_at: 0 }));
  const result = { text: "Created Dentist.", changes: [] };
  const note = { key: KEY, tool: "create_event", text: "Created Dentist.", at: 0, result };
  unwrap(await first.save([], note, { source: CALDAV, pushes: [PUSH] }));
  const tool = calendarTools({ store }).find(({ manifest }) => manifest.name === "create_event");
  const args = tool?.input.parse({ title: "Dentist", start: "2026-03-03T09:00" });
  const ask = () => tool?.reconcile?.(args, KEY, aContext({ idempotency_key: KEY }));
  expect(await ask()).toBeNull();
  const waiting = unwrap(await store.open(first.at));
  unwrap(await waiting.save([], null, { pushes: [] }));
  expect(await ask()).toMatchObject({ happened: true, output: result });
});
