// Stores the meta rows by which threads are listed. A page continues after the last row of the previous page in an
// index by age or by last change, so new threads do not shift it.
import type { ListQuery, ThreadStore } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { ACTIVITY_SQL, type Meta, type MetaPlace, readMeta } from "../../schema/meta.ts";
import { ok } from "../../schema/problem.ts";
import type { OpenFile } from "./open.ts";

const PUT = `
INSERT INTO metas (tenant, thread, created_at, state, gated, body, metadata) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (tenant, thread) DO UPDATE
SET created_at = excluded.created_at, state = excluded.state, gated = excluded.gated, body = excluded.body,
  metadata = coalesce(excluded.metadata, metadata)`;

/** SQLite rewrites every index whose columns a statement sets, so these updates set only the columns that changed. */
const CURRENT = "SELECT created_at, state, gated FROM metas WHERE tenant = ?1 AND thread = ?2";
const UPDATE_BODY = `
UPDATE metas SET body = ?3, metadata = coalesce(?4, metadata) WHERE tenant = ?1 AND thread = ?2`;
const UPDATE_STATE = `
UPDATE metas SET state = ?5, body = ?3, metadata = coalesce(?4, metadata) WHERE tenant = ?1 AND thread = ?2`;
const UPDATE_GATED = `
UPDATE metas SET gated = ?5, body = ?3, metadata = coalesce(?4, metadata) WHERE tenant = ?1 AND thread = ?2`;

const page = (filter: string): string => `
SELECT thread, created_at, state, body, metadata FROM metas WHERE tenant = $tenant AND (created_at, thread) < ($created_at, $thread) ${filter}
ORDER BY created_at DESC, thread DESC LIMIT +$limit`;

export const PAGES = {
  all: page(""),
  byState: page("AND state = $state"),
  gated: page("AND gated = 1"),
  gatedByState: page("AND gated = 1 AND state = $state"),
  // The condition does not compare row values, because SQLite would not use the index for that.
  byActivity: `
SELECT thread, created_at, state, body, metadata, ${ACTIVITY_SQL} AS updated_at FROM metas
WHERE tenant = $tenant AND ${ACTIVITY_SQL} <= $updated_at AND (${ACTIVITY_SQL} < $updated_at OR thread < $thread)
ORDER BY ${ACTIVITY_SQL} DESC, thread DESC LIMIT +$limit`,
};

/** Sorts after every time and every id. */
const NEWEST = { created_at: "~", updated_at: "~", thread: "~" };

export type MetaRows = {
  /** With "first", the thread is new, so the row is written without reading an earlier one. */
  readonly put: (at: ThreadRef, meta: Meta, record: "first" | "next") => void;
};

export function metaRows({ db }: OpenFile): MetaRows {
  const insertOrReplace = db.prepare(PUT);
  const current = db.prepare(CURRENT);
  const updateBody = db.prepare(UPDATE_BODY);
  const updateState = db.prepare(UPDATE_STATE);
  const updateGated = db.prepare(UPDATE_GATED);
  return {
    put({ tenant, thread }, { metadata, ...body }, record) {
      const { created_at, state } = body;
      const gated = body.gate === null ? 0 : 1;
      const given = metadata === null ? null : JSON.stringify(metadata);
      const text = JSON.stringify(body);
      const row = record === "first" ? undefined : current.get(tenant, thread);
      const sameState = row?.state === state;
      const sameGated = row?.gated === gated;
      if (row?.created_at !== created_at || (!sameState && !sameGated))
        insertOrReplace.run(tenant, thread, created_at, state, gated, text, given);
      else if (!sameState) updateState.run(tenant, thread, text, given, state);
      else if (!sameGated) updateGated.run(tenant, thread, text, given, gated);
      else updateBody.run(tenant, thread, text, given);
    },
  };
}

type MetaRow = MetaPlace & { readonly body: string; readonly metadata: string | null };

const readRow = ({ body, metadata, ...place }: MetaRow): Meta =>
  readMeta(place, () => ({
    ...(JSON.parse(body) as Omit<Meta, "metadata">),
    metadata: metadata === null ? null : JSON.parse(metadata),
  }));

export function listMethods({ db, read }: OpenFile): Required<Pick<ThreadStore, "list" | "listByActivity">> {
  const all = db.prepare(PAGES.all);
  const byState = db.prepare(PAGES.byState);
  const gated = db.prepare(PAGES.gated);
  const gatedByState = db.prepare(PAGES.gatedByState);
  const byActivity = db.prepare(PAGES.byActivity);

  function select(tenant: string, query: ListQuery) {
    const { created_at, thread } = query.after ?? NEWEST;
    const from = { tenant, created_at, thread, limit: query.limit };
    if (query.state === undefined) return (query.gated ? gated : all).all(from);
    return (query.gated ? gatedByState : byState).all({ ...from, state: query.state });
  }

  return {
    list: (tenant, query) => read(() => ok((select(tenant, query) as MetaRow[]).map(readRow))),
    listByActivity: (tenant, after, limit) =>
      read(() => {
        const { updated_at, thread } = after ?? NEWEST;
        return ok((byActivity.all({ tenant, updated_at, thread, limit }) as MetaRow[]).map(readRow));
      }),
  };
}
