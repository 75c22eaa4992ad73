import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { createSqliteDocuments } from "../../../src/adapters/store-sqlite/documents.ts";
import type { DocumentStore } from "../../../src/ports/documents.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { fail } from "../../../src/schema/problem.ts";
import { failedWith, succeeded } from "../../../src/testing/expect.ts";
import type { StoredObject } from "../../../src/toolkits/calendar/events/stored-object.ts";
import { createObject } from "../../../src/toolkits/calendar/ics/change-object.ts";
import { type CalendarStore, createCalendarStore } from "../../../src/toolkits/calendar/store/calendar-store.ts";
import { OFFICE_HOURS } from "../../../src/toolkits/calendar/store/head.ts";
import { createMemoryDocuments, type MemoryDocuments } from "../../support/documents-memory.ts";

const ZONE = "Europe/Berlin";
const DAY = 86_400_000;
const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const one of cleanUp.splice(0)) await one();
});

const stores: Record<string, () => DocumentStore> = {
  memory: () => createMemoryDocuments(),
  sqlite: () => {
    const folder = mkdtempSync(join(tmpdir(), "pawl-calendar-"));
    const store = createSqliteDocuments(join(folder, "documents.db"));
    cleanUp.push(
      () => store.close(),
      () => rmSync(folder, { recursive: true }),
    );
    return store;
  },
};

const settings = { name: "Work", time_zone: ZONE, working_hours: OFFICE_HOURS, owner: "ada", created_at: 0, key: null };

async function newCalendar(store: CalendarStore) {
  const { entry } = succeeded(await store.create(LOCAL_TENANT, { ...settings, make_default: false }));
  return { tenant: LOCAL_TENANT, calendar: entry.id };
}

const anEvent = (n: number, start: number, rule: string | null = null): StoredObject =>
  createObject(
    { uid: `u${n}`, start, end: start + 3_600_000, all_day: false, zone: ZONE, rule, fields: { title: `Event ${n}` } },
    n,
    { zone: ZONE, now: 0 },
  );

const note = (n: number) => ({ key: `key ${n}`, tool: "test", text: `Change ${n}`, at: n, result: null });
const NOTHING = { properties: [], components: [] };

describe.each(Object.entries(stores))("calendars on %s", (_name, createDocuments) => {
  test("have whatever a sequence of changes and undos leaves, as a plain map has", async () => {
    const command = fc.oneof(
      fc.record({
        kind: fc.constant("put" as const),
        n: fc.integer({ min: 1, max: 80 }),
        day: fc.nat(700),
        long: fc.boolean(),
      }),
      fc.record({ kind: fc.constant("remove" as const), n: fc.integer({ min: 1, max: 80 }) }),
      fc.record({ kind: fc.constant("undo" as const) }),
      fc.record({ kind: fc.constant("import" as const), count: fc.nat(60) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 60 }), async (commands) => {
        const store = createCalendarStore(createDocuments());
        const at = await newCalendar(store);
        let model = new Map<string, StoredObject>();
        const history: Map<string, StoredObject>[] = [];
        for (const [step, one] of commands.entries()) {
          const calendar = succeeded(await store.open(at));
          if (one.kind === "undo") {
            if (!calendar.undoable()) continue;
            succeeded(await calendar.undo(note(step)));
            model = history.pop() ?? model;
            continue;
          }
          if (one.kind === "import") {
            history.push(model);
            const objects = Array.from({ length: one.count }, (_, n) =>
              anEvent(n + 1, Date.UTC(2026, 0, 1) + n * 9 * DAY),
            );
            model = new Map(objects.map((object) => [object.key, object]));
            succeeded(await calendar.replace({ objects, kept: NOTHING }, note(step)));
            continue;
          }
          const before = model.get(`u${one.n}`) ?? null;
          if (one.kind === "remove" && !before) continue;
          history.push(model);
          const start = one.kind === "put" ? Date.UTC(2026, 0, 1, 9) + one.day * DAY : 0;
          const after = one.kind === "put" ? anEvent(one.n, start, one.long ? "FREQ=WEEKLY" : null) : null;
          model = new Map(model);
          if (after) model.set(after.key, after);
          else model.delete(`u${one.n}`);
          succeeded(await calendar.save([{ before, after }], note(step)));
        }
        const objects = succeeded(await succeeded(await store.open(at)).all());
        expect(new Map(objects.map((object) => [object.key, object]))).toEqual(model);
      }),
      { numRuns: _name === "memory" ? 60 : 4 },
    );
  }, 20_000);

  test("save one of two racing changes, and leave no documents of the other", async () => {
    const store = createCalendarStore(createDocuments());
    const at = await newCalendar(store);
    const [one, other] = [succeeded(await store.open(at)), succeeded(await store.open(at))];
    succeeded(await one.save([{ before: null, after: anEvent(1, 0) }], note(1)));
    failedWith(await other.replace({ objects: [anEvent(2, 0)], kept: NOTHING }, note(2)), "calendar_moved");
    const objects = succeeded(await succeeded(await store.open(at)).all());
    expect(objects.map(({ key }) => key)).toEqual(["u1"]);
  });
});

describe("a calendar", () => {
  /** Creates a store that counts reads and fails where a test requests it. */
  function watched(data: MemoryDocuments = new Map()) {
    const inner = createMemoryDocuments(data);
    const seen = { loads: [] as string[], failing: (_kind: string): boolean => false };
    const documents: DocumentStore = {
      ...inner,
      load: (at) => {
        seen.loads.push(at.id);
        return inner.load(at);
      },
      save: async (at, value, version) =>
        seen.failing(at.kind) ? fail("store_unavailable", "Down.") : inner.save(at, value, version),
    };
    return { documents, seen, data };
  }

  test("of 10,000 events reads only the month that is asked for", async () => {
    const { documents, seen } = watched();
    const store = createCalendarStore(documents);
    const at = await newCalendar(store);
    const objects = Array.from({ length: 10_000 }, (_, n) =>
      anEvent(n + 1, Date.UTC(2024, 0, 1, 8) + n * 4 * 3_600_000),
    );
    succeeded(await succeeded(await store.open(at)).replace({ objects, kept: NOTHING }, note(1)));
    seen.loads.length = 0;
    const fresh = createCalendarStore(documents);
    const calendar = succeeded(await fresh.open(at));
    const march = succeeded(await calendar.inRange({ from: Date.UTC(2026, 2, 3), to: Date.UTC(2026, 2, 20) }));
    expect(march.length).toBe(31 * 6);
    expect(seen.loads.filter((id) => id !== at.calendar).every((id) => id.includes(".2026-03."))).toBe(true);
    expect(seen.loads.length).toBeLessThanOrEqual(4);
  });

  test("is unchanged when the store fails at any point of an import", async () => {
    for (const kind of ["calendar_parts", "calendar_heads"]) {
      const { documents, seen } = watched();
      const store = createCalendarStore(documents);
      const at = await newCalendar(store);
      succeeded(await succeeded(await store.open(at)).save([{ before: null, after: anEvent(1, 0) }], note(1)));
      seen.failing = (which) => which === kind;
      const calendar = succeeded(await store.open(at));
      failedWith(await calendar.replace({ objects: [anEvent(2, 0)], kept: NOTHING }, note(2)), "store_unavailable");
      seen.failing = () => false;
      const objects = succeeded(await succeeded(await store.open(at)).all());
      expect(objects.map(({ key }) => key)).toEqual(["u1"]);
    }
  });

  test("that is deleted leaves no document behind but the list", async () => {
    const { documents, data } = watched();
    const store = createCalendarStore(documents);
    const at = await newCalendar(store);
    const objects = Array.from({ length: 300 }, (_, n) => anEvent(n + 1, n * 9 * DAY));
    succeeded(await succeeded(await store.open(at)).replace({ objects, kept: NOTHING }, note(1)));
    succeeded(await succeeded(await store.open(at)).save([{ before: objects[0] ?? null, after: null }], note(2)));
    expect(data.size).toBeGreaterThan(10);
    succeeded(await store.remove(at));
    succeeded(await store.remove(at));
    expect([...data.keys()]).toEqual([JSON.stringify(["calendar_index", LOCAL_TENANT, "all"])]);
    failedWith(await store.open(at), "calendar_not_found");
  });

  test("keeps the last 64 changes, and each can be undone, newest first", async () => {
    const store = createCalendarStore(createMemoryDocuments());
    const at = await newCalendar(store);
    for (let n = 1; n <= 70; n += 1)
      succeeded(await succeeded(await store.open(at)).save([{ before: null, after: anEvent(n, n * DAY) }], note(n)));
    expect(succeeded(await store.open(at)).head.changes).toHaveLength(64);
    let undone = 0;
    for (;;) {
      const calendar = succeeded(await store.open(at));
      if (!calendar.undoable()) break;
      succeeded(await calendar.undo(note(100 + undone)));
      undone += 1;
    }
    expect(undone).toBe(64);
    const left = succeeded(await succeeded(await store.open(at)).all());
    expect(left).toHaveLength(70 - undone);
  });
});
