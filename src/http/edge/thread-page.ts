// One page of the tenant's threads, newest first; shared by the lists of threads and of open gates.
import * as z from "zod";
import type { ListQuery } from "../../ports/thread-store.ts";
import type { Meta } from "../../schema/meta.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { ThreadStateName } from "../../schema/thread.ts";
import type { QueryParameter } from "../../tools/route.ts";
import { buildMeta } from "../../turn/commit/commit.ts";
import { loadThread } from "../../turn/load.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { integerQuery } from "./headers.ts";

export const LIMIT_PARAMETER: QueryParameter = {
  schema: z.int().min(1).max(200).optional(),
  description: "Maximum number of items; 50 by default.",
};
export const CURSOR_PARAMETER: QueryParameter = {
  schema: z.string().optional(),
  description: "The `cursor` of the previous page, with the same filter.",
};

export type ThreadFilter = {
  readonly state?: ThreadStateName;
  readonly gated?: boolean;
  /** What stores have no index for: applied to the rows they list. Needs `key`. */
  readonly matches?: (meta: Meta) => boolean;
  /** Binds a cursor to `matches`. */
  readonly key?: string;
};

/** Rows read for one response. A page of a filter that matches little may be short, and its cursor continues the search. */
const SCANNED_ROWS_MAX = 2000;
const SCAN_PAGE = 200;

/** `cursor` in the response is null on the last page. */
export async function respondThreadPage(
  c: Ctx,
  filter: ThreadFilter,
  view: (metas: readonly Meta[]) => object | Promise<object>,
): Promise<Response> {
  const limit = integerQuery(c, "limit", 50, 1, 200);
  if (!limit.ok) return respondProblem(c, limit.problem);
  const filterKey = `${filter.gated ? "gated" : ""}${filter.state ?? ""}${filter.key ?? ""}`;
  const after = readCursor(c.req.query("cursor"), filterKey);
  if (!after.ok) return respondProblem(c, after.problem);
  const page = await scanThreads(c, filter, { after: after.value, limit: limit.value });
  if (!page.ok) return respondProblem(c, page.problem);
  const { listed, last } = page.value;
  const shown = await Promise.all(listed.map((meta) => (meta.damaged ? rebuiltMeta(c, meta) : meta)));
  return c.json({ ...(await view(shown)), cursor: last ? writeCursor(last, filterKey) : null });
}

type Scan = { readonly after: NonNullable<ListQuery["after"]> | null; readonly limit: number };

/** `last`: the row after which the next page begins; null if there is none. */
async function scanThreads(
  c: Ctx,
  { state, gated, matches }: ThreadFilter,
  { after, limit }: Scan,
): Promise<Result<{ readonly listed: readonly Meta[]; readonly last: Meta | null }>> {
  const indexed = { ...(state ? { state } : {}), ...(gated ? { gated } : {}) };
  const listed: Meta[] = [];
  let from = after;
  const pageSize = matches ? SCAN_PAGE : limit;
  for (let scanned = 0; scanned < SCANNED_ROWS_MAX; scanned += pageSize) {
    const rows = await c.get("options").rt.store.list(c.get("caller").tenant, {
      ...indexed,
      ...(from ? { after: from } : {}),
      limit: pageSize + 1,
    });
    if (!rows.ok) return rows;
    for (const [i, meta] of rows.value.slice(0, pageSize).entries()) {
      if (!matches || matches(meta)) listed.push(meta);
      from = meta;
      if (listed.length === limit) return ok({ listed, last: i + 1 < rows.value.length ? meta : null });
    }
    if (rows.value.length <= pageSize) return ok({ listed, last: null });
  }
  return ok({ listed, last: from as Meta });
}

/** For a row of the list that cannot be read: rebuilt from the thread. It keeps its position and is marked as damaged. */
async function rebuiltMeta(c: Ctx, damaged: Meta): Promise<Meta> {
  const { rt } = c.get("options");
  const thread = await loadThread(rt, { tenant: c.get("caller").tenant, thread: damaged.thread });
  const last = thread.ok ? thread.value.entries.at(-1) : undefined;
  if (!thread.ok || !last) return damaged;
  const meta = buildMeta(damaged.thread, { ...thread.value, entry: last.entry }, null);
  return { ...meta, created_at: damaged.created_at, damaged: true };
}
