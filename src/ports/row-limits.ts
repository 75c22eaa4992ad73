// Whether rows keep the sizes that every store takes. Counts UTF-8 bytes, as the stores do; knows no store.
import { type Failed, fail } from "../schema/problem.ts";
import { BLOB_BYTES_MAX, ENTRY_BYTES_MAX, STATE_ROW_BYTES_MAX, type StoredRecord } from "./thread-store.ts";

const encoder = new TextEncoder();

/** A UTF-16 unit takes one to three bytes, so most texts are judged by their length alone. */
function exceeds(text: string, max: number): boolean {
  if (text.length * 3 <= max) return false;
  return text.length > max || encoder.encode(text).length > max;
}

const tooLarge = (part: string, max: number): Failed =>
  fail("record_too_large", `The ${part} is larger than ${max} bytes.`, { part, max });

export function recordTooLarge(record: StoredRecord): Failed | null {
  if (exceeds(record.entry, ENTRY_BYTES_MAX)) return tooLarge("entry", ENTRY_BYTES_MAX);
  if (exceeds(record.state, STATE_ROW_BYTES_MAX)) return tooLarge("state", STATE_ROW_BYTES_MAX);
  return null;
}

export function blobTooLarge(text: string): Failed | null {
  return exceeds(text, BLOB_BYTES_MAX) ? tooLarge("blob", BLOB_BYTES_MAX) : null;
}
