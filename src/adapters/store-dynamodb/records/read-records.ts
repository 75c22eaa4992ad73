// Reads the log of a thread: its head, its newest entries, or a range. Every read is strongly consistent.
import type { QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { LoadedRows, RecordRange, StoredRecord, ThreadStore } from "../../../ports/thread-store.ts";
import type { ThreadRef } from "../../../schema/ids.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import { type Item, keyItem, RECORDS, recordKey, recordSk, recordsPrefix, threadPk } from "../keys.ts";
import type { OpenTable } from "../table.ts";
import type { KnownHead, KnownHeads } from "./known-heads.ts";
import { commitOf, entryOf, isTombstone, notFound, positionOf, readRecord, stateOf } from "./record-item.ts";

/** A page of DynamoDB has at most 1 MB. */
export async function queryItems(table: OpenTable, input: Omit<QueryCommandInput, "TableName">, limit: number) {
  const items: Item[] = [];
  if (limit < 1) return items;
  let from: Item | undefined;
  do {
    const page = await table.call("Query", {
      ConsistentRead: true,
      ...input,
      TableName: table.name,
      ...(Number.isFinite(limit) ? { Limit: limit - items.length } : {}),
      ...(from ? { ExclusiveStartKey: from } : {}),
    });
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from && items.length < limit);
  return items;
}

/**
 * Begins with the newest record or, if the thread was removed, with its seal. Either is the last item of the newest
 * generation, which sorts last.
 */
export const newestFirst = (table: OpenTable, at: ThreadRef, limit: number): Promise<Item[]> =>
  queryItems(
    table,
    {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :records)",
      ExpressionAttributeValues: { ":pk": { S: threadPk(at) }, ":records": { S: RECORDS } },
      ScanIndexForward: false,
    },
    limit,
  );

export async function readHead(table: OpenTable, known: KnownHeads, at: ThreadRef): Promise<KnownHead | null> {
  const [newest] = await newestFirst(table, at, 1);
  if (newest === undefined || isTombstone(newest)) {
    known.forget(at);
    return null;
  }
  const head = { ...positionOf(newest), commit: commitOf(newest) ?? "" };
  known.set(at, head);
  return head;
}

export async function readCommit(table: OpenTable, at: ThreadRef, generation: number, version: number) {
  const { Item } = await table.call("GetItem", {
    TableName: table.name,
    Key: keyItem(recordKey(at, generation, version)),
    ConsistentRead: true,
    ProjectionExpression: "#commit",
    ExpressionAttributeNames: { "#commit": "commit" },
  });
  return commitOf(Item);
}

export function readMethods(table: OpenTable, known: KnownHeads): Pick<ThreadStore, "load" | "records"> {
  async function load(at: ThreadRef, entries: number): Promise<Result<LoadedRows>> {
    const newest = await newestFirst(table, at, entries);
    const head = newest[0];
    if (head === undefined || isTombstone(head)) {
      known.forget(at);
      return notFound(at);
    }
    const position = positionOf(head);
    // Records of this generation may be followed by tombstones of an earlier one.
    const rows = newest.filter((item) => positionOf(item).generation === position.generation);
    // The thread was removed while the pages were read.
    if (rows.some(isTombstone)) return notFound(at);
    known.set(at, { ...position, commit: commitOf(head) ?? "" });
    return ok({
      head: { version: position.version, state: stateOf(head) },
      entries: rows.reverse().map((item) => ({ version: positionOf(item).version, entry: entryOf(item) })),
    });
  }

  async function range(at: ThreadRef, generation: number, { after, limit }: RecordRange): Promise<readonly Item[]> {
    const query = {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
      ExpressionAttributeValues: {
        ":pk": { S: threadPk(at) },
        ":first": { S: recordSk(generation, after + 1) },
        ":last": { S: `${recordsPrefix(generation)}~` },
      },
    };
    return queryItems(table, query, limit);
  }

  async function records(at: ThreadRef, query: RecordRange): Promise<Result<readonly StoredRecord[]>> {
    const seen = known.get(at);
    const rows = seen ? await range(at, seen.generation, query) : [];
    // Rows that are not tombstones prove that their generation still exists. Tombstones or missing rows may mean that
    // the thread was removed or recreated.
    if (rows.length > 0 && !rows.some(isTombstone)) return ok(rows.map(readRecord));
    const head = await readHead(table, known, at);
    if (head === null) return notFound(at);
    if (seen?.generation === head.generation && rows.length === 0) return ok([]);
    const again = await range(at, head.generation, query);
    return again.some(isTombstone) ? notFound(at) : ok(again.map(readRecord));
  }

  return {
    load: (at, entries) => table.retryUnavailable(() => load(at, entries)),
    records: (at, query) => table.retryUnavailable(() => records(at, query)),
  };
}
