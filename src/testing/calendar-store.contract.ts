// The contract of every calendar store, as plain data for any test runner. No case is optional.

import { TenantId } from "../schema/ids.ts";
import type { CalendarRef, CalendarStore } from "../toolkits/timetable/calendar-store.ts";
import type { Calendar } from "../toolkits/timetable/schema/calendar.ts";
import { equal, failedWith, succeeded } from "./expect.ts";

/** Returns a new handle on the same data on every call; the data is empty when a case begins. */
export type OpenCalendars = () => Promise<CalendarStore>;
export type CalendarCase = { readonly name: string; readonly run: (open: OpenCalendars) => Promise<void> };

const ACME = TenantId.parse("acme");
const BOLT = TenantId.parse("bolt");
const at = (calendar: string, tenant = ACME): CalendarRef => ({ tenant, calendar });
const MINE = at("thr_mine");

const calendar = (n: number): Calendar => ({
  version: 0,
  total_days: 1,
  starts_on: null,
  days: [{ day: 1, week: 1, weekday: 1 }],
  tasks: [
    {
      state_id: n,
      name: `größe 📏 "${n}"`,
      category: null,
      status: "suggested",
      source: "task_item",
      source_id: null,
      event_type: null,
      locked: false,
      can_embed: false,
      embedded_by: null,
      embed_host: null,
      slots: [{ day: 1, slot_start: 1, slot_end: 2 }],
      duration: 2,
      task_class: null,
    },
  ],
  classes: [],
  outside: false,
  applied_effects: [{ effect_id: `eff_${n}`, tool: "move", text: "error\u0000 analysis", changes: [] }],
  previous: null,
});

const stored = (n: number, version: number) => ({ calendar: { ...calendar(n), version }, version });

export const calendarStoreContract: readonly CalendarCase[] = [
  {
    name: "a calendar that was never saved loads as null",
    run: async (open) => {
      const store = await open();
      equal(succeeded(await store.load(MINE)), null);
    },
  },
  {
    name: "a saved calendar is loaded unchanged, including its version",
    run: async (open) => {
      const store = await open();
      equal(succeeded(await store.save(MINE, calendar(1), 0)), 1);
      equal(succeeded(await store.load(MINE)), stored(1, 1));
    },
  },
  {
    name: "each save increments the version and replaces the document",
    run: async (open) => {
      const store = await open();
      for (let n = 0; n < 5; n += 1) equal(succeeded(await store.save(MINE, calendar(n + 1), n)), n + 1);
      equal(succeeded(await store.load(MINE)), stored(5, 5));
    },
  },
  {
    name: "a save over an outdated version fails with calendar_moved and changes nothing",
    run: async (open) => {
      const store = await open();
      equal(failedWith(await store.save(MINE, calendar(1), 3), "calendar_moved").details, { version: 0 });
      succeeded(await store.save(MINE, calendar(1), 0));
      succeeded(await store.save(MINE, calendar(2), 1));
      for (const expectedVersion of [0, 1, 3]) {
        equal(failedWith(await store.save(MINE, calendar(9), expectedVersion), "calendar_moved").details, {
          version: 2,
        });
      }
      equal(succeeded(await store.load(MINE)), stored(2, 2));
    },
  },
  {
    name: "of 16 racing saves on two handles exactly one wins",
    run: async (open) => {
      const [first, second] = [await open(), await open()];
      for (const expectedVersion of [0, 1]) {
        const saves = Array.from({ length: 16 }, (_, n) =>
          (n % 2 ? first : second).save(MINE, calendar(n + 1), expectedVersion),
        );
        const results = await Promise.all(saves);
        equal(results.filter((result) => result.ok).length, 1, "winners");
        const winner = results.findIndex((result) => result.ok) + 1;
        equal(succeeded(await second.load(MINE)), stored(winner, expectedVersion + 1));
      }
    },
  },
  {
    name: "calendars are isolated by tenant and by name",
    run: async (open) => {
      const store = await open();
      succeeded(await store.save(MINE, calendar(1), 0));
      equal(succeeded(await store.load(at("thr_mine", BOLT))), null);
      equal(succeeded(await store.load(at("thr_other"))), null);
      succeeded(await store.save(at("thr_mine", BOLT), calendar(2), 0));
      equal(succeeded(await store.load(MINE)), stored(1, 1));
    },
  },
  {
    name: "a copy has the same content and is independent afterwards",
    run: async (open) => {
      const store = await open();
      succeeded(await store.save(MINE, calendar(1), 0));
      equal(succeeded(await store.copy(MINE, at("thr_fork"))), true);
      equal(succeeded(await store.load(at("thr_fork"))), stored(1, 1));
      succeeded(await store.save(at("thr_fork"), calendar(2), 1));
      equal(succeeded(await store.load(MINE)), stored(1, 1));
      equal(succeeded(await store.load(at("thr_fork"))), stored(2, 2));
    },
  },
  {
    name: "copying a missing calendar, or onto an existing one, changes nothing",
    run: async (open) => {
      const store = await open();
      equal(succeeded(await store.copy(MINE, at("thr_fork"))), false);
      equal(succeeded(await store.load(at("thr_fork"))), null);
      succeeded(await store.save(MINE, calendar(1), 0));
      succeeded(await store.save(at("thr_fork"), calendar(2), 0));
      equal(succeeded(await store.copy(MINE, at("thr_fork"))), false);
      equal(succeeded(await store.load(at("thr_fork"))), stored(2, 1));
    },
  },
  {
    name: "a removed calendar is deleted, can be removed again, and can be created again",
    run: async (open) => {
      const store = await open();
      succeeded(await store.remove(MINE));
      succeeded(await store.save(MINE, calendar(1), 0));
      succeeded(await store.save(at("thr_other"), calendar(2), 0));
      succeeded(await store.remove(MINE));
      succeeded(await store.remove(MINE));
      equal(succeeded(await store.load(MINE)), null);
      equal(succeeded(await store.load(at("thr_other"))), stored(2, 1));
      equal(succeeded(await store.save(MINE, calendar(3), 0)), 1);
    },
  },
  {
    name: "mutating a loaded or saved calendar does not change the stored one",
    run: async (open) => {
      const store = await open();
      const mine = calendar(1);
      succeeded(await store.save(MINE, mine, 0));
      mine.tasks.length = 0;
      succeeded(await store.load(MINE))?.calendar.tasks.pop();
      equal(succeeded(await store.load(MINE)), stored(1, 1));
    },
  },
];
