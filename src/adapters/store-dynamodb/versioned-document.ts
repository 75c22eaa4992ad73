// Stores one versioned document per key, saved by compare-and-set. The commit id identifies a save whose reply was lost.
import { fail, ok, type Result } from "../../schema/problem.ts";
import { compressText, decompressText } from "./blobs/compressed-text.ts";
import { conditionalWrite } from "./failures.ts";
import { type Key, keyItem } from "./keys.ts";
import { commitOf } from "./records/record-item.ts";
import { getItem, type OpenTable } from "./table.ts";

/** An item of at most 400 KB also contains keys and attribute names. */
const STORED_BYTES_MAX = 390_000;

export type Document = { readonly version: number; readonly text: string };

export function readDocument(table: OpenTable, key: Key): Promise<Result<Document | null>> {
  return table.retryUnavailable(async () => {
    const item = await getItem(table, key);
    return ok(item ? { version: Number(item.version?.N), text: decompressText(item.body) } : null);
  });
}

/**
 * If `expectedVersion` is 0, the document must not exist yet. A copy passes the version of its original. If another
 * save won, the result contains the stored version.
 */
export async function saveDocument(
  table: OpenTable,
  key: Key,
  text: string,
  expectedVersion: number,
  commit: string,
  version = expectedVersion + 1,
): Promise<Result<{ won: boolean; version: number }>> {
  const body = compressText(text);
  if ((body.B?.length ?? Buffer.byteLength(body.S ?? "")) > STORED_BYTES_MAX) {
    return fail("record_too_large", `The document does not fit into ${STORED_BYTES_MAX} bytes.`, { part: "document" });
  }
  const put = {
    TableName: table.name,
    Item: { ...keyItem(key), version: { N: String(version) }, commit: { S: commit }, body },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
    ...(expectedVersion === 0
      ? { ConditionExpression: "attribute_not_exists(pk)" }
      : {
          ConditionExpression: "#version = :over",
          ExpressionAttributeNames: { "#version": "version" },
          ExpressionAttributeValues: { ":over": { N: String(expectedVersion) } },
        }),
  };
  return table.retryUnavailable(async (): Promise<Result<{ won: boolean; version: number }>> => {
    const unmet = await conditionalWrite(() => table.call("PutItem", put));
    if (unmet === null) return ok({ won: true, version });
    const existing = unmet.get(0) ?? null;
    if (commitOf(existing) === commit) return ok({ won: true, version });
    return ok({ won: false, version: Number(existing?.version?.N ?? 0) });
  });
}
