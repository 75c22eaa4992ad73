import { describe, expect, test } from "vitest";
import type { Signal } from "../../../machines/thread.signals.ts";
import { MachineState } from "../../../src/schema/thread.ts";
import { move, moveAll, statePath } from "../../../src/turn/commit/signal.ts";
import { applySignals, atRest } from "../../machines/situations.ts";

const deciding = applySignals([{ type: "run.started", mode: "direct" }]);
const codeOf = (from: MachineState, signal: Signal): string | null => {
  const moved = move(from, signal);
  return moved.ok ? null : moved.problem.code;
};

/** Returns a stored state, which may not exist although the type says so. */
const storedAs = (place: { state: string; at: string | null }): MachineState =>
  ({ ...deciding, ...place }) as unknown as MachineState;

describe("a stored state that the machine does not have", () => {
  test.each([
    ["an unknown state", { state: "waiting", at: null }],
    ["an unknown child", { state: "plan", at: "dreaming" }],
    ["the child of another state", { state: "plan", at: "deciding" }],
    ["a parent without its child", { state: "execute", at: null }],
    ["a child below a state that has none", { state: "rest", at: "thinking" }],
    ["a name that every object has", { state: "constructor", at: null }],
    ["an empty name", { state: "", at: null }],
  ])("%s is state_corrupt", (_what, place) => {
    expect(codeOf(storedAs(place), { type: "run.cancelled" })).toBe("state_corrupt");
  });

  test("is distinguished from a refused signal, for every signal", () => {
    expect(codeOf(storedAs({ state: "plan", at: null }), { type: "call.settled" })).toBe("state_corrupt");
  });
});

describe("a signal", () => {
  test("that the state accepts returns the next state and does not change the stored one", () => {
    const before = structuredClone(deciding);
    expect(move(deciding, { type: "call.gated" })).toEqual({
      ok: true,
      value: { ...deciding, state: "confirm", at: "waiting" },
    });
    expect(deciding).toEqual(before);
  });

  test("that the state does not accept is refused, naming the state and the signal", () => {
    expect(move(deciding, { type: "thread.reset" })).toMatchObject({
      ok: false,
      problem: {
        code: "signal_refused",
        status: 409,
        message: "A thread in execute.deciding does not accept thread.reset.",
        details: { place: "execute.deciding" },
      },
    });
  });

  test("that the machine does not know is refused, not dropped", () => {
    expect(codeOf(deciding, { type: "run.unheard" } as unknown as Signal)).toBe("signal_refused");
  });

  test("that a guard rejects is refused like any other", () => {
    expect(codeOf(deciding, { type: "step.advanced" })).toBe("signal_refused");
  });

  test("that approves a cancelled run is refused", () => {
    const cancelled = applySignals([{ type: "call.gated" }, { type: "run.cancelled" }], deciding);
    expect(cancelled).toMatchObject({ state: "rest", outcome: "cancelled" });
    expect(codeOf(cancelled, { type: "call.intended" })).toBe("signal_refused");
  });

  test("that cancels during a running call is refused until the call is settled", () => {
    const acting = applySignals([{ type: "call.intended" }], deciding);
    expect(codeOf(acting, { type: "run.cancelled" })).toBe("signal_refused");
    expect(moveAll(acting, [{ type: "call.settled" }, { type: "run.cancelled" }])).toMatchObject({
      ok: true,
      value: { state: "rest", outcome: "cancelled" },
    });
  });
});

describe("several signals of one record", () => {
  test("are applied in order", () => {
    const moved = moveAll(atRest, [{ type: "run.started", mode: "plan" }, { type: "question.asked" }]);
    expect(moved.ok && statePath(moved.value)).toBe("plan.asking");
  });

  test("are all refused if one is refused", () => {
    const moved = moveAll(atRest, [
      { type: "run.started", mode: "plan" },
      { type: "call.settled" },
      { type: "question.asked" },
    ]);
    expect(moved).toMatchObject({ ok: false, problem: { details: { place: "plan.thinking" } } });
  });

  test("leave the state unchanged if there are none", () => {
    expect(moveAll(deciding, [])).toEqual({ ok: true, value: deciding });
  });
});

test("the next state has exactly the seven fields of the schema", () => {
  const moved = move(deciding, { type: "run.exhausted" });
  const fields = moved.ok ? Object.keys(moved.value) : [];
  expect(fields.toSorted()).toEqual(Object.keys(MachineState.shape).toSorted());
});
