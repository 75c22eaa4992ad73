// A record as an item and back, and the tombstone that takes its place when the thread is removed.
import type { StoredRecord } from "../../../ports/thread-store.ts";
import type { ThreadAt } from "../../../schema/ids.ts";
import { type Failed, fail } from "../../../schema/problem.ts";
import { packText, unpackText } from "../blobs/packed-text.ts";
import { type Item, keyItem, readRecordSk, recordKey } from "../keys.ts";

/**
 * Entry and state are one item: then one put writes them, and deflated the states of the loaded records cost less to
 * read than their entries alone would as plain text.
 */
export function recordItem(at: ThreadAt, life: number, record: StoredRecord): Item {
  const { version, commit_id, turn, entry, state } = record;
  return {
    ...keyItem(recordKey(at, life, version)),
    commit: { S: commit_id },
    turn: { N: String(turn) },
    entry: packText(entry),
    state: packText(state),
  };
}

export const placeOf = (item: Item): { life: number; version: number } => readRecordSk(item.sk?.S ?? "");
export const commitOf = (item: Item | null | undefined): string | null => item?.commit?.S ?? null;
export const entryOf = (item: Item): string => unpackText(item.entry);
export const stateOf = (item: Item): string => unpackText(item.state);

export const readRecord = (item: Item): StoredRecord => ({
  version: placeOf(item).version,
  commit_id: commitOf(item) ?? "",
  turn: Number(item.turn?.N),
  entry: entryOf(item),
  state: stateOf(item),
});

/** `by` names the removal, so that a remover whose reply was lost knows its own seal again. */
export const tombstone = (at: ThreadAt, life: number, version: number, by: string, expires: number): Item => ({
  ...keyItem(recordKey(at, life, version)),
  gone: { S: by },
  expires: { N: String(expires) },
});

export const isGone = (item: Item): boolean => item.gone !== undefined;

export const notFound = (at: ThreadAt): Failed => fail("thread_not_found", `There is no thread ${at.thread}.`);
export const moved = (at: ThreadAt, version: number): Failed =>
  fail("thread_moved", `Thread ${at.thread} is at version ${version}.`, { version });
