// Forks a thread: copies the records up to the end of a turn to a new id. Pending gates and keys get new ids.

import { upgradeRecord } from "../migrate/upgrade.ts";
import { isoTime } from "../ports/clock.ts";
import type { StoredRecord } from "../ports/thread-store.ts";
import type { Gate, QuestionGate } from "../schema/gate.ts";
import { type GateId, ThreadId, type ThreadRef } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { ThreadRecord } from "../schema/record.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import { loadArguments } from "../turn/act/stored-call.ts";
import { buildMeta } from "../turn/commit/commit.ts";
import { countEvents } from "../turn/commit/events.ts";
import { needsWorker } from "../turn/commit/wake-up.ts";
import { callDigest, planDigest } from "../turn/gates/digest.ts";
import type { Runtime } from "../turn/runtime.ts";
import { turnResultOf } from "../turn/view.ts";
import { forEachBlob } from "./thread-blobs.ts";

const PAGE_SIZE = 100;

export async function forkThread(rt: Runtime, from: ThreadRef, turn: number): Promise<Result<TurnResult>> {
  const rows = await rowsUpTo(rt, from, (row) => row.turn <= turn);
  if (!rows.ok) return rows;
  if (rows.value.at(-1)?.turn !== turn) return fail("turn_not_found", `Thread ${from.thread} has no turn ${turn}.`);
  const to: ThreadRef = { tenant: from.tenant, thread: ThreadId.parse(rt.ids.make("thr")) };
  const head = await copyRows(rt, from, to, rows.value);
  return head.ok ? ok(turnResultOf(to.thread, [head.value])) : head;
}

/** Copies up to a record, under an id chosen before. Repeating it completes an interrupted copy. */
export async function copyRecordsUpTo(
  rt: Runtime,
  from: ThreadRef,
  version: number,
  to: ThreadRef,
): Promise<Result<void>> {
  const rows = await rowsUpTo(rt, from, (row) => row.version <= version);
  if (!rows.ok) return rows;
  const copied = await copyRows(rt, from, to, rows.value);
  return copied.ok ? ok(undefined) : copied;
}

async function copyRows(
  rt: Runtime,
  from: ThreadRef,
  to: ThreadRef,
  rows: readonly StoredRecord[],
): Promise<Result<ThreadRecord>> {
  const last = rows.at(-1);
  if (!last) return fail("thread_not_found", `There is no thread ${from.thread}.`);
  const head = upgradeRecord(last);
  if (!head.ok) return head;
  const { at } = head.value.state.machine;
  // Two threads must not wait for the same call, nor drive and cancel the same sub-agents.
  if (at === "acting" || at === "delegating") {
    const message = `Turn ${last.turn} ends with a running call; fork before or after it.`;
    return fail("turn_running", message, { retry_after_s: 1 });
  }
  const reissued = await reissueHead(rt, from, to, head.value);
  if (!reissued.ok) return reissued;
  const blobs = await forEachBlob(rt, from, rows, (hash, text) => rt.store.putBlob(to, hash, text));
  if (!blobs.ok) return blobs;
  const companions = await rt.companions.forked(from, to);
  if (!companions.ok) return companions;
  const written = await writeRows(rt, to, rows.slice(0, -1), reissued.value);
  return written.ok ? reissued : written;
}

async function rowsUpTo(
  rt: Runtime,
  from: ThreadRef,
  included: (row: StoredRecord) => boolean,
): Promise<Result<readonly StoredRecord[]>> {
  const rows: StoredRecord[] = [];
  for (let after = -1; ; after += PAGE_SIZE) {
    const page = await rt.store.records(from, { after, limit: PAGE_SIZE });
    if (!page.ok) return page;
    const matching = page.value.filter(included);
    rows.push(...matching);
    if (matching.length < PAGE_SIZE) return ok(rows);
  }
}

/** A key or a gate of the original thread must not be valid on the fork. */
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
  // A person approved for the original thread only.
  const { approvals: _, ...copied } = head.state;
  const state = { ...copied, key_ring: [], gate: gate.value, background };
  // A gate that an earlier record opened is opened again under its new id, so the head may have one more event.
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

/** The call that asked was approved in the original thread only: on the copy the model decides what to do with the answer. */
function withoutContinuedCall({ continues: _, ...gate }: QuestionGate): QuestionGate {
  return gate;
}

/** Oldest first; the list metadata is written with the last record, which makes the thread visible. */
async function writeRows(
  rt: Runtime,
  to: ThreadRef,
  rows: readonly StoredRecord[],
  head: ThreadRecord,
): Promise<Result<number>> {
  const last: StoredRecord = {
    version: head.version,
    commit_id: head.entry.commit_id,
    turn: head.entry.turn,
    entry: JSON.stringify(head.entry),
    state: JSON.stringify(head.state),
  };
  const [first, ...rest] = rows;
  const firstRecord = first ? upgradeRecord(first) : ok(head);
  if (!firstRecord.ok) return firstRecord;
  const meta = buildMeta(to.thread, head, firstRecord.value.entry.create?.metadata ?? {});
  if (!first) return rt.store.create(to, last, meta);
  const created = await rt.store.create(to, first, null);
  if (!created.ok) return created;
  for (const row of rest) {
    const appended = await rt.store.append(to, row);
    if (!appended.ok) return appended;
  }
  return rt.store.append(to, last, { meta });
}
