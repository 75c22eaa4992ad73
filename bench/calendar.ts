// Measures calendars: find_time over a year, a month of 10,000 events compared with the bare query, and the commits of
// a write.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSqliteDocuments } from "../src/adapters/store-sqlite/documents.ts";
import type { DocumentStore } from "../src/ports/documents.ts";
import { succeeded } from "../src/testing/expect.ts";
import { createObject } from "../src/toolkits/calendar/ics/change-object.ts";
import { startCalendar, ZONE } from "../test/toolkits/calendar/calendar-tools.ts";
import { median } from "./support/rates.ts";

const ROUNDS = 31;
const HOUR = 3_600_000;

async function medianMs(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return median(times);
}

const anObject = (n: number, start: number, rule: string | null) =>
  createObject(
    { uid: `u${n}`, start, end: start + HOUR / 2, all_day: false, zone: ZONE, rule, fields: { title: `Event ${n}` } },
    n,
    {
      zone: ZONE,
      now: 0,
    },
  );

const note = { key: "bench", tool: "bench", text: "", at: 0, result: null };
const kept = { properties: [], components: [] };

async function findTime(documents: DocumentStore): Promise<void> {
  const { store, at, call } = await startCalendar(documents);
  const series = Array.from({ length: 20 }, (_, n) =>
    anObject(
      n + 1,
      Date.UTC(2025, 0, 6, 8, (n % 2) * 30) + Math.floor(n / 2) * HOUR,
      "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR",
    ),
  );
  succeeded(await succeeded(await store.open(at)).replace({ objects: series, kept }, note));
  const year = { from: "2026-03-02", to: "2027-03-01" };
  const found = await call("check_calendar", year);
  const occurrences = [...found.text.matchAll(/: (\d+) events/g)].reduce((sum, [, n]) => sum + Number(n), 0);
  const ms = await medianMs(() =>
    call("find_time", { duration_min: 60, ...year, within: { start: "08:00", end: "20:00" } }),
  );
  console.log(`find_time over a year with ${occurrences} occurrences: ${ms.toFixed(1)} ms (limit 20)`);
}

async function listMonth(documents: DocumentStore, file: string): Promise<void> {
  const { store, at, call } = await startCalendar(documents);
  const objects = Array.from({ length: 10_000 }, (_, n) =>
    anObject(n + 1, Date.UTC(2024, 0, 1, 8) + n * 4 * HOUR, null),
  );
  succeeded(await succeeded(await store.open(at)).replace({ objects, kept }, note));
  const db = new DatabaseSync(file, { readOnly: true });
  const query = db.prepare("SELECT document FROM documents_calendar_parts WHERE id LIKE ?");
  const bare = await medianMs(() =>
    query.all(`${at.calendar}.%.2026-03.%`).map((row) => JSON.parse(String(row.document))),
  );
  const list = () => call("list_events", { from: "2026-03-01", to: "2026-03-31" });
  const ms = await medianMs(list);
  const { data } = (await list()).data as { data: { total: number } };
  console.log(
    `list_events of a month (${data.total} of 10,000 events): ${ms.toFixed(2)} ms, bare query ${bare.toFixed(2)} ms, ratio ${(ms / bare).toFixed(1)}`,
  );
  db.close();
}

async function commits(documents: DocumentStore): Promise<void> {
  let saves = 0;
  const counted: DocumentStore = {
    ...documents,
    save: (...args) => {
      saves += 1;
      return documents.save(...args);
    },
  };
  const { call } = await startCalendar(counted);
  saves = 0;
  for (let n = 0; n < 20; n += 1)
    await call("create_event", { title: `E${n}`, start: `2026-04-${String(n + 1).padStart(2, "0")}T10:00` });
  console.log(`commits of the store of documents per written event: ${(saves / 20).toFixed(2)}`);
}

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-bench-calendar-"));
  const file = join(folder, "documents.db");
  const documents = createSqliteDocuments(file);
  await findTime(documents);
  await listMonth(documents, file);
  await commits(documents);
  await documents.close();
  rmSync(folder, { recursive: true });
}
