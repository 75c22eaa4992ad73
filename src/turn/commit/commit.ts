// Commits records with one compare-and-set each. Everything that must be consistent is in the same commit.
import { retryUnavailable } from "../../ports/retry.ts";
import type { AppendExtras, StoredRecord } from "../../ports/thread-store.ts";
import { foldDialogue, foldEntry } from "../../prompt/fold.ts";
import { META_GOAL_CHARS, type Meta } from "../../schema/meta.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { type Entry, LOADED_ENTRIES, type Thread, type ThreadRecord } from "../../schema/record.ts";
import type { Settings } from "../../schema/settings.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import type { TurnContext } from "../context.ts";
import { holdsRecords } from "../load.ts";
import { loadSettings } from "../load-settings.ts";
import type { TurnRequest } from "../runtime.ts";
import type { Draft } from "./draft.ts";
import { countEvents, eventsOf } from "./events.ts";
import { fitState } from "./fit-state.ts";
import { recordKey } from "./idempotency-keys.ts";
import { moveAll } from "./signal.ts";
import { wakeUpAfter } from "./wake-up.ts";
import { webhookDeliveries } from "./webhook-deliveries.ts";

export type Committed = { readonly record: ThreadRecord; readonly thread: Thread };
/** The records that a turn stored, or the reason why it stored none. */
export type TurnRecords = Result<readonly ThreadRecord[]>;

/** Appends record n+1, or fails with `thread_moved` and stores nothing if another record n+1 exists. */
export async function commit(ctx: TurnContext, draft: Draft): Promise<Result<Committed>> {
  const { rt, request } = ctx;
  const finished = finishRecord(ctx, draft);
  if (!finished.ok) return finished;
  const { record, entries, blobs, state_text } = finished.value;
  const settings = ctx.settings ? ok(ctx.settings) : await loadSettings(rt, request.at.tenant);
  if (!settings.ok) return settings;
  const combined = canCombine(ctx, blobs);
  const stored = await putBlobs(ctx, blobs, combined);
  if (!stored.ok) return stored;
  const row = rowOf(record, state_text);
  const faultPoint = draft.is_intent ? "intend" : "commit";
  await rt.faults.at(`${faultPoint}.before`);
  const follows = headCommit(ctx.thread);
  const extras = {
    ...(follows === undefined ? {} : { follows }),
    ...appendExtrasFor(ctx, record, settings.value),
    ...(combined && blobs.length > 0 ? { blobs } : {}),
    ...(draft.documents.length > 0 ? { documents: draft.documents } : {}),
    ...(holdsRecords(rt) ? { held: true } : {}),
  };
  // A lost response is not a failure, because the store recognizes the same row by its commit id.
  const appended = await retryUnavailable(() => rt.store.append(request.at, row, extras));
  if (!appended.ok) return appended;
  cacheRecord(ctx, record, row);
  ctx.observation?.records.push(record);
  rt.in_flight?.committed(request.at, record.version);
  await rt.faults.at(`${faultPoint}.after`);
  for (const event of eventsOf(request.at.thread, record)) request.emit(event);
  return ok({ record, thread: { version: record.version, state: record.state, entries } });
}

/** The commit id of the thread's newest record. Undefined if the rows of the thread are damaged. */
export const headCommit = ({ entries }: Pick<Thread, "entries">): string | undefined => entries.at(-1)?.entry.commit_id;

export async function finish(ctx: TurnContext, draft: Draft): Promise<TurnRecords> {
  const committed = await commit(ctx, draft);
  return committed.ok ? ok([committed.value.record]) : committed;
}

/** Cached values are frozen, so an entry is copied, and so is a state that may share objects with other values (arguments, a todo list). */
function cacheRecord({ rt, request }: TurnContext, { version, entry, state }: ThreadRecord, row: StoredRecord): void {
  const { thread } = request.at;
  if (holdsRecords(rt)) {
    rt.cache?.threads?.add(request.at, { version, entry, state }, row.entry.length + row.state.length);
    return;
  }
  rt.cache?.rows.trust({ column: "entry", thread, version }, row.entry, entry);
  const stateKey = { column: "state", thread, version } as const;
  if (state.gate || state.acting || state.todo.length > 0) rt.cache?.rows.trust(stateKey, row.state, state);
  else rt.cache?.rows.set(stateKey, row.state, true, state);
}

function appendExtrasFor({ rt, request, thread }: TurnContext, record: ThreadRecord, settings: Settings): AppendExtras {
  const { by_worker, processed } = request.options ?? {};
  const wake = by_worker ? null : wakeUpAfter(request.at, thread.state, record);
  const webhooks = webhookDeliveries(rt.hash, request.at, settings.webhooks, record);
  const outbox = wake ? [wake, ...webhooks] : webhooks;
  return {
    ...(metaChanged(thread.state, record.state) ? { meta: buildMeta(request.at.thread, record, null) } : {}),
    ...(outbox.length > 0 ? { outbox } : {}),
    ...(processed ? { taken: processed } : {}),
  };
}

function finishRecord(
  { rt, request, thread }: TurnContext,
  draft: Draft,
): Result<{ record: ThreadRecord; entries: Thread["entries"]; blobs: Draft["blobs"]; state_text: string }> {
  const machine = moveAll(thread.state.machine, draft.signals);
  if (!machine.ok) return machine;
  const version = thread.version + 1;
  const entry: Entry = { ...draft.entry, signals: draft.signals.map((signal) => signal.type) };
  let state: ThreadState = { ...draft.state, machine: machine.value };
  if (request.key) {
    state.key_ring = recordKey(state.key_ring, request.key.hash, version);
    const last = !draft.is_intent && (request.last_turn || endsRequest(state, entry) || endsAtStep(request, entry));
    entry.key = { ...request.key, i: nextIndex(thread, request.key.hash), last };
  }
  const count = countEvents(version, entry, state);
  entry.events = { first: state.event_seq, count };
  state = { ...state, event_seq: state.event_seq + count };
  const entries = [...thread.entries, { version, entry }];
  const evicted = entries.length > LOADED_ENTRIES ? entries.shift() : undefined;
  // A role sees only its own visit, so entries from before the visit are not folded. The prompt of the role repeats what it needs of them.
  if (evicted && evicted.version > (state.workflow?.since.version ?? -1)) {
    state = {
      ...state,
      folded: foldEntry(state.folded, evicted.entry),
      dialogue: foldDialogue(state.dialogue, evicted.entry),
    };
  }
  const fitted = fitState(rt.hash, state);
  if (!fitted.ok) return fitted;
  const blobs = [...draft.blobs, ...fitted.value.blobs];
  return ok({ record: { version, entry, state: fitted.value.state }, entries, blobs, state_text: fitted.value.text });
}

/** Numbers the records of a request. The numbers are consecutive even if other requests wrote in between. */
function nextIndex(thread: Thread, hash: string): number {
  const previous = thread.entries.findLast(({ entry }) => entry.key?.hash === hash);
  return previous?.entry.key ? previous.entry.key.i + 1 : 0;
}

/** A gate, the end of the run or a stored failure ends the request, whatever number of turns was requested. */
export const endsRequest = (state: ThreadState, entry: Entry): boolean =>
  state.gate !== null || state.machine.state === "rest" || state.machine.state === "failed" || entry.problem !== null;

export const endsAtStep = ({ options }: Pick<TurnRequest, "options">, entry: Entry): boolean =>
  options?.until_step === true && entry.signals.includes("role.routed");

/** More text than this is stored before the record, because hosted stores limit requests and transactions to a few MB. */
const COMBINED_CHARS_MAX = 600_000;

const canCombine = ({ rt }: TurnContext, blobs: Draft["blobs"]): boolean =>
  rt.store.appendsBlobs === true && blobs.reduce((sum, { text }) => sum + text.length, 0) <= COMBINED_CHARS_MAX;

async function putBlobs({ rt, request }: TurnContext, blobs: Draft["blobs"], combined: boolean): Promise<Result<void>> {
  for (const blob of blobs) {
    await rt.faults.at("blob.before");
    const put = combined
      ? ok(undefined)
      : await retryUnavailable(() => rt.store.putBlob(request.at, blob.hash, blob.text));
    if (!put.ok) return put;
    await rt.faults.at("blob.after");
  }
  return ok(undefined);
}

const metaChanged = (before: ThreadState, after: ThreadState): boolean =>
  before.machine.state !== after.machine.state ||
  before.machine.at !== after.machine.at ||
  before.machine.outcome !== after.machine.outcome ||
  before.gate?.id !== after.gate?.id ||
  leaseOf(before) !== leaseOf(after) ||
  before.background?.status !== after.background?.status ||
  before.title !== after.title;

const leaseOf = ({ gate }: ThreadState): string | null =>
  gate?.kind === "external" ? JSON.stringify(gate.lease) : null;

export const rowOf = ({ version, entry, state }: ThreadRecord, state_text = JSON.stringify(state)): StoredRecord => ({
  version,
  commit_id: entry.commit_id,
  turn: entry.turn,
  entry: JSON.stringify(entry),
  state: state_text,
});

/** With null as `metadata`, the stored row keeps its metadata. */
export function buildMeta(thread: Meta["thread"], record: ThreadRecord, metadata: Meta["metadata"]): Meta {
  const { state, entry, version } = record;
  return {
    thread,
    state: state.machine.state,
    at: state.machine.at,
    outcome: state.machine.outcome,
    agent: state.agent,
    goal: truncateChars(state.goal, META_GOAL_CHARS),
    ...(state.title === undefined ? {} : { title: state.title }),
    gate: state.gate,
    ...(state.background ? { background: state.background.status } : {}),
    ...(state.child ? { parent: state.child.parent } : {}),
    created_at: state.created_at,
    updated_at: entry.at,
    version,
    metadata,
  };
}
