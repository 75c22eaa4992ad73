// Handles a message with if_busy=rollback: sends it to a fork of the thread that ends where the last run did. The thread itself gets one record that
// names the fork and carries the request's key. If one attempt finds the run in progress and another finds it at rest, only one of their records can
// become the thread's next record.
import { retryConflict } from "../../ports/retry.ts";
import { ThreadId, type ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { forkAtVersion, notForked } from "../../threads/fork.ts";
import { replay } from "../../turn/admit/replay.ts";
import { type Advanced, advance } from "../../turn/advance.ts";
import { commit } from "../../turn/commit/commit.ts";
import { amend, draftTurn } from "../../turn/commit/draft.ts";
import { isRunEnd } from "../../turn/commit/events.ts";
import { loadThread, readRecords } from "../../turn/load.ts";
import type { Runtime, TurnRequest } from "../../turn/runtime.ts";

/** Stores the record that redirects the message to a fork. Null if the same request was handled before; its records say how. */
export const rollBack = (rt: Runtime, request: TurnRequest): Promise<Result<ThreadRecord | null>> =>
  retryConflict<ThreadRecord | null>("thread_moved", async () => {
    const thread = await loadThread(rt, request.at);
    if (!thread.ok) return thread;
    const replayed = await replay(rt, request, thread.value);
    if (!replayed.ok) return replayed;
    if (replayed.value.kind !== "new") return ok(null);
    const { version, state } = thread.value;
    // Checked before the record that redirects the message to a fork is stored.
    if (state.child) return notForked(state.child);
    if (request.if_match !== null && request.if_match !== version)
      return fail("version_mismatch", `The thread is at version ${version}, not ${request.if_match}.`, { version });
    return recordRollback(rt, request, thread.value);
  });

async function recordRollback(rt: Runtime, request: TurnRequest, thread: Thread): Promise<Result<ThreadRecord>> {
  const version = await lastRunEnd(rt, request.at, thread.version);
  if (!version.ok) return version;
  const to = ThreadId.parse(rt.ids.make("thr"));
  // The message is not for this thread, so it neither uses the thread's budget nor taints it.
  const options = { ...request.options, untrusted: false };
  const ctx = { rt, thread, request: { ...request, input: null, budget: null, last_turn: true, options } };
  const draft = amend(draftTurn(ctx), { entry: { rolled_back: { to, version: version.value } } });
  const committed = await commit(ctx, draft);
  return committed.ok ? ok(committed.value.record) : committed;
}

export const findRollback = (records: readonly ThreadRecord[]): ThreadRecord | null =>
  records.find(({ entry }) => entry.rolled_back) ?? null;

/** Creates the fork, or completes one that was interrupted, and delivers the message to it once. */
export async function deliverToFork(
  rt: Runtime,
  request: TurnRequest,
  { entry, state }: ThreadRecord,
): Promise<Result<{ readonly at: ThreadRef; readonly advanced: Advanced }>> {
  if (!entry.rolled_back) throw new Error("this record names no fork");
  const { to, version } = entry.rolled_back;
  const at = { tenant: request.at.tenant, thread: to };
  const existing = await rt.store.load(at, 1);
  if (!existing.ok && existing.problem.code !== "thread_not_found") return existing;
  if (!existing.ok || existing.value.head.version < version) {
    const copied = await forkAtVersion(rt, request.at, version, at);
    if (!copied.ok) return copied;
  }
  // The fork runs in the background if the original did. This is set in the record of the message. If it were set earlier, a worker could run a turn
  // before the message; if it were set later, a crash could lose the setting.
  const in_background = state.background?.status === "on";
  const advanced = await advance(rt, {
    ...request,
    at,
    if_match: null,
    options: { ...request.options, in_background },
  });
  if (advanced.ok) return ok({ at, advanced: advanced.value });
  // The conflict is about the fork, which the caller does not know.
  return advanced.problem.code === "thread_moved"
    ? fail("turn_running", "The same request is already in progress.", { retry_after_s: 1 })
    : advanced;
}

const PAGE_SIZE = 50;

/** 0 in the first run. */
async function lastRunEnd(rt: Runtime, at: ThreadRef, head: number): Promise<Result<number>> {
  for (let last = head; last >= 0; last -= PAGE_SIZE) {
    const records = await readRecords(rt, at, Math.max(0, last - PAGE_SIZE + 1), last);
    if (!records.ok) return records;
    const ended = records.value.findLast(({ entry }) => isRunEnd(entry));
    if (ended) return ok(ended.version);
  }
  return ok(0);
}
