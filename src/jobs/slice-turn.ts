// Runs one turn of a slice: adds a queued message if there is one, advances, and decides whether the slice continues.
import type { ThreadRef } from "../schema/ids.ts";
import { deepFreeze } from "../schema/json/deep-freeze.ts";
import { frozenCopy } from "../schema/json/frozen-copy.ts";
import { ok, type Problem, type Result } from "../schema/problem.ts";
import { LOADED_ENTRIES, type Thread, type ThreadRecord } from "../schema/record.ts";
import type { ThreadState } from "../schema/thread.ts";
import { type Advanced, advance } from "../turn/advance.ts";
import { wakeUpAt } from "../turn/commit/wake-up.ts";
import { loadThread } from "../turn/load.ts";
import type { Runtime, TurnRequest } from "../turn/runtime.ts";
import { queuedTrace } from "../turn/trace-parent.ts";
import { acceptsMessage, loadInbox, type QueuedMessage } from "./inbox/inbox.ts";
import { NEWER_VERSION_DELAY_MS, type SliceOptions, sliceRequest } from "./slice.ts";

export type SliceStep =
  /** `thread` is the thread as it was stored, or null if it has to be loaded. */
  | { readonly kind: "continue"; readonly thread: Thread | null }
  /** `finish` means that the turn was the last one for now, and `park` that there was nothing to do. */
  | { readonly kind: "finish"; readonly due_at: number | null }
  | { readonly kind: "park"; readonly due_at: number | null }
  | { readonly kind: "problem"; readonly problem: Problem };

type SlicePosition = {
  readonly at: ThreadRef;
  /** The thread as the previous turn stored it. If another request has advanced it since, the commit fails and the thread is loaded again. */
  readonly thread: Thread | null;
};

export async function runTurn(
  rt: Runtime,
  { at, thread: known }: SlicePosition,
  options: SliceOptions,
): Promise<SliceStep> {
  const thread = known ? ok(known) : await loadThread(rt, at);
  if (!thread.ok) return afterLoadProblem(thread.problem, rt.clock.now());
  const { state } = thread.value;
  if (state.background?.status !== "on") return { kind: "park", due_at: null };
  const inbox = await loadInbox(rt, at);
  if (!inbox.ok) return { kind: "problem", problem: inbox.problem };
  const message = acceptsMessage(state, rt.clock.now()) ? inbox.value[0] : undefined;
  const request = sliceRequest(rt, at, options, message ? requestFieldsFrom(message) : queuedTrace(state.trace_parent));
  const advanced = await advance(rt, { ...request, options: { ...request.options, thread: thread.value } });
  if (message && isSettled(advanced)) return dropMessage(rt, message);
  if (!advanced.ok) return afterAdvanceProblem(advanced.problem, state, rt.clock.now());
  const { outcome } = advanced.value;
  if (outcome.kind === "failed" && outcome.thread.state !== "failed")
    return { kind: "problem", problem: outcome.problem };
  const next = threadAfter(rt, at, thread.value, advanced.value);
  if (outcome.next === "advance") return { kind: "continue", thread: next };
  await wakeParent(rt, at, lastState(advanced.value.records));
  // Reads the inbox again after the commit. A message that arrived in the meantime is either seen here or adds a wake-up.
  const waiting = await loadInbox(rt, at);
  // The run must not be parked if the inbox could not be read.
  if (!waiting.ok) return { kind: "problem", problem: waiting.problem };
  const hasNextMessage = waiting.value.length > 0 && acceptsMessage(lastState(advanced.value.records), rt.clock.now());
  const due_at = nextGateCheck(outcome.thread.gate, state, rt.clock.now());
  return hasNextMessage ? { kind: "continue", thread: next } : { kind: "finish", due_at };
}

const requestFieldsFrom = ({
  input,
  actor,
  key,
  untrusted,
  row,
  trace_parent,
}: QueuedMessage): Partial<TurnRequest> => ({
  input,
  actor,
  key,
  ...queuedTrace(trace_parent),
  options: { by_worker: true, untrusted, processed: [row.id] },
});

/** True if the message was processed before, another request has used its key, or no parent waits for the sub-agent any more. */
const isSettled = (advanced: Result<Advanced>): boolean =>
  advanced.ok
    ? advanced.value.replayed
    : advanced.problem.code === "idempotency_mismatch" || advanced.problem.code === "sub_agent_refused";

async function dropMessage(rt: Runtime, { row }: QueuedMessage): Promise<SliceStep> {
  await rt.store.settleDelivery(row, null);
  return { kind: "continue", thread: null };
}

/**
 * The thread as the next load would return it. From the cache or a copy, because a tool may keep a reference to its arguments. Null after a repeated
 * request.
 */
function threadAfter(rt: Runtime, at: ThreadRef, thread: Thread, { records, replayed }: Advanced): Thread | null {
  const head = records.at(-1);
  if (replayed || !head || head.version !== thread.version + records.length) return null;
  const cached = rt.cache?.threads?.get(at);
  if (cached?.entries.at(-1)?.entry.commit_id === head.entry.commit_id) return cached;
  const stored: readonly ThreadRecord[] = frozenCopy(records) ?? deepFreeze(JSON.parse(JSON.stringify(records)));
  const entries = [...thread.entries, ...stored.map(({ version, entry }) => ({ version, entry }))];
  const state = stored.at(-1)?.state ?? thread.state;
  return { version: head.version, state, entries: entries.slice(-LOADED_ENTRIES) };
}

function lastState(records: readonly ThreadRecord[]): ThreadState {
  const head = records.at(-1);
  if (!head) throw new Error("a turn makes at least one record");
  return head.state;
}

/** How often a child at a gate checks whether its parent still waits for it. Listing the open gates also checks this. */
const PARENT_CHECK_MS = 60 * 60_000;

/** When to check a thread whose gate is not answered: when the gate expires, and for a child at regular intervals. */
function nextGateCheck(
  gate: { readonly expires_at?: string | null } | null | undefined,
  { child }: ThreadState,
  now: number,
): number | null {
  const expiry = gate?.expires_at ? Date.parse(gate.expires_at) : null;
  return gate && child ? Math.min(expiry ?? Number.POSITIVE_INFINITY, now + PARENT_CHECK_MS) : expiry;
}

const afterLoadProblem = (problem: Problem, now: number): SliceStep => {
  if (problem.code === "newer_version") return { kind: "park", due_at: now + NEWER_VERSION_DELAY_MS };
  return problem.code === "thread_not_found" ? { kind: "park", due_at: null } : { kind: "problem", problem };
};

/** Some problems only mean that there is nothing to do now. */
function afterAdvanceProblem(problem: Problem, state: ThreadState, now: number): SliceStep {
  switch (problem.code) {
    case "thread_moved":
      return { kind: "continue", thread: null };
    case "gate_open":
    case "nothing_to_do":
    case "thread_failed":
    case "thread_not_found":
    case "thread_removed":
      return { kind: "park", due_at: nextGateCheck(problem.details?.gate as { expires_at?: string }, state, now) };
    case "newer_version":
      return { kind: "park", due_at: now + NEWER_VERSION_DELAY_MS };
    case "turn_running": {
      const wait = problem.details?.retry_after_s;
      return { kind: "park", due_at: now + (typeof wait === "number" ? wait : 1) * 1000 };
    }
    default:
      return { kind: "problem", problem };
  }
}

/** For a child that has come to rest. A lost wake-up costs only time, because the parent also polls. */
async function wakeParent(rt: Runtime, { tenant }: ThreadRef, { child, machine }: ThreadState): Promise<void> {
  if (!child || (machine.state !== "rest" && machine.state !== "failed")) return;
  await rt.store.putDelivery(wakeUpAt({ tenant, thread: child.parent }, rt.clock.now()));
}
