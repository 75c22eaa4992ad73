// Runs the stages of a turn in order: load, admit, think, judge, act, commit. The folders of the same names contain the details.
import { type Failed, fail, ok, type Result, unreachable } from "../schema/problem.ts";
import type { Thread, ThreadRecord } from "../schema/record.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import { type Admission, admit } from "./admit/admit.ts";
import { admitChild } from "./admit/admit-child.ts";
import { replay, replayAfterRace, whileRunning } from "./admit/replay.ts";
import {
  withCancelledRun,
  withCancelRequest,
  withNewRun,
  withReplan,
  withReset,
  withResumedRun,
} from "./admit/run-transitions.ts";
import { validateClientTools } from "./client-tools.ts";
import { finish, type TurnRecords } from "./commit/commit.ts";
import { type Draft, draftTurn } from "./commit/draft.ts";
import { needsWorker } from "./commit/wake-up.ts";
import type { TurnContext, TurnObservation } from "./context.ts";
import { cancelDelegation, continueDelegation, type DriveChild } from "./effects/delegation.ts";
import { reconcile } from "./effects/reconcile.ts";
import {
  approveCall,
  approvePlan,
  withExpiredQuestion,
  withRejectedCall,
  withRejectedPlan,
  withReply,
} from "./gates/answer-gate.ts";
import { continueCall } from "./gates/continue-call.ts";
import { withClientLease, withClientResult, withExpiredCall } from "./gates/external-gate.ts";
import { withoutApproval } from "./gates/remember.ts";
import { resolveDoubt } from "./gates/resolve-doubt.ts";
import { validateUsdBudget, withLimits } from "./judge/budget.ts";
import { loadThread } from "./load.ts";
import { loadRecentSettings } from "./load-settings.ts";
import type { ObservedTurn, Runtime, TurnRequest } from "./runtime.ts";
import { withClaim } from "./think/claim.ts";
import { deliverTurn } from "./think/deliver-turn.ts";
import { thinkTurn } from "./think/think-turn.ts";
import { turnResultOf } from "./view.ts";
import { loadWorkflowTurns } from "./workflow/load-turns.ts";

/** Handles one request as one durable turn. Callers of 0.1 also passed a `signal`, which was never read. */
export async function advance(
  rt: Runtime,
  request: TurnRequest & { readonly signal?: unknown },
): Promise<Result<Advanced>> {
  return whileRunning(rt, request, "", () => observedTurn(rt, request));
}

async function observedTurn(rt: Runtime, request: TurnRequest): Promise<Result<Advanced>> {
  const end = rt.in_flight?.begin(request.at);
  const started = rt.clock.now();
  try {
    if (!rt.metrics) return await advanceOnce(rt, request);
    const trace = rt.metrics.trace?.(request.trace_parent ?? null, started);
    const observation: TurnObservation = { started, model_calls: [], records: [], trace };
    const advanced = await advanceOnce(rt, request, observation);
    const report = reportOf(request.at.thread, advanced, observation, rt.clock.now());
    if (report) rt.metrics.observe(report);
    return advanced;
  } finally {
    end?.();
  }
}

/** Returns null for a stored response that is sent again without a new record, because it is not a turn. */
function reportOf(
  thread: string,
  advanced: Result<Advanced>,
  { started, model_calls, records, trace }: TurnObservation,
  ended: number,
): ObservedTurn | null {
  if (!advanced.ok) {
    const { code } = advanced.problem;
    return { thread, started, ended, model_calls, trace, agent: null, problem: code, records };
  }
  const { outcome, replayed } = advanced.value;
  if (replayed && records.length === 0) return null;
  const { agent } = outcome.thread;
  const problem = outcome.kind === "failed" ? outcome.problem.code : null;
  return { thread, started, ended, model_calls, trace, agent, problem, records };
}

export type Advanced = {
  /** All records of the request, including those of earlier attempts. */
  readonly records: readonly ThreadRecord[];
  readonly outcome: TurnResult;
  /** True if the request was answered before and this is the stored response. */
  readonly replayed: boolean;
};

async function advanceOnce(
  rt: Runtime,
  request: TurnRequest,
  observation?: TurnObservation,
): Promise<Result<Advanced>> {
  await rt.faults.at("load.before");
  const known = request.options?.thread;
  const loaded = known ? ok(known) : await loadThread(rt, request.at);
  if (!loaded.ok) return loaded;
  await rt.faults.at("load.after");
  const thread = withRequestBudget(loaded.value, request);

  const replayed = await replay(rt, request, thread);
  if (!replayed.ok) return replayed;
  if (replayed.value.kind === "answered") return answer(request, replayed.value.records, true);
  // An interrupted request continues without its input, which is already in the log.
  const earlier = replayed.value.kind === "interrupted" ? replayed.value.records : [];
  const continued = replayed.value.kind === "interrupted" ? { ...request, input: null } : request;
  const input = await admitChild(rt, continued, loaded.value.state);
  if (!input.ok) return withVersion(input, thread);
  const effective = { ...continued, input: input.value };

  if (continued === request && request.if_match !== null && request.if_match !== thread.version) {
    return fail("version_mismatch", `The thread is at version ${thread.version}, not ${request.if_match}.`, {
      version: thread.version,
    });
  }
  if (effective.options?.only_when_idle && effective.input?.type === "message" && needsWorker(thread.state)) {
    return fail("turn_running", "A run is in progress on this thread.", { retry_after_s: 1, version: thread.version });
  }
  const undeclared = validateClientTools(rt, effective.options?.client_tools);
  if (undeclared) return undeclared;
  const unpriced = validateUsdBudget(rt.pickModel, thread.state.agent, effective.budget);
  if (unpriced) return unpriced;
  const admitted = admit(thread.state, effective.input, effective.budget, rt.clock.now());
  if (!admitted.ok) return withVersion(admitted, thread);
  const settings = await loadRecentSettings(rt, request.at.tenant);
  if (!settings.ok) return settings;
  const ctx: TurnContext = { rt, request: effective, thread, settings: settings.value, observation };
  const performed = await withClaim(rt, effective, { kind: admitted.value.kind, version: thread.version }, async () => {
    // Preparing takes time. Check again, so that an expiry is judged at the time the record is written.
    const readmitted = admit(thread.state, effective.input, effective.budget, rt.clock.now());
    return readmitted.ok ? perform(ctx, readmitted.value) : withVersion(readmitted, thread);
  });
  // Return all records of the request, so that every repetition returns the same response.
  if (performed.ok) return answer(request, [...earlier, ...performed.value], false);
  if (performed.problem.code !== "thread_moved") return performed;
  const raced = await replayAfterRace(rt, request);
  return raced ? answer(request, raced, true) : performed;
}

const withRequestBudget = (thread: Thread, { budget }: TurnRequest): Thread =>
  budget ? { ...thread, state: { ...thread.state, budget: withLimits(thread.state.budget, budget) } } : thread;

const withVersion = (failed: Failed, thread: Thread): Result<never> => ({
  ok: false,
  problem: { ...failed.problem, details: { version: thread.version, ...failed.problem.details } },
});

const answer = (request: TurnRequest, records: readonly ThreadRecord[], replayed: boolean): Result<Advanced> =>
  ok({ records, outcome: turnResultOf(request.at.thread, records), replayed });

function perform(ctx: TurnContext, admission: Admission): Promise<TurnRecords> {
  const draft = draftTurn(ctx);
  const store = (made: Draft) => finish(ctx, made);
  const askModel = (updated: Draft) => thinkTurn(ctx, updated);
  switch (admission.kind) {
    case "begin": {
      const begun = withNewRun(draft, admission.text);
      // A message from a parent is only stored: a failed model call of one child must not keep the message from the others.
      return ctx.request.options?.from_parent ? store(begun) : askModel(begun);
    }
    case "think":
      return askModel(admission.replan ? withReplan(draft) : draft);
    case "resume":
      return askModel(withResumedRun(draft));
    case "reply":
      return continueCall(ctx, draft, admission).then((ran) => ran ?? askModel(withReply(ctx, draft, admission)));
    case "expire_question":
      return askModel(withExpiredQuestion(ctx.rt, draft, admission));
    case "deliver":
      return deliver(ctx, draft);
    case "approve_plan":
      return approvePlan(ctx, draft, admission);
    case "reject_plan":
      return store(withRejectedPlan(draft, admission));
    case "approve_call":
      return approveCall(ctx, draft, admission);
    case "reject_call":
      return withRejectedCall(ctx, draft, admission).then(store);
    case "resolve":
      return resolveDoubt(ctx, draft, admission);
    case "reconcile":
      return reconcile(ctx, admission.acting);
    case "request_cancel":
      return store(withCancelRequest(draft, admission.acting));
    case "cancel":
      return store(withCancelledRun(draft));
    case "continue_delegation":
      return continueDelegation(ctx, draft, admission.acting, driveChild(ctx));
    case "cancel_delegation":
      return cancelDelegation(ctx, draft, admission.acting, driveChild(ctx));
    case "reset":
      return store(withReset(draft));
    case "client_result":
      return withClientResult(ctx, draft, admission).then((made) => (made.ok ? store(made.value) : made));
    case "expire_external":
      return store(withExpiredCall(ctx.rt, draft, admission));
    case "lease":
      return withClientLease(ctx, draft, admission).then((made) => (made.ok ? store(made.value) : made));
    case "resume_role":
      return loadWorkflowTurns().then((turns) => turns.resumeRole(ctx, draft, admission));
    case "restart_workflow":
      return loadWorkflowTurns().then((turns) => turns.restartWorkflow(ctx, draft, admission));
    case "poke":
      return loadWorkflowTurns().then((turns) => turns.pokeHead(ctx, draft, admission));
    case "revoke":
      return store(withoutApproval(draft, admission.approval_id));
    default:
      return unreachable(admission);
  }
}

async function deliver(ctx: TurnContext, draft: Draft): Promise<TurnRecords> {
  const { workflow } = draft.state;
  return workflow ? (await loadWorkflowTurns()).deliverRole(ctx, draft, workflow) : deliverTurn(ctx, draft);
}

/** Advances a child by one turn, within the request of its parent. */
const driveChild =
  ({ rt, request }: TurnContext): DriveChild =>
  (at, cancel) =>
    advance(rt, {
      ...request,
      at,
      input: cancel ? { type: "cancel" } : null,
      budget: null,
      if_match: null,
      key: null,
      last_turn: true,
      options: {},
    });
