// A message that takes back the run at work: it goes to a copy of the thread that ends where the last run did. The
// thread itself stays as it is. The same call again finds the copy that is there.
import { canonicalJson } from "../schema/canonical-json.ts";
import { type ThreadAt, ThreadId } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { ThreadState } from "../schema/thread.ts";
import { type Advanced, advance } from "../turn/advance.ts";
import { isEnding } from "../turn/events.ts";
import { forkThread } from "../turn/fork.ts";
import { findKey } from "../turn/key-ring.ts";
import { loadThread, readRecords } from "../turn/load.ts";
import { removeThread } from "../turn/remove.ts";
import type { Runtime, TurnCall } from "../turn/runtime.ts";

export type RolledBack = { readonly at: ThreadAt; readonly advanced: Advanced };

/** `background`: the copy goes on by itself, like the run whose place it takes. */
export async function rollback(rt: Runtime, call: TurnCall, background: boolean): Promise<Result<RolledBack>> {
  const at = { tenant: call.at.tenant, thread: copyId(rt, call) };
  const copied = await copyTo(rt, call, at);
  if (!copied.ok) return copied;
  // A twin of this call that found the thread at rest has been heard there meanwhile: it has one answer, and that is it.
  if ((await wasHeard(rt, call)) && !(await wasHeard(rt, { ...call, at }))) {
    await removeThread(rt, at);
    return comeAgain();
  }
  // In one record with the message: earlier a worker would be faster, later nobody might come to say it.
  const advanced = await advance(rt, { ...call, at, if_match: null, in_background: background });
  if (advanced.ok) return ok({ at, advanced: advanced.value });
  // The version that moved is the copy's, and the caller asked for another thread.
  return advanced.problem.code === "thread_moved" ? comeAgain() : advanced;
}

const comeAgain = () => fail("turn_running", "The same call is being answered.", { retry_after_s: 1 });

async function wasHeard(rt: Runtime, { at, key }: TurnCall): Promise<boolean> {
  const thread = key ? await loadThread(rt, at) : null;
  return thread?.ok === true && key !== null && findKey(thread.value.state.key_ring, key.hash) !== null;
}

/** Whether this very call has a copy already, answered or not, however the thread is now. */
export async function wasRolledBack(rt: Runtime, call: TurnCall): Promise<boolean> {
  if (!call.key) return false;
  return (await loadThread(rt, { tenant: call.at.tenant, thread: copyId(rt, call) })).ok;
}

/** With a key always the same. */
const copyId = (rt: Runtime, { at, key }: TurnCall): ThreadId =>
  ThreadId.parse(
    key ? `thr_${rt.hash.sha256(canonicalJson({ ...at, rollback: key.hash })).slice(0, 26)}` : rt.ids.make("thr"),
  );

async function copyTo(rt: Runtime, call: TurnCall, at: ThreadAt): Promise<Result<unknown>> {
  const held = call.key ? await loadThread(rt, at) : null;
  if (held?.ok) {
    if (isWhole(held.value.state)) return held;
    // Whoever made it died in the middle.
    const removed = await removeThread(rt, at);
    if (!removed.ok && removed.problem.code !== "thread_not_found") return removed;
  }
  const turn = await lastEnding(rt, call.at);
  return turn.ok ? forkThread(rt, call.at, turn.value, at.thread) : turn;
}

/** It ends where a run ended or where the thread began, or has gone on from there under a key. */
const isWhole = ({ machine, turn, key_ring }: ThreadState): boolean =>
  machine.state === "rest" || turn === 0 || key_ring.length > 0;

const PAGE = 50;

/** The turn that ended the run before this one; the beginning, if this is the first. */
async function lastEnding(rt: Runtime, at: ThreadAt): Promise<Result<number>> {
  const head = await rt.store.load(at, 1);
  if (!head.ok) return head;
  for (let last = head.value.head.version; last >= 0; last -= PAGE) {
    const records = await readRecords(rt, at, Math.max(0, last - PAGE + 1), last);
    if (!records.ok) return records;
    const ended = records.value.findLast(({ entry }) => isEnding(entry));
    if (ended) return ok(ended.entry.turn);
  }
  return ok(0);
}
