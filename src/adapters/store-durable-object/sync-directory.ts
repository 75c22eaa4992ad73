// Reports a thread's list row and earliest due time to the directory after a commit. No turn depends on them: if the
// directory does not respond, the sync is repeated later.
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

/** Methods that change nothing that concerns the directory, the alarm or a socket. */
export const METHODS_WITHOUT_SYNC: ReadonlySet<keyof ThreadRows> = new Set([
  "head",
  "headTurn",
  "stage",
  "meta",
  "load",
  "records",
  "getBlob",
  "getBlobs",
  "deliveries",
  "due",
  "nextDue",
  "claim",
  "release",
]);

/** A record alone changes neither the list row nor the due time. */
export function directoryChanges(
  method: keyof ThreadRows,
  args: readonly unknown[],
): { lists: boolean; waits: boolean } {
  if (method === "create")
    return { lists: Boolean(args[1]), waits: Boolean((args[2] as AppendExtras["outbox"])?.length) };
  if (method !== "append") return { lists: LISTING_METHODS.has(method), waits: DUE_TIME_METHODS.has(method) };
  const { meta, outbox, taken } = (args[1] ?? {}) as AppendExtras;
  return { lists: Boolean(meta), waits: Boolean(outbox?.length || taken?.length) };
}

export type DirectoryTarget = { readonly directory: Namespace<DirectoryObject>; readonly prefix: string };
export type Tables = { readonly rows: ThreadRows; readonly self: SelfRows };

/** True if something is due earlier than the directory assumes. Only a forced sync reports a later time. */
export function needsDueTimeSync({ rows, self }: Tables): boolean {
  const next = rows.nextDue();
  const reported = self.reportedDueAt();
  return next !== null && (reported === null || next < reported);
}

export async function syncListing({ directory, prefix }: DirectoryTarget, { rows, self }: Tables, at: ThreadRef) {
  const pending = self.pendingChanges();
  if (pending === null) return;
  const list = directory.get(directory.idFromName(tenantName(at.tenant, prefix)));
  const meta = rows.meta();
  if (meta) await list.rows("putMeta", [meta]);
  else if (rows.head() === null) await list.rows("removeMeta", [at.thread]);
  self.markSynced(pending);
}

export async function syncDueTime({ directory, prefix }: DirectoryTarget, { rows, self }: Tables, at: ThreadRef) {
  const next = rows.nextDue();
  await directory.get(directory.idFromName(dueName(at, prefix))).rows("setWait", [at, next]);
  self.setReportedDueAt(next);
}
