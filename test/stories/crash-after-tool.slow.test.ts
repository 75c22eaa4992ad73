// The process is killed after a tool has run and before its result is recorded. A new process that gets the same
// request finds out what happened and does not repeat the effect.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Client, TurnResponse } from "../../src/client/client.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import type { TurnInput } from "../../src/schema/input.ts";
import { killApps, startApp } from "../support/app-process.ts";
import { createSqliteCalendarStore } from "../support/calendars.ts";
import { unwrap } from "../support/runtime.ts";
import { approval, positionOf } from "../support/story.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-crash-"));
writeFileSync(join(folder, "pawl.config.json"), JSON.stringify({ limits: { settle_grace_ms: 0 } }));
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

const TRIES_MAX = 60;

/** Repeats the request with the same key while it is reported as running. */
async function retryWhileRunning(client: Client, thread: string, input: TurnInput, key: string): Promise<TurnResponse> {
  for (let n = 0; n < TRIES_MAX; n++) {
    const made = await client.advance(thread, input, { key });
    if (made.ok) return made.value;
    if (made.problem.code !== "turn_running") throw new Error(`${made.problem.code}: ${made.problem.message}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("still running");
}

test("a call whose process died right after the tool is settled once, with its own key", async () => {
  const doomed = await startApp(folder, { FAULT_AT: "tool.after:3" });
  const { thread } = unwrap(
    await doomed.client.create({ goal: "Move the essay outline to Thursday of week 2", plan_approval: "auto" }),
  );
  const gated = unwrap(await doomed.client.advanceUntilPause(thread.id));
  const approve = approval(gated.thread.gate);
  const lost = await doomed.client.advance(thread.id, approve, { key: "approve-1" });
  expect(lost.ok).toBe(false);
  expect(await doomed.ended).toBe("SIGKILL");

  const restarted = await startApp(folder);
  // If the new process takes long to start, the call's timeout may have passed already.
  const early = await restarted.client.advance(thread.id, approve, { key: "approve-1" });
  if (!early.ok) expect(early.problem).toMatchObject({ code: "turn_running", status: 409 });
  const settled = await retryWhileRunning(restarted.client, thread.id, approve, "approve-1");
  expect(settled.thread).toMatchObject({ state: "execute", at: "deciding" });
  expect(settled.thread.proofs.filter(({ kind }) => kind === "write")).toHaveLength(1);

  const { records } = unwrap(
    await restarted.client.call<{ records: { receipts: { kind: string; source: string; effect_id: string }[] }[] }>(
      "GET",
      `/v1/threads/${thread.id}/turns?limit=200`,
    ),
  );
  const writes = records.flatMap((record) => record.receipts).filter(({ source }) => source === "write_receipt");
  expect(new Set(writes.map(({ effect_id }) => effect_id)).size).toBe(1);
  expect(writes.filter(({ kind }) => kind === "settled")).toHaveLength(1);
  expect(unwrap(await restarted.client.advanceUntilPause(thread.id)).thread).toMatchObject({ outcome: "completed" });
  await restarted.stop();

  const calendars = createSqliteCalendarStore(join(folder, ".pawl/pawl.db"));
  const stored = unwrap(await calendars.load({ tenant: LOCAL_TENANT, calendar: thread.id }));
  await calendars.close();
  expect(stored?.version).toBe(1);
  expect(stored?.calendar.applied_effects).toHaveLength(1);
  expect(positionOf(stored?.calendar ?? null, 13)).toBe("11/1");
});

test("a pure call whose process died before the commit is repeated: one turn, one record", async () => {
  const doomed = await startApp(folder, { FAULT_AT: "commit.before:2" });
  const { thread } = unwrap(await doomed.client.create({ goal: "Show day 3", mode: "direct" }));
  expect((await doomed.client.advance(thread.id, null, { key: "look-1" })).ok).toBe(false);
  expect(await doomed.ended).toBe("SIGKILL");

  const restarted = await startApp(folder);
  const looked = unwrap(await restarted.client.advance(thread.id, null, { key: "look-1" }));
  expect(looked).toMatchObject({ thread: { turn: 1, version: 1 }, turn: { receipts: [{ name: "query_range" }] } });
  const again = unwrap(await restarted.client.advance(thread.id, null, { key: "look-1" }));
  expect(again).toEqual(looked);
  await restarted.stop();
});
