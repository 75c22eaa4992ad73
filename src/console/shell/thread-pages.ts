// Reads the list of threads page by page: the newest, those that wait for the user, and the results of a search.
import type { ListOptions } from "../../client/list-options.ts";
import type { Result } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import type { Group } from "../messages/en-shell.ts";
import { mergeRows, type NewestRows, overlapsKnown, type ThreadRow, type WaitingRows } from "./thread-rows.ts";

export type ThreadSearch = { readonly q: string; readonly status: Group | ""; readonly agent: string };
export type ThreadPages = { readonly threads: readonly ThreadRow[]; readonly cursor: string | null };

const PAGE_SIZE = 100;
/** Requests for one result. A search with few matches reads several pages. */
const REQUESTS_MAX = 20;
/** If more threads than this have changed since the last refresh, the list restarts with the newest. */
const CHANGED_MAX = 500;
const WAITING_PAGE = 200;
const WAITING_REQUESTS_MAX = 10;

/** A copy of the schema's `ok`, because importing the original would load the schema library. */
const ok = <T>(value: T): Result<T> => ({ ok: true, value });

export const NO_WAITING_ROWS: WaitingRows = { rows: [], more: false };

const filterOf = ({ q, agent }: ThreadSearch): ListOptions => ({ ...(q ? { q } : {}), ...(agent ? { agent } : {}) });

/** Reads pages from the cursor until one has rows and `isEnough` returns true, or there are no more. */
async function readPages(
  api: Pick<Api, "list">,
  search: ThreadSearch,
  { from, isEnough }: { readonly from: string | null; readonly isEnough: (read: NewestRows) => boolean },
): Promise<Result<NewestRows>> {
  let read: NewestRows = { threads: [], cursor: from };
  const filter = { ...filterOf(search), ...(search.status ? { status: search.status } : {}) };
  for (let i = 0; i < REQUESTS_MAX; i++) {
    const at = read.cursor ? { cursor: read.cursor } : {};
    const page = await api.list({ limit: PAGE_SIZE, order: "activity", ...filter, ...at });
    if (!page.ok) return page;
    const { threads, cursor, order } = page.value;
    read = { threads: [...read.threads, ...threads], cursor, order };
    if (!cursor || (read.threads.length > 0 && isEnough(read))) break;
  }
  return ok(read);
}

/** Replaces the known pages only if rows between the old and the new ones would be missing. */
export async function refreshPages(api: Api, search: ThreadSearch, known: ThreadPages): Promise<Result<ThreadPages>> {
  const isEnough = (read: NewestRows): boolean =>
    known.threads.length === 0 || read.threads.length >= CHANGED_MAX || overlapsKnown(known.threads, read);
  const read = await readPages(api, search, { from: null, isEnough });
  if (!read.ok) return read;
  const { threads, cursor } = read.value;
  if (!overlapsKnown(known.threads, read.value)) return ok({ threads, cursor });
  return ok({ threads: mergeRows(known.threads, read.value), cursor: cursor && known.cursor });
}

export async function nextPage(api: Api, search: ThreadSearch, { threads, cursor }: ThreadPages) {
  const read = await readPages(api, search, { from: cursor, isEnough: () => true });
  if (!read.ok) return read;
  const isKnown = new Set(threads.map(({ id }) => id));
  const added = read.value.threads.filter(({ id }) => !isKnown.has(id));
  return ok({ threads: [...threads, ...added], cursor: read.value.cursor });
}

/** Reads the threads that wait for the user, however old they are. */
export async function readWaiting(api: Pick<Api, "list">, search: ThreadSearch): Promise<Result<WaitingRows>> {
  const rows: ThreadRow[] = [];
  let cursor: string | null = null;
  for (let i = 0; i < WAITING_REQUESTS_MAX; i++) {
    const at: ListOptions = cursor ? { cursor } : {};
    const page = await api.list({ limit: WAITING_PAGE, status: "waiting", ...filterOf(search), ...at });
    if (!page.ok) return page;
    rows.push(...page.value.threads);
    cursor = page.value.cursor;
    if (!cursor) break;
  }
  return ok({ rows, more: cursor !== null });
}

/** Returns the first threads that contain the words, the last changed first. */
export async function findThreads(api: Api, q: string, amount: number): Promise<Result<readonly ThreadRow[]>> {
  const isEnough = ({ threads }: NewestRows): boolean => threads.length >= amount;
  const found = await readPages(api, { q, status: "", agent: "" }, { from: null, isEnough });
  return found.ok ? ok(found.value.threads.slice(0, amount)) : found;
}
