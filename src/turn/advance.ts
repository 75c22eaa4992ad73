// The table of contents of a turn: load, admit, think, judge, act, commit. Details are in the folders of the same names.
import type { TurnOutcome } from "../schema/outcome.ts";
import { fail, ok, type Result, unreachable } from "../schema/problem.ts";
import type { Thread, ThreadRecord } from "../schema/record.ts";
import { type Admission, admit } from "./admit/admit.ts";
import { replay, replayAfterRace } from "./admit/replay.ts";
import { withCancelled, withCancelRequest, withNewRun, withReplan, withReset, withResumed } from "./admit/run-moves.ts";
import { finish, type TurnRecords } from "./commit/commit.ts";
import { type Draft, draftTurn } from "./commit/draft.ts";
import { isDriven } from "./commit/wake.ts";
import type { TurnContext } from "./context.ts";
import { reconcile } from "./effects/reconcile.ts";
import {
  approveCall,
  withApprovedPlan,
  withExpiredQuestion,
  withRejectedCall,
  withRejectedPlan,
  withReply,
} from "./gates/answer-gate.ts";
import { resolveDoubt } from "./gates/resolve-doubt.ts";
import { moneyFlaw, withLimits } from "./judge/budget.ts";
import { loadThread } from "./load.ts";
import { loadSettings } from "./load-settings.ts";
import type { Runtime, TurnRequest } from "./runtime.ts";
import { claimed } from "./think/claim.ts";
import { deliverTurn } from "./think/deliver-turn.ts";
import { thinkTurn } from "./think/think-turn.ts";
import { outcomeOf } from "./view.ts";

/** One request, one durable turn. Callers of 0.1 also passed a `signal`, which was never read. */
export async function advance(
  rt: Runtime,
  request: TurnRequest & { readonly signal?: unknown },
): Promise<Result<Advanced>> {
  const running = request.key ? `${request.at.tenant}/${request.at.thread}/${request.key.hash}` : null;
  if (running && rt.running.has(running)) {
    return fail("turn_running", "The same request is already in progress.", { retry_after_s: 1 });
  }
  if (running) rt.running.add(running);
  try {
    return await advanceOnce(rt, request);
  } finally {
    if (running) rt.running.delete(running);
  }
}

export type Advanced = {
  /** All records of the request, including those that an earlier attempt of it made. */
  readonly records: readonly ThreadRecord[];
  readonly outcome: TurnOutcome;
  /** The request had been answered before, and this is that answer. */
  readonly replayed: boolean;
};

async function advanceOnce(rt: Runtime, request: TurnRequest): Promise<Result<Advanced>> {
  await rt.faults.at("load.before");
  const loaded = await loadThread(rt, request.at);
  if (!loaded.ok) return loaded;
  await rt.faults.at("load.after");
  const thread = withRequestBudget(loaded.value, request);

  const before = await replay(rt, request, thread);
  if (!before.ok) return before;
  if (before.value.kind === "answered") return answer(request, before.value.records, true);
  // A request that stored something before it broke off continues without its input: that is in the log already.
  const earlier = before.value.kind === "broken_off" ? before.value.records : [];
  const going = before.value.kind === "broken_off" ? { ...request, input: null } : request;

  if (going === request && request.if_match !== null && request.if_match !== thread.version) {
    return fail("version_mismatch", `The thread is at version ${thread.version}, not ${request.if_match}.`, {
      version: thread.version,
    });
  }
  if (going.options?.only_when_idle && going.input?.type === "message" && isDriven(thread.state)) {
    return fail("turn_running", "A run is in progress on this thread.", { retry_after_s: 1, version: thread.version });
  }
  const unpriced = moneyFlaw(rt.pickModel, thread.state.agent, going.budget);
  if (unpriced) return unpriced;
  const admitted = admit(thread.state, going.input, going.budget, rt.clock.now());
  if (!admitted.ok) return withVersion(admitted, thread);
  const settings = await loadSettings(rt, request.at.tenant);
  if (!settings.ok) return settings;
  const ctx: TurnContext = { rt, request: going, thread, settings: settings.value };
  const made = await claimed(rt, going, admitted.value.kind, async () => {
    // Time has passed since: what the record calls in time must be in time when the record is made.
    const still = admit(thread.state, going.input, going.budget, rt.clock.now());
    return still.ok ? perform(ctx, still.value) : withVersion(still, thread);
  });
  // The answer holds everything the request did, so that it is the same however often the request was sent.
  if (made.ok) return answer(request, [...earlier, ...made.value], false);
  if (made.problem.code !== "thread_moved") return made;
  const raced = await replayAfterRace(rt, request);
  return raced ? answer(request, raced, true) : made;
}

const withRequestBudget = (thread: Thread, { budget }: TurnRequest): Thread =>
  budget ? { ...thread, state: { ...thread.state, budget: withLimits(thread.state.budget, budget) } } : thread;

const withVersion = (failed: Extract<Result<never>, { ok: false }>, thread: Thread): Result<never> => ({
  ok: false,
  problem: { ...failed.problem, details: { version: thread.version, ...failed.problem.details } },
});

const answer = (request: TurnRequest, records: readonly ThreadRecord[], replayed: boolean): Result<Advanced> =>
  ok({ records, outcome: outcomeOf(request.at.thread, records), replayed });

function perform(ctx: TurnContext, admission: Admission): Promise<TurnRecords> {
  const draft = draftTurn(ctx);
  const store = (made: Draft) => finish(ctx, made);
  const askModel = (made: Draft) => thinkTurn(ctx, made);
  switch (admission.kind) {
    case "begin":
      return askModel(withNewRun(draft, admission.text));
    case "think":
      return askModel(admission.replan ? withReplan(draft) : draft);
    case "resume":
      return askModel(withResumed(draft));
    case "reply":
      return askModel(withReply(ctx, draft, admission));
    case "expire_question":
      return askModel(withExpiredQuestion(ctx.rt, draft, admission));
    case "deliver":
      return deliverTurn(ctx, draft);
    case "approve_plan":
      return store(withApprovedPlan(draft, admission));
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
      return store(withCancelled(draft));
    case "reset":
      return store(withReset(draft));
    default:
      return unreachable(admission);
  }
}
