// The platform's clock: once a minute it asks who should have been woken long ago, and has their alarms set again.
// Alarms do the work; this is for one that was lost. Setting one twice is harmless, because a due delivery is claimed.
import { threadName, threadsWithDueWork } from "../../adapters/store-durable-object/create-store.ts";
import type { CloudflareEnv } from "./env.ts";

/** An alarm that is a little late will still fire. */
const GRACE_MS = 30_000;
/** Of each part of the directory; the rest is found the next minute. */
const ALARMS_PER_SHARD_MAX = 50;

export async function rearmOverdueAlarms({ THREADS, DIRECTORY }: CloudflareEnv, now: number): Promise<number> {
  const overdue = await threadsWithDueWork(DIRECTORY, now - GRACE_MS, ALARMS_PER_SHARD_MAX);
  const rearmed = await Promise.all(
    overdue.map(async (at) => {
      try {
        await THREADS.get(THREADS.idFromName(threadName(at))).rearmAlarm(at);
        return 1;
      } catch (error) {
        console.error(JSON.stringify({ level: "error", msg: "bug", ...at, error: String(error) }));
        return 0;
      }
    }),
  );
  return rearmed.reduce<number>((sum, one) => sum + one, 0);
}
