import { describe, expect, test } from "vitest";
import { NO_SETTINGS } from "../../../src/schema/settings.ts";
import { askUserQuestion, clarify } from "../../../src/toolkits/basics/clarify.ts";
import { escalate, TAKEN_OVER } from "../../../src/toolkits/basics/escalate.ts";
import { resolveTools } from "../../../src/tools/resolve.ts";
import { attachTestThread, createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";

const calling = (name: string, args: Record<string, unknown>) => ({
  action: "continue",
  speak: "On it.",
  tool_call: { name, arguments: args },
});
const done = { action: "done", goal_check: "answered" };
const asking = async (name: string, args: Record<string, unknown>, tools = [clarify]) => {
  const rt = createTestRuntime([calling(name, args), done, "Done."], tools);
  const thread = await createTestThread(rt, { goal: "Pick", mode: "direct", tools: { [name]: true } });
  const asked = unwrap(await thread.turn());
  const { gate } = asked.outcome.thread;
  if (gate?.kind !== "question") throw new Error("no question gate");
  return { rt, thread, asked, gate };
};
const WEEK = { question: "Which week?", choices: ["this week", "next week"] };

describe("a question asked by a tool call", () => {
  test("has at most four choices", () => {
    expect(clarify.input.safeParse({ question: "x", choices: ["1", "2", "3", "4"] }).success).toBe(true);
    expect(clarify.input.safeParse({ question: "x", choices: ["1", "2", "3", "4", "5"] }).success).toBe(false);
  });

  test("ends the turn with the question and its choices as text and as a gate; nothing ran", async () => {
    const { asked, gate } = await asking("clarify", WEEK);
    expect(asked.outcome).toMatchObject({ kind: "waiting", next: "answer" });
    expect(gate).toMatchObject({ text: "Which week?", choices: ["this week", "next week"] });
    expect(asked.outcome.turn?.speak).toBe("Which week?\n1. this week\n2. next week");
    expect(asked.outcome.turn?.receipts).toEqual([]);
  });

  test.each([
    [
      "an answer by gate",
      (gate_id: string) => ({ type: "answer" as const, gate_id: gate_id as never, choice: "next week" }),
    ],
    ["the next message", () => ({ type: "message" as const, text: "next week" })],
  ])("accepts %s as the reply, on any instance", async (_how, input) => {
    const { rt, thread, gate } = await asking("clarify", WEEK);
    const elsewhere = attachTestThread({ ...rt, running: new Set() }, thread.at.thread);
    const answered = unwrap(await elsewhere.turn(input(gate.id)));
    expect(answered.outcome.turn?.receipts).toMatchObject([
      { source: "user_reply", success: true, summary: "next week", gate_id: gate.id },
    ]);
  });

  test("is not changed by an answer to another question, and a second answer fails with gate_closed", async () => {
    const { rt, thread, gate } = await asking("clarify", WEEK);
    const wrong = { type: "answer" as const, gate_id: "gat_00000000000000000000000000" as never, text: "x" };
    expect(problemCode(await thread.turn(wrong))).toBe("gate_closed");
    const right = { type: "answer" as const, gate_id: gate.id, choice: "this week" };
    const answered = unwrap(await thread.turn(right));
    const version = answered.outcome.thread.version;
    expect(problemCode(await thread.turn(right))).toBe("gate_closed");
    expect(unwrap(await rt.store.load(thread.at, 1)).head.version).toBe(version);
  });

  test("continues after its expiry with text that says so, and a receipt that proves nothing", async () => {
    const { rt, thread } = await asking("clarify", { ...WEEK, expires_in_s: 20 });
    rt.clock.advance(20_001);
    const went = unwrap(await thread.turn());
    expect(went.outcome.turn?.receipts).toMatchObject([{ source: "user_reply", success: false, summary: "timed out" }]);
    expect(went.outcome.thread.proofs).toEqual([]);
    expect(rt.model.requests.at(-1)?.messages[1]?.content).toContain(
      "The user did not answer in time. Decide from what is known.",
    );
  });

  test("continues with its default if it has one", async () => {
    const { rt, thread } = await asking("clarify", { ...WEEK, expires_in_s: 20, default: "this week" });
    rt.clock.advance(20_001);
    unwrap(await thread.turn());
    expect(rt.model.requests.at(-1)?.messages[1]?.content).toContain("Go on with the default: this week");
  });

  test("works the same under its alias, where the alias is enabled", async () => {
    const { gate } = await asking("ask_user_question", WEEK, [askUserQuestion]);
    expect(gate.choices).toEqual(WEEK.choices);
  });

  test("is not offered to a child, which can only hand over to its parent", () => {
    const query = {
      manifests: [clarify, escalate].map((tool) => tool.manifest),
      settings: NO_SETTINGS,
      agent: "a",
      agent_tools: null,
      overrides: {},
    };
    const child = resolveTools({
      ...query,
      child: { allowed: null, roots: ["."], shell: true, readonly: false, depth: 1 },
    });
    expect(child.tools.map(({ name }) => name)).toEqual(["escalate"]);
    expect(child.disabled).toEqual({ clarify: "child_not_allowed" });
  });
});

describe("escalating to a person", () => {
  const request = { reason: "The invoice needs a signature.", done_so_far: "I wrote it.", needed: "Sign it." };

  test("asks that person, and the run continues with the answer", async () => {
    const { thread, gate } = await asking("escalate", request, [escalate]);
    expect(gate.text).toBe(
      "A person has to take over: The invoice needs a signature.\nDone so far: I wrote it.\nNeeded: Sign it.",
    );
    expect(gate.choices).toContain(TAKEN_OVER);
    const answered = unwrap(await thread.turn({ type: "answer", gate_id: gate.id, choice: TAKEN_OVER }));
    expect(answered.outcome.turn?.receipts).toMatchObject([{ source: "user_reply", summary: TAKEN_OVER }]);
    expect(answered.outcome.thread.state).toBe("deliver");
  });
});
