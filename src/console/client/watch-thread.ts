// Streams the events of a thread while its page is visible, and reconnects after every lost connection.
import type { LiveEvent } from "../../schema/event.ts";
import type { Api } from "./api.ts";

const MIN_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 30_000;

export async function watchThread(
  api: Pick<Api, "events">,
  id: string,
  after: number,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
): Promise<void> {
  let lastSeq = after;
  let wait = MIN_BACKOFF_MS;
  while (!signal.aborted) {
    await untilVisible(signal);
    const connection = whileVisible(signal);
    try {
      for await (const event of api.events(id, { after: lastSeq, signal: connection.signal })) {
        if ("seq" in event) lastSeq = event.seq;
        wait = MIN_BACKOFF_MS;
        onEvent(event);
      }
    } catch {
      // The connection was lost. The next one resumes after the last sequence number received.
    }
    connection.end();
    if (!signal.aborted && isVisible()) await sleep(wait, signal);
    wait = Math.min(wait * 2, MAX_BACKOFF_MS);
  }
}

const isVisible = (): boolean => document.visibilityState === "visible";

/** Returns a signal that also aborts when the tab is hidden, because browsers limit the connections per server. */
function whileVisible(signal: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
  const connection = new AbortController();
  const drop = (): void => connection.abort();
  const dropHidden = (): void => {
    if (!isVisible()) drop();
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

const untilVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const resolveIfVisible = (): void => {
      if (!signal.aborted && !isVisible()) return;
      document.removeEventListener("visibilitychange", resolveIfVisible);
      resolve();
    };
    document.addEventListener("visibilitychange", resolveIfVisible);
    signal.addEventListener("abort", resolveIfVisible, { once: true });
    resolveIfVisible();
  });

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
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
