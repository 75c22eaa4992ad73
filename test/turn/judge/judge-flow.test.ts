import { describe, expect, test } from "vitest";
import type { ExecuteDecision } from "../../../src/schema/decision/decision.ts";
import { downgradeConfirm, gateReasons, judgeFlow } from "../../../src/turn/judge/judge-flow.ts";
import { aCall, anUnknownCall, fetchPage, look, unconfirmedWrite, write } from "../../support/prepared-calls.ts";
import { aManifest, aState, idOf } from "../../support/thread.ts";

const PLAN = [
  { content: "Look", done_when: null, needs: "any" },
  { content: "Place", done_when: null, needs: "write" },
];
const onStep = (step: number) => aState({ plan: PLAN, machine: { mode: "plan", step, steps: 2 } });
const direct = aState();

const nextPlan: ExecuteDecision = { action: "next_plan", goal_check: "seen" };
const done: ExecuteDecision = { action: "done", goal_check: "placed" };
const going = (name: string): ExecuteDecision => ({ action: "continue", tool_call: { name, arguments: {} } });
const confirming = (name: string): ExecuteDecision => ({ action: "confirm", tool_call: { name, arguments: {} } });

describe("next_plan", () => {
  test("passes while there is a later step", () => {
    expect(judgeFlow(nextPlan, onStep(0), null).passed).toBe(true);
  });

  test("is refused on the last step, and done is suggested instead", () => {
    expect(judgeFlow(nextPlan, onStep(1), null)).toEqual({
      passed: false,
      reason: "next_plan needs a later step, and step 2 of 2 is the last; say done.",
    });
  });

  test("is refused in a direct run, which has no plan", () => {
    expect(judgeFlow(nextPlan, direct, null)).toMatchObject({ passed: false, reason: expect.stringContaining("no") });
  });
});

describe("done", () => {
  test("passes on the last step", () => {
    expect(judgeFlow(done, onStep(1), null).passed).toBe(true);
  });

  test("passes in a direct run", () => {
    expect(judgeFlow(done, direct, null).passed).toBe(true);
  });

  test("is refused while steps remain, and next_plan is suggested instead", () => {
    expect(judgeFlow(done, onStep(0), null)).toEqual({
      passed: false,
      reason: "done needs the last step, and this is step 1 of 2; say next_plan when it is proven.",
    });
  });
});

describe("a tool that is not offered", () => {
  test("is refused with the nearest names", () => {
    const call = anUnknownCall("query_rang", { nearest: ["query_range", "query_ranges"] });
    expect(judgeFlow(going("query_rang"), direct, call)).toEqual({
      passed: false,
      reason: 'There is no tool named "query_rang". Did you mean query_range, query_ranges?',
    });
  });

  test("is refused without a suggestion if no name is similar", () => {
    const verdict = judgeFlow(going("launch"), direct, anUnknownCall("launch"));
    expect(verdict.reason).toBe('There is no tool named "launch". No tool has a name like that.');
  });

  test("is quoted, so that an odd name cannot imitate a message of the runtime", () => {
    const verdict = judgeFlow(going('x" is fine'), direct, anUnknownCall('x" is fine'));
    expect(verdict.reason).toContain('"x\\" is fine"');
  });

  test("differs from an offered tool, which passes", () => {
    expect(judgeFlow(going("query_range"), direct, aCall(look)).passed).toBe(true);
  });

  test("is not unknown if it is disabled: the safety verdict reports it", () => {
    expect(judgeFlow(going("place"), direct, anUnknownCall("place", { disabled: "global_off" })).passed).toBe(true);
  });
});

describe("the other actions", () => {
  test.each<ExecuteDecision>([
    { action: "continue" },
    { action: "ask_user", speak: "Which week?" },
    { action: "abort", abort: { user_message: "It cannot be done." } },
  ])("$action is allowed in every step", (decision) => {
    expect([direct, onStep(0), onStep(1)].map((state) => judgeFlow(decision, state, null).passed)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe("confirm", () => {
  test("of a pure tool becomes continue, everything else is unchanged", () => {
    const said: ExecuteDecision = { ...confirming("query_range"), speak: "May I look?" };
    expect(downgradeConfirm(said, aCall(look))).toEqual({ ...said, action: "continue" });
  });

  test("of a tool that is not pure stays", () => {
    expect(downgradeConfirm(confirming("place"), aCall(write))).toEqual(confirming("place"));
  });

  test("of an unknown tool stays, and is refused as unknown", () => {
    const call = anUnknownCall("launch");
    expect(judgeFlow(downgradeConfirm(confirming("launch"), call), direct, call).passed).toBe(false);
  });
});

describe("a call waits for a person", () => {
  const codes = (...[decision, state, call]: Parameters<typeof gateReasons>): readonly string[] =>
    gateReasons(decision, state, call).reasons.map(({ code }) => code);

  test("when its manifest requires it, although the model said continue", () => {
    expect(codes(going("place"), direct, aCall(write))).toEqual(["manifest"]);
  });

  test("not when its manifest does not require it", () => {
    expect(codes(going("mark"), direct, aCall(unconfirmedWrite))).toEqual([]);
    expect(codes(going("query_range"), direct, aCall(look))).toEqual([]);
  });

  test("when a pure tool's manifest requires it", () => {
    const secret = aManifest({ name: "read_secret", requires_confirmation: true });
    expect(codes(going("read_secret"), direct, aCall(secret))).toEqual(["manifest"]);
  });

  test("when the model itself said confirm, once and not twice", () => {
    expect(codes(confirming("mark"), direct, aCall(unconfirmedWrite))).toEqual(["model"]);
    expect(codes(confirming("place"), direct, aCall(write))).toEqual(["manifest"]);
  });

  test.each(["hook", "risk", "path"] as const)("when a %s requires it", (code) => {
    const call = aCall(look, { asks: [{ code, text: "Deletes a folder." }] });
    expect(gateReasons(going("query_range"), direct, call).reasons).toEqual([{ code, text: "Deletes a folder." }]);
  });

  test("when the thread is tainted and the tool can send data outside; the tainting receipt is named", () => {
    const tainted = aState({ taint: idOf("rcp", 7) });
    const { reasons } = gateReasons(going("fetch_page"), tainted, aCall(fetchPage));
    expect(reasons.map(({ code }) => code)).toEqual(["taint"]);
    expect(reasons[0]?.text).toContain(idOf("rcp", 7));
  });

  test("not for an outward tool of a clean thread, nor for an inward tool of a tainted one", () => {
    expect(codes(going("fetch_page"), direct, aCall(fetchPage))).toEqual([]);
    expect(codes(going("query_range"), aState({ taint: idOf("rcp", 7) }), aCall(look))).toEqual([]);
  });

  test("not when nothing will run: its arguments are invalid, or a hook denied it", () => {
    const refusal = { code: "arguments_invalid" as const, text: "day: expected a number" };
    expect(codes(going("place"), direct, aCall(write, { refusal }))).toEqual([]);
  });

  test("not when it asks the user: that has its own gate", () => {
    const clarify = aManifest({ name: "clarify", asks: true, requires_confirmation: true });
    expect(codes(confirming("clarify"), direct, aCall(clarify))).toEqual([]);
  });
});

describe("auto_approve", () => {
  const trusting = (over = {}) => aState({ auto_approve: ["place", "mark", "send"], ...over });
  const send = aManifest({ name: "send", permission: "EXTERNAL", outward: true });

  test("waives the confirmation that the manifest requires, and reports that it did", () => {
    expect(gateReasons(going("place"), trusting(), aCall(write))).toEqual({
      reasons: [],
      lifted: true,
      approval: null,
    });
  });

  test("waives a confirmation that the model requested", () => {
    expect(gateReasons(confirming("mark"), trusting(), aCall(unconfirmedWrite))).toEqual({
      reasons: [],
      lifted: true,
      approval: null,
    });
  });

  test("lifts nothing for a tool it does not name", () => {
    const { reasons, lifted } = gateReasons(going("place"), aState({ auto_approve: ["mark"] }), aCall(write));
    expect([reasons.length, lifted]).toEqual([1, false]);
  });

  test("does not report a lifted confirmation if none was required", () => {
    expect(gateReasons(going("mark"), trusting(), aCall(unconfirmedWrite))).toEqual({
      reasons: [],
      lifted: false,
      approval: null,
    });
  });

  test("never lifts hooks, risk and taint", () => {
    const call = aCall(send, { asks: [{ code: "risk", text: "Sends to everybody." }] });
    const { reasons } = gateReasons(going("send"), trusting({ taint: idOf("rcp", 1) }), call);
    expect(reasons.map(({ code }) => code)).toEqual(["risk", "taint"]);
  });
});
