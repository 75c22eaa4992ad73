// Record 0: a thread begins, no model is called. With a key the id comes from it, so that a repeated create finds itself.

import { isoTime } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import { retryUnavailable } from "../ports/retry.ts";
import { byteLength } from "../schema/byte-length.ts";
import { type CommitId, type TenantId, type ThreadAt, ThreadId } from "../schema/ids.ts";
import { type CreateInput, INPUT_BYTES_MAX } from "../schema/input.ts";
import { canonicalJson } from "../schema/json/canonical-json.ts";
import { METADATA_BYTES_MAX } from "../schema/meta.ts";
import type { TurnOutcome } from "../schema/outcome.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";
import type { ThreadRecord } from "../schema/record.ts";
import { GOAL_BYTES_MAX, STATE_SCHEMA, type ThreadState } from "../schema/thread.ts";
import { cutBytes } from "../tools/cut-text.ts";
import { buildMeta } from "../turn/commit/commit.ts";
import { emptyEntry, outsideTaint } from "../turn/commit/draft.ts";
import { countEvents } from "../turn/commit/events.ts";
import { move } from "../turn/commit/signal.ts";
import { wakeAt } from "../turn/commit/wake.ts";
import { fresh, moneyFlaw, withLimits } from "../turn/judge/budget.ts";
import { readRecords } from "../turn/load.ts";
import type { Runtime } from "../turn/runtime.ts";
import { nextOf, outcomeOf } from "../turn/view.ts";
import { toolNamesFlaw } from "./unknown-tool.ts";

export type CreateCall = {
  readonly tenant: TenantId;
  readonly actor: string;
  readonly input: CreateInput;
  readonly key: { readonly name: string; readonly hash: string; readonly body: string } | null;
  /** The goal holds words of somebody outside. */
  readonly untrusted?: boolean;
  /** It was written down earlier, and its names were known then: a tool that went away since stops nothing. */
  readonly written_down?: boolean;
};

export type Created = { readonly record: ThreadRecord; readonly outcome: TurnOutcome; readonly replayed: boolean };

/** 26 characters of a hash: another tenant's same key is another thread. */
export const keyedThreadId = (hash: Hash, tenant: TenantId, key: string): ThreadId =>
  ThreadId.parse(`thr_${hash.sha256(canonicalJson({ tenant, key })).slice(0, 26)}`);

export async function createThread(rt: Runtime, call: CreateCall): Promise<Result<Created>> {
  const id = call.key ? keyedThreadId(rt.hash, call.tenant, call.key.name) : ThreadId.parse(rt.ids.make("thr"));
  const at = { tenant: call.tenant, thread: id };
  const flaw = call.written_down ? inputFlaw(rt, call.input) : createFlaw(rt, call.input);
  if (flaw) return beforeTheFlaw(rt, at, call, flaw);
  const record = firstRecord(rt, call);
  const row = {
    version: 0,
    commit_id: record.entry.commit_id,
    turn: 0,
    entry: JSON.stringify(record.entry),
    state: JSON.stringify(record.state),
  };
  await rt.faults.at("commit.before");
  const meta = buildMeta(id, record, call.input.metadata ?? {});
  const stored = await retryUnavailable(() => rt.store.create(at, row, meta));
  await rt.faults.at("commit.after");
  if (stored.ok) return begun(rt, at, { record, outcome: outcomeOf(id, [record]), replayed: false });
  if (stored.problem.code !== "thread_moved" || !call.key) return stored;
  const same = await sameCreate(rt, at, call.key.body);
  return same.ok ? begun(rt, at, same.value) : same;
}

/**
 * A run in the background gets its wake-up after the thread is there and before anybody is told of it; a create that
 * is sent again because nobody was told puts it again.
 */
async function begun(rt: Runtime, at: ThreadAt, created: Created): Promise<Result<Created>> {
  const { state } = created.record;
  if (state.background?.status !== "on" || nextOf(state) !== "advance") return ok(created);
  const put = await rt.store.putDelivery(wakeAt(at, rt.clock.now()));
  return put.ok ? ok(created) : put;
}

/** The key was used: the same body gives the same answer, another body is refused. */
async function sameCreate(
  rt: Runtime,
  at: { tenant: TenantId; thread: ThreadId },
  body: string,
): Promise<Result<Created>> {
  const records = await readRecords(rt, at, 0, 0);
  if (!records.ok) return records;
  const record = records.value[0];
  if (!record) return fail("thread_not_found", `Thread ${at.thread} is gone.`);
  if (record.entry.key?.body !== body)
    return fail("idempotency_mismatch", "This Idempotency-Key came with another request before.");
  return ok({ record, outcome: outcomeOf(at.thread, [record]), replayed: true });
}

/** What was right when it was said for the first time has its answer, even if a tool or an agent went away since. */
async function beforeTheFlaw(rt: Runtime, at: ThreadAt, { key }: CreateCall, flaw: Failed): Promise<Result<Created>> {
  const same = key ? await sameCreate(rt, at, key.body) : flaw;
  return same.ok ? begun(rt, at, same.value) : flaw;
}

/** What is wrong with it, or null; also asked where a thread is to be created later. */
export const createFlaw = (rt: Runtime, input: CreateInput): Failed | null =>
  inputFlaw(rt, input) ?? toolNamesFlaw(rt, input);

function inputFlaw(rt: Runtime, input: CreateInput): Failed | null {
  if (input.goal?.trim() === "") return fail("request_invalid", "goal: is blank.", { field: "goal" });
  if (input.goal && byteLength(input.goal) > INPUT_BYTES_MAX)
    return fail("input_too_large", "goal: longer than 16 KB.", { field: "goal" });
  if (input.metadata && byteLength(JSON.stringify(input.metadata)) > METADATA_BYTES_MAX) {
    return fail("input_too_large", "metadata: larger than 2 KB.", { field: "metadata" });
  }
  const agent = input.agent ?? rt.config.default_agent;
  if (!Object.hasOwn(rt.config.agents, agent)) {
    return fail(
      "request_invalid",
      `agent: there is no agent named ${JSON.stringify(agent)}; known: ${Object.keys(rt.config.agents).join(", ")}.`,
      { field: "agent" },
    );
  }
  return moneyFlaw(rt.pickModel, agent, input.budget);
}

function firstRecord(rt: Runtime, call: CreateCall): ThreadRecord {
  const { input } = call;
  const now = isoTime(rt.clock.now());
  let state = firstState(rt, call, now);
  const entry = emptyEntry({ commit_id: rt.ids.make("cmt") as CommitId, at: now, actor: call.actor }, state, null);
  entry.create = input;
  if (input.goal) {
    const begun = move(state.machine, { type: "run.started", mode: input.mode ?? "plan" });
    if (!begun.ok) throw new Error(begun.problem.message);
    state = { ...state, machine: begun.value };
    entry.signals = ["run.started"];
  }
  if (call.key) entry.key = { hash: call.key.hash, body: call.key.body, i: 0, last: true };
  const count = countEvents(0, entry, state);
  entry.events = { first: 0, count };
  return { version: 0, entry, state: { ...state, event_seq: count } };
}

function firstState(rt: Runtime, call: CreateCall, now: string): ThreadState {
  const { input } = call;
  return {
    schema: STATE_SCHEMA,
    created_at: now,
    created_by: call.actor,
    agent: input.agent ?? rt.config.default_agent,
    run: input.goal ? 1 : 0,
    turn: 0,
    machine: { state: "rest", at: null, mode: input.mode ?? "plan", step: 0, steps: 0, back: null, outcome: null },
    goal: cutBytes(input.goal ?? "", GOAL_BYTES_MAX),
    plan: null,
    plan_approval: input.plan_approval ?? "ask",
    plan_approved: false,
    gate: null,
    acting: null,
    proofs: [],
    failed_writes: [],
    evidence: null,
    budget: withLimits(fresh(rt.config.budget), input.budget ?? null),
    failures: { decisions: 0, handlers: 0 },
    idle: 0,
    last_digest: null,
    taint: outsideTaint(rt, call.untrusted),
    tools: input.tools ?? {},
    auto_approve: input.auto_approve ?? [],
    folded: { lines: [], counts: {} },
    dialogue: { lines: [], dropped: 0 },
    todo: [],
    todo_blob: null,
    files_blob: null,
    background: input.run === "background" ? { status: "on", reason: null } : null,
    estimate: null,
    key_ring: [],
    event_seq: 0,
  };
}
