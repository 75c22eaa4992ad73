// Listens to a thread for as long as its page is seen, and comes back after every lost connection.
import type { LiveEvent } from "../../schema/event.ts";
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
    await untilSeen(signal);
    const connection = whileSeen(signal);
    try {
      for await (const event of api.events(id, { after: seen, signal: connection.signal })) {
        if ("seq" in event) seen = event.seq;
        wait = FIRST_WAIT_MS;
        heard(event);
      }
    } catch {
      // Gone for a moment: what is missed meanwhile is told again from the last number seen.
    }
    connection.end();
    if (!signal.aborted && isSeen()) await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

const isSeen = (): boolean => document.visibilityState === "visible";

/** A browser opens few connections to one server, so a tab nobody sees gives its own back. */
function whileSeen(signal: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
  const connection = new AbortController();
  const drop = (): void => connection.abort();
  const dropHidden = (): void => {
    if (!isSeen()) drop();
  };
  signal.addEventListener("abort", drop);
  document.addEventListener("visibilitychange", dropHidden);
  const end = (): void => {
    drop();
    signal.removeEventListener("abort", drop);
    document.removeEventListener("visibilitychange", dropHidden);
  };
  return { signal: connection.signal, end };
}

const untilSeen = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (!signal.aborted && !isSeen()) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look, { once: true });
    look();
  });

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
