// One page of the tenant's threads, by creation or last change, for the lists of threads and of open gates.
import * as z from "zod";
import { settleOrphans } from "../../jobs/crew/settle-orphans.ts";
import type { ThreadStore } from "../../ports/thread-store.ts";
import { type TenantId, ThreadId } from "../../schema/ids.ts";
import type { Meta } from "../../schema/meta.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadStateName } from "../../schema/thread.ts";
import type { QueryParameter } from "../../tools/route.ts";
import { buildMeta } from "../../turn/commit/commit.ts";
import { loadThread } from "../../turn/load.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import type { Answer } from "../route.ts";
import { integerQuery } from "./headers.ts";

export const LIMIT_PARAMETER: QueryParameter = {
  schema: z.int().min(1).max(200).optional(),
  description: "Maximum number of items; 50 by default.",
};
export const CURSOR_PARAMETER: QueryParameter = {
  schema: z.string().optional(),
  description: "The `cursor` of the previous page, with the same filter.",
};

/** If a store does not support `activity`, the list is ordered by creation, and the response says so. */
export const ThreadOrder = z.enum(["created", "activity"]);
type ThreadOrder = z.infer<typeof ThreadOrder>;

export type ThreadFilter = {
  readonly order?: ThreadOrder;
  readonly state?: ThreadStateName;
  readonly gated?: boolean;
  /** A filter for which the store has no index. It is evaluated on each listed row and needs `key`. */
  readonly matches?: (meta: Meta) => boolean;
  /** Identifies `matches` in cursors, so that a cursor of another filter is refused. */
  readonly key?: string;
};

/** If few rows match a filter, a page may be short, and its cursor continues the search. */
const SCANNED_ROWS_MAX = 2000;
const SCAN_PAGE = 200;

/** The `cursor` of the last page is null. */
export async function respondThreadPage(
  c: Ctx,
  filter: ThreadFilter,
  view: (metas: readonly Meta[]) => object | Promise<object>,
): Promise<Answer> {
  const limit = integerQuery(c, "limit", 50, 1, 200);
  if (!limit.ok) return limit;
  const { rt } = c.get("options");
  const { store } = rt;
  const order: ThreadOrder = filter.order === "activity" && store.listByActivity ? "activity" : "created";
  const filterKey = `${order === "created" ? "" : order}${filter.gated ? "gated" : ""}${filter.state ?? ""}${filter.key ?? ""}`;
  const after = readCursor(c.req.query("cursor"), filterKey);
  if (!after.ok) return after;
  const page = await scanThreads(c, { ...filter, order }, { after: after.value, limit: limit.value });
  if (!page.ok) return page;
  const { listed, last } = page.value;
  const settled = await settleOrphans(rt, c.get("caller").tenant, listed);
  // `settleOrphans` may have cancelled a thread, which then no longer matches the filter.
  const isFiltered = filter.gated || filter.state !== undefined || filter.matches !== undefined;
  const kept = isFiltered ? listed.filter(({ thread }) => !settled.has(thread)) : listed;
  const current = kept.map((meta) => settled.get(meta.thread) ?? meta);
  const shown = await Promise.all(current.map((meta) => (meta.damaged ? rebuiltMeta(c, meta) : meta)));
  const cursor = last ? writeCursor(timeIn(order, last), last.thread, filterKey) : null;
  return respondJson(c, { ...(await view(shown)), cursor, ...(filter.order ? { order } : {}) });
}

const timeIn = (order: ThreadOrder, meta: Meta): string => (order === "activity" ? meta.updated_at : meta.created_at);

type Place = { readonly time: string; readonly thread: ThreadId };
type Scan = { readonly after: Place | null; readonly limit: number };

/** The index by activity covers no filters, so in this order state and open gates are also compared row by row. */
function pageReader(store: ThreadStore, tenant: TenantId, { order, state, gated, matches }: ThreadFilter) {
  if (order === "activity" && store.listByActivity) {
    const list = store.listByActivity.bind(store);
    const filtered = matches || state || gated;
    return {
      matches: filtered
        ? (meta: Meta) =>
            (!state || meta.state === state) && (!gated || meta.gate !== null) && (!matches || matches(meta))
        : undefined,
      read: (after: Place | null, limit: number) =>
        list(tenant, after && { updated_at: after.time, thread: after.thread }, limit),
    };
  }
  const indexed = { ...(state ? { state } : {}), ...(gated ? { gated } : {}) };
  return {
    matches,
    read: (after: Place | null, limit: number) =>
      store.list(tenant, {
        ...indexed,
        ...(after ? { after: { created_at: after.time, thread: after.thread } } : {}),
        limit,
      }),
  };
}

/** Stops at SCANNED_ROWS_MAX. `last` is the row after which the next page begins, or null if this is the last page. */
async function scanThreads(
  c: Ctx,
  filter: ThreadFilter & { readonly order: ThreadOrder },
  { after, limit }: Scan,
): Promise<Result<{ readonly listed: readonly Meta[]; readonly last: Meta | null }>> {
  const { matches, read } = pageReader(c.get("options").rt.store, c.get("caller").tenant, filter);
  const listed: Meta[] = [];
  let last: Meta | null = null;
  let from = after;
  const pageSize = matches ? SCAN_PAGE : limit;
  for (let scanned = 0; scanned < SCANNED_ROWS_MAX; scanned += pageSize) {
    const rows = await read(from, pageSize + 1);
    if (!rows.ok) return rows;
    for (const [i, meta] of rows.value.slice(0, pageSize).entries()) {
      if (!matches || matches(meta)) listed.push(meta);
      last = meta;
      from = { time: timeIn(filter.order, meta), thread: meta.thread };
      if (listed.length === limit) return ok({ listed, last: i + 1 < rows.value.length ? meta : null });
    }
    if (rows.value.length <= pageSize) return ok({ listed, last: null });
  }
  return ok({ listed, last });
}

/** The row keeps its position, is marked as damaged, and gets its data from the records of its thread. */
async function rebuiltMeta(c: Ctx, damaged: Meta): Promise<Meta> {
  const { rt } = c.get("options");
  const thread = await loadThread(rt, { tenant: c.get("caller").tenant, thread: damaged.thread });
  const last = thread.ok ? thread.value.entries.at(-1) : undefined;
  if (!thread.ok || !last) return damaged;
  const meta = buildMeta(damaged.thread, { ...thread.value, entry: last.entry }, null);
  return { ...meta, created_at: damaged.created_at, damaged: true };
}

const Cursor = z.tuple([z.iso.datetime(), ThreadId, z.string()]);

/** `time` is the value by which the list is ordered: the creation or the last change. */
const writeCursor = (time: string, thread: ThreadId, filter: string): string =>
  btoa(JSON.stringify([time, thread, filter]))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

function readCursor(text: string | undefined, filter: string): Result<{ time: string; thread: ThreadId } | null> {
  if (text === undefined) return ok(null);
  try {
    const parsed = Cursor.safeParse(JSON.parse(atob(text.slice(0, 400).replaceAll("-", "+").replaceAll("_", "/"))));
    if (parsed.success && parsed.data[2] === filter) return ok({ time: parsed.data[0], thread: parsed.data[1] });
  } catch {
    // Fall through: this server did not create a cursor that cannot be decoded.
  }
  return fail("cursor_invalid", "The cursor does not belong to this list.", { field: "cursor" });
}
