// Reads threads as stored by released versions. The files are never edited: if one of these tests fails, the reader is
// wrong.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMemoryData, createMemoryStore, type MemoryData } from "../../src/adapters/store-memory.ts";
import { upgradeRecord } from "../../src/migrate/upgrade.ts";
import type { StoredRecord } from "../../src/ports/thread-store.ts";
import type { ThreadRef } from "../../src/schema/ids.ts";
import { loadThread, readRecords } from "../../src/turn/load.ts";
import { attachTestThread, createTestRuntime, problemCode, unwrap } from "../support/runtime.ts";

type Stored = {
  readonly at: ThreadRef;
  readonly rows: readonly StoredRecord[];
  readonly blobs: Readonly<Record<string, string>>;
};

const FOLDER = join(import.meta.dirname, "../fixtures/threads");
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
const threadsOf = (name: string): readonly Stored[] =>
  (JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as { threads: Stored[] }).threads;

function dataWith({ at, rows, blobs }: Stored): MemoryData {
  const data = createMemoryData();
  data.records.set(`${at.tenant}/${at.thread}`, [...rows]);
  data.blobs.set(`${at.tenant}/${at.thread}`, new Map(Object.entries(blobs)));
  return data;
}

test("there are at least 50 stored threads", () => {
  expect(files.flatMap(threadsOf).length).toBeGreaterThanOrEqual(50);
});

describe.each(files)("threads stored in %s", (name) => {
  const threads = threadsOf(name);

  test("are read completely", async () => {
    for (const stored of threads) {
      const store = createMemoryStore(dataWith(stored));
      expect(unwrap(await loadThread({ store }, stored.at)).version).toBe(stored.rows.length - 1);
      expect(unwrap(await readRecords({ store }, stored.at, 0, 1000))).toHaveLength(stored.rows.length);
    }
  });

  test("are unchanged after reading, writing and reading again", () => {
    for (const row of threads.flatMap(({ rows }) => rows)) {
      const first = unwrap(upgradeRecord(row));
      const again = unwrap(
        upgradeRecord({ ...row, entry: JSON.stringify(first.entry), state: JSON.stringify(first.state) }),
      );
      expect(again).toEqual(first);
    }
  });

  test("continue where they stopped", async () => {
    for (const stored of threads) {
      const rt = createTestRuntime([], [], { store: createMemoryStore(dataWith(stored)) });
      const { machine } = unwrap(await loadThread(rt, stored.at)).state;
      const expected = machine.state === "rest" ? "nothing_to_do" : "ok";
      const { turn } = attachTestThread(rt, stored.at.thread);
      expect(problemCode(await turn({ type: "cancel" }, { at: stored.at }))).toBe(expected);
    }
  });

  test("of a newer schema are refused and left unchanged", async () => {
    for (const stored of threads) {
      for (const part of ["entry", "state"] as const) {
        const rows = stored.rows.map((row) => ({ ...row, [part]: row[part].replace('"schema":', '"schema":99') }));
        const data = dataWith({ ...stored, rows });
        const before = JSON.stringify([...data.records]);
        const rt = createTestRuntime([], [], { store: createMemoryStore(data) });
        expect(problemCode(await loadThread(rt, stored.at))).toBe("newer_version");
        const { turn } = attachTestThread(rt, stored.at.thread);
        expect(problemCode(await turn({ type: "cancel" }, { at: stored.at }))).toBe("newer_version");
        expect(JSON.stringify([...data.records])).toBe(before);
      }
    }
  });
});
