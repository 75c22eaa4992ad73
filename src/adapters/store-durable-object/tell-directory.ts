// What a thread's object tells the directory after it has committed: the row in lists, and from when on something is due.
// Both are hints for others: a directory that does not answer costs no turn, it is told again later.
import type { Also } from "../../ports/thread-store.ts";
import type { ThreadAt } from "../../schema/ids.ts";
import { type DirectoryObject, dueName, tenantName } from "./create-store.ts";
import type { Namespace } from "./platform.ts";
import type { SelfRows } from "./self-rows.ts";
import type { ThreadRows } from "./thread-rows.ts";

const LISTS: ReadonlySet<keyof ThreadRows> = new Set(["create", "append", "remove"]);
const WAITS: ReadonlySet<keyof ThreadRows> = new Set(["append", "remove", "settleDelivery", "putDelivery"]);

/** Whether a call could have moved what lists show, and what waits: a record alone moves neither. */
export function moves(method: keyof ThreadRows, args: readonly unknown[]): { lists: boolean; waits: boolean } {
  if (method === "create") return { lists: Boolean(args[1]), waits: false };
  if (method !== "append") return { lists: LISTS.has(method), waits: WAITS.has(method) };
  const { meta, outbox, taken } = (args[1] ?? {}) as Also;
  return { lists: Boolean(meta), waits: Boolean(outbox?.length || taken?.length) };
}

export type Told = { readonly directory: Namespace<DirectoryObject>; readonly prefix: string };
export type Tables = { readonly rows: ThreadRows; readonly self: SelfRows };

/** Whether something is due earlier than the directory believes. That it is due later may wait until somebody asks. */
export function owesWait({ rows, self }: Tables): boolean {
  const next = rows.nextDue();
  const told = self.toldWait();
  return next !== null && (told === null || next < told);
}

/** The tenant's list follows the thread's meta as it is now. */
export async function tellLists({ directory, prefix }: Told, { rows, self }: Tables, at: ThreadAt): Promise<void> {
  const owed = self.owed();
  if (owed === null) return;
  const list = directory.get(directory.idFromName(tenantName(at.tenant, prefix)));
  const meta = rows.meta();
  if (meta) await list.rows("putMeta", [meta]);
  else if (rows.head() === null) await list.rows("removeMeta", [at.thread]);
  self.paid(owed);
}

export async function tellWait({ directory, prefix }: Told, { rows, self }: Tables, at: ThreadAt): Promise<void> {
  const next = rows.nextDue();
  await directory.get(directory.idFromName(dueName(at, prefix))).rows("setWait", [at, next]);
  self.setToldWait(next);
}
