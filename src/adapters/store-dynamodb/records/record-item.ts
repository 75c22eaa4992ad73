// Converts records to items and back, and builds the tombstone that replaces a record when its thread is removed.
import type { StoredRecord } from "../../../ports/thread-store.ts";
import type { ThreadRef } from "../../../schema/ids.ts";
import { type Failed, fail } from "../../../schema/problem.ts";
import { compressText, decompressText } from "../blobs/compressed-text.ts";
import { type Item, keyItem, readRecordSk, recordKey } from "../keys.ts";

/**
 * Entry and state share one item, so that one put writes both. A load also reads the states of older records, but
 * because they are deflated, that costs less than if only the entries were read as plain text.
 */
export function recordItem(at: ThreadRef, generation: number, record: StoredRecord): Item {
  const { version, commit_id, turn, entry, state } = record;
  return {
    ...keyItem(recordKey(at, generation, version)),
    commit: { S: commit_id },
    turn: { N: String(turn) },
    entry: compressText(entry),
    state: compressText(state),
  };
}

export const positionOf = (item: Item): { generation: number; version: number } => readRecordSk(item.sk?.S ?? "");
export const commitOf = (item: Item | null | undefined): string | null => item?.commit?.S ?? null;
export const entryOf = (item: Item): string => decompressText(item.entry);
export const stateOf = (item: Item): string => decompressText(item.state);

export const readRecord = (item: Item): StoredRecord => ({
  version: positionOf(item).version,
  commit_id: commitOf(item) ?? "",
  turn: Number(item.turn?.N),
  entry: entryOf(item),
  state: stateOf(item),
});

/** `removalId` lets a process recognize its own seal after a lost reply. */
export const tombstone = (
  at: ThreadRef,
  generation: number,
  version: number,
  removalId: string,
  expires: number,
): Item => ({
  ...keyItem(recordKey(at, generation, version)),
  gone: { S: removalId },
  expires: { N: String(expires) },
});

export const isTombstone = (item: Item): boolean => item.gone !== undefined;

export const notFound = (at: ThreadRef): Failed => fail("thread_not_found", `Thread ${at.thread} does not exist.`);
export const threadMoved = (at: ThreadRef, version: number): Failed =>
  fail("thread_moved", `Thread ${at.thread} is at version ${version}.`, { version });
