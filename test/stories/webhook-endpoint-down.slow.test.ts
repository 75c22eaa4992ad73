// A webhook endpoint is down for an hour. Turns continue unaffected, nothing is lost, and when the endpoint is back,
// every event arrives with its original id.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createGuardedFetcher } from "../../src/adapters/fetch-guarded/guarded-fetcher.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { deliveryLog } from "../../src/jobs/webhooks/delivery-log.ts";
import { sendWebhook } from "../../src/jobs/webhooks/send-webhook.ts";
import { createWebhook } from "../../src/jobs/webhooks/subscriptions.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { deliveryId } from "../../src/turn/commit/webhook-deliveries.ts";
import { readRecords } from "../../src/turn/load.ts";
import { callTool, done } from "../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";
import { look } from "../support/tools.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-away-"));
const receiver = await startReceiver();
afterAll(async () => {
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const MINUTE = 60_000;

test("an endpoint that is down for an hour affects no turn and loses no event", async () => {
  const { threads, settings, close } = unwrap(await createSqliteStore({ path: join(folder, "pawl.db") }));
  const script = [...Array.from({ length: 6 }, (_, n) => callTool("look", { at: String(n) })), done, "Seen."];
  const rt = createTestRuntime(script, [look], { store: threads, settings });
  const fetcher = createGuardedFetcher({ allow: [`127.0.0.1:${receiver.port}`] });
  const input = { name: "desk", url: receiver.url, events: ["turn.committed" as const, "run.delivered" as const] };
  const { webhook } = unwrap(await createWebhook(rt, fetcher, { tenant: LOCAL_TENANT, actor: "tester", input }));
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  const send = async (): Promise<void> => {
    for (const due of unwrap(await rt.store.dueDeliveries(rt.clock.now(), 100)))
      await sendWebhook(rt, due, { fetcher, links: null, owner: "worker" });
  };

  receiver.unavailable = true;
  const began = rt.clock.now();
  for (let minute = 0; minute < 60; minute++) {
    if (minute % 8 === 0) unwrap(await thread.turn());
    await send();
    rt.clock.advance(MINUTE);
  }
  expect(receiver.events).toEqual([]);
  expect(receiver.refused()).toBeGreaterThan(16);
  expect(unwrap(await deliveryLog(rt, LOCAL_TENANT, webhook.id)).map(({ status }) => status)).not.toContain("dead");

  receiver.unavailable = false;
  for (let hour = 0; hour < 3; hour++) {
    await send();
    rt.clock.advance(60 * MINUTE);
  }
  // There are eight turns and the final delivery.
  expect(receiver.events.map(({ type }) => type).toSorted()).toEqual([
    "run.delivered",
    ...Array.from({ length: 8 }, () => "turn.committed"),
  ]);
  const records = unwrap(await readRecords(rt, thread.at, 0, 100));
  const expected = receiver.events.map(({ data }) =>
    deliveryId(rt.hash, {
      webhook: webhook.id,
      thread: thread.at.thread,
      seq: Number(data.seq),
      commit: String(records[Number(data.version)]?.entry.commit_id),
    }),
  );
  expect(receiver.events.map(({ id }) => id)).toEqual(expected);
  expect(unwrap(await rt.store.dueDeliveries(Number.MAX_SAFE_INTEGER - 1, 100))).toEqual([]);
  expect(rt.clock.now() - began).toBeLessThan(5 * 60 * MINUTE);
  await close();
});
