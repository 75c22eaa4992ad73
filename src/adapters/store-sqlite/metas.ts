// The meta rows by which threads are listed. Pages follow the index (created_at, thread), so new threads do not shift
// them.
import type { ListQuery, ThreadStore } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { type Meta, type MetaPlace, readMeta } from "../../schema/meta.ts";
import { ok } from "../../schema/problem.ts";
import type { OpenFile } from "./open.ts";

const PUT = `
INSERT INTO metas (tenant, thread, created_at, state, gated, body, metadata) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (tenant, thread) DO UPDATE
SET created_at = excluded.created_at, state = excluded.state, gated = excluded.gated, body = excluded.body,
  metadata = coalesce(excluded.metadata, metadata)`;

const page = (filter: string): string => `
SELECT thread, created_at, state, body, metadata FROM metas WHERE tenant = $tenant AND (created_at, thread) < ($created_at, $thread) ${filter}
ORDER BY created_at DESC, thread DESC LIMIT $limit`;

export const PAGES = {
  all: page(""),
  byState: page("AND state = $state"),
  gated: page("AND gated = 1"),
  gatedByState: page("AND gated = 1 AND state = $state"),
};

/** Sorts after every time and every id. */
const NEWEST = { created_at: "~", thread: "~" };

export type MetaRows = { readonly put: (at: ThreadRef, meta: Meta) => void };

export function metaRows({ db }: OpenFile): MetaRows {
  const put = db.prepare(PUT);
  return {
    put(at, { metadata, ...body }) {
      const gated = body.gate === null ? 0 : 1;
      const given = metadata === null ? null : JSON.stringify(metadata);
      put.run(at.tenant, at.thread, body.created_at, body.state, gated, JSON.stringify(body), given);
    },
  };
}

type MetaRow = MetaPlace & { readonly body: string; readonly metadata: string | null };

const readRow = ({ body, metadata, ...place }: MetaRow): Meta =>
  readMeta(place, () => ({
    ...(JSON.parse(body) as Omit<Meta, "metadata">),
    metadata: metadata === null ? null : JSON.parse(metadata),
  }));

export function listMethods({ db, read }: OpenFile): Pick<ThreadStore, "list"> {
  const all = db.prepare(PAGES.all);
  const byState = db.prepare(PAGES.byState);
  const gated = db.prepare(PAGES.gated);
  const gatedByState = db.prepare(PAGES.gatedByState);

  function select(tenant: string, query: ListQuery) {
    const { created_at, thread } = query.after ?? NEWEST;
    const from = { tenant, created_at, thread, limit: query.limit };
    if (query.state === undefined) return (query.gated ? gated : all).all(from);
    return (query.gated ? gatedByState : byState).all({ ...from, state: query.state });
  }

  return {
    list: (tenant, query) => read(() => ok((select(tenant, query) as MetaRow[]).map(readRow))),
  };
}
