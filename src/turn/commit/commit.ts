// One compare-and-set per record. Everything that must be true together is in the same commit.

import type { Also } from "../../ports/thread-store.ts";
import { foldDialogue, foldEntry } from "../../prompt/fold.ts";
import { META_GOAL_CHARS, type Meta } from "../../schema/meta.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { type Entry, LOADED_ENTRIES, type Thread, type ThreadRecord } from "../../schema/record.ts";
import type { Settings } from "../../schema/settings.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { cutStart } from "../../tools/cut-text.ts";
import { insist } from "../insist.ts";
import { settingsOf } from "../load-settings.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import type { Draft } from "./draft.ts";
import { countEvents, eventsOf } from "./events.ts";
import { fitState } from "./fit-state.ts";
import { touchKey } from "./key-ring.ts";
import { moveAll } from "./signal.ts";
import { wakeAfter } from "./wake.ts";
import { webhookDeliveries } from "./webhook-deliveries.ts";

export type Committed = { readonly record: ThreadRecord; readonly thread: Thread };

/** Record n+1, or `thread_moved`: then somebody else's record n+1 stands and this one was never there. */
export async function commit(rt: Runtime, call: TurnCall, thread: Thread, draft: Draft): Promise<Result<Committed>> {
  const finished = finishRecord(rt, call, thread, draft);
  if (!finished.ok) return finished;
  const { record, entries, blobs, state_text } = finished.value;
  const settings = await settingsOf(rt, call);
  if (!settings.ok) return settings;
  const stored = await putBlobs(rt, call, blobs);
  if (!stored.ok) return stored;
  const row = {
    version: record.version,
    commit_id: record.entry.commit_id,
    turn: record.entry.turn,
    entry: JSON.stringify(record.entry),
    state: state_text,
  };
  const point = draft.intends ? "intend" : "commit";
  await rt.faults.at(`${point}.before`);
  const also = alsoOf(rt, call, thread.state, record, settings.value);
  // A reply that got lost is no failure: the same row again is known by its commit id.
  const appended = await insist(() => rt.store.append(call.at, row, also));
  if (!appended.ok) return appended;
  remember(rt, call, record, state_text);
  rt.thinking?.committed(call.at, record.version);
  await rt.faults.at(`${point}.after`);
  for (const event of eventsOf(call.at.thread, record)) call.emit(event);
  return ok({ record, thread: { version: record.version, state: record.state, entries } });
}

/**
 * What this process wrote itself it need not parse and check when it loads it. The state becomes unchangeable by that, so
 * one that may hold somebody else's objects (arguments, a todo list) is left to be read.
 */
function remember(rt: Runtime, call: TurnCall, { version, state }: ThreadRecord, state_text: string): void {
  if (state.gate || state.acting || state.todo.length > 0) return;
  rt.remembered?.rows.keep({ column: "state", thread: call.at.thread, version }, state_text, true, state);
}

/** What moves with the record: the row in lists, a background run's wake-up, webhooks, the messages it brought in. */
function alsoOf(rt: Runtime, call: TurnCall, before: ThreadState, record: ThreadRecord, settings: Settings): Also {
  const wake = call.driven ? null : wakeAfter(call.at, before, record);
  const webhooks = webhookDeliveries(rt.hash, call.at, settings.webhooks, record);
  const outbox = wake ? [wake, ...webhooks] : webhooks;
  return {
    ...(metaMoved(before, record.state) ? { meta: buildMeta(call.at.thread, record, null) } : {}),
    ...(outbox.length > 0 ? { outbox } : {}),
    ...(call.taken ? { taken: call.taken } : {}),
  };
}

/** The record as it will be stored: machine moved, key and events counted, what leaves the loaded range folded. */
function finishRecord(
  { hash }: Pick<Runtime, "hash">,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
): Result<{ record: ThreadRecord; entries: Thread["entries"]; blobs: Draft["blobs"]; state_text: string }> {
  const machine = moveAll(thread.state.machine, draft.signals);
  if (!machine.ok) return machine;
  const version = thread.version + 1;
  const entry: Entry = { ...draft.entry, signals: draft.signals.map((signal) => signal.type) };
  let state: ThreadState = { ...draft.state, machine: machine.value };
  if (call.key) {
    state.key_ring = touchKey(state.key_ring, call.key.hash, version);
    const last = !draft.intends && (call.last_turn || endsCall(state, entry));
    entry.key = { ...call.key, i: nextIndex(thread, call.key.hash), last };
  }
  const count = countEvents(version, entry, state);
  entry.events = { first: state.event_seq, count };
  state = { ...state, event_seq: state.event_seq + count };
  const entries = [...thread.entries, { version, entry }];
  const leaving = entries.length > LOADED_ENTRIES ? entries.shift() : undefined;
  if (leaving) {
    state = {
      ...state,
      folded: foldEntry(state.folded, leaving.entry),
      dialogue: foldDialogue(state.dialogue, leaving.entry),
    };
  }
  const fitted = fitState(hash, state);
  if (!fitted.ok) return fitted;
  const blobs = [...draft.blobs, ...fitted.value.blobs];
  return ok({ record: { version, entry, state: fitted.value.state }, entries, blobs, state_text: fitted.value.text });
}

/** The records of one call are counted through, whoever else wrote in between. */
function nextIndex(thread: Thread, hash: string): number {
  const own = thread.entries.findLast(({ entry }) => entry.key?.hash === hash);
  return own?.entry.key ? own.entry.key.i + 1 : 0;
}

/** A gate, the end of the run or a stored failure ends a call, however many turns it asked for. */
export const endsCall = (state: ThreadState, entry: Entry): boolean =>
  state.gate !== null || state.machine.state === "rest" || state.machine.state === "failed" || entry.problem !== null;

async function putBlobs(rt: Runtime, call: TurnCall, blobs: Draft["blobs"]): Promise<Result<void>> {
  for (const blob of blobs) {
    await rt.faults.at("blob.before");
    const put = await insist(() => rt.store.putBlob(call.at, blob.hash, blob.text));
    if (!put.ok) return put;
    await rt.faults.at("blob.after");
  }
  return ok(undefined);
}

const metaMoved = (before: ThreadState, after: ThreadState): boolean =>
  before.machine.state !== after.machine.state ||
  before.machine.at !== after.machine.at ||
  before.machine.outcome !== after.machine.outcome ||
  before.gate?.id !== after.gate?.id ||
  before.background?.status !== after.background?.status;

/** Without metadata the stored row keeps its own. */
export function buildMeta(thread: Meta["thread"], record: ThreadRecord, metadata: Meta["metadata"]): Meta {
  const { state, entry, version } = record;
  return {
    thread,
    state: state.machine.state,
    at: state.machine.at,
    outcome: state.machine.outcome,
    agent: state.agent,
    goal: cutStart(state.goal, META_GOAL_CHARS),
    gate: state.gate,
    ...(state.background ? { background: state.background.status } : {}),
    created_at: state.created_at,
    updated_at: entry.at,
    version,
    metadata,
  };
}
