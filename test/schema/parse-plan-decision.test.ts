import { describe, expect, test } from "vitest";
import { parsePlanDecision } from "../../src/schema/decision/parse-decision.ts";

const parse = (value: unknown) => parsePlanDecision(JSON.stringify(value));
const step = (content: string) => ({ content });

describe("plan decisions that are accepted", () => {
  test.each([
    [
      { action: "continue", speak: "Looking." },
      { action: "continue", speak: "Looking." },
    ],
    [
      { action: "ask_user", speak: "Which week?", plan_steps: [] },
      { action: "ask_user", speak: "Which week?" },
    ],
    [
      { action: "ask_user", plan_steps: null, reason: " unclear " },
      { action: "ask_user", reason: "unclear" },
    ],
    [
      { action: "answer", speak: " Hello. " },
      { action: "answer", speak: "Hello." },
    ],
    [
      {
        action: "plan_done",
        complexity: "simple",
        plan_steps: [{ content: " a ", done_when: null, needs: "", id: 3 }],
      },
      { action: "plan_done", plan_steps: [{ content: "a" }] },
    ],
    [
      { action: " plan_done ", plan_steps: [{ content: "a", done_when: " moved ", needs: " write " }, step("b")] },
      { action: "plan_done", plan_steps: [{ content: "a", done_when: "moved", needs: "write" }, { content: "b" }] },
    ],
    [
      { action: "plan_done", plan_steps: [step("a")], tool_call: { name: " look ", parameters: { at: " x " } } },
      { action: "plan_done", plan_steps: [step("a")], tool_call: { name: "look", arguments: { at: " x " } } },
    ],
    [
      { action: "plan_done", plan_steps: [step("a")], tool_call: { name: "look" }, finishes_step: true },
      {
        action: "plan_done",
        plan_steps: [step("a")],
        tool_call: { name: "look", arguments: {} },
        finishes_step: true,
      },
    ],
    [
      { action: "plan_done", plan_steps: [step("a")], tool_call: null, finishes_step: true },
      { action: "plan_done", plan_steps: [step("a")] },
    ],
  ])("%j", (written, value) => {
    expect(parse(written)).toStrictEqual({ ok: true, value });
  });

  test.each(["write", "observation", "reply", "any", "none"])("a step may need %s", (needs) => {
    expect(parse({ action: "plan_done", plan_steps: [{ content: "a", needs }] }).ok).toBe(true);
  });

  test("surrounding thoughts, fences and prose are skipped", () => {
    const raw = 'x {y} </think>Plan:\n```json\n{"action":"answer","speak":"Hi"}\n```';
    expect(parsePlanDecision(raw)).toStrictEqual({ ok: true, value: { action: "answer", speak: "Hi" } });
  });

  test("twenty steps are accepted", () => {
    expect(parse({ action: "plan_done", plan_steps: Array.from({ length: 20 }, () => step("a")) }).ok).toBe(true);
  });
});

describe("plan decisions that are refused", () => {
  test.each([
    [{ action: "done", goal_check: "ok" }, "action", /one of plan_done, answer, ask_user, abort, continue/],
    [{ speak: "hi" }, "action", /found nothing/],
    [{ action: "plan_done" }, "plan_steps", /found nothing/],
    [{ action: "plan_done", plan_steps: [step("a")], tool_call: "look()" }, "tool_call", /one tool per turn/],
    [{ action: "plan_done", plan_steps: [] }, "plan_steps", /an empty array/],
    [{ action: "plan_done", plan_steps: "1. look" }, "plan_steps", /found text/],
    [{ action: "plan_done", plan_steps: { content: "a" } }, "plan_steps", /an object/],
    [{ action: "plan_done", plan_steps: Array.from({ length: 21 }, () => step("a")) }, "plan_steps", /21 steps/],
    [{ action: "plan_done", plan_steps: [step("a"), "b"] }, "plan_steps[1]", /found text/],
    [{ action: "plan_done", plan_steps: [step("a"), step("  ")] }, "plan_steps[1].content", /blank text/],
    [{ action: "plan_done", plan_steps: [{ done_when: "x" }] }, "plan_steps[0].content", /found nothing/],
    [{ action: "plan_done", plan_steps: [{ content: "a", needs: "Write" }] }, "plan_steps[0].needs", /one of write/],
    [{ action: "plan_done", plan_steps: [{ content: "a", needs: ["any"] }] }, "plan_steps[0].needs", /an array/],
    [{ action: "plan_done", plan_steps: [{ content: "a", done_when: 3 }] }, "plan_steps[0].done_when", /a number/],
    [{ action: "continue", plan_steps: [step("a")] }, "plan_steps", /none with action continue/],
    [{ action: "answer", speak: "Hi", plan_steps: [step("a")] }, "plan_steps", /none with action answer/],
    [
      { action: "continue", tool_call: { name: "look", arguments: {} } },
      "tool_call",
      /a plan_done may have the first call/,
    ],
    [{ action: "answer", speak: "Hi", tool_call: { name: "look" } }, "tool_call", /none with action answer/],
    [{ action: "plan", plan_steps: [step("a")] }, "action", /write it as plan_done/],
    [{ action: "Ask user", speak: "Which?" }, "action", /write it as ask_user/],
    [{ Action: "plan_done", plan_steps: [step("a")] }, "action", /write the key in lower case/],
    [{ decision: { action: "answer", speak: "Hi" } }, "action", /inside another object/],
    [{ action: "plan_done", steps: [step("a")] }, "plan_steps", /the key "steps" is written plan_steps/],
    [
      { action: "plan_done", plan_steps: [{ content: "a", needs: "Write" }] },
      "plan_steps[0].needs",
      /write it as write/,
    ],
    [{ action: "answer" }, "speak", /non-empty text/],
    [{ action: "answer", speak: " " }, "speak", /blank text/],
    [{ action: "answer", speak: 4 }, "speak", /a number/],
  ])("%j", (written, field, says) => {
    const parsed = parse(written);
    expect(parsed).toMatchObject({ ok: false, problem: { code: "decision_invalid", details: { field } } });
    if (!parsed.ok) expect(parsed.problem.message).toMatch(says);
  });

  test("an unclosed thought and a second object are refused", () => {
    expect(parsePlanDecision('<think>{"action":"answer","speak":"Hi"}').ok).toBe(false);
    expect(parsePlanDecision('{"action":"answer","speak":"Hi"} {"action":"continue"}').ok).toBe(false);
  });
});
