// Imports a thread from a file. Validates all of it before storing anything, then writes the same rows under the same id.
import { upgradeRecord } from "../migrate/upgrade.ts";
import type { Delivery } from "../ports/thread-store.ts";
import { type ExportRecord, type ThreadExport, verifyExport } from "../schema/export.ts";
import type { TenantId, ThreadRef } from "../schema/ids.ts";
import { parseJson } from "../schema/json/parse-json.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";
import { ClientTools } from "../schema/protocols/client-tool.ts";
import type { ThreadRecord } from "../schema/record.ts";
import type { ThreadState } from "../schema/thread.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import { buildMeta } from "../turn/commit/commit.ts";
import { needsWorker, wakeUpAt } from "../turn/commit/wake-up.ts";
import type { Runtime } from "../turn/runtime.ts";
import { turnResultOf } from "../turn/view.ts";
import { createFromSnapshot } from "./create-from-snapshot.ts";
import { showsItsCall } from "./gate-shows-call.ts";
import { type ImportClaim, isUnsettled, withImportClaim } from "./import-claim.ts";

type ImportRuntime = Pick<Runtime, "store" | "clock" | "hash" | "ids" | "companions" | "documents">;

/** A state in the file. `shows_its_call` is true if the open gate, if any, shows what would run. */
type StateOfFile = ThreadState & { readonly client_tools: ClientTools; readonly shows_its_call: boolean };

/** Decides whether a state may be imported. Called for every state in the file with its declared tools, because a fork can go back to any of them. */
export type AllowState = (state: StateOfFile) => Result<unknown>;

export async function importThread(
  rt: ImportRuntime,
  tenant: TenantId,
  text: string,
  allow: AllowState = () => ok(undefined),
): Promise<Result<TurnResult>> {
  const verified = verifyExport(text, rt.hash.sha256);
  if (!verified.ok) return verified;
  const file = ok({ ...verified.value, records: verified.value.records.map(withoutApprovals) });
  const imported = readThread(file.value, allow);
  if (!imported.ok) return imported;
  const at: ThreadRef = { tenant, thread: file.value.header.thread };
  const early = await checkAvailable(rt, at, file.value.records);
  const claimed = { id: file.value.head, first: file.value.records[0]?.commit_id };
  return withImportClaim(rt, at, claimed, early.ok ? null : early, async (claim) => {
    const available = await checkAvailable(rt, at, file.value.records);
    // An import of the same file that stopped early may have left toolkit data.
    if (!available.ok) return claim.repeats ? withdraw(rt, at, file.value, claim, available) : available;
    const companions = await importCompanions(rt, at, file.value.toolkits, claim);
    if (!companions.ok) return withdraw(rt, at, file.value, claim, companions);
    const created = await writeThread(rt, at, file.value, imported.value);
    if (!created.ok) return withdraw(rt, at, file.value, claim, created);
    const kept = await keepCompanions(rt, at, file.value.toolkits, claim);
    if (!kept.ok) return kept;
    return ok(turnResultOf(at.thread, [imported.value.head]));
  });
}

/**
 * Removes everything that a refused import has stored, because another thread that got the id at the same time would show its toolkit data. If the
 * data cannot be removed now, the outcome is unknown, and repeating the import removes it.
 */
async function withdraw(
  rt: ImportRuntime,
  at: ThreadRef,
  { records, toolkits }: ThreadExport,
  claim: ImportClaim,
  refusal: Failed,
): Promise<Failed> {
  if (isUnsettled(refusal) || Object.keys(toolkits).length === 0) return refusal;
  const taken = await claim.isTaken();
  if (!taken.ok) return taken;
  if (taken.value) return refusal;
  const existing = await rt.store.records(at, { after: -1, limit: 1 });
  if (!existing.ok && existing.problem.code !== "thread_not_found") return existing;
  // The thread of this file is already stored, with its data.
  if (existing.ok && existing.value[0]?.commit_id === records[0]?.commit_id) return refusal;
  const withdrawn = await rt.companions.withdrawn?.(at, toolkits);
  return withdrawn && !withdrawn.ok ? withdrawn : refusal;
}

async function writeThread(
  rt: ImportRuntime,
  at: ThreadRef,
  file: ThreadExport,
  { head, metadata }: ImportedThread,
): Promise<Result<number>> {
  const records = file.records.map(({ hash: _, ...row }) => row);
  const meta = buildMeta(at.thread, head, metadata);
  const snapshot = { records, blobs: file.blobs, meta, outbox: wakeUpDeliveries(rt, at, head) };
  return rt.store.createFromSnapshot?.(at, snapshot) ?? createFromSnapshot(rt, at, snapshot);
}

/** Imports toolkit data before the records are stored, so that a visible thread has its data. */
async function importCompanions(
  { companions }: ImportRuntime,
  at: ThreadRef,
  data: ThreadExport["toolkits"],
  claim: ImportClaim,
): Promise<Result<void>> {
  const cleared = claim.replaces ? await companions.removed(at) : ok(undefined);
  if (!cleared.ok) return cleared;
  if (Object.keys(data).length === 0) return claim.confirm();
  if (companions.imported) {
    const imported = await companions.imported(at, data);
    return imported.ok ? claim.confirm() : imported;
  }
  return fail("export_invalid", `The file has data of toolkits that this host lacks: ${Object.keys(data).join(", ")}.`);
}

/**
 * Stores the toolkit data again if another request took over the claim before the records were stored, because that request may have removed the
 * data.
 */
async function keepCompanions(
  { companions }: ImportRuntime,
  at: ThreadRef,
  data: ThreadExport["toolkits"],
  claim: ImportClaim,
): Promise<Result<void>> {
  if (Object.keys(data).length === 0 || (await claim.confirm()).ok) return ok(undefined);
  return companions.imported?.(at, data) ?? ok(undefined);
}

/** Removes approvals given on another server. Here every call asks again, including one that waits for the answer to its question. */
function withoutApprovals(row: ExportRecord): ExportRecord {
  if (!/"(?:approvals|continues)"/.test(row.state)) return row;
  const state = parseObject(row.state);
  if (!state) return row;
  const { approvals, ...kept } = state;
  const { gate } = kept;
  const continues = isObject(gate) && "continues" in gate;
  if (approvals === undefined && !continues) return row;
  // The rest of the row keeps its exact bytes, including the order of its fields.
  return { ...row, state: JSON.stringify(continues ? { ...kept, gate: { ...gate, continues: undefined } } : kept) };
}

/** Returns null for a row that is not JSON. Reading the row reports the mistake. */
function parseObject(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

type ImportedThread = { readonly head: ThreadRecord; readonly metadata: Record<string, unknown> };

/** Checks whether this release can continue from the rows. The hash chain has already shown that they are unchanged. */
function readThread({ records, blobs }: ThreadExport, allow: AllowState): Result<ImportedThread> {
  const texts = new Map(blobs.map(({ hash, text }) => [hash, text]));
  let metadata: Record<string, unknown> = {};
  let head: ThreadRecord | null = null;
  for (const row of records) {
    const record = upgradeRecord(row);
    if (!record.ok && record.problem.code === "newer_version") return record;
    if (!record.ok) return fail("export_invalid", `Record ${row.version}: ${record.problem.message}`);
    head = record.value;
    const client_tools = declaredIn(texts.get(head.state.client_tools_blob ?? ""));
    if (!client_tools) return fail("export_invalid", `Record ${row.version}: its client tools are not valid.`);
    const allowed = allow({ ...head.state, client_tools, shows_its_call: showsItsCall(head.state.gate, texts) });
    if (!allowed.ok) return allowed;
    if (head.entry.commit_id !== row.commit_id || head.entry.turn !== row.turn)
      return fail("export_invalid", `Record ${row.version}: the row and its entry do not match.`);
    if (row.version === 0) metadata = head.entry.create?.metadata ?? {};
  }
  if (head === null) return fail("export_invalid", "A thread has at least one record.");
  if (head.state.machine.at === "acting") return fail("export_invalid", "The thread ends in the middle of a call.");
  return ok({ head, metadata });
}

/** Returns the tools that a blob declares. Without a blob there are none. Returns null if its text is not a valid declaration. */
const declaredIn = (text: string | undefined): ClientTools | null =>
  text === undefined ? [] : (ClientTools.safeParse(parseJson(text)).data ?? null);

/**
 * Checks that the id is available. In a store without `createFromSnapshot`, it is also available if it has the beginning of the same file, left by
 * an interrupted import. For a file with one record that is the whole file, because its wake-up is written after the record and may be missing. In
 * other stores an existing thread is complete and may be an earlier state of this one. Extending it record by record would reopen gates that were
 * already answered.
 */
async function checkAvailable(
  rt: ImportRuntime,
  at: ThreadRef,
  records: readonly ExportRecord[],
): Promise<Result<void>> {
  const existing = await rt.store.load(at, 1);
  if (!existing.ok) return existing.problem.code === "thread_not_found" ? ok(undefined) : existing;
  const { version } = existing.value.head;
  const exists = fail("thread_moved", `Thread ${at.thread} already exists.`, { version });
  if (rt.store.createFromSnapshot) return exists;
  const newest = await rt.store.records(at, { after: version - 1, limit: 1 });
  if (!newest.ok) return newest;
  const maybeIncomplete = version < records.length - 1 || records.length === 1;
  const resumable = maybeIncomplete && newest.value[0]?.commit_id === records[version]?.commit_id;
  return resumable ? ok(undefined) : exists;
}

/** Returns the wake-ups of the imported thread. A background run continues here; a run at a gate that expires wakes up at that time. */
function wakeUpDeliveries(rt: ImportRuntime, at: ThreadRef, { state }: ThreadRecord): readonly Delivery[] {
  if (needsWorker(state)) return [wakeUpAt(at, rt.clock.now())];
  const expires = state.background?.status === "on" ? state.gate?.expires_at : null;
  return expires ? [wakeUpAt(at, Date.parse(expires))] : [];
}
