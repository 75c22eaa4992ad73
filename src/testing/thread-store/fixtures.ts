// Small rows for the cases, distinguished by a number.
import type { Delivery, StoredRecord, ThreadStore } from "../../ports/thread-store.ts";
import type { QuestionGate } from "../../schema/gate.ts";
import { GateId, TenantId, ThreadId, type ThreadRef } from "../../schema/ids.ts";
import type { Meta } from "../../schema/meta.ts";
import { succeeded } from "../expect.ts";

export const ACME = TenantId.parse("acme");
export const BOLT = TenantId.parse("bolt");

export const threadId = (n: number): ThreadId => ThreadId.parse(`thr_${String(n).padStart(26, "0")}`);
export const threadAt = (n = 1, tenant: TenantId = ACME): ThreadRef => ({ tenant, thread: threadId(n) });

export const record = (version: number, overrides: Partial<StoredRecord> = {}): StoredRecord => ({
  version,
  commit_id: `cmt_${version}`,
  turn: version,
  entry: `{"entry":${version}}`,
  state: `{"state":${version}}`,
  ...overrides,
});

/** A higher number gives a later time, and so a newer thread. */
export const timeOf = (n: number): string => new Date(Date.UTC(2030, 0, 1, 0, n)).toISOString();

export const gate = (n: number): QuestionGate => ({
  id: GateId.parse(`gat_${String(n).padStart(26, "0")}`),
  kind: "question",
  text: "Which day?",
  choices: ["Monday", "Tuesday"],
  default: null,
  created_at: timeOf(n),
  expires_at: null,
  version: 0,
});

export const meta = (n: number, overrides: Partial<Meta> = {}): Meta => ({
  thread: threadId(n),
  state: "execute",
  at: "deciding",
  outcome: null,
  agent: "default",
  goal: `goal ${n}`,
  gate: null,
  created_at: timeOf(n),
  updated_at: timeOf(n),
  version: 0,
  metadata: { n, nested: { list: [1, "two", null] } },
  ...overrides,
});

export const delivery = (n: number, at: ThreadRef, overrides: Partial<Delivery> = {}): Delivery => ({
  id: `dlv_${String(n).padStart(26, "0")}`,
  tenant: at.tenant,
  thread: at.thread,
  due_at: 1_900_000_000_000 + n,
  attempts: 0,
  body: `{"delivery":${n}}`,
  ...overrides,
});

/** A time after the due time of every delivery that `delivery` creates. */
export const MUCH_LATER = 2_000_000_000_000;

/** Stores records 0 to count-1. */
export async function createRecords(store: ThreadStore, at: ThreadRef, count: number): Promise<void> {
  succeeded(await store.create(at, record(0), null));
  for (let version = 1; version < count; version += 1) succeeded(await store.append(at, record(version)));
}

export async function headVersion(store: ThreadStore, at: ThreadRef): Promise<number> {
  return succeeded(await store.load(at, 1)).head.version;
}

export async function createListed(store: ThreadStore, n: number, overrides: Partial<Meta> = {}, tenant = ACME) {
  succeeded(await store.create(threadAt(n, tenant), record(0), meta(n, overrides)));
}

export async function appendWithMeta(store: ThreadStore, n: number, overrides: Partial<Meta>): Promise<void> {
  const version = (await headVersion(store, threadAt(n))) + 1;
  succeeded(await store.append(threadAt(n), record(version), { meta: meta(n, { version, ...overrides }) }));
}
