// Once a minute, has the alarms of overdue threads set again, in case they were lost or set by a wrong clock. Setting
// an alarm twice is harmless, because due deliveries are leased.
import {
  threadName,
  threadsWithDueWork,
  threadsWithLaterWork,
} from "../../adapters/store-durable-object/create-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { CloudflareEnv } from "./env.ts";

/** An alarm that is late by less than this may still fire by itself. */
const GRACE_MS = 30_000;
/** The maximum number of threads per shard of the directory. Any further threads are found a minute later. */
const ALARMS_PER_SHARD_MAX = 50;
/** Some due times may come from a wrong clock, so work that is due later is checked, too. That wakes objects, so it runs rarely. */
const REPAIR_EVERY_MINUTES = 10;

export async function rearmAlarms(env: CloudflareEnv, now: number): Promise<number> {
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
