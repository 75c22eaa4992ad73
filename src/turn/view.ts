// Converts records to what callers see. The result depends only on records, so that a repeated request returns the same bytes.
import type { ThreadId } from "../schema/ids.ts";
import type { ThreadRecord, Usage } from "../schema/record.ts";
import type { ThreadState } from "../schema/thread.ts";
import type { NextAction, ThreadView, TurnResult, TurnView } from "../schema/turn-result.ts";
import { isActive } from "./judge/remembered.ts";
import { isProven } from "./judge/run-evidence.ts";
import { workflowView } from "./workflow/view.ts";

export function nextAction(state: ThreadState): NextAction {
  if (state.machine.state === "rest" || state.machine.state === "failed") return "none";
  switch (state.gate?.kind) {
    case "plan":
    case "confirmation":
      return "confirm";
    case "question":
      return "answer";
    case "doubt":
      return "resolve";
    case "external":
      return "tool_result";
    case "suspend":
      return "resume";
    default:
      return "advance";
  }
}

export function threadView(id: ThreadId, version: number, state: ThreadState, updated_at: string): ThreadView {
  const { machine } = state;
  return {
    id,
    version,
    turn: state.turn,
    run: state.run,
    state: machine.state,
    at: machine.at,
    outcome: machine.outcome,
    evidence: state.evidence,
    evidence_kind: state.evidence_kind,
    contradictions: state.contradictions ?? [],
    goal: state.goal,
    ...(state.title === undefined ? {} : { title: state.title }),
    agent: state.agent,
    mode: machine.mode,
    plan: state.plan,
    step: machine.step,
    steps: machine.steps,
    proofs: state.proofs,
    ...(state.plan ? { proven_steps: [...state.plan.keys()].filter((step) => isProven(state, step)) } : {}),
    gate: state.gate,
    cancel_requested: state.acting?.cancel_requested ?? false,
    todo: state.todo,
    budget: state.budget,
    background: state.background,
    ...(state.child ? { parent: state.child.parent } : {}),
    ...(state.acting?.delegation ? { children: state.acting.delegation.children.map(({ thread }) => thread) } : {}),
    ...(state.workflow ? { workflow: workflowView(id, state, state.workflow) } : {}),
    tainted: state.taint !== null,
    remembered_approvals: (state.approvals ?? []).map((approval) => ({
      ...approval,
      active: isActive(approval, state),
    })),
    created_at: state.created_at,
    updated_at,
  };
}

export function turnView(records: readonly ThreadRecord[]): TurnView | null {
  const first = records[0];
  if (!first) return null;
  const entries = records.map((record) => record.entry);
  const latestOf = <T>(pick: (entry: (typeof entries)[number]) => T | null): T | null =>
    entries.reduce<T | null>((latest, entry) => pick(entry) ?? latest, null);
  return {
    number: first.entry.turn,
    versions: records.map((record) => record.version),
    actor: first.entry.actor,
    model: latestOf((entry) => entry.model),
    decision: latestOf((entry) => entry.decision?.value ?? null),
    speak: latestOf((entry) => entry.speak),
    judgement: latestOf((entry) => entry.judgement),
    corrections: entries.flatMap((entry) => entry.corrections),
    receipts: entries.flatMap((entry) => entry.receipts),
    observation: latestOf((entry) => entry.observation),
    usage: entries.reduce<Usage | null>((sum, entry) => addUsage(sum, entry.usage), null),
    problem: latestOf((entry) => entry.problem),
  };
}

export function addUsage(a: Usage | null, b: Usage | null): Usage | null {
  if (!a || !b) return a ?? b;
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    usd: a.usd + b.usd,
    model_calls: a.model_calls + b.model_calls,
  };
}

export function turnResultOf(id: ThreadId, records: readonly ThreadRecord[]): TurnResult {
  const head = records.at(-1);
  if (!head) throw new Error("a turn result needs at least one record");
  const { state } = head;
  const common = {
    thread: threadView(id, head.version, state, head.entry.at),
    turn: head.version === 0 ? null : turnView(records),
    next: nextAction(state),
  };
  if (head.entry.problem) return { kind: "failed", ...common, problem: head.entry.problem };
  if (state.gate) return { kind: "waiting", ...common, gate: state.gate };
  if (state.machine.at === "acting" || state.machine.at === "delegating") return { kind: "running", ...common };
  if (state.machine.state === "rest" && state.machine.outcome) {
    return { kind: "delivered", ...common, outcome: state.machine.outcome };
  }
  return { kind: "advanced", ...common };
}
