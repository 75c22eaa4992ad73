// Lists states that a thread can be in, reached by applying signals. Every step is serialized as JSON, as in storage.
import { initialContext, threadMachine } from "../../machines/thread.machine.ts";
import { SIGNAL_MEANINGS, type Signal, type SignalName } from "../../machines/thread.signals.ts";
import type { Result } from "../../src/schema/problem.ts";
import { MachineState } from "../../src/schema/thread.ts";
import { move } from "../../src/turn/commit/signal.ts";

export const atRest: MachineState = { state: "rest", at: null, ...initialContext };

const roundTrip = (machine: MachineState): MachineState => MachineState.parse(JSON.parse(JSON.stringify(machine)));

/** Applies one signal. The state is stored and read back before and after it. */
export function applySignal(from: MachineState, signal: Signal): Result<MachineState> {
  const moved = move(roundTrip(from), JSON.parse(JSON.stringify(signal)) as Signal);
  return moved.ok ? { ok: true, value: roundTrip(moved.value) } : moved;
}

/** Applies signals in order. A refused signal is a bug in the test. */
export function applySignals(signals: readonly Signal[], from: MachineState = atRest): MachineState {
  return signals.reduce((machine, signal) => {
    const moved = applySignal(machine, signal);
    if (!moved.ok) throw new Error(moved.problem.message);
    return moved.value;
  }, from);
}

const planning: readonly Signal[] = [{ type: "run.started", mode: "plan" }];
const direct: readonly Signal[] = [{ type: "run.started", mode: "direct" }];
const firstOfTwo: readonly Signal[] = [...planning, { type: "plan.approved", steps: 2 }];
const lastOfTwo: readonly Signal[] = [...firstOfTwo, { type: "step.advanced" }];
const waiting: readonly Signal[] = [...firstOfTwo, { type: "call.gated" }];
const acting: readonly Signal[] = [...firstOfTwo, { type: "call.intended" }];

/** Every state in every situation that a guard of the machine distinguishes. */
export const SITUATIONS: Readonly<Record<string, readonly Signal[]>> = {
  "rest, never run": [],
  "rest, completed": [...planning, { type: "run.answered" }],
  "rest, aborted": [...direct, { type: "run.aborted" }],
  "rest, cancelled": [...planning, { type: "run.cancelled" }],
  "rest, exhausted while planning": [...planning, { type: "run.exhausted" }],
  "rest, exhausted while executing": [...firstOfTwo, { type: "run.exhausted" }],
  "plan.thinking": planning,
  "plan.asking": [...planning, { type: "question.asked" }],
  "plan.approving": [...planning, { type: "plan.proposed" }],
  "plan.approving, of a running plan": [...lastOfTwo, { type: "plan.gated" }],
  "execute.deciding, direct": direct,
  "execute.deciding, first step of two": firstOfTwo,
  "execute.deciding, last step of two": lastOfTwo,
  "execute.asking, direct": [...direct, { type: "question.asked" }],
  "execute.asking, first step of two": [...firstOfTwo, { type: "question.asked" }],
  "execute.suspended": [...direct, { type: "role.suspended" }],
  "confirm.waiting": waiting,
  "confirm.acting": acting,
  "confirm.delegating": [...acting, { type: "call.delegated" }],
  "confirm.doubting": [...acting, { type: "call.doubted" }],
  deliver: [...lastOfTwo, { type: "run.finished" }],
  "failed, while planning": [...planning, { type: "thread.poisoned" }],
  "failed, while executing": [...firstOfTwo, { type: "thread.poisoned" }],
};

/** Every signal with the values that matter to a guard. */
export const SIGNALS: readonly Signal[] = (Object.keys(SIGNAL_MEANINGS) as SignalName[]).flatMap((type): Signal[] => {
  if (type === "run.started") return [{ type, mode: "plan" }, { type, mode: "direct" }]; // biome-ignore format: one line
  if (type === "plan.approved") return [{ type, steps: 2 }];
  return [{ type } as Signal];
});

export const signalText = (signal: Signal): string =>
  [signal.type, "mode" in signal ? `(${signal.mode})` : "", "steps" in signal ? `(${signal.steps} steps)` : ""].join(
    "",
  );

/** The paths of the definition's leaf states. */
export const DECLARED_STATES: readonly string[] = Object.values(threadMachine.states).flatMap((parent) => {
  const children = Object.keys(parent.states);
  return children.length === 0 ? [parent.key] : children.map((child) => `${parent.key}.${child}`);
});
