// The calendar store contract on every local store, and tests of the file-based one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, test } from "vitest";
import { createMemoryCalendarStore, type MemoryCalendarData } from "../../src/adapters/calendar-memory.ts";
import { createSqliteCalendarStore } from "../../src/adapters/calendar-sqlite.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { calendarStoreContract, type OpenCalendars } from "../../src/testing/calendar-store.contract.ts";
import { failedWith, succeeded } from "../../src/testing/expect.ts";
import type { CalendarStore } from "../../src/toolkits/timetable/calendar-store.ts";
import { sampleSemester } from "../../src/toolkits/timetable/sample.ts";

const folders: string[] = [];
const opened: CalendarStore[] = [];

function freshFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "pawl-calendars-"));
  folders.push(folder);
  return join(folder, "calendars.db");
}

function openFile(path: string): CalendarStore {
  const store = createSqliteCalendarStore(path);
  opened.push(store);
  return store;
}

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const stores: Record<string, () => OpenCalendars> = {
  memory: () => {
    const data: MemoryCalendarData = new Map();
    return async () => createMemoryCalendarStore(data);
  },
  sqlite: () => {
    const path = freshFile();
    return async () => openFile(path);
  },
};

describe.each(Object.entries(stores))("CalendarStore contract: %s", (_name, createOpen) => {
  test.each(calendarStoreContract.map((one) => [one.name, one] as const))("%s", (_title, one) => one.run(createOpen()));
});

describe("calendars in a file", () => {
  const at = { tenant: LOCAL_TENANT, calendar: "thr_a" };

  test("a calendar outlives the handle that saved it", async () => {
    const path = freshFile();
    const first = createSqliteCalendarStore(path);
    succeeded(await first.save(at, sampleSemester(), 0));
    await first.close();
    expect(succeeded(await openFile(path).load(at))?.calendar).toEqual({ ...sampleSemester(), version: 1 });
  });

  test("the file is in WAL mode", async () => {
    const path = freshFile();
    openFile(path);
    const db = new DatabaseSync(path);
    expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    db.close();
  });

  test("a save waits for another writer without blocking this process", async () => {
    const path = freshFile();
    const store = openFile(path);
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const saving = store.save(at, sampleSemester(), 0);
    // The timer only fires because SQLite does not block while waiting.
    await new Promise((done) => setTimeout(done, 60));
    other.exec("COMMIT");
    other.close();
    expect(succeeded(await saving)).toBe(1);
  });

  test("an invalid document fails with state_corrupt instead of throwing", async () => {
    const path = freshFile();
    const store = openFile(path);
    const db = new DatabaseSync(path);
    const insert = db.prepare("INSERT INTO calendars VALUES ('local', ?, 1, ?)");
    insert.run("thr_text", "{not json");
    insert.run("thr_shape", JSON.stringify({ version: 1, tasks: "none" }));
    db.close();
    for (const calendar of ["thr_text", "thr_shape"]) {
      failedWith(await store.load({ tenant: LOCAL_TENANT, calendar }), "state_corrupt");
    }
  });

  test("a closed store is unavailable, with a retry time", async () => {
    const store = createSqliteCalendarStore(freshFile());
    await store.close();
    const loaded = await store.load(at);
    failedWith(loaded, "store_unavailable");
    expect(loaded).toMatchObject({ problem: { details: { retry_after_s: 2 } } });
  });
});
