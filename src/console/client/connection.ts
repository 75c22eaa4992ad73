// Tracks whether the server can be reached. While it cannot, the page shows this and retries until the server responds.
import { createStore } from "./store.ts";

const FIRST_CHECK_MS = 500;
const MAX_CHECK_MS = 4000;

/** The state of the connection. `restored` counts how often it came back; views reload when it changes. */
export const connectionStore = createStore<{ readonly lost: boolean; readonly restored: number }>({
  lost: false,
  restored: 0,
});

let checking = false;

/** Reports requests that do not reach the server. A response of any status proves that the server can be reached. */
export function withConnectionStatus(fetcher: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await fetcher(input, init);
    } catch (error) {
      if (!init?.signal?.aborted) void waitForServer(fetcher);
      throw error;
    }
  };
}

async function waitForServer(fetcher: typeof fetch): Promise<void> {
  if (checking) return;
  checking = true;
  connectionStore.set({ lost: true });
  for (let wait = FIRST_CHECK_MS; !(await isReachable(fetcher)); wait = Math.min(wait * 2, MAX_CHECK_MS))
    await new Promise((resolve) => setTimeout(resolve, wait));
  checking = false;
  connectionStore.set({ lost: false, restored: connectionStore.get().restored + 1 });
}

const isReachable = (fetcher: typeof fetch): Promise<boolean> =>
  fetcher(`${location.origin}/healthz`, { cache: "no-store" }).then(
    (response) => response.ok,
    () => false,
  );
