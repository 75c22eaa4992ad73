// After a thread's object has committed: the lists follow. A directory that does not answer costs no turn; it is told
// again with the object's next word, or by its alarm.
import type { Delivery } from "../../ports/thread-store.ts";
import type { ThreadAt } from "../../schema/ids.ts";
import { type DirectoryObject, dueName, tenantName } from "./create-store.ts";
import type { Namespace } from "./platform.ts";
import type { ThreadRows } from "./thread-rows.ts";

const LISTS: ReadonlySet<keyof ThreadRows> = new Set(["create", "append", "remove"]);
const WAITS: ReadonlySet<keyof ThreadRows> = new Set(["append", "remove", "settleDelivery", "putDelivery"]);
const DUE_MAX = 500;

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

async function tellLists(
  directory: Namespace<DirectoryObject>,
  rows: ThreadRows,
  at: ThreadAt,
  prefix: string,
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
