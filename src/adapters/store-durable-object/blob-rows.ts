// Stores the blobs of one thread in its object, in parts that fit into a row.
import { anyBlobTooLarge } from "../../ports/row-limits.ts";
import type { StoredBlob } from "../../ports/thread-store.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ObjectStorage } from "./platform.ts";

/** The maximum length of a part. A row may contain 2 MB, and a character takes up to three bytes. */
const PART_CHARS = 500_000;
/** The maximum total length of the blobs in one call to an object or in its answer. The platform allows 32 MB. */
export const CALL_CHARS_MAX = 4_000_000;

export function blobRows(storage: ObjectStorage) {
  const { sql } = storage;

  function textOf(hash: string): string | null {
    const parts = sql.exec("SELECT text FROM blobs WHERE hash = ? ORDER BY part", hash).toArray() as { text: string }[];
    return parts.length > 0 ? parts.map(({ text }) => text).join("") : null;
  }

  /** The first content stored under a hash is kept. */
  function insertBlob({ hash, text }: StoredBlob): void {
    const whole = text.toWellFormed();
    for (let part = 0; part === 0 || part * PART_CHARS < whole.length; part++)
      sql.exec("INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)", hash, part, partOf(whole, part));
  }

  return {
    insertBlob,
    putBlobs(blobs: readonly StoredBlob[]): Result<void> {
      const tooLarge = anyBlobTooLarge(blobs);
      if (tooLarge) return tooLarge;
      storage.transactionSync(() => blobs.forEach(insertBlob));
      return ok(undefined);
    },
    getBlob(hash: string): Result<string> {
      const text = textOf(hash);
      return text === null ? fail("blob_not_found", `The thread has no blob ${hash}.`) : ok(text);
    },
    /** Returns only as many blobs as one answer can carry, in the order of `hashes`. A missing blob is null. */
    getBlobs(hashes: readonly string[]): Result<readonly (string | null)[]> {
      const texts: (string | null)[] = [];
      let chars = 0;
      for (const hash of hashes) {
        const text = textOf(hash);
        chars += text?.length ?? 0;
        if (texts.length > 0 && chars > CALL_CHARS_MAX) break;
        texts.push(text);
      }
      return ok(texts);
    },
  };
}

/** A surrogate pair is never split between two rows, because its halves would be lost. */
function partOf(text: string, part: number): string {
  const cut = (at: number): number => (at < text.length && isLow(text.charCodeAt(at)) ? at - 1 : at);
  return text.slice(cut(part * PART_CHARS), cut((part + 1) * PART_CHARS));
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
