// Checks that rows are within the sizes that every store accepts. Counts UTF-8 bytes, as the stores do.
import { exceedsBytes } from "../schema/byte-length.ts";
import { type Failed, fail } from "../schema/problem.ts";
import {
  BLOB_BYTES_MAX,
  ENTRY_BYTES_MAX,
  STATE_ROW_BYTES_MAX,
  type StoredBlob,
  type StoredRecord,
} from "./thread-store.ts";

const tooLarge = (part: string, max: number): Failed =>
  fail("record_too_large", `The ${part} is larger than ${max} bytes.`, { part, max });

export function recordTooLarge(record: StoredRecord): Failed | null {
  if (exceedsBytes(record.entry, ENTRY_BYTES_MAX)) return tooLarge("entry", ENTRY_BYTES_MAX);
  if (exceedsBytes(record.state, STATE_ROW_BYTES_MAX)) return tooLarge("state", STATE_ROW_BYTES_MAX);
  return null;
}

export function blobTooLarge(text: string): Failed | null {
  return exceedsBytes(text, BLOB_BYTES_MAX) ? tooLarge("blob", BLOB_BYTES_MAX) : null;
}

export function anyBlobTooLarge(blobs: readonly StoredBlob[] = []): Failed | null {
  for (const { text } of blobs) {
    const failed = blobTooLarge(text);
    if (failed) return failed;
  }
  return null;
}
