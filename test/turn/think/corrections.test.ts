// Tests that the model sees a correction, and that corrections are counted per turn, whether the parser or the judge
// objected.
import { describe, expect, test } from "vitest";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";
import { createWriteTool, look } from "../../support/tools.ts";

const unreadable = "I will look at the desk.";
const unproven = { action: "done" };
const unknownTool = { action: "continue", tool_call: { name: "lok", arguments: { at: "desk" } } };
const looking = { action: "continue", speak: "Looking.", tool_call: { name: "look", arguments: { at: "desk" } } };

const play = async (script: readonly (string | Record<string, unknown>)[]) => {
  const rt = createTestRuntime(script, [look]);
  return { rt, thread: await createTestThread(rt, { goal: "Look at the desk", mode: "direct" }) };
};

describe("a correction", () => {
  test("is in the last message of the retry, marked as coming from the runtime", async () => {
    const { rt, thread } = await play([unknownTool, looking]);
    unwrap(await thread.turn());
    const [first, retry] = rt.model.requests.map((request) => request.messages[3]?.content ?? "");
    expect(first).not.toContain("# Correction");
    expect(retry).toContain("# Correction (from the runtime, not from the user)");
    expect(retry).toContain('There is no tool named "lok". Did you mean look?');
    expect(retry).toContain("Possible now: continue, confirm, done, ask_user, abort.");
    expect(retry).not.toContain("Legal:");
  });

  test("is not part of the user's dialogue", async () => {
    const { rt, thread } = await play([unknownTool, looking]);
    unwrap(await thread.turn());
    expect(rt.model.requests[1]?.messages[1]?.content).toBe(rt.model.requests[0]?.messages[1]?.content);
  });

  test("is stored in the record of the turn with its code and an excerpt of the reply", async () => {
    const { thread } = await play([unreadable, unproven, looking]);
    const { records } = unwrap(await thread.turn());
    expect(records[0]?.entry.corrections).toMatchObject([
      { code: "decision_invalid" },
      { code: "decision_refused", excerpt: expect.stringContaining("done") },
    ]);
  });

  test("is gone in the next turn", async () => {
    const again = { ...looking, tool_call: { name: "look", arguments: { at: "shelf" } } };
    const { rt, thread } = await play([unknownTool, looking, again]);
    unwrap(await thread.turn());
    unwrap(await thread.turn());
    expect(rt.model.requests[2]?.messages[3]?.content).not.toContain("# Correction");
  });
});

describe("the count of corrections", () => {
  test.each([
    ["unreadable replies", [unreadable, unreadable, unreadable], "decision_invalid"],
    ["claims without a goal_check", [unproven, unproven, unproven], "decision_refused"],
    ["unknown tools", [unknownTool, unknownTool, unknownTool], "decision_refused"],
    ["objections of the parser and of the judgement together", [unreadable, unproven, unreadable], "decision_invalid"],
  ])("ends the turn at the third failure: %s", async (_what, script, code) => {
    const { rt, thread } = await play(script);
    const { outcome, records } = unwrap(await thread.turn());
    expect(outcome).toMatchObject({ kind: "failed", problem: { code, status: 502 }, next: "advance" });
    expect(rt.model.calls).toBe(3);
    expect(records[0]?.entry.corrections).toHaveLength(2);
    expect(records[0]?.state.machine).toMatchObject({ state: "execute", at: "deciding" });
  });

  test("restarts with every turn", async () => {
    const { rt, thread } = await play([unknownTool, unproven, looking, unknownTool, unproven, { action: "ask_user" }]);
    expect(unwrap(await thread.turn()).records[0]?.entry.corrections).toHaveLength(2);
    expect(unwrap(await thread.turn()).records[0]?.entry.corrections).toHaveLength(2);
    expect(rt.model.calls).toBe(6);
  });

  test("is not reset by a decision that parses before it is judged", async () => {
    const { rt, thread } = await play([unproven, unknownTool, unproven]);
    expect(unwrap(await thread.turn()).outcome).toMatchObject({ kind: "failed" });
    expect(rt.model.calls).toBe(3);
  });

  test("fails the thread after five such turns, and a successful turn resets the count", async () => {
    const failing = [unproven, unproven, unproven];
    const script = [...failing, looking, ...failing, ...failing, ...failing, ...failing, ...failing];
    const { thread } = await play(script);
    const states: string[] = [];
    for (let i = 0; i < 7; i += 1) states.push(unwrap(await thread.turn()).outcome.thread.state);
    expect(states).toEqual([...Array<string>(6).fill("execute"), "failed"]);
    expect(problemCode(await thread.turn())).toBe("thread_failed");
  });
});

test("a write under continue is gated: nothing runs before a person says so", async () => {
  const ledger: string[] = [];
  const rt = createTestRuntime(
    [{ action: "continue", tool_call: { name: "write", arguments: { line: "a" } } }],
    [createWriteTool(ledger)],
  );
  const thread = await createTestThread(rt, { goal: "Write a", mode: "direct" });
  const { outcome } = unwrap(await thread.turn());
  expect(outcome).toMatchObject({ kind: "waiting", next: "confirm", gate: { kind: "confirmation" } });
  expect(ledger).toEqual([]);
});
