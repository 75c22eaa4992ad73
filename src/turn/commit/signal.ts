// The only entry point to the machine: applies a signal to a stored state, and returns the next state or a problem. No signal is ignored.
import { transition } from "xstate";
import { type ThreadContext, threadMachine } from "../../../machines/thread.machine.ts";
import type { Signal } from "../../../machines/thread.signals.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { MachineState } from "../../schema/thread.ts";

/** Caches transitions, because the machine is constant and computing one costs as much as rendering a prompt. */
const transitionCache = new Map<string, Result<MachineState>>();
/** Far more combinations than occur in practice. A full cache is cleared. */
const TRANSITION_CACHE_MAX = 2_000;

export function move(from: MachineState, signal: Signal): Result<MachineState> {
  const { state, at, mode, step, steps, back, outcome } = from;
  const key = JSON.stringify([state, at, mode, step, steps, back, outcome, signal]);
  const cached = transitionCache.get(key);
  if (cached) return cached;
  const moved = computeTransition(from, signal);
  if (!moved.ok) return moved;
  if (transitionCache.size >= TRANSITION_CACHE_MAX) transitionCache.clear();
  transitionCache.set(key, Object.freeze(moved));
  return moved;
}

function computeTransition(from: MachineState, signal: Signal): Result<MachineState> {
  const snapshot = restore(from);
  if (!snapshot) return fail("state_corrupt", `The machine has no state ${statePath(from)}.`);
  // The machine silently drops unknown signals, and a lost signal would mean a lost turn.
  if (!snapshot.can(signal)) {
    return fail("signal_refused", `A thread in ${statePath(from)} does not accept ${signal.type}.`, {
      place: statePath(from),
    });
  }
  const [next] = transition(threadMachine, snapshot, signal);
  return ok(Object.freeze(toMachineState(next.value, next.context)));
}

/** Applies several signals of one record in order. If one is refused, all are refused. */
export function moveAll(from: MachineState, signals: readonly Signal[]): Result<MachineState> {
  let at: Result<MachineState> = ok(from);
  for (const signal of signals) {
    if (!at.ok) return at;
    at = move(at.value, signal);
  }
  return at;
}

export const statePath = (m: Pick<MachineState, "state" | "at">): string => (m.at ? `${m.state}.${m.at}` : m.state);

function restore(from: MachineState) {
  const value = from.at ? { [from.state]: from.at } : from.state;
  const { mode, step, steps, back, outcome } = from;
  try {
    const snapshot = threadMachine.resolveState({ value, context: { mode, step, steps, back, outcome } });
    // A stored "plan" would silently resolve to its first child state, so the resolved state must equal the stored one.
    return sameValue(snapshot.value, from) ? snapshot : null;
  } catch {
    return null;
  }
}

const sameValue = (value: unknown, from: MachineState): boolean =>
  typeof value === "string"
    ? value === from.state && from.at === null
    : (value as Record<string, unknown>)[from.state] === from.at;

function toMachineState(value: unknown, context: ThreadContext): MachineState {
  const [state, at] = typeof value === "string" ? [value, null] : (Object.entries(value as object)[0] ?? []);
  return MachineState.parse({ state, at, ...context });
}
