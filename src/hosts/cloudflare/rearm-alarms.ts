// The cron trigger: once a minute it looks for threads that should have been woken, and has their alarms set again. Alarms do
// the work; this is for an alarm that was lost, or that was set by a wrong clock. Setting one twice is harmless, because a due
// delivery is claimed.
import {
  threadName,
  threadsWithDueWork,
  threadsWithLaterWork,
} from "../../adapters/store-durable-object/create-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { CloudflareEnv } from "./env.ts";

/** An alarm that is late by less than this will still fire. */
const GRACE_MS = 30_000;
/** The limit for each shard of the directory; the rest is found the next minute. */
const ALARMS_PER_SHARD_MAX = 50;
/** The repair wakes waiting threads, so it does not run every minute. */
const REPAIR_EVERY_MINUTES = 10;

export async function rearmOverdueAlarms(env: CloudflareEnv, now: number): Promise<number> {
  const query = { directory: env.DIRECTORY, limit: ALARMS_PER_SHARD_MAX };
  const overdue = await threadsWithDueWork({ ...query, now: now - GRACE_MS });
  const isRepairTime = new Date(now).getUTCMinutes() % REPAIR_EVERY_MINUTES === 0;
  const later = isRepairTime ? await threadsWithLaterWork({ ...query, now }) : [];
  const rearmed = await Promise.all([...overdue, ...later].map((at) => rearm(env, at)));
  return rearmed.filter(Boolean).length;
}

async function rearm({ THREADS }: CloudflareEnv, at: ThreadRef): Promise<boolean> {
  try {
    await THREADS.get(THREADS.idFromName(threadName(at))).rearmAlarm(at);
    return true;
  } catch (error) {
    console.error(JSON.stringify({ level: "error", msg: "bug", ...at, error: String(error) }));
    return false;
  }
}
