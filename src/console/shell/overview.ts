// The caller's threads and open gates, polled while the page is visible. Independent of the UI.
import type { Gate } from "../../schema/gate.ts";
import type { Meta } from "../../schema/meta.ts";
import type { Problem } from "../../schema/problem.ts";
import type { About, Api } from "../client/api.ts";
import { connectionStore } from "../client/connection.ts";
import { createStore } from "../client/store.ts";

export type ThreadRow = Omit<Meta, "thread"> & { readonly id: string };
export type OpenGate = { readonly thread: string; readonly goal: string; readonly gate: Gate };

export type Overview = {
  readonly about: About | null;
  readonly threads: readonly ThreadRow[] | null;
  readonly cursor: string | null;
  readonly gates: readonly OpenGate[];
  readonly problem: Problem | null;
};

const POLL_INTERVAL_MS = 10_000;
const REFRESH_DELAY_MS = 400;
const PAGE_SIZE = 50;

export type OverviewController = ReturnType<typeof createOverview>;

export function createOverview(api: Api) {
  const store = createStore<Overview>({ about: null, threads: null, cursor: null, gates: [], problem: null });

  /** A server that cannot be reached has its own message, and the list is read again when it is back. */
  const showProblem = (problem: Problem): void => {
    if (!connectionStore.get().lost) store.set({ problem });
  };

  async function refresh(): Promise<void> {
    const shown = Math.max(PAGE_SIZE, Math.min(200, store.get().threads?.length ?? 0));
    const [threads, gates] = await Promise.all([api.list({ limit: shown }), api.gates({ limit: 100 })]);
    if (!threads.ok) return showProblem(threads.problem);
    store.set({
      threads: threads.value.threads,
      cursor: threads.value.cursor,
      ...(gates.ok ? { gates: gates.value.gates } : {}),
      problem: null,
    });
  }

  let refreshScheduled = false;

  return {
    store,
    refresh,
    /** Refreshes after a change. Several quick changes share one refresh. */
    refreshSoon(): void {
      if (refreshScheduled) return;
      refreshScheduled = true;
      setTimeout(() => {
        refreshScheduled = false;
        void refresh();
      }, REFRESH_DELAY_MS);
    },
    async start(): Promise<void> {
      const about = await api.about();
      if (!about.ok) return showProblem(about.problem);
      store.set({ about: about.value, problem: null });
      await refresh();
    },
    async loadMore(): Promise<void> {
      const { cursor, threads } = store.get();
      if (!cursor) return;
      const page = await api.list({ limit: PAGE_SIZE, cursor });
      if (!page.ok) return showProblem(page.problem);
      store.set({ threads: [...(threads ?? []), ...page.value.threads], cursor: page.value.cursor });
    },
    /** Polls regularly, except while the tab is hidden. */
    startPolling(): () => void {
      const timer = setInterval(() => {
        if (document.visibilityState === "visible" && store.get().about) void refresh();
      }, POLL_INTERVAL_MS);
      return () => clearInterval(timer);
    },
  };
}
