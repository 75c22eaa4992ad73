// Runs the contract of the document store on memory and SQLite, and tests behavior that only a file has.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, test } from "vitest";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createSqliteDocuments } from "../../src/adapters/store-sqlite/documents.ts";
import type { DocumentStore } from "../../src/ports/documents.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { documentStoreContract, type OpenDocuments } from "../../src/testing/document-store.contract.ts";
import { failedWith, succeeded } from "../../src/testing/expect.ts";
import { withImportedDocuments } from "../../src/threads/imported-documents.ts";
import { createCalendarStore } from "../../src/toolkits/timetable/calendar-store.ts";
import { sampleSemester } from "../../src/toolkits/timetable/sample.ts";
import { createMemoryDocuments, type MemoryDocuments } from "../support/documents-memory.ts";

const folders: string[] = [];
const opened: DocumentStore[] = [];

function freshFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "pawl-documents-"));
  folders.push(folder);
  return join(folder, "documents.db");
}

function openFile(path: string): DocumentStore {
  const store = createSqliteDocuments(path);
  opened.push(store);
  return store;
}

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const places: Record<string, () => OpenDocuments> = {
  memory: () => {
    const data: MemoryDocuments = new Map();
    return async () => createMemoryDocuments(data);
  },
  "memory, as toolkits see it": () => {
    const data: MemoryDocuments = new Map();
    const store = createMemoryStore();
    return async () => withImportedDocuments(createMemoryDocuments(data), store);
  },
  sqlite: () => {
    const path = freshFile();
    return async () => openFile(path);
  },
};

describe.each(Object.entries(places))("DocumentStore contract: %s", (_name, createPlace) => {
  test.each(documentStoreContract.map((one) => [one.name, one] as const))("%s", (_title, one) =>
    one.run(createPlace()),
  );
});

describe("documents in a file", () => {
  const at = { tenant: LOCAL_TENANT, kind: "note", id: "thr_a" };

  test("a document outlives the handle that saved it", async () => {
    const path = freshFile();
    const first = createSqliteDocuments(path);
    succeeded(await first.save(at, { n: 1 }, 0));
    await first.close();
    expect(succeeded(await openFile(path).load(at))).toEqual({ version: 1, value: { n: 1 } });
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
    succeeded(await store.save(at, {}, 0));
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const saving = store.save(at, { n: 1 }, 1);
    // The timer fires only because the store does not wait inside SQLite.
    await new Promise((done) => setTimeout(done, 60));
    other.exec("COMMIT");
    other.close();
    expect(succeeded(await saving)).toEqual({ saved: true, version: 2 });
  });

  test("calendars of the first release are read from the table they were stored in", async () => {
    const path = freshFile();
    const db = new DatabaseSync(path);
    db.exec(
      "CREATE TABLE calendars (tenant TEXT NOT NULL, calendar TEXT NOT NULL, version INTEGER NOT NULL, document TEXT NOT NULL, PRIMARY KEY (tenant, calendar)) STRICT, WITHOUT ROWID",
    );
    const insert = db.prepare("INSERT INTO calendars VALUES ('local', ?, ?, ?)");
    insert.run("thr_good", 3, JSON.stringify({ ...sampleSemester(), version: 3 }));
    insert.run("thr_text", 1, "{not json");
    insert.run("thr_shape", 1, JSON.stringify({ version: 1, tasks: "none" }));
    db.close();
    const calendars = createCalendarStore(openFile(path));
    const load = (calendar: string) => calendars.load({ tenant: LOCAL_TENANT, calendar });
    expect(succeeded(await load("thr_good"))).toEqual({ version: 3, calendar: { ...sampleSemester(), version: 3 } });
    for (const calendar of ["thr_text", "thr_shape"]) failedWith(await load(calendar), "state_corrupt");
  });

  test("a kind that cannot be part of a table name is refused", async () => {
    const loaded = await openFile(freshFile()).load({ ...at, kind: "x; DROP TABLE calendars" });
    expect(loaded).toMatchObject({ ok: false, problem: { code: "store_unavailable" } });
  });

  test("a closed store is unavailable and says when to retry", async () => {
    const store = createSqliteDocuments(freshFile());
    await store.close();
    const loaded = await store.load(at);
    failedWith(loaded, "store_unavailable");
    expect(loaded).toMatchObject({ problem: { details: { retry_after_s: 2 } } });
  });
});
