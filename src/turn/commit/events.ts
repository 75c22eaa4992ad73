// Derives durable events from records, so that they can be replayed at any time and never contradict the log.
import type { DurableEvent } from "../../schema/event.ts";
import type { Entry, ThreadRecord } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { nextAction } from "../view.ts";

type EventBody = DurableEvent extends infer E
  ? E extends DurableEvent
    ? Omit<E, "seq" | "thread" | "version" | "turn" | "at">
    : never
  : never;

export function eventsOf(thread: string, record: ThreadRecord): readonly DurableEvent[] {
  const { version, entry, state } = record;
  const bodies = eventBodies(version, entry, state);
  return bodies.map((body, i) => {
    const position = { seq: entry.events.first + i, thread, version, turn: entry.turn, at: entry.at };
    return { ...position, ...body } as DurableEvent;
  });
}

/** The record stores the number of its events, so it is needed before the commit. */
export const countEvents = (version: number, entry: Entry, state: ThreadState): number =>
  eventBodies(version, entry, state).length;

function eventBodies(version: number, entry: Entry, state: ThreadState): readonly EventBody[] {
  const { signals } = entry;
  const bodies: EventBody[] = [];
  if (version === 0) bodies.push({ type: "thread.created" });
  for (const receipt of entry.receipts) {
    if (receipt.kind === "settled" && receipt.source !== "user_reply")
      bodies.push({ type: "tool.completed", receipt, operation_id: entry.operation?.id ?? null });
  }
  if (entry.closed_gate) {
    const { id, kind, how } = entry.closed_gate;
    bodies.push({ type: "gate.closed", gate_id: id, kind, how });
  }
  if (signals.includes("plan.approved") && state.plan) bodies.push({ type: "plan.set", plan: state.plan });
  if (signals.includes("step.advanced"))
    bodies.push({ type: "step.advanced", step: state.machine.step, steps: state.machine.steps });
  if (state.gate?.version === version) bodies.push({ type: "gate.opened", gate: state.gate });
  if (entry.speak) bodies.push({ type: "speak.completed", text: entry.speak });
  bodies.push(...endEvents(signals, state));
  if (!isIntentEntry(entry))
    bodies.push({ type: "turn.committed", state: state.machine.state, next: nextAction(state) });
  return bodies;
}

function endEvents(signals: Entry["signals"], state: ThreadState): readonly EventBody[] {
  if (signals.includes("thread.poisoned")) return [{ type: "thread.failed" }];
  if (state.machine.state !== "rest" || !state.machine.outcome || !endsRun(signals)) return [];
  const { outcome } = state.machine;
  if (outcome === "completed") {
    const { evidence, evidence_kind } = state;
    return [{ type: "run.delivered", outcome, evidence, evidence_kind }];
  }
  return [{ type: "run.aborted", outcome }];
}

const END_SIGNALS = ["run.answered", "run.delivered", "run.aborted", "run.exhausted", "run.cancelled"];
const endsRun = (signals: Entry["signals"]): boolean => signals.some((signal) => END_SIGNALS.includes(signal));

export const isRunEnd = (entry: Entry): boolean => endsRun(entry.signals);

/** An intended receipt is followed by another record of the same turn. */
export const isIntentEntry = (entry: Entry): boolean => entry.receipts.some((receipt) => receipt.kind === "intended");
