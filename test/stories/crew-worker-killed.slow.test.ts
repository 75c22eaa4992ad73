// A parent with eight parallel children on SQLite is advanced by the workers of two processes, one of which is killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { readRecords } from "../../src/turn/load.ts";
import { stateOf } from "../support/crew.ts";
import { startCrewWorker } from "../support/crew-worker-process.ts";
import { createTestThread, unwrap } from "../support/runtime.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-crew-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every child runs once, and the parent gets all eight results", { timeout: 60_000 }, async () => {
  const path = join(folder, "store.db");
  const { rt, worker, store } = await startCrewWorker(path, "this");
  const script = join(import.meta.dirname, "../support/crew-worker-process.ts");
  const other = spawn(process.execPath, [script, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(other.stdout, "data");
  const { at } = await createTestThread(rt, { goal: "Parent", mode: "direct", run: "background" });
  const list = async () => unwrap(await store.list(LOCAL_TENANT, { limit: 50 }));
  const until = async (done: () => Promise<boolean>) => {
    while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  // Some children have begun, and none of the parent's work is complete.
  await until(async () => (await list()).filter(({ version }) => version > 0).length >= 3);
  other.kill("SIGKILL");
  await once(other, "exit");

  await until(async () => (await stateOf(rt, at.thread)).machine.state === "rest");
  await worker.drain();
  const threads = await list();
  expect(threads).toHaveLength(9);
  for (const { thread, parent } of threads) {
    const { machine, run } = await stateOf(rt, thread);
    expect([machine.state, machine.outcome, run]).toEqual(["rest", "completed", 1]);
    const records = unwrap(await readRecords(rt, { tenant: LOCAL_TENANT, thread }, 0, 200));
    expect(records.filter(({ entry }) => entry.signals.includes("run.delivered"))).toHaveLength(1);
    expect(parent).toBe(thread === at.thread ? undefined : at.thread);
  }
  const parent = unwrap(await readRecords(rt, at, 0, 200));
  const settled = parent.filter(({ entry }) => entry.observation?.raw);
  expect(settled).toHaveLength(1);
  const completed = Array.from({ length: 8 }, () => ({ outcome: "completed" }));
  expect(settled[0]?.entry.observation?.raw).toMatchObject({ children: completed });
  await store.close();
});
