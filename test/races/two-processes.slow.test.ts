import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { explainList, type ListOperation } from "../../src/testing/linearizable.ts";
import { createRaceTarget } from "../../src/testing/race-suite/store-target.ts";
import { testSize } from "../support/test-size.ts";

const ROUNDS = testSize({ sample: 20, full: 60 });
const RACING_SCRIPT = join(import.meta.dirname, "racing-process.ts");

async function runRacingProcess(path: string, thread: string, name: string): Promise<readonly ListOperation[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [RACING_SCRIPT, path, thread, name, String(ROUNDS)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as ListOperation[];
}

test("two processes on one SQLite file: every version has one winner, and all reads and writes are linearizable", {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-two-"));
  const path = join(folder, "pawl.db");
  const store = succeeded(await createSqliteStore({ path })).threads;
  try {
    const target = await createRaceTarget(async () => store, 1);
    const [process] = target.processes;
    if (!process) throw new Error("no process");
    const thread = await process.create({ goal: "Race", mode: "direct", budget: { turns: 10_000 } });
    const operations = (
      await Promise.all(["left", "right"].map((name) => runRacingProcess(path, thread, name)))
    ).flat();
    const records = await process.records(thread);
    const list = records.flatMap(({ entry }) => (entry.input?.type === "message" ? [entry.input.text] : []));
    expect(explainList(list, operations)).toEqual([]);
    expect(records.map(({ version }) => version)).toEqual(records.map((_, n) => n));
    expect(list).toHaveLength(records.length - 1);
    const won = operations.filter((operation) => operation.kind === "append" && operation.outcome === "ok");
    expect(won.map(({ id }) => id).sort()).toEqual([...list].sort());
    for (const name of ["left", "right"]) expect(list.some((text) => text.startsWith(name))).toBe(true);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});
