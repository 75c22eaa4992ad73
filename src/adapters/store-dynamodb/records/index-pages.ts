// One ordered page out of an index whose key is spread over several shards; the rows come fresh from the table.
import { QueryCommand } from "@aws-sdk/client-dynamodb";
import { ok, type Result } from "../../../schema/problem.ts";
import { readAll } from "../batches.ts";
import type { Item } from "../keys.ts";
import { INDEXES, type IndexName, type OpenTable } from "../table.ts";

export type PageQuery<T> = {
  readonly index: IndexName;
  readonly shards: readonly string[];
  readonly descending: boolean;
  /** Rows come strictly behind it in the order of the index; null from the beginning. */
  readonly after: string | null;
  /** Rows in ascending order end here; null: no end. */
  readonly until: string | null;
  readonly limit: number;
  /** An index is a little late. Null for a row that left the page since. */
  readonly read: (item: Item, order: string) => T | null;
};

type Place = { readonly pk: string; readonly sk: string; readonly order: string };

const ROUND_MAX = 100;

/** Rounds until the page is full or the index ends: rows that left since do not make a page look like the last one. */
export async function readPage<T>(table: OpenTable, query: PageQuery<T>): Promise<Result<readonly T[]>> {
  const page: T[] = [];
  let after = query.after;
  while (page.length < query.limit) {
    const want = Math.min(query.limit - page.length, ROUND_MAX);
    const places = await table.insist(async () => ok(await nextPlaces(table, query, after, want)));
    if (!places.ok) return places;
    const items = await readAll(table, places.value);
    if (!items.ok) return items;
    for (const [n, item] of items.value.entries()) {
      const row = item ? query.read(item, places.value[n]?.order ?? "") : null;
      if (row !== null) page.push(row);
    }
    if (places.value.length < want) break;
    after = places.value.at(-1)?.order ?? after;
  }
  return ok(page);
}

/** The next `want` of all shards are among the next `want` of each. */
async function nextPlaces(
  table: OpenTable,
  query: PageQuery<unknown>,
  after: string | null,
  want: number,
): Promise<Place[]> {
  const pages = await Promise.all(query.shards.map((shard) => shardPlaces(table, query, shard, after, want)));
  const sign = query.descending ? -1 : 1;
  const sorted = pages.flat().sort((a, b) => sign * (Number(a.order > b.order) - Number(a.order < b.order)));
  return sorted.slice(0, want);
}

async function shardPlaces(
  table: OpenTable,
  query: PageQuery<unknown>,
  shard: string,
  after: string | null,
  want: number,
): Promise<Place[]> {
  const { hash, range } = INDEXES[query.index];
  const { bounds, values } = boundsOf(query, after);
  const { Items } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: query.index,
      KeyConditionExpression: `#hash = :hash${bounds}`,
      ExpressionAttributeNames: { "#hash": hash, ...(bounds ? { "#range": range } : {}) },
      ExpressionAttributeValues: { ":hash": { S: shard }, ...values },
      ScanIndexForward: !query.descending,
      Limit: want,
    }),
  );
  return (Items ?? []).map((item) => ({ pk: item.pk?.S ?? "", sk: item.sk?.S ?? "", order: item[range]?.S ?? "" }));
}

/** A key condition has one range, and BETWEEN includes its ends: a NUL behind a key is the very next one. */
function boundsOf(query: PageQuery<unknown>, after: string | null): { bounds: string; values: Item } {
  if (query.descending) return after === null ? none : { bounds: " AND #range < :after", values: text({ after }) };
  if (query.until === null) {
    return after === null ? none : { bounds: " AND #range > :after", values: text({ after }) };
  }
  if (after === null) return { bounds: " AND #range <= :until", values: text({ until: query.until }) };
  const values = text({ after: `${after}\u0000`, until: query.until });
  return { bounds: " AND #range BETWEEN :after AND :until", values };
}

const none = { bounds: "", values: {} };
const text = (named: Record<string, string>): Item =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [`:${name}`, { S: value }]));
