// A turn that asks the model, from the accepted decision to the record. One function per action.
import type { ExecuteDecision, PlanDecision } from "../../schema/decision/decision.ts";
import { ok, type Result, unreachable } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { actOnCall } from "../act/act.ts";
import { storeCall } from "../act/stored-call.ts";
import { commit } from "../commit/commit.ts";
import { exhaustedText } from "../commit/delivery.ts";
import { amend, type Draft } from "../commit/draft.ts";
import { withDecisionFailure, withDecisionHealth } from "../commit/health.ts";
import { moveAll } from "../commit/signal.ts";
import { confirmationGate, planGate, questionGate } from "../gates/open-gate.ts";
import { spend } from "../judge/budget.ts";
import type { Ruling } from "../judge/ruling.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import { spoken, type Thought, think } from "./think.ts";
import { whileUnmoved } from "./thinking.ts";

type Made = Result<readonly ThreadRecord[]>;

/** `draft` holds what the input changed; the model sees the thread as if that were committed already. */
export async function thinkTurn(rt: Runtime, call: TurnCall, thread: Thread, draft: Draft): Promise<Made> {
  const machine = moveAll(thread.state.machine, draft.signals);
  if (!machine.ok) return machine;
  const started = rt.clock.now();
  const seen: Thread = {
    version: thread.version,
    state: { ...draft.state, machine: machine.value },
    entries: [...thread.entries, { version: thread.version + 1, entry: draft.entry }],
  };
  call.emit({ type: "turn.started", thread: call.at.thread, turn: draft.state.turn });
  const thought = await whileUnmoved(rt.thinking, call.at, thread.version, (outrun) =>
    think(rt, { ...call, outrun }, seen),
  );
  if (!thought.ok) return thought;
  const { facts, result } = thought.value;
  const seconds = (rt.clock.now() - started) / 1000;
  const paid = amend(draft, {
    // From here on the state is the one the model saw, so that proofs and gates are bound to the step it is in.
    state: {
      machine: machine.value,
      ...(facts.usage ? { budget: spend(draft.state.budget, facts.usage, seconds), estimate: facts.estimate } : {}),
    },
    entry: { ...facts.entry, usage: facts.usage },
    blobs: facts.blobs,
  });
  switch (result.kind) {
    case "exhausted":
      return finish(rt, call, thread, exhausted(paid, result.reason));
    case "gave_up":
      return finish(
        rt,
        call,
        thread,
        withDecisionFailure(amend(paid, { entry: { problem: result.problem, judgement: result.judgement } })),
      );
    case "plan":
      return finish(rt, call, thread, planned(rt, call, thread, withDecisionHealth(paid), result));
    case "execute":
      return executed(rt, call, thread, withDecisionHealth(paid), result);
    default:
      return unreachable(result);
  }
}

export async function finish(rt: Runtime, call: TurnCall, thread: Thread, draft: Draft): Promise<Made> {
  const committed = await commit(rt, call, thread, draft);
  return committed.ok ? ok([committed.value.record]) : committed;
}

const exhausted = (draft: Draft, lacks: string): Draft =>
  amend(draft, {
    state: { evidence: "none" },
    entry: { speak: exhaustedText(draft.state, lacks) },
    signals: [{ type: "run.exhausted" }],
  });

type PlanResult = Extract<Thought["result"], { kind: "plan" }>;

function planned(rt: Runtime, call: TurnCall, thread: Thread, draft: Draft, result: PlanResult): Draft {
  const { decision, ruling } = result;
  const said = amend(draft, {
    entry: { decision: { for: "plan", value: decision }, judgement: ruling.judgement, speak: spoken(decision) || null },
  });
  switch (decision.action) {
    case "continue":
      return amend(said, { state: { idle: draft.state.idle + 1 }, signals: [{ type: "plan.continued" }] });
    case "ask_user":
      return ask(rt, thread, said, spoken(decision));
    case "answer":
      return amend(said, { state: { evidence: "none" }, signals: [{ type: "run.answered" }] });
    case "plan_done":
      return propose(rt, call, thread, said, decision, ruling.plan ?? []);
    default:
      return unreachable(decision);
  }
}

function propose(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  decision: PlanDecision,
  steps: NonNullable<PlanResult["ruling"]["plan"]>,
): Draft {
  if (draft.state.plan_approval === "auto") {
    const state = { plan: steps, plan_approved: false, proofs: [], failed_writes: [], idle: 0 };
    return amend(draft, { state, signals: [{ type: "plan.approved", steps: steps.length }] });
  }
  const text = decision.speak ?? decision.reason ?? `A plan of ${steps.length} steps. Shall I go on?`;
  return amend(draft, {
    state: { gate: planGate(rt, call, thread, steps, text), idle: 0 },
    signals: [{ type: "plan.proposed" }],
  });
}

const ask = (rt: Runtime, thread: Thread, draft: Draft, text: string): Draft =>
  amend(draft, {
    state: { gate: questionGate(rt, thread, { text, choices: [], default: null, expires_in_s: null }), idle: 0 },
    signals: [{ type: "question.asked" }],
  });

type ExecuteResult = Extract<Thought["result"], { kind: "execute" }>;

async function executed(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  result: ExecuteResult,
): Promise<Made> {
  const { ruling, decision } = result;
  const said = amend(draft, {
    entry: {
      decision: { for: "execute", value: result.stored },
      judgement: ruling.judgement,
      speak: spoken(decision) || null,
      thought: thoughtOf(decision),
    },
  });
  if (ruling.kind === "gated" && result.call)
    return finish(rt, call, thread, gated(rt, call, thread, said, ruling, result));
  if (result.call) return actOnCall(rt, call, thread, said, result.call, ruling.kind === "accepted" && ruling.lifted);
  return finish(rt, call, thread, moved(rt, thread, said, decision));
}

const thoughtOf = (decision: ExecuteDecision): string => decision.reason ?? decision.speak ?? "";

function gated(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  ruling: Extract<Ruling, { kind: "gated" }>,
  result: ExecuteResult,
): Draft {
  const prepared = result.call;
  if (!prepared) throw new Error("only a call can be gated");
  const { stored, blobs } = storeCall(rt, prepared, thoughtOf(ruling.decision));
  const text = ruling.decision.speak ?? ruling.decision.reason ?? `Run ${prepared.name}?`;
  const gate = confirmationGate(rt, call, thread, stored, prepared.arguments, text, ruling.reasons);
  return amend(draft, { state: { gate, idle: 0 }, entry: { call: stored }, signals: [{ type: "call.gated" }], blobs });
}

/** Decisions without a call. */
function moved(rt: Runtime, thread: Thread, draft: Draft, decision: ExecuteDecision): Draft {
  switch (decision.action) {
    case "continue":
    case "confirm":
      return amend(draft, { state: { idle: draft.state.idle + 1 }, signals: [{ type: "turn.taken" }] });
    case "ask_user":
      return ask(rt, thread, draft, spoken(decision));
    case "next_plan":
      return amend(draft, { state: { idle: 0, last_digest: null }, signals: [{ type: "step.advanced" }] });
    case "done":
      return amend(draft, { state: { idle: 0 }, signals: [{ type: "run.finished" }] });
    case "abort":
      return amend(draft, {
        state: { evidence: "none" },
        entry: { speak: decision.abort.user_message },
        signals: [{ type: "run.aborted" }],
      });
    default:
      return unreachable(decision);
  }
}
