// Every request is served by a process that is started for it and stopped after it: all state is in the store.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { killApps, startApp } from "../support/app-process.ts";
import { unwrap } from "../support/runtime.ts";
import { approval } from "../support/story.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-cold-"));
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

let processes = 0;
async function inFreshProcess<T>(call: (client: Client) => Promise<T>): Promise<T> {
  const app = await startApp(folder);
  processes += 1;
  const made = await call(app.client);
  expect(await app.stop()).toBe("0");
  return made;
}

test("a task is moved with the demo model, each request in a new process", async () => {
  const goal = "Move the essay outline to Thursday of week 2";
  const { thread } = unwrap(await inFreshProcess((client) => client.create({ goal, mode: "direct" })));
  const advance = (input: Parameters<Client["advance"]>[1] = null) =>
    inFreshProcess(async (client) => unwrap(await client.advance(thread.id, input)));

  expect((await advance()).turn).toMatchObject({ model: "demo", receipts: [{ name: "list_tasks" }] });
  expect((await advance()).turn).toMatchObject({ receipts: [{ name: "query_available_slots" }] });
  const proposed = await advance();
  expect(proposed).toMatchObject({ next: "confirm", thread: { gate: { call: { name: "move" } } } });
  const approved = await advance(approval(proposed.thread.gate));
  expect(approved.turn?.receipts.map(({ kind }) => kind)).toEqual(["intended", "settled"]);
  expect(approved.thread.state).toBe("deliver");
  const delivered = await advance();
  expect(delivered).toMatchObject({ next: "none", thread: { outcome: "completed", evidence: "proven" } });
  expect(delivered.turn?.speak).toContain("Moved Essay outline");
  expect(processes).toBe(6);
});
