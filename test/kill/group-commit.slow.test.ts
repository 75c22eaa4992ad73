// Tests the batched path of SQLite by killing a process while it commits the appends of eight threads together.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { testSize } from "../support/test-size.ts";

const THREADS = 8;
const KILLS = testSize({ sample: 4, full: 12 });
const script = new URL("../support/group-appends-process.ts", import.meta.url).pathname;

/** Returns the reported appends of each thread. */
async function appendUntilKilled(path: string, after_ms: number): Promise<readonly number[]> {
  const child = spawn(process.execPath, [script, path], { stdio: ["ignore", "pipe", "inherit"] });
  const reported = text(child.stdout);
  await once(child.stdout, "readable");
  await sleep(after_ms);
  child.kill("SIGKILL");
  const acknowledged = Array<number>(THREADS).fill(0);
  // Only complete lines count, because the last one may have been cut off.
  for (const line of (await reported).split("\n").slice(0, -1)) {
    const [thread = 0, version = 0] = line.split(" ").map(Number);
    acknowledged[thread] = version;
  }
  return acknowledged;
}

const SELECT_HEADS = `
SELECT max(version) AS head, count(*) AS records,
  (SELECT count(*) FROM outbox WHERE outbox.tenant = records.tenant AND outbox.thread = records.thread) AS deliveries
FROM records GROUP BY tenant, thread ORDER BY thread`;

test("a process killed during a group leaves all of it or nothing, and everything it acknowledged", {
  timeout: 120_000,
}, async () => {
  for (let n = 0; n < KILLS; n += 1) {
    const folder = mkdtempSync(join(tmpdir(), "pawl-group-kill-"));
    const path = join(folder, "pawl.db");
    const acknowledged = await appendUntilKilled(path, 20 + n * testSize({ sample: 21, full: 7 }));
    const db = new DatabaseSync(path);
    const rows = db.prepare(SELECT_HEADS).all() as { head: number; records: number; deliveries: number }[];
    expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    db.close();
    rmSync(folder, { recursive: true });

    const [{ head } = { head: 0 }] = rows;
    expect(head).toBeGreaterThan(0);
    for (const [thread, row] of rows.entries()) {
      expect(row).toEqual({ head, records: head + 1, deliveries: head });
      expect(head).toBeGreaterThanOrEqual(acknowledged[thread] ?? 0);
    }
  }
});
