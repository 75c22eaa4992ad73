// Durable events are derived from records, so that they can be told again at any time and never disagree with the log.
import type { DurableEvent } from "../../schema/event.ts";
import type { Entry, ThreadRecord } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { nextOf } from "../view.ts";

type Body = DurableEvent extends infer E
  ? E extends DurableEvent
    ? Omit<E, "seq" | "thread" | "version" | "turn" | "at">
    : never
  : never;

export function eventsOf(thread: string, record: ThreadRecord): readonly DurableEvent[] {
  const { version, entry, state } = record;
  const bodies = bodiesOf(version, entry, state);
  return bodies.map((body, i) => {
    const place = { seq: entry.events.first + i, thread, version, turn: entry.turn, at: entry.at };
    return { ...place, ...body } as DurableEvent;
  });
}

/** How many events a record will have; asked before it is committed. */
export const countEvents = (version: number, entry: Entry, state: ThreadState): number =>
  bodiesOf(version, entry, state).length;

function bodiesOf(version: number, entry: Entry, state: ThreadState): readonly Body[] {
  const took = new Set(entry.signals);
  const bodies: Body[] = [];
  if (version === 0) bodies.push({ type: "thread.created" });
  for (const receipt of entry.receipts) {
    if (receipt.kind === "settled" && receipt.source !== "user_reply")
      bodies.push({ type: "tool.completed", receipt, operation_id: entry.operation?.id ?? null });
  }
  if (entry.closed_gate) {
    const { id, kind, how } = entry.closed_gate;
    bodies.push({ type: "gate.closed", gate_id: id, kind, how });
  }
  if (took.has("plan.approved") && state.plan) bodies.push({ type: "plan.set", plan: state.plan });
  if (took.has("step.advanced"))
    bodies.push({ type: "step.advanced", step: state.machine.step, steps: state.machine.steps });
  if (state.gate?.version === version) bodies.push({ type: "gate.opened", gate: state.gate });
  if (entry.speak) bodies.push({ type: "speak.completed", text: entry.speak });
  bodies.push(...endings(took, state));
  if (!isIntending(entry)) bodies.push({ type: "turn.committed", state: state.machine.state, next: nextOf(state) });
  return bodies;
}

function endings(took: ReadonlySet<string>, state: ThreadState): readonly Body[] {
  if (took.has("thread.poisoned")) return [{ type: "thread.failed" }];
  if (state.machine.state !== "rest" || !state.machine.outcome || !endsRun(took)) return [];
  const { outcome } = state.machine;
  if (outcome === "completed") return [{ type: "run.delivered", outcome, evidence: state.evidence }];
  return [{ type: "run.aborted", outcome }];
}

const ENDINGS = ["run.answered", "run.delivered", "run.aborted", "run.exhausted", "run.cancelled"];
const endsRun = (took: ReadonlySet<string>): boolean => ENDINGS.some((signal) => took.has(signal));

/** The record ended a run. */
export const isEnding = (entry: Entry): boolean => endsRun(new Set(entry.signals));

/** An intended record is followed by another one of the same turn. */
export const isIntending = (entry: Entry): boolean => entry.receipts.some((receipt) => receipt.kind === "intended");
