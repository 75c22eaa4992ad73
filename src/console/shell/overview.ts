// The caller's threads and open gates, polled while the page is visible. Independent of the UI.
import type { Gate } from "../../schema/gate.ts";
import type { Problem } from "../../schema/problem.ts";
import type { About, Api } from "../client/api.ts";
import { connectionStore } from "../client/connection.ts";
import { createStore } from "../client/store.ts";
import type { Group } from "../messages/en-shell.ts";
import { mergeRows, type ThreadRow } from "./thread-rows.ts";

export type OpenGate = {
  readonly thread: string;
  readonly goal: string;
  readonly gate: Gate;
  /** The thread that waits for this one, which is a sub-agent. */
  readonly on_behalf_of?: string;
};
export type ThreadSearch = { readonly q: string; readonly status: Group | ""; readonly agent: string };

export type Overview = {
  readonly about: About | null;
  readonly threads: readonly ThreadRow[] | null;
  readonly cursor: string | null;
  readonly search: ThreadSearch;
  readonly gates: readonly OpenGate[];
  /** Names of the agents that can be filtered by; one agent needs no filter. */
  readonly agents: readonly string[];
  readonly problem: Problem | null;
};

const POLL_INTERVAL_MS = 10_000;
const REFRESH_DELAY_MS = 400;
const PAGE_SIZE = 100;
/** A search that matches little reads several pages until the list has something to show. */
const SEARCH_REQUESTS_MAX = 20;
const NO_SEARCH: ThreadSearch = { q: "", status: "", agent: "" };

export type OverviewController = ReturnType<typeof createOverview>;

export function createOverview(api: Api) {
  const store = createStore<Overview>({
    about: null,
    threads: null,
    cursor: null,
    search: NO_SEARCH,
    gates: [],
    agents: [],
    problem: null,
  });

  /** A server that cannot be reached has its own message, and the list is read again when it is back. */
  const showProblem = (problem: Problem): void => {
    if (!connectionStore.get().lost) store.set({ problem });
  };

  const filter = ({ q, status, agent }: ThreadSearch) => ({
    ...(q ? { q } : {}),
    ...(status ? { status } : {}),
    ...(agent ? { agent } : {}),
  });

  /** Reads the newest page and merges it: pages that were loaded by scrolling stay. */
  async function refresh(): Promise<void> {
    const { search } = store.get();
    // A thread that waits for the person is shown however old it is.
    const [page, waiting, gates] = await Promise.all([
      api.list({ limit: PAGE_SIZE, order: "activity", ...filter(search) }),
      search.status ? null : api.list({ limit: PAGE_SIZE, ...filter(search), status: "waiting" }),
      api.gates({ limit: 100 }),
    ]);
    if (store.get().search !== search) return;
    if (!page.ok) return showProblem(page.problem);
    const { threads, cursor } = store.get();
    store.set({
      threads: mergeRows(threads ?? [], page.value, waiting?.ok ? waiting.value.threads : null),
      cursor: threads?.length ? cursor : page.value.cursor,
      ...(gates.ok ? { gates: gates.value.gates } : {}),
      problem: null,
    });
    if (page.value.threads.length === 0 && store.get().cursor) await loadMore();
  }

  let loading = false;

  async function loadMore(): Promise<void> {
    if (loading) return;
    loading = true;
    for (let i = 0; i < SEARCH_REQUESTS_MAX; i++) {
      const { cursor, search, threads } = store.get();
      if (!cursor) break;
      const page = await api.list({ limit: PAGE_SIZE, order: "activity", cursor, ...filter(search) });
      if (store.get().search !== search) break;
      if (!page.ok) {
        showProblem(page.problem);
        break;
      }
      const shown = new Set(threads?.map(({ id }) => id));
      const added = page.value.threads.filter(({ id }) => !shown.has(id));
      store.set({ threads: [...(threads ?? []), ...added], cursor: page.value.cursor });
      if (page.value.threads.length > 0) break;
    }
    loading = false;
  }

  let refreshScheduled = false;

  return {
    store,
    refresh,
    loadMore,
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
      const [about, agents] = await Promise.all([api.about(), api.agents()]);
      if (!about.ok) return showProblem(about.problem);
      store.set({
        about: about.value,
        agents: agents.ok ? agents.value.agents.map(({ name }) => name) : [],
        problem: null,
      });
      await refresh();
    },
    async setSearch(change: Partial<ThreadSearch>): Promise<void> {
      store.set({ search: { ...store.get().search, ...change }, threads: null, cursor: null });
      await refresh();
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
