// Imports a thread from a file. Validates all of it before storing anything, then writes the same rows under the same id.
import { upgradeRecord } from "../migrate/upgrade.ts";
import type { ThreadDocument } from "../ports/documents.ts";
import type { Delivery } from "../ports/thread-store.ts";
import { type ExportRecord, type ThreadExport, verifyExport } from "../schema/export.ts";
import type { Gate, StoredCall } from "../schema/gate.ts";
import type { TenantId, ThreadRef } from "../schema/ids.ts";
import { parseJson } from "../schema/json/parse-json.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";
import { ClientTools } from "../schema/protocols/client-tool.ts";
import type { ThreadRecord } from "../schema/record.ts";
import type { ThreadState } from "../schema/thread.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import { formatArguments } from "../tools/redaction/escape-hidden.ts";
import { buildMeta } from "../turn/commit/commit.ts";
import { shortenShown } from "../turn/commit/fit-state.ts";
import { needsWorker, wakeUpAt } from "../turn/commit/wake-up.ts";
import type { Runtime } from "../turn/runtime.ts";
import { turnResultOf } from "../turn/view.ts";
import { createFromSnapshot } from "./create-from-snapshot.ts";
import { isStoredWith, type PreparedDocuments, placeDocuments, prepareDocuments } from "./imported-documents.ts";

type ImportRuntime = Pick<Runtime, "store" | "clock" | "hash" | "ids" | "companions" | "documents">;

/** `shows_its_call` is true if the open gate, if any, shows what would run. */
type StateOfFile = ThreadState & { readonly client_tools: ClientTools; readonly shows_its_call: boolean };

/** Called for every state in the file with its declared tools, because a fork can go back to any of them. */
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
  const available = await checkAvailable(rt, at, file.value.records);
  if (!available.ok) return available;
  const staged = await stageCompanions(rt, at, file.value.toolkits);
  if (!staged.ok) return withdraw(rt, at, file.value, staged);
  const documents = prepareDocuments(rt.hash, at, staged.value);
  const stored = await storeThread(rt, at, file.value, { ...imported.value, documents });
  return stored.ok ? ok(turnResultOf(at.thread, [imported.value.head])) : withdraw(rt, at, file.value, stored);
}

/** Has the toolkits of a refused import remove the data that they stored outside the documents of the thread. */
async function withdraw(
  rt: ImportRuntime,
  at: ThreadRef,
  { records, toolkits }: ThreadExport,
  refusal: Failed,
): Promise<Failed> {
  // If it is unknown whether the thread was written, a repetition finds out.
  if (refusal.problem.code === "store_unavailable" || Object.keys(toolkits).length === 0) return refusal;
  const existing = await rt.store.records(at, { after: -1, limit: 1 });
  if (!existing.ok && existing.problem.code !== "thread_not_found") return existing;
  // The thread of this file is already stored, with its data.
  if (existing.ok && existing.value[0]?.commit_id === records[0]?.commit_id) return refusal;
  const withdrawn = await rt.companions.withdrawn?.(at, toolkits);
  return withdrawn && !withdrawn.ok ? withdrawn : refusal;
}

async function storeThread(
  rt: ImportRuntime,
  at: ThreadRef,
  file: ThreadExport,
  { head, metadata, documents }: ImportedThread & { readonly documents: PreparedDocuments },
): Promise<Result<void>> {
  const isFree = async (): Promise<Result<boolean>> => {
    const available = await checkAvailable(rt, at, file.records);
    return available.ok || available.problem.code === "thread_moved" ? ok(available.ok) : available;
  };
  const placed = await placeAll(rt, at, documents, isFree);
  if (!placed.ok) return placed;
  const records = file.records.map(({ hash: _, ...row }) => row);
  const blobs = [...file.blobs, ...documents.blobs];
  const outbox = [documents.row, ...wakeUpDeliveries(rt, at, head)];
  const snapshot = { records, blobs, meta: buildMeta(at.thread, head, metadata), outbox };
  const created = await (rt.store.createFromSnapshot?.(at, snapshot) ?? createFromSnapshot(rt, at, snapshot));
  if (!created.ok) return created;
  const own = await isStoredWith(rt.store, at, documents);
  if (!own.ok) return own;
  if (!own.value)
    return fail("thread_moved", `Thread ${at.thread} already exists; delete it before you import the file.`, {
      version: created.value,
    });
  return placeAll(rt, at, documents, async () => ok(false));
}

async function placeAll(
  { documents }: ImportRuntime,
  at: ThreadRef,
  prepared: PreparedDocuments,
  isFree: () => Promise<Result<boolean>>,
): Promise<Result<void>> {
  if (prepared.kinds.length === 0) return ok(undefined);
  if (documents) return placeDocuments(documents, at, prepared, isFree);
  return fail("export_invalid", "The file has documents of toolkits, which this host cannot store.");
}

/** Reads the toolkit data of the file as documents. A toolkit that keeps its data elsewhere stores it now, before the thread is visible. */
async function stageCompanions(
  { companions }: ImportRuntime,
  at: ThreadRef,
  data: ThreadExport["toolkits"],
): Promise<Result<readonly ThreadDocument[]>> {
  if (Object.keys(data).length === 0) return ok([]);
  if (companions.staged) return companions.staged(at, data);
  const imported = await companions.imported?.(at, data);
  if (imported) return imported.ok ? ok([]) : imported;
  return fail("export_invalid", `The file has data of toolkits that this host lacks: ${Object.keys(data).join(", ")}.`);
}

/** Approvals were given on another server. Here every call asks again, including one that waits for the answer to its question. */
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

/** Null for a row that is not JSON. Reading the row reports the mistake. */
function parseObject(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

type ImportedThread = { readonly head: ThreadRecord; readonly metadata: Record<string, unknown> };

/** The hash chain has already shown that the rows are unchanged; this checks whether this release can continue from them. */
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
  if (head === null) return fail("export_invalid", "The file contains no records.");
  if (head.state.machine.at === "acting") return fail("export_invalid", "The thread ends in the middle of a call.");
  return ok({ head, metadata });
}

/** Without a blob there are no tools. Null if its text is not a valid declaration. */
const declaredIn = (text: string | undefined): ClientTools | null =>
  text === undefined ? [] : (ClientTools.safeParse(parseJson(text)).data ?? null);

/**
 * In a store without `createFromSnapshot`, the id is also available if it has the beginning of the same file, left by an interrupted import. A file
 * with one record may lack its wake-up. In other stores an existing thread is complete, and extending it could reopen answered gates.
 */
async function checkAvailable(
  rt: ImportRuntime,
  at: ThreadRef,
  records: readonly ExportRecord[],
): Promise<Result<void>> {
  const existing = await rt.store.load(at, 1);
  if (!existing.ok) return existing.problem.code === "thread_not_found" ? ok(undefined) : existing;
  const { version } = existing.value.head;
  const exists = fail("thread_moved", `Thread ${at.thread} already exists; delete it before you import the file.`, {
    version,
  });
  if (rt.store.createFromSnapshot) return exists;
  const newest = await rt.store.records(at, { after: version - 1, limit: 1 });
  if (!newest.ok) return newest;
  const maybeIncomplete = version < records.length - 1 || records.length === 1;
  const resumable = maybeIncomplete && newest.value[0]?.commit_id === records[version]?.commit_id;
  return resumable ? ok(undefined) : exists;
}

/** A background run continues here. A run at a gate that expires wakes up at that time. */
function wakeUpDeliveries(rt: ImportRuntime, at: ThreadRef, { state }: ThreadRecord): readonly Delivery[] {
  if (needsWorker(state)) return [wakeUpAt(at, rt.clock.now())];
  const expires = state.background?.status === "on" ? state.gate?.expires_at : null;
  return expires ? [wakeUpAt(at, Date.parse(expires))] : [];
}

type BlobTexts = ReadonlyMap<string, string>;

/**
 * Checks that the open gate of a file shows a person what the stored call would do. The two can differ only in an
 * edited file.
 */
export function showsItsCall(gate: Gate | null, blobs: BlobTexts): boolean {
  if (gate?.kind === "doubt") return gate.text.startsWith(`${gate.call.name} `);
  // If the gate has no text for the arguments, clients show the arguments themselves.
  if (gate?.kind !== "confirmation" || gate.shown === "") return true;
  const args = argumentsOf(gate.call, blobs);
  // If the arguments are missing, the call cannot be approved, so the gate is harmless.
  if (args === null) return true;
  const shown = formatArguments(args);
  return gate.shown === shown || gate.shown === shortenShown(shown);
}

function argumentsOf(call: StoredCall, blobs: BlobTexts): Record<string, unknown> | null {
  if (call.arguments) return call.arguments;
  const text = blobs.get(call.arguments_blob ?? "");
  return text === undefined ? null : (JSON.parse(text) as Record<string, unknown>);
}
