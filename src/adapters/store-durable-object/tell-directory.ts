// After a thread's object has committed: the lists follow. A directory that does not answer costs no turn; it is told
// again with the object's next word, or by its alarm.
import type { Also, Delivery } from "../../ports/thread-store.ts";
import type { ThreadAt } from "../../schema/ids.ts";
import { type DirectoryObject, dueName, tenantName } from "./create-store.ts";
import type { Namespace } from "./platform.ts";
import type { ThreadRows } from "./thread-rows.ts";

const LISTS: ReadonlySet<keyof ThreadRows> = new Set(["create", "append", "remove"]);
const WAITS: ReadonlySet<keyof ThreadRows> = new Set(["append", "remove", "settleDelivery", "putDelivery"]);
const DUE_MAX = 500;

/** Whether a call could have moved what lists show, and what waits: a record alone moves neither. */
export function moves(method: keyof ThreadRows, args: readonly unknown[]): { lists: boolean; waits: boolean } {
  if (method === "create") return { lists: Boolean(args[1]), waits: false };
  if (method !== "append") return { lists: LISTS.has(method), waits: WAITS.has(method) };
  const { meta, outbox, taken } = (args[1] ?? {}) as Also;
  return { lists: Boolean(meta), waits: Boolean(outbox?.length || taken?.length) };
}

export async function tellDirectory(
  directory: Namespace<DirectoryObject>,
  rows: ThreadRows,
  at: ThreadAt,
  method: keyof ThreadRows,
  prefix = "",
): Promise<void> {
  if (LISTS.has(method)) await tellLists(directory, rows, at, prefix);
  if (WAITS.has(method)) await tellDue(directory, rows, at, prefix);
}

/** The tenant's list follows the thread's meta as it is now. */
export async function tellLists(
  directory: Namespace<DirectoryObject>,
  rows: ThreadRows,
  at: ThreadAt,
  prefix = "",
): Promise<void> {
  const list = directory.get(directory.idFromName(tenantName(at.tenant, prefix)));
  const meta = rows.meta();
  if (meta) await list.rows("putMeta", [meta]);
  else if (rows.head() === null) await list.rows("removeMeta", [at.thread]);
}

async function tellDue(
  directory: Namespace<DirectoryObject>,
  rows: ThreadRows,
  at: ThreadAt,
  prefix: string,
): Promise<void> {
  const waiting: Delivery[] = rows
    .deliveries(DUE_MAX)
    .filter((one) => one.due_at < Number.MAX_SAFE_INTEGER)
    .map(({ id, due_at, attempts, body }) => ({ id, tenant: at.tenant, thread: at.thread, due_at, attempts, body }));
  await directory.get(directory.idFromName(dueName(prefix))).rows("setDue", [at, waiting]);
}
