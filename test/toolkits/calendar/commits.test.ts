// How many commits a turn costs that writes an event, on SQLite with threads and calendars in one file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSqliteDocuments } from "../../../src/adapters/documents-sqlite.ts";
import { createSqliteStore } from "../../../src/adapters/store-sqlite/create-store.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { logUseOf } from "../../support/wal-log.ts";
import { startCalendar } from "./calendar-tools.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-calendar-commits-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a turn that writes an event is two commits more than a turn that only reads", async () => {
  const path = join(folder, "pawl.db");
  const store = unwrap(await createSqliteStore({ path }));
  const documents = createSqliteDocuments(path);
  const { tools, occurrences, call } = await startCalendar(documents);
  await call("create_event", { title: "First", start: "2026-03-02T10:00" });
  const rt = createTestRuntime(
    [
      callTool("list_events", { from: "2026-03-02", to: "2026-03-06" }),
      callTool("list_events", { from: "2026-03-02", to: "2026-03-07" }),
      callTool("create_event", { title: "Dentist", start: "2026-03-03T09:00" }),
    ],
    tools,
    { store: store.threads, settings: store.settings },
  );
  const thread = await createTestThread(rt, { goal: "Plan", mode: "direct" });
  unwrap(await thread.turn());
  const pure = await logUseOf(path, () => thread.turn().then(unwrap));
  const { gate } = unwrap(await thread.turn()).outcome.thread;
  if (gate?.kind !== "confirmation") throw new Error("no confirmation is open");
  const input = { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" } as const;
  const writing = await logUseOf(path, () => thread.turn(input).then(unwrap));
  expect((await occurrences()).map(({ title }) => title)).toEqual(["First", "Dentist"]);
  expect([pure.commits, writing.commits]).toEqual([1, 3]);
  await documents.close();
  await store.close();
});
