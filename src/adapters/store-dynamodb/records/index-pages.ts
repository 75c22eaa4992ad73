// Reads one ordered page from a sharded index. The rows themselves are read from the table, with strong consistency.
import { ok, type Result } from "../../../schema/problem.ts";
import { readAll } from "../batches.ts";
import type { Item } from "../keys.ts";
import { INDEXES, type IndexName, type OpenTable } from "../table.ts";

export type PageQuery<T> = {
  readonly index: IndexName;
  readonly shards: readonly string[];
  readonly descending: boolean;
  /** The page starts strictly after this sort key. Null starts at the beginning. */
  readonly after: string | null;
  /** The last sort key of an ascending page, or null for no limit. */
  readonly until: string | null;
  readonly limit: number;
  /** For an index that is usually almost empty: one scan replaces the queries of all shards. */
  readonly scan?: IndexScan;
  /** Indexes lag behind the table. Null if the row no longer belongs to the page. */
  readonly read: (item: Item, order: string) => T | null;
};

/** Until `not_before` the shards are queried: the last scan did not reach the end of the index, or was not allowed. */
export type IndexScan = { not_before: number };

type IndexEntry = { readonly pk: string; readonly sk: string; readonly sortKey: string };

const BATCH_MAX = 100;

/** Continues until the page is full or the index ends: stale entries must not make a page look like the last one. */
export async function readPage<T>(table: OpenTable, query: PageQuery<T>): Promise<Result<readonly T[]>> {
  const page: T[] = [];
  let after = query.after;
  while (page.length < query.limit) {
    const count = Math.min(query.limit - page.length, BATCH_MAX);
    const entries = await table.retryUnavailable(async () => ok(await nextEntries(table, { ...query, after }, count)));
    if (!entries.ok) return entries;
    const items = await readAll(table, entries.value);
    if (!items.ok) return items;
    for (const [n, item] of items.value.entries()) {
      const row = item ? query.read(item, entries.value[n]?.sortKey ?? "") : null;
      if (row !== null) page.push(row);
    }
    if (entries.value.length < count) break;
    after = entries.value.at(-1)?.sortKey ?? after;
  }
  return ok(page);
}

/** The next `count` entries of all shards are among the next `count` entries of each shard. */
async function nextEntries(table: OpenTable, query: PageQuery<unknown>, count: number): Promise<IndexEntry[]> {
  const all = query.scan ? await scanIndex(table, query, query.scan) : null;
  const pages = all ? [all] : await Promise.all(query.shards.map((shard) => shardEntries(table, query, shard, count)));
  const sign = query.descending ? -1 : 1;
  const sorted = pages.flat().sort((a, b) => sign * (Number(a.sortKey > b.sortKey) - Number(a.sortKey < b.sortKey)));
  return sorted.slice(0, count);
}

const SCAN_MAX = 100;
const RESCAN_AFTER_MS = 60_000;

/** Null if the index has more entries than one scan reads. */
async function scanIndex(
  table: OpenTable,
  { index, after, until }: PageQuery<unknown>,
  scan: IndexScan,
): Promise<IndexEntry[] | null> {
  if (table.clock.now() < scan.not_before) return null;
  const input = { TableName: table.name, IndexName: index, Limit: SCAN_MAX };
  const found = await table.call("Scan", input).catch((thrown: unknown) => {
    // An access policy that was written for release 0.1 allows queries but no scans.
    if (thrown instanceof Error && thrown.name === "AccessDeniedException") return null;
    throw thrown;
  });
  if (found === null || found.LastEvaluatedKey) {
    scan.not_before = table.clock.now() + RESCAN_AFTER_MS;
    return null;
  }
  return (found.Items ?? [])
    .map((item) => indexEntry(item, index))
    .filter(({ sortKey }) => (after === null || sortKey > after) && (until === null || sortKey <= until));
}

const indexEntry = (item: Item, index: IndexName): IndexEntry => ({
  pk: item.pk?.S ?? "",
  sk: item.sk?.S ?? "",
  sortKey: item[INDEXES[index].range]?.S ?? "",
});

async function shardEntries(
  table: OpenTable,
  query: PageQuery<unknown>,
  shard: string,
  count: number,
): Promise<IndexEntry[]> {
  const { hash, range } = INDEXES[query.index];
  const { bounds, values } = boundsOf(query);
  const { Items } = await table.call("Query", {
    TableName: table.name,
    IndexName: query.index,
    KeyConditionExpression: `#hash = :hash${bounds}`,
    ExpressionAttributeNames: { "#hash": hash, ...(bounds ? { "#range": range } : {}) },
    ExpressionAttributeValues: { ":hash": { S: shard }, ...values },
    ScanIndexForward: !query.descending,
    Limit: count,
  });
  return (Items ?? []).map((item) => indexEntry(item, query.index));
}

/** A query allows one condition on the sort key, and BETWEEN is inclusive, so a NUL is appended to exclude `after`. */
function boundsOf({ descending, after, until }: PageQuery<unknown>): { bounds: string; values: Item } {
  if (descending || until === null)
    return after === null
      ? { bounds: "", values: {} }
      : { bounds: ` AND #range ${descending ? "<" : ">"} :after`, values: stringValues({ after }) };
  if (after === null) return { bounds: " AND #range <= :until", values: stringValues({ until }) };
  const values = stringValues({ after: `${after}\u0000`, until });
  return { bounds: " AND #range BETWEEN :after AND :until", values };
}

const stringValues = (named: Record<string, string>): Item =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [`:${name}`, { S: value }]));
