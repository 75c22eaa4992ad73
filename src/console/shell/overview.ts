// Polls the caller's threads and open gates while the page is visible. It is independent of the UI.
import type { Gate } from "../../schema/gate.ts";
import type { Problem } from "../../schema/problem.ts";
import type { About, Api } from "../client/api.ts";
import { connectionStore } from "../client/connection.ts";
import { createStore } from "../client/store.ts";
import { NO_WAITING_ROWS, nextPage, readWaiting, refreshPages, type ThreadSearch } from "./thread-pages.ts";
import type { ThreadRow, WaitingRows } from "./thread-rows.ts";

export type OpenGate = {
  readonly thread: string;
  readonly goal: string;
  readonly gate: Gate;
  /** The parent thread, which waits for this sub-agent. */
  readonly on_behalf_of?: string;
};
export type Overview = {
  readonly about: About | null;
  readonly threads: readonly ThreadRow[] | null;
  readonly cursor: string | null;
  readonly waiting: WaitingRows;
  readonly search: ThreadSearch;
  readonly gates: readonly OpenGate[];
  /** True if there are more open gates than were read. */
  readonly moreGates: boolean;
  /** The names of the agents to filter by. A single agent needs no filter. */
  readonly agents: readonly string[];
  readonly problem: Problem | null;
};

const POLL_INTERVAL_MS = 10_000;
const REFRESH_DELAY_MS = 400;
/** The minimum time between refreshes, so that a run with quick turns does not exhaust the server's rate limit. */
const REFRESH_INTERVAL_MS = 2000;
const GATES_PAGE = 100;
const NO_SEARCH: ThreadSearch = { q: "", status: "", agent: "" };

export type OverviewController = ReturnType<typeof createOverview>;

export function createOverview(api: Api) {
  const store = createStore<Overview>({
    about: null,
    threads: null,
    cursor: null,
    waiting: NO_WAITING_ROWS,
    search: NO_SEARCH,
    gates: [],
    moreGates: false,
    agents: [],
    problem: null,
  });

  /** Shows a problem unless the server cannot be reached, which has a separate message. */
  const showProblem = (problem: Problem): void => {
    if (!connectionStore.get().lost) store.set({ problem });
  };

  /** The search that produced the list. It stays the same while a new search is in progress. */
  let listedSearch: ThreadSearch | null = null;

  /** Waiting threads are read separately, from an index of the server. */
  async function readList(search: ThreadSearch) {
    const { threads, cursor } = store.get();
    const known = listedSearch === search && threads ? { threads, cursor } : { threads: [], cursor: null };
    const [pages, waiting] = await Promise.all([
      search.status === "waiting" ? null : refreshPages(api, search, known),
      search.status === "waiting" || search.status === "" ? readWaiting(api, search) : null,
    ]);
    return { pages, waiting };
  }

  let gatePages = 1;
  let started = 0;
  let shown = 0;
  let refreshedAt = 0;

  /** Keeps pages that were loaded by scrolling, and discards a result that a later refresh has overtaken. */
  async function refresh(): Promise<void> {
    const { search } = store.get();
    const reading = ++started;
    refreshedAt = Date.now();
    const [{ pages, waiting }, gates] = await Promise.all([readList(search), readGates()]);
    if (store.get().search !== search || reading < shown) return;
    shown = reading;
    if (pages && !pages.ok) return showProblem(pages.problem);
    listedSearch = search;
    store.set({
      ...(pages?.value ?? { threads: [], cursor: null }),
      waiting: waiting?.ok ? waiting.value : waiting ? store.get().waiting : NO_WAITING_ROWS,
      ...(gates ?? {}),
      problem: null,
    });
  }

  async function readGates(): Promise<Pick<Overview, "gates" | "moreGates"> | null> {
    const gates: OpenGate[] = [];
    let cursor: string | null = null;
    for (let i = 0; i < gatePages; i++) {
      const page = await api.gates({ limit: GATES_PAGE, ...(cursor ? { cursor } : {}) });
      if (!page.ok) return null;
      gates.push(...page.value.gates);
      cursor = page.value.cursor;
      if (!cursor) break;
    }
    return { gates, moreGates: cursor !== null };
  }

  let loading = false;

  async function loadMore(): Promise<void> {
    const { cursor, search, threads } = store.get();
    if (loading || !cursor || !threads || listedSearch !== search) return;
    loading = true;
    const page = await nextPage(api, search, { threads, cursor });
    loading = false;
    const now = store.get();
    // The list was reloaded from its beginning in the meantime.
    if (now.search !== search || now.cursor !== cursor) return;
    if (!page.ok) return showProblem(page.problem);
    store.set(page.value);
  }

  let isScheduled = false;

  return {
    store,
    refresh,
    loadMore,
    /** Refreshes after a change. Several quick changes share one refresh. */
    refreshSoon(): void {
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(
        () => {
          isScheduled = false;
          void refresh();
        },
        Math.max(REFRESH_DELAY_MS, refreshedAt + REFRESH_INTERVAL_MS - Date.now()),
      );
    },
    /** Removes a deleted thread from the list immediately, even if it is far from the top. */
    forget(id: string): void {
      const { threads, waiting } = store.get();
      const isOther = (row: ThreadRow): boolean => row.id !== id;
      store.set({
        threads: threads?.filter(isOther) ?? null,
        waiting: { ...waiting, rows: waiting.rows.filter(isOther) },
      });
    },
    async showMoreGates(): Promise<void> {
      gatePages += 1;
      await refresh();
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
      store.set({ search: { ...store.get().search, ...change } });
      await refresh();
    },
    /** Polls regularly unless the tab is hidden. A tab that is shown again polls immediately. */
    startPolling(): () => void {
      const poll = (): void => {
        if (document.visibilityState === "visible" && store.get().about) void refresh();
      };
      const timer = setInterval(poll, POLL_INTERVAL_MS);
      document.addEventListener("visibilitychange", poll);
      return () => {
        clearInterval(timer);
        document.removeEventListener("visibilitychange", poll);
      };
    },
  };
}
