import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AnyStateNodeDefinition } from "xstate";
import { threadMachine } from "../../machines/thread.machine.ts";
import type { Signal } from "../../machines/thread.signals.ts";
import type { MachineState } from "../../src/schema/thread.ts";
import { statePath } from "../../src/turn/commit/signal.ts";
import { applySignal, applySignals, atRest, DECLARED_STATES, SIGNALS, SITUATIONS, signalText } from "./situations.ts";

/** Returns the next state and the changed context, for example "rest outcome=cancelled". */
function nextText(from: MachineState, signal: Signal): string | null {
  const moved = applySignal(from, signal);
  if (!moved.ok) return null;
  const { state: _state, at: _at, ...kept } = moved.value;
  const changed = Object.entries(kept).filter(([key, value]) => value !== from[key as keyof MachineState]);
  return [statePath(moved.value), ...changed.map(([key, value]) => `${key}=${value}`)].join(" ");
}

function situationText(name: string, signals: readonly Signal[]): string {
  const from = applySignals(signals);
  const taken = SIGNALS.map((signal) => ({ signal: signalText(signal), next: nextText(from, signal) }));
  const lines = taken.filter(({ next }) => next).map(({ signal, next }) => `  ${signal.padEnd(24)} → ${next}`);
  const refused = taken.filter(({ next }) => !next).map(({ signal }) => signal);
  return [name, ...lines, `  refused: ${refused.join(", ")}`, ""].join("\n");
}

describe("every state and every signal", () => {
  test("match the table", async () => {
    const table = Object.entries(SITUATIONS).map(([name, signals]) => situationText(name, signals));
    await expect(table.join("\n")).toMatchFileSnapshot("table.txt");
  });

  test("the situations of the table cover every declared state and are in the state they name", () => {
    const names = Object.entries(SITUATIONS).map(([name, signals]) => [
      name.split(",")[0],
      statePath(applySignals(signals)),
    ]);
    expect(names.filter(([said, is]) => said !== is)).toEqual([]);
    expect(new Set(names.map(([, is]) => is))).toEqual(new Set(DECLARED_STATES));
  });

  test("a refused signal is a problem that names the state and the signal", () => {
    for (const signals of Object.values(SITUATIONS)) {
      const from = applySignals(signals);
      for (const signal of SIGNALS) {
        const moved = applySignal(from, signal);
        if (moved.ok) continue;
        expect(moved.problem.code).toBe("signal_refused");
        expect(moved.problem.message).toContain(statePath(from));
        expect(moved.problem.message).toContain(signal.type);
      }
    }
  });
});

describe("the definition", () => {
  const nodes = (node: AnyStateNodeDefinition): readonly AnyStateNodeDefinition[] => [
    node,
    ...Object.values(node.states).flatMap((child) => nodes(child as AnyStateNodeDefinition)),
  ];

  test.each(nodes(threadMachine.definition).map((node) => [node.id, node] as const))(
    "%s uses nothing that is lost in storage",
    (_id, node) => {
      expect(node.invoke).toEqual([]);
      expect(node.history).toBeFalsy();
      expect(node.entry).toEqual([]);
      expect(node.exit).toEqual([]);
      const timed = node.transitions.filter(({ eventType }) => eventType === "" || eventType.startsWith("xstate."));
      expect(timed).toEqual([]);
      expect(node.transitions.filter(({ target }) => !target?.length)).toEqual([]);
    },
  );
});

// Checks the invariants of every stored state. They are stated without reading the machine, as an independent model of
// it.
function checkInvariants(machine: MachineState): void {
  const { state, step, steps, back, outcome, mode } = machine;
  expect(DECLARED_STATES).toContain(statePath(machine));
  expect(step).toBeLessThan(Math.max(steps, 1));
  if (state !== "rest") expect(outcome).toBeNull();
  expect(back !== null).toBe(state === "failed" || outcome === "exhausted");
  if (state === "plan") expect(mode).toBe("plan");
  // Only a plan that waits for approval in the middle of a run already has steps.
  if (state === "plan" && machine.at !== "approving") expect([step, steps]).toEqual([0, 0]);
  if (["execute", "confirm", "deliver"].includes(state)) expect(steps).toBeGreaterThan(0);
  if (state === "deliver") expect(step).toBe(steps - 1);
  if (mode === "direct" && state !== "rest") expect(steps).toBe(1);
}

describe("random walks", () => {
  const signal = fc.oneof(
    fc.constantFrom(...SIGNALS),
    fc.record({ type: fc.constant("plan.approved" as const), steps: fc.integer({ min: 1, max: 20 }) }),
  );

  test("any signals in any order never leave the declared states", () => {
    fc.assert(
      fc.property(fc.array(signal, { maxLength: 60 }), (signals) => {
        let machine = atRest;
        for (const next of signals) {
          const moved = applySignal(machine, next);
          if (moved.ok) machine = moved.value;
          checkInvariants(machine);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("a walk of accepted signals never gets stuck and keeps the invariants of every state", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 80, maxLength: 80 }), (choices) => {
        let machine = atRest;
        for (const choice of choices) {
          const ways = SIGNALS.flatMap((next) => {
            const moved = applySignal(machine, next);
            return moved.ok ? [moved.value] : [];
          });
          expect(ways.length).toBeGreaterThan(0);
          machine = ways[choice % ways.length] ?? machine;
          checkInvariants(machine);
        }
      }),
      { numRuns: 20 },
    );
  });
});

/** Returns every state that these signals can reach, breadth first. Plans of up to two steps cover all guards. */
function reachable(from: MachineState, signals: readonly Signal[]): ReadonlyMap<string, MachineState> {
  const found = new Map([[JSON.stringify(from), from]]);
  for (const machine of found.values()) {
    for (const signal of signals) {
      const moved = applySignal(machine, signal);
      if (moved.ok) found.set(JSON.stringify(moved.value), moved.value);
    }
  }
  return found;
}

describe("reachability", () => {
  const all = [...reachable(atRest, [...SIGNALS, { type: "plan.approved", steps: 1 }]).values()];

  test("every declared state can be reached from rest", () => {
    expect(new Set(all.map(statePath))).toEqual(new Set(DECLARED_STATES));
  });

  const comesToRest = (from: MachineState, signals: readonly Signal[]): boolean =>
    [...reachable(from, signals).values()].some(({ state }) => state === "rest");

  test("every state can reach rest", () => {
    expect(all.filter((machine) => !comesToRest(machine, SIGNALS)).map(statePath)).toEqual([]);
  });

  test("every state can reach rest with a completed run, without being cancelled or aborted", () => {
    const kind = SIGNALS.filter(({ type }) => !["run.cancelled", "run.aborted", "run.exhausted"].includes(type));
    const open = all.filter(({ state }) => state !== "rest");
    const stuck = open.filter(
      (machine) => ![...reachable(machine, kind).values()].some(({ outcome }) => outcome === "completed"),
    );
    expect(stuck.map(statePath)).toEqual([]);
  });
});
