// Stores text as an attribute: plain if it is short, and deflated if that saves bytes, because DynamoDB charges for the
// bytes that are read and written.
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { RECORD_DICTIONARY } from "./record-dictionary.ts";

/** Compressing shorter text is not worth the time, and plain text stays readable in the AWS console. */
const COMPRESS_MIN_CHARS = 256;
/**
 * Precedes bytes that need the dictionary. Others never begin with 7, which denotes a block type that does not exist.
 */
const DICTIONARY_MARK = Buffer.from([7]);

/** A lone surrogate, which UTF-8 cannot represent, becomes U+FFFD, as in every store. */
export function compressText(text: string): AttributeValue {
  const plain = text.toWellFormed();
  if (plain.length < COMPRESS_MIN_CHARS) return { S: plain };
  const bytes = Buffer.from(plain);
  const compressed = deflateRawSync(bytes, { dictionary: RECORD_DICTIONARY });
  return compressed.length < bytes.length ? { B: Buffer.concat([DICTIONARY_MARK, compressed]) } : { S: plain };
}

export function decompressText(value: AttributeValue | undefined): string {
  if (value?.S !== undefined) return value.S;
  const bytes = value?.B;
  if (bytes === undefined) throw new Error("the item does not have this text attribute");
  if (bytes[0] !== DICTIONARY_MARK[0]) return inflateRawSync(bytes).toString();
  return inflateRawSync(bytes.subarray(1), { dictionary: RECORD_DICTIONARY }).toString();
}

export type CompressedBytes = { readonly bytes: Buffer; readonly deflated: boolean };

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Asynchronous, because blobs can be megabytes. */
export async function compressBytes(text: string): Promise<CompressedBytes> {
  const bytes = Buffer.from(text.toWellFormed());
  if (bytes.length < COMPRESS_MIN_CHARS) return { bytes, deflated: false };
  const compressed = await deflate(bytes);
  return compressed.length < bytes.length ? { bytes: compressed, deflated: true } : { bytes, deflated: false };
}

export async function decompressBytes({ bytes, deflated }: CompressedBytes): Promise<string> {
  return (deflated ? await inflate(bytes) : bytes).toString();
}
