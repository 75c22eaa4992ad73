// Stores the todo list of a thread. Open items are in the state and in every prompt; a list that is too long is also stored whole in a blob.
import { retryUnavailable } from "../../ports/retry.ts";
import type { StoredBlob } from "../../ports/thread-store.ts";
import { byteLength } from "../../schema/byte-length.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { ThreadState, TodoItem } from "../../schema/thread.ts";
import type { Runtime } from "../runtime.ts";

export const TODO_STATE_BYTES = 2_048;
const ITEM_STATE_CHARS = 160;

export async function readTodo(
  rt: Pick<Runtime, "store">,
  at: ThreadRef,
  state: Pick<ThreadState, "todo" | "todo_blob">,
): Promise<Result<readonly TodoItem[]>> {
  const { todo, todo_blob } = state;
  if (todo_blob === null) return ok(todo);
  const text = await retryUnavailable(() => rt.store.getBlob(at, todo_blob));
  return text.ok ? ok(JSON.parse(text.value) as TodoItem[]) : text;
}

/** A list that fits is stored in the state as it is. Of a longer one the state has the open items that fit, shortened. */
export function storeTodo(
  rt: Pick<Runtime, "hash">,
  items: readonly TodoItem[],
): { readonly state: Pick<ThreadState, "todo" | "todo_blob">; readonly blobs: readonly StoredBlob[] } {
  if (bytesOf(items) <= TODO_STATE_BYTES) return { state: { todo: [...items], todo_blob: null }, blobs: [] };
  const text = JSON.stringify(items);
  const hash = rt.hash.sha256(text);
  return { state: { todo: openItemsWithinLimit(items), todo_blob: hash }, blobs: [{ hash, text }] };
}

function openItemsWithinLimit(items: readonly TodoItem[]): TodoItem[] {
  const open = items.filter(({ status }) => status === "in_progress" || status === "pending");
  const byPriority = [
    ...open.filter((item) => item.status === "in_progress"),
    ...open.filter((item) => item.status === "pending"),
  ];
  const kept = new Set<string>();
  let size = 2;
  for (const item of byPriority) {
    size += bytesOf(truncated(item)) + 1;
    if (size > TODO_STATE_BYTES) break;
    kept.add(item.id);
  }
  return open.filter((item) => kept.has(item.id)).map(truncated);
}

const truncated = (item: TodoItem): TodoItem =>
  item.content.length <= ITEM_STATE_CHARS
    ? item
    : { ...item, content: `${item.content.slice(0, ITEM_STATE_CHARS - 1)}…` };

const bytesOf = (value: unknown): number => byteLength(JSON.stringify(value));
