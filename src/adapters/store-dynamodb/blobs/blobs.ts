// Stores large strings of a thread by their hash, as one item or as a head item with parts of at most 350 KB.
import { createHash } from "node:crypto";
import type { TransactWriteItem, WriteRequest } from "@aws-sdk/client-dynamodb";
import { blobTooLarge } from "../../../ports/row-limits.ts";
import type { StoredBlob, ThreadStore } from "../../../ports/thread-store.ts";
import type { ThreadRef } from "../../../schema/ids.ts";
import { fail, ok, type Result } from "../../../schema/problem.ts";
import { readAll } from "../batches.ts";
import { conditionalWrite } from "../failures.ts";
import { blobKey, blobPartSk, blobPartsPrefix, type Item, keyItem, threadPk } from "../keys.ts";
import { queryItems } from "../records/read-records.ts";
import { getItem, type OpenTable } from "../table.ts";
import { compressBytes, decompressBytes } from "./compressed-text.ts";
import { keepBlob, type PendingBlobs } from "./pending-blobs.ts";

/** Leaves room in an item of at most 400 KB for attribute names and keys. */
export const PART_BYTES = 358_400;
const PARTS_AT_ONCE = 4;
const SECONDS_PER_DAY = 86_400;
const ORPHAN_DAYS = 30;

/**
 * Stores a blob in the transaction of the record that refers to it, so the blob never expires. Null if the blob needs
 * several items. The first content stored under a hash is kept.
 */
export async function blobWrite(
  table: OpenTable,
  at: ThreadRef,
  hash: string,
  text: string,
): Promise<TransactWriteItem | null> {
  const { bytes, deflated } = await compressBytes(text);
  if (bytes.length > PART_BYTES) return null;
  return {
    Update: {
      TableName: table.name,
      Key: keyItem(blobKey(at, hash)),
      UpdateExpression:
        "SET #data = if_not_exists(#data, :data), #deflated = if_not_exists(#deflated, :deflated) REMOVE #expires",
      ExpressionAttributeNames: { "#data": "data", "#deflated": "deflated", "#expires": "expires" },
      ExpressionAttributeValues: { ":data": { B: bytes }, ":deflated": { BOOL: deflated } },
    },
  };
}

/**
 * Prepares the blobs of a thread that is not published yet: `puts` for batches, and `large` ones to write one by one.
 */
export async function snapshotBlobs(at: ThreadRef, blobs: readonly StoredBlob[]) {
  const puts = new Map<string, WriteRequest>();
  const large: StoredBlob[] = [];
  for (const blob of blobs) {
    const { bytes, deflated } = await compressBytes(blob.text);
    const Item = { ...keyItem(blobKey(at, blob.hash)), data: { B: bytes }, deflated: { BOOL: deflated } };
    if (bytes.length > PART_BYTES || blobTooLarge(blob.text)) large.push(blob);
    else if (!puts.has(blob.hash)) puts.set(blob.hash, { PutRequest: { Item } });
  }
  return { puts: [...puts.values()], large };
}

export function blobMethods(
  table: OpenTable,
  pending: PendingBlobs,
): Pick<ThreadStore, "putBlob" | "getBlob" | "getBlobs"> {
  const nowSeconds = (): number => Math.floor(table.clock.now() / 1000);

  const readHead = (at: ThreadRef, hash: string): Promise<Item | undefined> => getItem(table, blobKey(at, hash));

  /** The head expires. False if the blob is already stored without expiry, because a record refers to it. */
  async function putHead(at: ThreadRef, hash: string, content: Item): Promise<boolean> {
    const expires = { N: String(nowSeconds() + ORPHAN_DAYS * SECONDS_PER_DAY) };
    const unmet = await conditionalWrite(() =>
      table.call("PutItem", {
        TableName: table.name,
        Item: { ...keyItem(blobKey(at, hash)), ...content, expires },
        ConditionExpression: "attribute_not_exists(pk) OR attribute_exists(#expires)",
        ExpressionAttributeNames: { "#expires": "expires" },
      }),
    );
    return unmet === null;
  }

  /**
   * The head must be written after the parts, because a blob exists as soon as its head does. Part keys contain a
   * digest of the bytes, so the parts of different content never mix.
   */
  async function putParts(at: ThreadRef, hash: string, bytes: Buffer): Promise<Item> {
    const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    const count = Math.ceil(bytes.length / PART_BYTES);
    const putPart = async (n: number): Promise<void> => {
      const Item: Item = {
        ...keyItem({ pk: threadPk(at), sk: blobPartSk(hash, digest, n) }),
        data: { B: bytes.subarray(n * PART_BYTES, (n + 1) * PART_BYTES) },
      };
      const put = await table.retryUnavailable(async () => {
        await table.call("PutItem", { TableName: table.name, Item });
        return ok(undefined);
      });
      if (!put.ok) throw Object.assign(new Error(put.problem.message), { name: "ServiceUnavailable" });
    };
    for (let n = 0; n < count; n += PARTS_AT_ONCE) {
      const batch = Array.from({ length: Math.min(PARTS_AT_ONCE, count - n) }, (_, i) => putPart(n + i));
      await Promise.all(batch);
    }
    return { digest: { S: digest }, parts: { N: String(count) } };
  }

  async function putBlob(at: ThreadRef, hash: string, text: string): Promise<Result<void>> {
    const { bytes, deflated } = await compressBytes(text);
    const encoding: Item = { deflated: { BOOL: deflated } };
    if (bytes.length <= PART_BYTES) {
      const unreferenced = await putHead(at, hash, { ...encoding, data: { B: bytes } });
      if (unreferenced) pending.add(at, hash, bytes.length);
      return ok(undefined);
    }
    const head = await readHead(at, hash);
    if (head && head.expires === undefined) return ok(undefined);
    const unreferenced = await putHead(at, hash, { ...encoding, ...(await putParts(at, hash, bytes)) });
    if (unreferenced) pending.add(at, hash, 0);
    return ok(undefined);
  }

  async function readBytes(at: ThreadRef, hash: string, head: Item): Promise<Buffer | null> {
    if (head.data?.B !== undefined) return Buffer.from(head.data.B);
    const count = Number(head.parts?.N);
    const query = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :parts)",
      ExpressionAttributeValues: {
        ":pk": { S: threadPk(at) },
        ":parts": { S: blobPartsPrefix(hash, head.digest?.S ?? "") },
      },
    };
    const parts = await queryItems(table, query, count);
    return parts.length < count ? null : Buffer.concat(parts.map((item) => item.data?.B ?? new Uint8Array()));
  }

  async function readText(at: ThreadRef, hash: string, head: Item | null): Promise<string | null> {
    const bytes = head ? await readBytes(at, hash, head) : null;
    if (!head || bytes === null) return null;
    const age = nowSeconds() + ORPHAN_DAYS * SECONDS_PER_DAY - Number(head.expires?.N ?? Number.NaN);
    // Only a blob that a record refers to is ever read. If such a blob still has an expiry a day after it was written,
    // the commit of the record did not know that the blob was pending, so the expiry is removed here.
    if (age > SECONDS_PER_DAY) await table.call("UpdateItem", keepBlob(table, at, hash));
    return decompressBytes({ bytes, deflated: head.deflated?.BOOL === true });
  }

  async function getBlob(at: ThreadRef, hash: string): Promise<Result<string>> {
    const text = await readText(at, hash, (await readHead(at, hash)) ?? null);
    return text === null ? fail("blob_not_found", `Thread ${at.thread} has no blob ${hash}.`) : ok(text);
  }

  async function getBlobs(at: ThreadRef, hashes: readonly string[]): Promise<Result<ReadonlyMap<string, string>>> {
    const keys = hashes.map((hash) => blobKey(at, hash));
    const heads = await readAll(table, keys);
    if (!heads.ok) return heads;
    const texts = new Map<string, string>();
    for (const [i, hash] of hashes.entries()) {
      const text = await table.retryUnavailable(async () => ok(await readText(at, hash, heads.value[i] ?? null)));
      if (!text.ok) return text;
      if (text.value !== null) texts.set(hash, text.value);
    }
    return ok(texts);
  }

  return {
    putBlob: async (at, hash, text) => blobTooLarge(text) ?? table.retryUnavailable(() => putBlob(at, hash, text)),
    getBlob: (at, hash) => table.retryUnavailable(() => getBlob(at, hash)),
    getBlobs,
  };
}
