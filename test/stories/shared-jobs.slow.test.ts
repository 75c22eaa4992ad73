// Three processes share two hundred jobs on one file, and one of them is killed halfway. Every job ends, and no effect
// happens twice: if the outcome is unknown, a user decides.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { type AppProcess, killApps, startApp } from "../support/app-process.ts";
import { unwrap } from "../support/runtime.ts";

const JOBS = 200;
const folder = mkdtempSync(join(tmpdir(), "pawl-shared-"));
const ledger = join(folder, "ledger");
const config = {
  limits: { turn_deadline_ms: 4000, settle_grace_ms: 0, requests_per_minute: 100_000 },
  jobs: { concurrency: 4, lease_ms: 1000, slice_turns: 2, poll_ms: 50 },
};
writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(config));
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

const startWorker = (): Promise<AppProcess> =>
  startApp(folder, { JOB_FOLDER: folder, JOB_LEDGER: ledger }, "test/support/job-host.ts");
const traces = (): string[] => (existsSync(ledger) ? readFileSync(ledger, "utf8").trimEnd().split("\n") : []);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what: string, holds: () => Promise<boolean> | boolean, within_ms = 90_000): Promise<void> {
  for (const end = Date.now() + within_ms; Date.now() < end; await pause(100)) if (await holds()) return;
  throw new Error(`Timed out waiting until ${what}`);
}

async function listAll(client: Client) {
  const all: { id: string; outcome: string | null; state: string }[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = unwrap(await client.list({ limit: 200, ...(cursor ? { cursor } : {}) }));
    all.push(...page.threads);
    if (!page.cursor) return all;
    cursor = page.cursor;
  }
}

/** Resolves doubts by checking what really happened. */
async function answerDoubts(client: Client): Promise<number> {
  const { gates } = unwrap(await client.gates({ limit: 200 }));
  for (const { thread, gate } of gates) {
    expect(gate.kind).toBe("doubt");
    const outcome = traces().includes(thread) ? "happened" : "not_happened";
    unwrap(await client.advance(thread, { type: "resolve", gate_id: gate.id, outcome }));
  }
  return gates.length;
}

test("every job ends, and no effect happens twice", async () => {
  const [first, second, doomed] = await Promise.all([startWorker(), startWorker(), startWorker()]);
  if (!first || !second || !doomed) throw new Error("three processes");
  // The process that accepts a job starts it immediately, so each process accepts a share.
  for (let n = 0; n < JOBS; n++) {
    const { client } = [first, second, doomed][n % 3] ?? first;
    unwrap(await client.create({ goal: `Job ${n}`, mode: "direct", run: "background" }));
  }
  await until("a third is done", () => traces().length > JOBS / 3);
  doomed.kill();
  expect(await doomed.ended).toBe("SIGKILL");
  let doubts = 0;
  await until("all jobs ended", async () => {
    doubts += await answerDoubts(first.client);
    return (await listAll(second.client)).every(({ state }) => state === "rest");
  });
  const threads = await listAll(second.client);
  expect(threads).toHaveLength(JOBS);
  expect(threads.filter(({ outcome }) => outcome !== "completed")).toEqual([]);
  const left = traces();
  expect(left.toSorted()).toEqual(threads.map(({ id }) => id).toSorted());
  // There are at most as many doubts as the killed process had running jobs.
  expect(doubts).toBeLessThanOrEqual(config.jobs.concurrency);
  expect(await Promise.all([first.stop(), second.stop()])).toEqual(["0", "0"]);
});

test("the work was shared: more than one process advanced it", async () => {
  const reader = await startApp(folder, { JOB_FOLDER: folder }, "test/support/job-host.ts");
  const actors = new Set<string>();
  for (const { id } of await listAll(reader.client)) {
    const { records } = unwrap(
      await reader.client.call<{ records: { actor: string }[] }>("GET", `/v1/threads/${id}/turns`),
    );
    for (const { actor } of records) if (actor.startsWith("worker-")) actors.add(actor);
  }
  // The third process may have been killed or started too late, so it may have no share.
  expect(actors.size).toBeGreaterThanOrEqual(2);
  await reader.stop();
});
