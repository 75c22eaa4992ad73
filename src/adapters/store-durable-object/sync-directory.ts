// What a thread's object tells the directory after it has committed: the row in lists, and from when on something is due.
// Both are hints for others: a directory that does not answer costs no turn, it is told again later.
import type { AppendExtras } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { type DirectoryObject, dueName, tenantName } from "./create-store.ts";
import type { Namespace } from "./platform.ts";
import type { SelfRows } from "./self-rows.ts";
import type { ThreadRows } from "./thread-rows.ts";

const LISTING_METHODS: ReadonlySet<keyof ThreadRows> = new Set(["create", "append", "publish", "remove"]);
const DUE_TIME_METHODS: ReadonlySet<keyof ThreadRows> = new Set([
  "append",
  "publish",
  "remove",
  "settleDelivery",
  "putDelivery",
]);

/** Whether a call could have moved what lists show, and what waits: a record alone moves neither. */
export function directoryChanges(
  method: keyof ThreadRows,
  args: readonly unknown[],
): { lists: boolean; waits: boolean } {
  if (method === "create") return { lists: Boolean(args[1]), waits: false };
  if (method !== "append") return { lists: LISTING_METHODS.has(method), waits: DUE_TIME_METHODS.has(method) };
  const { meta, outbox, taken } = (args[1] ?? {}) as AppendExtras;
  return { lists: Boolean(meta), waits: Boolean(outbox?.length || taken?.length) };
}

export type DirectoryTarget = { readonly directory: Namespace<DirectoryObject>; readonly prefix: string };
export type Tables = { readonly rows: ThreadRows; readonly self: SelfRows };

/** Whether something is due earlier than the directory believes. That it is due later may wait until somebody asks. */
export function needsDueTimeSync({ rows, self }: Tables): boolean {
  const next = rows.nextDue();
  const reported = self.reportedDueAt();
  return next !== null && (reported === null || next < reported);
}

/** The tenant's list follows the thread's meta as it is now. */
export async function syncListing(
  { directory, prefix }: DirectoryTarget,
  { rows, self }: Tables,
  at: ThreadRef,
): Promise<void> {
  const pending = self.pendingChanges();
  if (pending === null) return;
  const list = directory.get(directory.idFromName(tenantName(at.tenant, prefix)));
  const meta = rows.meta();
  if (meta) await list.rows("putMeta", [meta]);
  else if (rows.head() === null) await list.rows("removeMeta", [at.thread]);
  self.markSynced(pending);
}

export async function syncDueTime(
  { directory, prefix }: DirectoryTarget,
  { rows, self }: Tables,
  at: ThreadRef,
): Promise<void> {
  const next = rows.nextDue();
  await directory.get(directory.idFromName(dueName(at, prefix))).rows("setWait", [at, next]);
  self.setReportedDueAt(next);
}
