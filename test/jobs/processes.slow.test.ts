// Tests workers in separate processes on one database file: deliveries that are due for two of them at the same moment,
// and a process that is stopped in the middle of a run.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { type AppProcess, killApps, startApp } from "../support/app-process.ts";
import { unwrap } from "../support/runtime.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-processes-"));
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

const SLOWLY = { timeout: 60_000, interval: 100 };

/** Creates a folder with its configuration, and a function that starts a host on it. */
function createHostFolder(name: string, env: Record<string, string> = {}) {
  const place = join(folder, name);
  mkdirSync(place);
  const ledger = join(place, "ledger");
  writeFileSync(join(place, "pawl.config.json"), JSON.stringify({ jobs: { poll_ms: 20 } }));
  const start = (): Promise<AppProcess> =>
    startApp(place, { JOB_FOLDER: place, JOB_LEDGER: ledger, ...env }, "test/support/job-host.ts");
  const traces = (): readonly string[] =>
    existsSync(ledger) ? readFileSync(ledger, "utf8").trimEnd().split("\n") : [];
  return { place, start, traces };
}

test("two processes that wake for the same due times start one run for each", async () => {
  const { start, traces } = createHostFolder("schedules");
  const [first, second] = await Promise.all([start(), start()]);
  if (!first || !second) throw new Error("two processes");
  const { id: scheduled } = unwrap(await first.client.create({ goal: "Listen", mode: "direct" })).thread;
  const at = new Date(Date.now() + 3_000).toISOString();
  const names = Array.from({ length: 24 }, (_, n) => `job ${n}`);
  for (const name of names)
    unwrap(
      await first.client.schedules.create({
        name,
        when: { kind: "once", at },
        what: { kind: "thread", create: { goal: name, mode: "direct" } },
      }),
    );
  const message = { type: "message" as const, text: "It is time." };
  unwrap(
    await second.client.schedules.create({
      name: "tell",
      when: { kind: "once", at },
      what: { kind: "message", thread: scheduled, message },
    }),
  );
  await vi.waitFor(async () => {
    const { schedules } = unwrap(await second.client.schedules.list());
    expect(schedules.filter(({ runs }) => runs === 1)).toHaveLength(names.length + 1);
    const { threads } = unwrap(await first.client.list({ limit: 200 }));
    expect(threads.filter(({ state }) => state === "rest")).toHaveLength(names.length + 1);
  }, SLOWLY);
  const { threads } = unwrap(await first.client.list({ limit: 200 }));
  expect(threads.map(({ goal }) => goal).toSorted()).toEqual([...names, "Listen"].toSorted());
  expect(traces().toSorted()).toEqual(threads.map(({ id }) => id).toSorted());
  const { records } = unwrap(
    await first.client.call<{ records: { input: { type: string } | null }[] }>("GET", `/v1/threads/${scheduled}/turns`),
  );
  expect(records.filter(({ input }) => input?.type === "message")).toHaveLength(1);
  expect(await Promise.all([first.stop(), second.stop()])).toEqual(["0", "0"]);
});

test("a process that is stopped finishes the turn in flight, and releases its run immediately", async () => {
  const { place, start, traces } = createHostFolder("stopping", { JOB_MODEL_MS: "700" });
  const first = await start();
  const { id } = unwrap(await first.client.create({ goal: "Go", mode: "direct", run: "background" })).thread;
  // The first turn is committed, and the model call of the second is in flight.
  await vi.waitFor(async () => expect(unwrap(await first.client.get(id)).thread.turn).toBeGreaterThan(0), SLOWLY);
  expect(await first.stop()).toBe("0");

  const { threads, close } = unwrap(await createSqliteStore({ path: join(place, ".pawl/pawl.db") }));
  const waiting = unwrap(await threads.dueDeliveries(Date.now(), 10));
  expect(waiting).toMatchObject([{ id: "wake", thread: id, attempts: 0 }]);
  await close();

  const second = await start();
  await vi.waitFor(async () => expect(unwrap(await second.client.get(id)).thread.state).toBe("rest"), SLOWLY);
  const { records } = unwrap(
    await second.client.call<{ records: { turn: number; actor: string; problem: object | null }[] }>(
      "GET",
      `/v1/threads/${id}/turns`,
    ),
  );
  // No turn was interrupted: none ended with a problem, none was taken twice, and both processes took some.
  expect(records.every(({ problem }) => problem === null)).toBe(true);
  expect(new Set(records.map(({ actor }) => actor).filter((actor) => actor.startsWith("worker-"))).size).toBe(2);
  expect(traces()).toEqual([id]);
  expect(await second.stop()).toBe("0");
});
