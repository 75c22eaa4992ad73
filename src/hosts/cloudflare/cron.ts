// The platform's clock: once a minute it asks who should have been woken long ago, and has their alarms set again.
// Alarms do the work; this is for one that was lost. Ringing twice harms nobody, since whatever is due is claimed.
import { threadName, waitingThreads } from "../../adapters/store-durable-object/create-store.ts";
import type { WorkerEnv } from "./env.ts";

/** An alarm that is a little late is on its way. */
const GRACE_MS = 30_000;
/** Of each part of the directory; the rest is found the next minute. */
const RUNG_MAX = 50;

export async function ringOverdue({ THREADS, DIRECTORY }: WorkerEnv, now: number): Promise<number> {
  const overdue = await waitingThreads(DIRECTORY, now - GRACE_MS, RUNG_MAX);
  const rung = await Promise.all(
    overdue.map(async (at) => {
      try {
        await THREADS.get(THREADS.idFromName(threadName(at))).ring(at);
        return 1;
      } catch (error) {
        console.error(JSON.stringify({ level: "error", msg: "bug", ...at, error: String(error) }));
        return 0;
      }
    }),
  );
  return rung.reduce<number>((sum, one) => sum + one, 0);
}
