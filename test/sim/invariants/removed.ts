// I15: a removed thread does not exist, and none of its work happens later. I16: an exported thread is its log
// verbatim, and an import restores exactly what was exported.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { StoredRecord } from "../../../src/ports/thread-store.ts";
import { type ThreadExport, verifyExport } from "../../../src/schema/export.ts";
import type { ChangesState, ExportedThread } from "../changes/changes-state.ts";
import { wasRemoved } from "../changes/changes-state.ts";
import type { Evidence } from "../evidence.ts";

export function removedThreadsStayRemoved({
  changes,
  threads,
  jobs,
  listed,
  clientRequests,
}: Evidence): readonly string[] {
  if (!changes) return [];
  const existing = new Set(threads.map(({ at }) => `${at.tenant}/${at.thread}`));
  const left = (jobs?.outbox ?? []).filter(
    ({ tenant, thread }) => thread.startsWith("thr_") && !existing.has(`${tenant}/${thread}`),
  );
  return [
    ...changes.writesAfterRemoval.map((what) => `I15 ${what} was written after the thread was removed`),
    ...left.map(({ id, thread }) => `I15 ${id} is still pending for ${thread}, which was removed`),
    ...listed.filter((name) => !existing.has(name)).map((name) => `I15 ${name} was removed but is listed`),
    ...clientRequests.flatMap(({ request, tries }) => {
      if (request.kind !== "api" || request.method !== "DELETE" || request.other_tenant) return [];
      const thread = /^\/v1\/threads\/(thr_[0-9a-z]+)$/.exec(request.path)?.[1];
      const acknowledged = tries.some(({ response }) => response?.code === "ok");
      return thread && acknowledged && !wasRemoved(changes, thread)
        ? [`I15 ${thread} was reported as removed but still exists`]
        : [];
    }),
  ];
}

export function exportsMatchLogs({ changes, threads }: Evidence): readonly string[] {
  if (!changes) return [];
  return changes.files.flatMap((file) => {
    const read = verifyExport(file.text, nodeHash.sha256);
    if (!read.ok) return [`I16 the file of ${file.at.thread} is invalid: ${read.problem.message}`];
    const { records } = read.value;
    /** The exported rows without remembered approvals, which an import drops. */
    const imported = records.map((row) => ({ ...row, state: withoutApprovals(row.state) }));
    /** Returns the logs that this thread had after `n` removals. */
    const logsAfter = (n: number) =>
      [...changes.removed.slice(n), ...threads].filter(({ at }) => isSame(file, at)).map(({ rows }) => rows);
    const holds = (n: number, expected = records): boolean => {
      const logs = logsAfter(n);
      return logs.length === 0 || logs.some((rows) => isPrefixOf(rows, expected));
    };
    if (!holds(0)) return [`I16 the file of ${file.at.thread} is not its log`];
    const blobs = blobViolations(changes, threads, file, read.value);
    if (blobs.length > 0) return blobs;
    return file.imported === null || holds(file.imported) || holds(file.imported, imported)
      ? []
      : [`I16 the import of ${file.at.thread} differs from its file`];
  });
}

/** Checks that every blob that a row of the export names is in the export and exists after an import. */
function blobViolations(
  changes: ChangesState,
  threads: Evidence["threads"],
  file: ExportedThread,
  { records, blobs }: ThreadExport,
): readonly string[] {
  const stored = threads.find(({ at }) => isSame(file, at))?.blobs ?? new Map<string, string>();
  const exported = new Map(blobs.map(({ hash, text }) => [hash, text]));
  const named = new Set(records.flatMap(({ entry, state }) => `${entry} ${state}`.match(/[0-9a-f]{64}/g) ?? []));
  const missing = [...named].filter((hash) => stored.has(hash) && !exported.has(hash));
  const removals = changes.removed.filter(({ at }) => isSame(file, at)).length;
  const isNewest = file.imported !== null && removals === 1 && threads.some(({ at }) => isSame(file, at));
  const lost = isNewest ? [...exported].filter(([hash, text]) => stored.get(hash) !== text) : [];
  return [
    ...missing.map((hash) => `I16 the file of ${file.at.thread} lacks blob ${hash}`),
    ...lost.map(([hash]) => `I16 the import of ${file.at.thread} lost blob ${hash}`),
  ];
}

type At = { readonly tenant: string; readonly thread: string };
const isSame = ({ at }: ExportedThread, other: At): boolean => at.tenant === other.tenant && at.thread === other.thread;

const isPrefixOf = (rows: readonly StoredRecord[], file: readonly StoredRecord[]): boolean =>
  file.every(({ entry, state, commit_id }, i) => {
    const row = rows[i];
    return row?.entry === entry && row.state === state && row.commit_id === commit_id;
  });

function withoutApprovals(text: string): string {
  const { approvals: _, ...state } = JSON.parse(text) as Record<string, unknown>;
  // An approved call that asked a question must not run with the answer elsewhere either.
  const gate = state.gate as { continues?: unknown } | null | undefined;
  if (gate) delete gate.continues;
  return JSON.stringify(state);
}
