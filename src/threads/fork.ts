// Forks a thread: creates a thread with a new id that continues after the end of a turn. An open gate gets a new id.
import { isoTime } from "../ports/clock.ts";
import type { Gate, QuestionGate } from "../schema/gate.ts";
import { type GateId, ThreadId, type ThreadRef } from "../schema/ids.ts";
import type { Meta } from "../schema/meta.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";
import type { ThreadRecord } from "../schema/record.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import type { ChildState } from "../schema/workflow/child.ts";
import { loadArguments } from "../turn/act/stored-call.ts";
import { buildMeta, rowOf } from "../turn/commit/commit.ts";
import { countEvents } from "../turn/commit/events.ts";
import { needsWorker } from "../turn/commit/wake-up.ts";
import { callDigest, planDigest } from "../turn/gates/digest.ts";
import { readRecords } from "../turn/load.ts";
import type { Runtime } from "../turn/runtime.ts";
import { turnResultOf } from "../turn/view.ts";
import { createFromSnapshot } from "./create-from-snapshot.ts";
import { lastRecordOf } from "./find-turn.ts";
import { readThreadRows } from "./thread-blobs.ts";

export async function forkThread(rt: Runtime, from: ThreadRef, turn: number): Promise<Result<TurnResult>> {
  const last = await lastRecordOf(rt, from, turn);
  if (!last.ok) return last;
  const to: ThreadRef = { tenant: from.tenant, thread: ThreadId.parse(rt.ids.make("thr")) };
  const head = await forkAt(rt, from, to, last.value);
  return head.ok ? ok(turnResultOf(to.thread, [head.value])) : head;
}

/** The caller chooses the id of the fork. Repeating the call completes an interrupted fork. */
export async function forkAtVersion(
  rt: Runtime,
  from: ThreadRef,
  version: number,
  to: ThreadRef,
): Promise<Result<void>> {
  const records = await readRecords(rt, from, version, version);
  if (!records.ok) return records;
  const [last] = records.value;
  if (!last) return fail("thread_not_found", `There is no thread ${from.thread}.`);
  const forked = await forkAt(rt, from, to, last);
  return forked.ok ? ok(undefined) : forked;
}

async function forkAt(rt: Runtime, from: ThreadRef, to: ThreadRef, last: ThreadRecord): Promise<Result<ThreadRecord>> {
  const { at } = last.state.machine;
  // Two threads must not wait for the same call, or drive and cancel the same sub-agents.
  if (at === "acting" || at === "delegating") {
    const message = `Turn ${last.entry.turn} ends with a running call; fork before or after it.`;
    return fail("turn_running", message, { retry_after_s: 1 });
  }
  const { child } = last.state;
  if (child) return notForked(child);
  const reissued = await reissueHead(rt, from, to, last);
  if (!reissued.ok) return reissued;
  const head = reissued.value;
  const companions = await rt.companions.forked(from, to);
  if (!companions.ok) return companions;
  const first = await readRecords(rt, from, 0, 0);
  if (!first.ok) return first;
  const meta = buildMeta(to.thread, head, first.value[0]?.entry.create?.metadata ?? {});
  const shared = await rt.store.fork?.(from, to.thread, rowOf(head), meta);
  // A thread with that id can be the beginning of a copy that an earlier release made.
  const copies = !shared || (!shared.ok && shared.problem.code === "thread_moved");
  const forked = copies ? await copyRows(rt, { from, to, head, meta }) : shared;
  return forked.ok ? reissued : forked;
}

/** The fork of a child would have the limits of the child, and no parent to report to. */
export const notForked = ({ parent }: ChildState): Failed =>
  fail("sub_agent_refused", `A sub-agent cannot be forked; fork ${parent}, which created it, at an earlier turn.`, {
    parent,
  });

type Copy = { readonly from: ThreadRef; readonly to: ThreadRef; readonly head: ThreadRecord; readonly meta: Meta };

/** For a store that cannot share rows between threads. */
async function copyRows(rt: Runtime, { from, to, head, meta }: Copy): Promise<Result<number>> {
  const source = await readThreadRows(rt, from, head.version);
  if (!source.ok) return source;
  const records = [...source.value.rows.slice(0, -1), rowOf(head)];
  return createFromSnapshot(rt, to, { records, blobs: source.value.blobs, meta, outbox: [] });
}

/** A gate or a key of the original thread must not be valid on the fork, so the open gate gets a new id and the keys are removed. */
async function reissueHead(
  rt: Runtime,
  from: ThreadRef,
  to: ThreadRef,
  head: ThreadRecord,
): Promise<Result<ThreadRecord>> {
  const gate = head.state.gate ? await reissueGate(rt, from, to, head.version, head.state.gate) : ok(null);
  if (!gate.ok) return gate;
  // The fork of a background run does not run in the background: the caller has to start it explicitly.
  const background = needsWorker(head.state) ? null : head.state.background;
  const { first } = head.entry.events;
  // Approvals are valid only for the original thread.
  const { approvals: _, ...copied } = head.state;
  const state = { ...copied, key_ring: [], gate: gate.value, background };
  // A gate from an earlier record is opened again under its new id, so the head may have one more event.
  const count = countEvents(head.version, head.entry, state);
  const entry = { ...head.entry, at: isoTime(rt.clock.now()), events: { first, count } };
  return ok({ ...head, entry, state: { ...state, event_seq: first + count } });
}

async function reissueGate(
  rt: Runtime,
  from: ThreadRef,
  to: ThreadRef,
  version: number,
  gate: Gate,
): Promise<Result<Gate>> {
  const id = rt.ids.make("gat") as GateId;
  if (gate.kind === "plan")
    return ok({ ...gate, id, version, digest: planDigest(rt.hash, { ...to, version, steps: gate.steps }) });
  if (gate.kind === "question") return ok({ ...withoutContinuedCall(gate), id, version });
  if (gate.kind !== "confirmation" && gate.kind !== "external") return ok({ ...gate, id, version });
  const args = await loadArguments(rt, from, gate.call);
  if (!args.ok) return args;
  const { name: tool, manifest_version } = gate.call;
  return ok({
    ...gate,
    ...(gate.kind === "external" && { lease: null }),
    id,
    version,
    digest: callDigest(rt.hash, { ...to, version, tool, manifest_version, arguments: args.value }),
  });
}

/** The call that asked was approved only in the original thread, so in the fork the model decides what to do with the answer. */
function withoutContinuedCall({ continues: _, ...gate }: QuestionGate): QuestionGate {
  return gate;
}
