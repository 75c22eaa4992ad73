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
    connection.abort();
    if (!signal.aborted && isVisible()) await sleep(wait, signal);
    wait = Math.min(wait * 2, MAX_BACKOFF_MS);
  }
}

const isVisible = (): boolean => document.visibilityState === "visible";

/** Returns a controller that also aborts when the tab is hidden, because browsers limit the connections per server. */
function whileVisible(signal: AbortSignal): AbortController {
  const connection = new AbortController();
  const options = { signal: connection.signal };
  signal.addEventListener("abort", () => connection.abort(), options);
  document.addEventListener("visibilitychange", () => isVisible() || connection.abort(), options);
  return connection;
}

async function untilVisible(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !isVisible())
    await new Promise((resolve) => {
      document.addEventListener("visibilitychange", resolve, { once: true });
      signal.addEventListener("abort", resolve, { once: true });
    });
}

const sleep = (ms: number, signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => AbortSignal.any([signal, AbortSignal.timeout(ms)]).addEventListener("abort", resolve));
