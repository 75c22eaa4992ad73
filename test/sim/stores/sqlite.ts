// Opens a real SQLite file with a connection per server slot.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStore, type SqliteStore } from "../../../src/adapters/store-sqlite/create-store.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { HANDLES, type RealStore } from "./mirror-store.ts";

/** In memory where the system has such a folder: a history does not depend on the disk, but would wait for its syncs. */
const TEMPORARY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const STANDING_CLOCK: Clock = { now: () => 0, sleep: () => Promise.reject(new Error("the file is busy")) };

export async function openSqlite(): Promise<RealStore> {
  const folder = mkdtempSync(join(TEMPORARY, "pawl-sim-"));
  const connections: SqliteStore[] = [];
  for (let n = 0; n < HANDLES; n += 1) {
    // A history does not simulate power failures, and the actual duration of an operation must not change its course.
    const path = join(folder, "pawl.db");
    const opened = await createSqliteStore({ path, synchronous: "NORMAL", clock: STANDING_CLOCK });
    if (!opened.ok) throw new Error(opened.problem.message);
    connections.push(opened.value);
  }
  return {
    name: "SQLite",
    handles: connections.map(({ threads }) => threads),
    close: async () => {
      for (const connection of connections) await connection.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
