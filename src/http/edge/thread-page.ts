// One page of the tenant's threads, newest first; shared by the lists of threads and of open gates.
import { z } from "zod";
import type { Meta } from "../../schema/meta.ts";
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

/** `cursor` in the response is null on the last page. */
export async function respondThreadPage(
  c: Ctx,
  filter: { state?: ThreadStateName; gated?: boolean },
  view: (metas: readonly Meta[]) => object | Promise<object>,
): Promise<Response> {
  const { rt } = c.get("options");
  const limit = integerQuery(c, "limit", 50, 1, 200);
  if (!limit.ok) return respondProblem(c, limit.problem);
  const filterKey = `${filter.gated ? "gated" : ""}${filter.state ?? ""}`;
  const after = readCursor(c.req.query("cursor"), filterKey);
  if (!after.ok) return respondProblem(c, after.problem);
  const page = await rt.store.list(c.get("caller").tenant, {
    ...filter,
    ...(after.value ? { after: after.value } : {}),
    limit: limit.value + 1,
  });
  if (!page.ok) return respondProblem(c, page.problem);
  const listed = page.value.slice(0, limit.value);
  const last = listed.at(-1);
  const shown = await Promise.all(listed.map((meta) => (meta.damaged ? rebuiltMeta(c, meta) : meta)));
  const cursor = page.value.length > limit.value && last ? writeCursor(last, filterKey) : null;
  return c.json({ ...(await view(shown)), cursor });
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
