// A message that takes back the run at work: it goes to a copy of the thread that ends where the last run did. The
// thread goes on, but for one record that says where the message is heard. That record carries the key of the call: of
// two tries, one that finds the run at work and one that finds it at rest, only one can be the thread's next record.
import { ThreadId, type ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { copyRecordsUpTo } from "../../threads/fork.ts";
import { replay } from "../../turn/admit/replay.ts";
import { type Advanced, advance } from "../../turn/advance.ts";
import { commit } from "../../turn/commit/commit.ts";
import { amend, draftTurn } from "../../turn/commit/draft.ts";
import { isRunEnd } from "../../turn/commit/events.ts";
import { loadThread, readRecords } from "../../turn/load.ts";
import type { Runtime, TurnRequest } from "../../turn/runtime.ts";

export type ForkResult = { readonly at: ThreadRef; readonly advanced: Advanced };

const TRIES = 20;

/** The record that sends the message to a copy. null: a twin of this call was here first, and the thread knows how. */
export async function rollBack(rt: Runtime, request: TurnRequest): Promise<Result<ThreadRecord | null>> {
  for (let tries = 0; ; tries++) {
    const thread = await loadThread(rt, request.at);
    if (!thread.ok) return thread;
    const replayed = await replay(rt, request, thread.value);
    if (!replayed.ok) return replayed;
    if (replayed.value.kind !== "new") return ok(null);
    const { version } = thread.value;
    if (request.if_match !== null && request.if_match !== version)
      return fail("version_mismatch", `The thread is at version ${version}, not ${request.if_match}.`, { version });
    const recorded = await recordRollback(rt, request, thread.value);
    if (recorded.ok || recorded.problem.code !== "thread_moved" || tries >= TRIES) return recorded;
  }
}

async function recordRollback(rt: Runtime, request: TurnRequest, thread: Thread): Promise<Result<ThreadRecord>> {
  const version = await lastRunEnd(rt, request.at, thread.version);
  if (!version.ok) return version;
  const to = ThreadId.parse(rt.ids.make("thr"));
  // The words are not for this thread, and neither is what they may cost or taint.
  const options = { ...request.options, untrusted: false };
  const ctx = { rt, thread, request: { ...request, input: null, budget: null, last_turn: true, options } };
  const draft = amend(draftTurn(ctx), { entry: { rolled_back: { to, version: version.value } } });
  const committed = await commit(ctx, draft);
  return committed.ok ? ok(committed.value.record) : committed;
}

/** The record of a call that went to a copy. */
export const findRollback = (records: readonly ThreadRecord[]): ThreadRecord | null =>
  records.find(({ entry }) => entry.rolled_back) ?? null;

/** Makes the copy, or what is missing of it, and lets it hear the message, once. */
export async function deliverToFork(
  rt: Runtime,
  request: TurnRequest,
  { entry, state }: ThreadRecord,
): Promise<Result<ForkResult>> {
  if (!entry.rolled_back) throw new Error("This record sends nothing away.");
  const { to, version } = entry.rolled_back;
  const at = { tenant: request.at.tenant, thread: to };
  const existing = await rt.store.load(at, 1);
  if (!existing.ok && existing.problem.code !== "thread_not_found") return existing;
  if (!existing.ok || existing.value.head.version < version) {
    const copied = await copyRecordsUpTo(rt, request.at, version, at);
    if (!copied.ok) return copied;
  }
  // The copy goes on by itself, like the run whose place it takes. In one record with the message: earlier a worker
  // would be faster, later nobody might come to say it.
  const in_background = state.background?.status === "on";
  const advanced = await advance(rt, {
    ...request,
    at,
    if_match: null,
    options: { ...request.options, in_background },
  });
  if (advanced.ok) return ok({ at, advanced: advanced.value });
  // The version that moved is the copy's, and the caller asked for another thread.
  return advanced.problem.code === "thread_moved"
    ? fail("turn_running", "The same call is being answered.", { retry_after_s: 1 })
    : advanced;
}

const PAGE_SIZE = 50;

/** The newest record that ended a run; the first one, if this is the first run. */
async function lastRunEnd(rt: Runtime, at: ThreadRef, head: number): Promise<Result<number>> {
  for (let last = head; last >= 0; last -= PAGE_SIZE) {
    const records = await readRecords(rt, at, Math.max(0, last - PAGE_SIZE + 1), last);
    if (!records.ok) return records;
    const ended = records.value.findLast(({ entry }) => isRunEnd(entry));
    if (ended) return ok(ended.version);
  }
  return ok(0);
}
