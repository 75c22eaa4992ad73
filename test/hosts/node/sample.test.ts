// Tests the first start with the demo model: it adds a working week around today once, and never again after it was
// deleted.
import { expect, test } from "vitest";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import { createSample } from "../../../src/toolkits/calendar/sample.ts";
import { createCalendarStore } from "../../../src/toolkits/calendar/store/calendar-store.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";

const target = { tenant: LOCAL_TENANT, now: Date.UTC(2031, 6, 9, 12), time_zone: "Europe/Berlin" };

test("the sample is a week around today, made once", async () => {
  const store = createCalendarStore(createMemoryDocuments());
  succeeded(await createSample(store, target));
  succeeded(await createSample(store, target));
  const { calendars, default: id } = succeeded(await store.list(LOCAL_TENANT));
  expect(calendars.map(({ name }) => name)).toEqual(["My week"]);
  const at = { tenant: LOCAL_TENANT, calendar: id ?? "" };
  const week = { from: Date.UTC(2031, 6, 7), to: Date.UTC(2031, 6, 12) };
  const objects = succeeded(await succeeded(await store.open(at)).inRange(week));
  expect(objects.map(({ title }) => title)).toContain("Dentist");
  succeeded(await store.remove(at));
  succeeded(await createSample(store, target));
  expect(succeeded(await store.list(LOCAL_TENANT)).calendars).toEqual([]);
});
