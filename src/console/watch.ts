// Listens to a thread for as long as its page is open, and comes back after every lost connection.
import type { LiveEvent } from "../schema/event.ts";
import type { Api } from "./api.ts";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

export async function watch(
  api: Pick<Api, "events">,
  id: string,
  after: number,
  signal: AbortSignal,
  heard: (event: LiveEvent) => void,
): Promise<void> {
  let seen = after;
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      for await (const event of api.events(id, { after: seen, signal })) {
        if ("seq" in event) seen = event.seq;
        wait = FIRST_WAIT_MS;
        heard(event);
      }
    } catch {
      // Gone for a moment: what is missed meanwhile is told again from the last number seen.
    }
    if (!signal.aborted) await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
