// A schedule starts a job at night. It reads, and asks for approval by webhook before it writes. The user opens the
// link the next day. By then the asking process has stopped, and another one on the same file runs the call and
// delivers.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { verifySignature } from "../../src/jobs/webhooks/sign.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { type AppProcess, killApps, startApp } from "../support/app-process.ts";
import { createSqliteCalendarStore } from "../support/calendars.ts";
import { unwrap } from "../support/runtime.ts";
import { positionOf } from "../support/story.ts";
import { type ReceivedEvent, startReceiver } from "../support/webhook-receiver.ts";

const DAY = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), "pawl-nightly-"));
const receiver = await startReceiver();
const config = { fetch: { allow: [`127.0.0.1:${receiver.port}`] }, jobs: { poll_ms: 50 } };
writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(config));
afterAll(async () => {
  await killApps();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const hostAhead = (ahead_ms: number): Promise<AppProcess> =>
  startApp(folder, { JOB_FOLDER: folder, JOB_AHEAD_MS: String(ahead_ms) }, "test/support/job-host.ts");

const HOUR = 3_600_000;

/** Returns the offset that sets the host's clock to `ms` before three in the morning. */
function beforeThree(ms: number): number {
  const three = new Date();
  three.setUTCHours(27, 0, 0, 0);
  return three.getTime() - Date.now() - ms;
}

const signedWith = (secret: string, { headers, body }: ReceivedEvent): boolean => {
  const timestamp = headers["webhook-timestamp"];
  const given = { id: headers["webhook-id"], timestamp, signature: headers["webhook-signature"] };
  const secrets = [{ secret, created_at: "", expires_at: null }];
  return verifySignature(secrets, given, body, Number(timestamp) * 1000).ok;
};

test("a nightly job asks by webhook, is approved by link the next day in another process, and delivers", async () => {
  const evening = await hostAhead(beforeThree(HOUR));
  const { secret } = unwrap(
    await evening.client.call<{ secret: string }>("POST", "/v1/webhooks", {
      name: "desk",
      url: receiver.url,
      events: ["gate.opened", "run.delivered", "run.aborted", "thread.failed"],
      links: true,
    }),
  );
  unwrap(
    await evening.client.call("POST", "/v1/schedules", {
      name: "nightly",
      when: { kind: "cron", expression: "0 3 * * *", time_zone: "UTC" },
      what: {
        kind: "thread",
        create: { goal: "Move the essay outline to Thursday of week 2", plan_approval: "auto" },
      },
    }),
  );
  expect(unwrap(await evening.client.list()).threads).toEqual([]);
  expect(await evening.stop()).toBe("0");

  const ahead = beforeThree(1_000);
  const night = await hostAhead(ahead);
  const asked = await receiver.waitFor("gate.opened");
  expect(signedWith(secret, asked)).toBe(true);
  const thread = String(asked.data.thread);
  const { confirm } = asked.data.links as { confirm: string };
  const waiting = unwrap(await night.client.get(thread)).thread;
  expect(waiting).toMatchObject({ state: "confirm", background: { status: "on" }, step: 2, steps: 3 });
  expect(waiting.proofs.length).toBeGreaterThan(0);
  expect(await night.stop()).toBe("0");

  const day = await hostAhead(ahead + DAY);
  const link = `${day.url}${new URL(confirm).pathname}`;
  const page = await (await fetch(link)).text();
  expect(page).toContain("Approve");
  expect(unwrap(await day.client.get(thread)).thread.state).toBe("confirm");
  const pressed = await fetch(link, { method: "POST", body: new URLSearchParams({ decision: "approve" }) });
  expect(pressed.status).toBe(200);

  const delivered = await receiver.waitFor("run.delivered");
  expect(signedWith(secret, delivered)).toBe(true);
  expect(delivered.data).toMatchObject({ thread, evidence: "proven" });
  const ended = unwrap(await day.client.get(thread)).thread;
  expect(ended).toMatchObject({ state: "rest", outcome: "completed" });
  const ids = receiver.events.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // The schedule continues: the next night starts another thread.
  const { schedules } = unwrap(
    await day.client.call<{ schedules: { runs: number; last: { thread: string } }[] }>("GET", "/v1/schedules"),
  );
  expect(schedules[0]?.runs).toBeGreaterThanOrEqual(1);
  await day.stop();

  const calendars = createSqliteCalendarStore(join(folder, ".pawl/pawl.db"));
  const calendar = unwrap(await calendars.load({ tenant: LOCAL_TENANT, calendar: thread }))?.calendar ?? null;
  await calendars.close();
  expect(calendar?.applied_effects).toHaveLength(1);
  const [change] = calendar?.applied_effects[0]?.changes ?? [];
  expect(positionOf(calendar, change?.task_id ?? 0)).toBe(`${change?.to[0]?.day}/${change?.to[0]?.slot_start}`);
});
