// Tests how many commits a turn that writes an event costs, on SQLite with threads and calendars in one file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSqliteStore } from "../../../src/adapters/store-sqlite/create-store.ts";
import { createSqliteDocuments } from "../../../src/adapters/store-sqlite/documents.ts";
import { type Faults, noFaults } from "../../../src/ports/faults.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { logUseOf } from "../../support/wal-log.ts";
import { startCalendar } from "./calendar-tools.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-calendar-commits-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function openThread(name: string, faults: Faults) {
  const path = join(folder, name);
  const store = unwrap(await createSqliteStore({ path }));
  const documents = createSqliteDocuments(path);
  const calendar = await startCalendar(documents);
  await calendar.call("create_event", { title: "First", start: "2026-03-02T10:00" });
  const rt = createTestRuntime(
    [
      callTool("list_events", { from: "2026-03-02", to: "2026-03-06" }),
      callTool("list_events", { from: "2026-03-02", to: "2026-03-07" }),
      callTool("create_event", { title: "Dentist", start: "2026-03-03T09:00" }),
    ],
    calendar.tools,
    { store: store.threads, settings: store.settings, faults },
  );
  const thread = await createTestThread(rt, { goal: "Plan", mode: "direct" });
  const approve = async () => {
    const { gate } = unwrap(await thread.turn()).outcome.thread;
    if (gate?.kind !== "confirmation") throw new Error("no confirmation is open");
    return { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" } as const;
  };
  const close = async () => {
    await documents.close();
    await store.close();
  };
  const titles = async () => (await calendar.occurrences()).map(({ title }) => title);
  return { path, calendar, thread, approve, titles, close };
}

test("a turn that writes an event is one commit more than a turn that only reads", async () => {
  const { path, thread, approve, titles, close } = await openThread("count.db", noFaults);
  unwrap(await thread.turn());
  const pure = await logUseOf(path, () => thread.turn().then(unwrap));
  const input = await approve();
  const writing = await logUseOf(path, () => thread.turn(input).then(unwrap));
  expect(await titles()).toEqual(["First", "Dentist"]);
  expect([pure.commits, writing.commits]).toEqual([1, 2]);
  await close();
});

test("a time that another writer books before the receipt is stored is not booked twice", async () => {
  let rival: (() => Promise<unknown>) | null = null;
  const faults: Faults = {
    async at(point) {
      if (point !== "settle.before") return;
      const save = rival;
      rival = null;
      await save?.();
    },
  };
  const { calendar, thread, approve, titles, close } = await openThread("rival.db", faults);
  unwrap(await thread.turn());
  unwrap(await thread.turn());
  const input = await approve();
  rival = () => calendar.call("create_event", { title: "Rival", start: "2026-03-03T09:00" });
  const { records } = unwrap(await thread.turn(input));
  expect(await titles()).toEqual(["First", "Rival"]);
  expect(records.at(-1)?.entry.receipts).toMatchObject([{ kind: "settled", success: false }]);
  await close();
});

test("a process that stops before the receipt is stored has saved no event", async () => {
  let isStopping = false;
  const faults: Faults = {
    at(point) {
      if (isStopping && point === "settle.before") throw new Error("stopped");
    },
  };
  const { thread, approve, titles, close } = await openThread("stopped.db", faults);
  unwrap(await thread.turn());
  unwrap(await thread.turn());
  const input = await approve();
  isStopping = true;
  await expect(thread.turn(input)).rejects.toThrow("stopped");
  expect(await titles()).toEqual(["First"]);
  isStopping = false;
  await close();
});
