// The table of contents of a turn: load, admit, think, judge, act, commit. Details live in the next file.

import type { TurnOutcome } from "../schema/outcome.ts";
import { fail, ok, type Result, unreachable } from "../schema/problem.ts";
import type { Thread, ThreadRecord } from "../schema/record.ts";
import { type Admission, admit } from "./admit/admit.ts";
import { replay, replayAfterRace } from "./admit/replay.ts";
import { withCancelled, withCancelRequest, withNewRun, withReplan, withReset, withResumed } from "./admit/run-moves.ts";
import { type Draft, draftTurn } from "./commit/draft.ts";
import { isDriven } from "./commit/wake.ts";
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
import type { Runtime, TurnCall } from "./runtime.ts";
import { claimed } from "./think/claim.ts";
import { deliverTurn } from "./think/deliver-turn.ts";
import { finish, thinkTurn } from "./think/think-turn.ts";
import { outcomeOf } from "./view.ts";

/** One HTTP call, one durable turn. */
export async function advance(rt: Runtime, call: TurnCall): Promise<Result<Advanced>> {
  const running = call.key ? `${call.at.tenant}/${call.at.thread}/${call.key.hash}` : null;
  if (running && rt.running.has(running)) {
    return fail("turn_running", "The same call is being worked on.", { retry_after_s: 1 });
  }
  if (running) rt.running.add(running);
  try {
    return await advanceOnce(rt, call);
  } finally {
    if (running) rt.running.delete(running);
  }
}

/** `replayed`: the call had been answered before, and this is that answer. */
export type Advanced = {
  /** All records of the call, also those that an earlier try of it made. */
  readonly records: readonly ThreadRecord[];
  readonly outcome: TurnOutcome;
  readonly replayed: boolean;
};

async function advanceOnce(rt: Runtime, call: TurnCall): Promise<Result<Advanced>> {
  await rt.faults.at("load.before");
  const loaded = await loadThread(rt, call.at);
  if (!loaded.ok) return loaded;
  await rt.faults.at("load.after");
  const thread = withCallBudget(loaded.value, call);

  const before = await replay(rt, call, thread);
  if (!before.ok) return before;
  if (before.value.kind === "answered") return done(call, before.value.records, true);
  // A call that stored something before it broke off goes on without its input: that is in the log already.
  const earlier = before.value.kind === "broken_off" ? before.value.records : [];
  const going = before.value.kind === "broken_off" ? { ...call, input: null } : call;

  if (going === call && call.if_match !== null && call.if_match !== thread.version) {
    return fail("version_mismatch", `The thread is at version ${thread.version}, not ${call.if_match}.`, {
      version: thread.version,
    });
  }
  if (going.only_when_idle && going.input?.type === "message" && isDriven(thread.state)) {
    return fail("turn_running", "A run is at work on this thread.", { retry_after_s: 1, version: thread.version });
  }
  const uncounted = moneyFlaw(rt.pickModel, thread.state.agent, going.budget);
  if (uncounted) return uncounted;
  const admitted = admit(thread.state, going.input, going.budget, rt.clock.now());
  if (!admitted.ok) return withVersion(admitted, thread);
  const settings = await loadSettings(rt, call.at.tenant);
  if (!settings.ok) return settings;
  const turn = { ...going, settings: settings.value };
  const made = await claimed(rt, turn, admitted.value.do, async () => {
    // Time went by while others were asked: what the record calls in time must be so when the record is made.
    const still = admit(thread.state, going.input, going.budget, rt.clock.now());
    return still.ok ? perform(rt, turn, thread, still.value) : withVersion(still, thread);
  });
  // The answer tells all that the call did, so that it is the same however often the call had to be sent.
  if (made.ok) return done(call, [...earlier, ...made.value], false);
  if (made.problem.code !== "thread_moved") return made;
  const raced = await replayAfterRace(rt, call);
  return raced ? done(call, raced, true) : made;
}

const withCallBudget = (thread: Thread, call: TurnCall): Thread =>
  call.budget
    ? { ...thread, state: { ...thread.state, budget: withLimits(thread.state.budget, call.budget) } }
    : thread;

const withVersion = (failed: Extract<Result<never>, { ok: false }>, thread: Thread): Result<never> => ({
  ok: false,
  problem: { ...failed.problem, details: { version: thread.version, ...failed.problem.details } },
});

const done = (call: TurnCall, records: readonly ThreadRecord[], replayed: boolean): Result<Advanced> =>
  ok({ records, outcome: outcomeOf(call.at.thread, records), replayed });

function perform(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  wish: Admission,
): Promise<Result<readonly ThreadRecord[]>> {
  const draft = draftTurn(rt, call, thread);
  const keep = (made: Draft) => finish(rt, call, thread, made);
  const goOn = (made: Draft) => thinkTurn(rt, call, thread, made);
  switch (wish.do) {
    case "begin":
      return goOn(withNewRun(draft, wish.text));
    case "think":
      return goOn(wish.replan ? withReplan(draft) : draft);
    case "resume":
      return goOn(withResumed(draft));
    case "reply":
      return goOn(withReply(rt, call, draft, wish));
    case "expire_question":
      return goOn(withExpiredQuestion(rt, draft, wish));
    case "deliver":
      return deliverTurn(rt, call, thread, draft);
    case "approve_plan":
      return keep(withApprovedPlan(draft, wish));
    case "reject_plan":
      return keep(withRejectedPlan(draft, wish));
    case "approve_call":
      return approveCall(rt, call, thread, draft, wish);
    case "reject_call":
      return withRejectedCall(rt, call, draft, wish).then(keep);
    case "resolve":
      return resolveDoubt(rt, call, thread, draft, wish);
    case "reconcile":
      return reconcile(rt, call, thread, wish.acting);
    case "request_cancel":
      return keep(withCancelRequest(draft, wish.acting));
    case "cancel":
      return keep(withCancelled(draft));
    case "reset":
      return keep(withReset(draft));
    default:
      return unreachable(wish);
  }
}
