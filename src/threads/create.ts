// Creates a thread by writing record 0, without a model call. With a key, the id is derived from it, so that a repeated create finds the thread.
import { isoTime } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import { retryUnavailable } from "../ports/retry.ts";
import { byteLength } from "../schema/byte-length.ts";
import { type CommitId, type TenantId, ThreadId, type ThreadRef } from "../schema/ids.ts";
import { type CreateInput, INPUT_BYTES_MAX } from "../schema/input.ts";
import { canonicalJson } from "../schema/json/canonical-json.ts";
import { METADATA_BYTES_MAX } from "../schema/meta.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";
import type { ThreadRecord } from "../schema/record.ts";
import { GOAL_BYTES_MAX, STATE_SCHEMA, type ThreadState } from "../schema/thread.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import type { ChildState } from "../schema/workflow/child.ts";
import { truncateBytes } from "../tools/truncate-text.ts";
import { storedDeclarations, validateClientTools } from "../turn/client-tools.ts";
import { buildMeta, rowOf } from "../turn/commit/commit.ts";
import { emptyEntry, untrustedInputTaint } from "../turn/commit/draft.ts";
import { countEvents } from "../turn/commit/events.ts";
import { recordKey } from "../turn/commit/idempotency-keys.ts";
import { move } from "../turn/commit/signal.ts";
import { wakeUpAt } from "../turn/commit/wake-up.ts";
import { freshBudget, validateUsdBudget, withLimits } from "../turn/judge/budget.ts";
import { holdsRecords, readRecords } from "../turn/load.ts";
import type { Runtime, TraceParent } from "../turn/runtime.ts";
import { storedTrace } from "../turn/trace-parent.ts";
import { nextAction, turnResultOf } from "../turn/view.ts";
import type { StartedWorkflow } from "../turn/workflow/start.ts";
import { startRequestedWorkflow, validateWorkflow, withWorkflow } from "./create-workflow.ts";
import { validateToolkits, validateToolNames } from "./unknown-tool.ts";

export type CreateRequest = {
  readonly tenant: TenantId;
  readonly actor: string;
  readonly input: CreateInput;
  readonly key: { readonly name: string; readonly hash: string; readonly body: string } | null;
  /** True if the client repeats its request as a turn of the thread, which must then know the key. */
  readonly remember_key?: boolean;
  readonly child?: ChildState;
  readonly untrusted?: boolean;
  /** The trace of the request, for the workers of a background run. */
  readonly trace_parent?: TraceParent | undefined;
  /** True if the input was validated when it was stored. A tool that was removed since then is not an error. */
  readonly already_validated?: boolean;
};

export type Created = { readonly record: ThreadRecord; readonly outcome: TurnResult; readonly replayed: boolean };

/** Tools read `calendar` in the metadata. The input has a separate field for it. */
function withNamedData({ calendar, ...input }: CreateInput): CreateInput {
  return calendar === undefined ? input : { ...input, metadata: { ...input.metadata, calendar } };
}

/** The tenant is part of the hash, so equal keys of two tenants give two threads. */
export const keyedThreadId = (hash: Hash, tenant: TenantId, key: string): ThreadId =>
  ThreadId.parse(`thr_${hash.sha256(canonicalJson({ tenant, key })).slice(0, 26)}`);

export async function createThread(rt: Runtime, given: CreateRequest): Promise<Result<Created>> {
  const { tenant, key } = given;
  if (!key) return storeNewThread(rt, given, { tenant, thread: ThreadId.parse(rt.ids.make("thr")) });
  return storeNewThread(rt, given, { tenant, thread: keyedThreadId(rt.hash, tenant, key.name) });
}

async function storeNewThread(rt: Runtime, given: CreateRequest, at: ThreadRef): Promise<Result<Created>> {
  const request = { ...given, input: withNamedData(given.input) };
  const id = at.thread;
  const invalid = request.already_validated ? validateInput(rt, request.input) : validateCreate(rt, request.input);
  if (invalid) return replayOrFail(rt, at, request, invalid);
  const refused = await rt.companions.created?.(request.tenant, given.input);
  if (refused && !refused.ok) return replayOrFail(rt, at, request, refused);
  const started = await startRequestedWorkflow(rt, at, request.input);
  if (!started.ok) return replayOrFail(rt, at, request, started);
  const record = initialRecord(rt, request, started.value);
  const row = rowOf(record);
  await rt.faults.at("commit.before");
  const meta = buildMeta(id, record, request.input.metadata ?? {});
  const outbox = needsWakeUp(record) ? [wakeUpAt(at, rt.clock.now())] : [];
  const blobs = [...(started.value?.blobs ?? []), ...storedDeclarations(rt, request.input.client_tools).blobs];
  const stored = await retryUnavailable(async () => {
    if (outbox.length + blobs.length > 0 && rt.store.createFromSnapshot)
      return rt.store.createFromSnapshot(at, { records: [row], blobs, meta, outbox });
    for (const { hash, text } of blobs) {
      const put = await rt.store.putBlob(at, hash, text);
      if (!put.ok) return put;
    }
    return rt.store.create(at, row, meta, holdsRecords(rt));
  });
  await rt.faults.at("commit.after");
  if (stored.ok && holdsRecords(rt)) rt.cache?.threads?.add(at, record, row.entry.length + row.state.length);
  else if (stored.ok) {
    rt.cache?.rows.trust({ column: "entry", thread: id, version: 0 }, row.entry, record.entry);
    rt.cache?.rows.trust({ column: "state", thread: id, version: 0 }, row.state, record.state);
  }
  const created = { record, outcome: turnResultOf(id, [record]), replayed: false };
  if (stored.ok) return rt.store.createFromSnapshot ? ok(created) : withWakeUp(rt, at, created);
  if (stored.problem.code !== "thread_moved" || !request.key) return stored;
  const replayed = await replayCreate(rt, at, request.key.body);
  return replayed.ok ? withWakeUp(rt, at, replayed.value) : replayed;
}

/** In a store that cannot create a thread with its wake-up. A repeated create adds it again, because the first one may have stopped in between. */
async function withWakeUp(rt: Runtime, at: ThreadRef, created: Created): Promise<Result<Created>> {
  if (!needsWakeUp(created.record)) return ok(created);
  const put = await rt.store.putDelivery(wakeUpAt(at, rt.clock.now()));
  return put.ok ? ok(created) : put;
}

const needsWakeUp = ({ state }: ThreadRecord): boolean =>
  state.background?.status === "on" && nextAction(state) === "advance";

/** The same key with the same body returns the same response; a different body is refused. */
async function replayCreate(rt: Runtime, at: ThreadRef, body: string): Promise<Result<Created>> {
  const records = await readRecords(rt, at, 0, 0);
  if (!records.ok) return records;
  const record = records.value[0];
  if (!record) return fail("thread_not_found", `Thread ${at.thread} no longer exists.`);
  if (record.entry.key?.body !== body)
    return fail("idempotency_mismatch", "This Idempotency-Key was used before with a different request.");
  return ok({ record, outcome: turnResultOf(at.thread, [record]), replayed: true });
}

/** A used key returns the stored response, even if its input is no longer valid because a tool or an agent was removed since then. */
async function replayOrFail(
  rt: Runtime,
  at: ThreadRef,
  { key }: CreateRequest,
  invalid: Failed,
): Promise<Result<Created>> {
  const replayed = key ? await replayCreate(rt, at, key.body) : invalid;
  return replayed.ok ? withWakeUp(rt, at, replayed.value) : invalid;
}

/** Null if the input is valid. Also used for threads that will be created later. */
export const validateCreate = (rt: Runtime, input: CreateInput): Failed | null =>
  validateInput(rt, input) ??
  validateToolNames(rt, input) ??
  validateToolkits(rt, input) ??
  validateClientTools(rt, input.client_tools);

/** Omits the names of tools and toolkits. */
export function validateInput(rt: Runtime, input: CreateInput): Failed | null {
  const misplaced = validateWorkflow(input);
  if (misplaced) return misplaced;
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
  return validateUsdBudget(rt.pickModel, agent, input.budget);
}

function initialRecord(rt: Runtime, request: CreateRequest, started: StartedWorkflow | null): ThreadRecord {
  const { input } = request;
  const now = isoTime(rt.clock.now());
  let state = initialState(rt, request, now);
  if (started) state = withWorkflow(state, input, started);
  const entry = emptyEntry({ commit_id: rt.ids.make("cmt") as CommitId, at: now, actor: request.actor }, state, null);
  const { client_tools: _, ...create } = input;
  entry.create = create;
  if (input.goal || started) {
    const moved = move(state.machine, { type: "run.started", mode: state.machine.mode });
    if (!moved.ok) throw new Error(moved.problem.message);
    state = { ...state, machine: moved.value };
    entry.signals = ["run.started"];
  }
  if (request.key) entry.key = { hash: request.key.hash, body: request.key.body, i: 0, last: true };
  const count = countEvents(0, entry, state);
  entry.events = { first: 0, count };
  return { version: 0, entry, state: { ...state, event_seq: count } };
}

function initialState(rt: Runtime, request: CreateRequest, now: string): ThreadState {
  const { input } = request;
  return {
    schema: STATE_SCHEMA,
    created_at: now,
    created_by: request.actor,
    agent: input.agent ?? rt.config.default_agent,
    run: input.goal ? 1 : 0,
    turn: 0,
    machine: { state: "rest", at: null, mode: input.mode ?? "plan", step: 0, steps: 0, back: null, outcome: null },
    goal: truncateBytes(input.goal ?? "", GOAL_BYTES_MAX),
    plan: null,
    plan_approval: input.plan_approval ?? "ask_writes",
    plan_approved: false,
    gate: null,
    acting: null,
    proofs: [],
    failed_writes: [],
    evidence: null,
    evidence_kind: null,
    results: [],
    changes: [],
    budget: withLimits(freshBudget(rt.config.budget), input.budget ?? null),
    failures: { decisions: 0, handlers: 0 },
    idle: 0,
    last_digest: null,
    taint: untrustedInputTaint(rt, request.untrusted),
    tools: input.tools ?? {},
    toolkits: input.toolkits ?? [],
    ...(Object.keys(input.metadata ?? {}).length > 0 ? { metadata: input.metadata } : {}),
    auto_approve: input.auto_approve ?? [],
    folded: { lines: [], counts: {} },
    dialogue: { lines: [], dropped: 0 },
    todo: [],
    todo_blob: null,
    files_blob: null,
    ...storedDeclarations(rt, input.client_tools).state,
    background: input.run === "background" ? { status: "on", reason: null } : null,
    ...(input.run === "background" && storedTrace(request)),
    estimate: null,
    key_ring: request.remember_key && request.key ? recordKey([], request.key.hash, 0) : [],
    event_seq: 0,
    ...(request.child ? { child: request.child } : {}),
  };
}
