// Keeps calendars in their own table of a SQLite file. Uses single statements only and retries a busy file without
// blocking.
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";
import type { CalendarStore, LoadedCalendar } from "../toolkits/timetable/calendar-store.ts";
import { Calendar } from "../toolkits/timetable/schema/calendar.ts";

/** Covers two processes that create the file at the same time. Nothing is served yet, so blocking here is harmless. */
const OPEN_TIMEOUT_MS = 5000;
const BUSY_TIMEOUT_MS = 25;
const MAX_ATTEMPTS = 40;
const SQLITE_BUSY = 5;
/** All our own retries have failed, so callers should wait before they retry. */
const RETRY_AFTER_S = 2;

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS calendars (
  tenant TEXT NOT NULL, calendar TEXT NOT NULL, version INTEGER NOT NULL, document TEXT NOT NULL,
  PRIMARY KEY (tenant, calendar)
) STRICT, WITHOUT ROWID`;

export function createSqliteCalendarStore(path: string): CalendarStore {
  const db = open(path);
  const select = db.prepare("SELECT version, document FROM calendars WHERE tenant = ? AND calendar = ?");
  const insert = db.prepare("INSERT INTO calendars VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING");
  const update = db.prepare(
    "UPDATE calendars SET version = version + 1, document = ? WHERE tenant = ? AND calendar = ? AND version = ?",
  );
  const duplicate = db.prepare(
    "INSERT INTO calendars SELECT ?, ?, version, document FROM calendars WHERE tenant = ? AND calendar = ? ON CONFLICT DO NOTHING",
  );
  const erase = db.prepare("DELETE FROM calendars WHERE tenant = ? AND calendar = ?");

  return {
    load: (at) => retryWhileBusy(() => parseRow(select.get(at.tenant, at.calendar))),
    save: (at, calendar, expectedVersion) =>
      retryWhileBusy(() => {
        const document = JSON.stringify({ ...calendar, version: expectedVersion + 1 });
        const done =
          expectedVersion === 0
            ? insert.run(at.tenant, at.calendar, document)
            : update.run(document, at.tenant, at.calendar, expectedVersion);
        if (Number(done.changes) === 1) return ok(expectedVersion + 1);
        const version = Number(select.get(at.tenant, at.calendar)?.version ?? 0);
        return fail("calendar_moved", `The calendar is at version ${version}.`, { version });
      }),
    copy: (from, to) =>
      retryWhileBusy(() => ok(Number(duplicate.run(to.tenant, to.calendar, from.tenant, from.calendar).changes) === 1)),
    remove: (at) =>
      retryWhileBusy(() => {
        erase.run(at.tenant, at.calendar);
        return ok(undefined);
      }),
    async close() {
      db.close();
    },
  };
}

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: OPEN_TIMEOUT_MS });
  db.exec("PRAGMA journal_mode = WAL");
  // An acknowledged write must survive a power cut.
  db.exec("PRAGMA synchronous = FULL");
  db.exec(CREATE_TABLE);
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

function parseRow(row: Record<string, unknown> | undefined): Result<LoadedCalendar | null> {
  if (!row) return ok(null);
  const parsed = Calendar.safeParse(parseJson(row.document));
  if (!parsed.success)
    return fail("state_corrupt", `The stored calendar cannot be read: ${parsed.error.issues[0]?.message}.`);
  return ok({ calendar: parsed.data, version: parsed.data.version });
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

/** node:sqlite is synchronous: waiting inside it would block every request, so the short waits happen outside. */
async function retryWhileBusy<T>(attempt: () => Result<T>): Promise<Result<T>> {
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) return unavailable(`The calendar file failed: ${messageOf(error)}`);
    }
    await sleep(Math.random() * Math.min(5 * tries, 100));
  }
  return unavailable("The calendar file is still busy after all retries.");
}

const unavailable = (message: string): Failed => fail("store_unavailable", message, { retry_after_s: RETRY_AFTER_S });

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
