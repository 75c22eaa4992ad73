// Tests several questions in one gate and questions with several answers, from the call or decision to the reply that
// the model reads.
import { describe, expect, test } from "vitest";
import type { TurnInput } from "../../../src/schema/input.ts";
import { clarify } from "../../../src/toolkits/basics/clarify.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";

const ROOMS = { question: "Which rooms?", choices: ["A", "B", "C"], multiple: true };
const PEOPLE = { question: "How many people?" };
const WEEK = { question: "Which week?", choices: ["this week", "next week"] };
const clarifying = (args: object) => ({
  action: "continue",
  speak: "On it.",
  tool_call: { name: "clarify", arguments: args },
});

async function asking(decision: Record<string, unknown>) {
  const rt = createTestRuntime([decision, { action: "done", goal_check: "answered" }, "Done."], [clarify]);
  const thread = await createTestThread(rt, { goal: "Plan", mode: "direct", tools: { clarify: true } });
  const { outcome } = unwrap(await thread.turn());
  const { gate } = outcome.thread;
  if (gate?.kind !== "question") throw new Error("no question gate");
  return { rt, thread, gate, speak: outcome.turn?.speak };
}
type Answer = Omit<Extract<TurnInput, { type: "answer" }>, "type" | "gate_id">;
async function replyTo(decision: Record<string, unknown>, answer: Answer) {
  const { rt, thread, gate } = await asking(decision);
  const turn = await thread.turn({ type: "answer", gate_id: gate.id, ...answer });
  if (!turn.ok) return turn.problem;
  const receipt = turn.value.outcome.turn?.receipts[0]?.summary;
  return {
    receipt,
    prompt: rt.model.requests
      .at(-1)
      ?.messages.map(({ content }) => content)
      .join("\n"),
  };
}
const BATCH = clarifying({ questions: [ROOMS, PEOPLE, WEEK] });

describe("several questions in one gate", () => {
  test.each([
    ["a call", BATCH],
    ["a decision", { action: "ask_user", questions: [ROOMS, PEOPLE, WEEK] }],
  ])("%s opens one gate with all of them, and lists them as text for other clients", async (_how, decision) => {
    const { gate, speak } = await asking(decision);
    expect(gate.questions).toEqual([ROOMS, { ...PEOPLE, choices: [], multiple: false }, { ...WEEK, multiple: false }]);
    expect(gate.choices).toEqual([]);
    const listed =
      "1. Which rooms? (several are possible)\n   - A\n   - B\n   - C\n2. How many people?\n3. Which week?\n   - this week\n   - next week";
    expect([gate.text, speak]).toEqual([listed, listed]);
  });

  test("are answered together, and the model reads the answers by number", async () => {
    const answers = [{ choices: ["A", "C"], text: "or the hall" }, { text: "12" }, { choices: ["next week"] }];
    const { receipt, prompt } = (await replyTo(BATCH, { answers })) as Record<string, string>;
    expect(receipt).toContain("1. A; C; or the hall");
    expect(prompt).toContain("1. A; C; or the hall\n  2. 12\n  3. next week");
  });

  test("accept one text from a client that knows only one question", async () => {
    expect(await replyTo(BATCH, { text: "A, twelve, next week" })).toMatchObject({ receipt: "A, twelve, next week" });
  });

  const two = [{ text: "12" }, { choices: ["next week"] }];
  test.each<[string, Answer, string]>([
    ["too few answers", { answers: two }, "input.answers"],
    ["an empty answer", { answers: [{}, ...two] }, "input.answers.0"],
    ["a choice that does not exist", { answers: [{ choices: ["D"] }, ...two] }, "input.answers.0.choices"],
    ["a choice twice", { answers: [{ choices: ["A", "A"] }, ...two] }, "input.answers.0.choices"],
    [
      "two answers where one is possible",
      { answers: [{ text: "A" }, { text: "1" }, { choices: ["this week", "next week"] }] },
      "input.answers.2.choices",
    ],
    ["a choice without its question", { choice: "A" }, "input.choice"],
    ["two kinds of answers", { text: "x", answers: [{ text: "A" }, ...two] }, "input.text"],
    ["nothing", {}, "input.text"],
  ])("refuse %s and stay open", async (_what, answer, field) => {
    expect(await replyTo(BATCH, answer)).toMatchObject({ code: "request_invalid", details: { field } });
  });

  test("of one question without several answers are an ordinary question", async () => {
    const { gate } = await asking(clarifying({ questions: [WEEK] }));
    expect(gate).toMatchObject({ text: "Which week?", choices: WEEK.choices });
    expect(gate.questions).toBeUndefined();
  });

  test("expire together, and the model decides from what is known", async () => {
    const { rt, thread } = await asking(clarifying({ questions: [ROOMS, PEOPLE], expires_in_s: 20 }));
    rt.clock.advance(20_001);
    unwrap(await thread.turn());
    expect(rt.model.requests.at(-1)?.messages[1]?.content).toContain("Decide from what is known.");
  });
});

describe("a question with several answers", () => {
  const one = clarifying(ROOMS);

  test("takes several choices, and one choice from a client that knows no more", async () => {
    expect(await replyTo(one, { answers: [{ choices: ["A", "B"] }] })).toMatchObject({ receipt: "A; B" });
    expect(await replyTo(one, { choice: "B" })).toMatchObject({ receipt: "B" });
  });

  test("a plain question accepts the same form with one answer", async () => {
    expect(await replyTo(clarifying(WEEK), { answers: [{ choices: ["next week"] }] })).toMatchObject({
      receipt: "next week",
    });
    const both = { answers: [{ choices: WEEK.choices }] };
    expect(await replyTo(clarifying(WEEK), both)).toMatchObject({ code: "request_invalid" });
  });
});

describe("the arguments of clarify", () => {
  test.each([
    ["no question", {}],
    ["six questions", { questions: Array(6).fill(PEOPLE) }],
    ["no questions", { questions: [] }],
    ["choices beside questions", { questions: [PEOPLE], choices: ["A"] }],
    ["a default for several questions", { questions: [PEOPLE, WEEK], default: "x" }],
    ["several answers without choices", { question: "Which?", multiple: true }],
    ["equal choices", { question: "Which?", choices: ["A", { label: "A" }] }],
    ["a choice without text", { question: "Which?", choices: [{ icon: "x" }] }],
    ["an empty question", { questions: [{ question: "  " }] }],
    ["questions that do not fit into a gate", { questions: Array(5).fill({ question: "問".repeat(500) }) }],
  ])("%s are refused", (_what, args) => {
    expect(clarify.input.safeParse(args).success).toBe(false);
  });

  test("choices that a model writes as objects are shown by their label", async () => {
    const choices = [{ label: "A", description: "the large one" }, { title: "B" }, { text: "C" }, { description: "D" }];
    const { gate } = await asking(clarifying({ question: "Which?", choices }));
    expect(gate.choices).toEqual(["A", "B", "C", "D"]);
  });
});

test.each([
  ["more than five", Array(6).fill("Why?")],
  ["an entry without a question", [{ choices: ["A"] }]],
  ["an object", { question: "Why?" }],
])("a decision with %s is corrected", async (_what, questions) => {
  const rt = createTestRuntime(
    [
      { action: "ask_user", questions },
      { action: "ask_user", speak: "Why?" },
    ],
    [],
  );
  const thread = await createTestThread(rt, { goal: "Plan", mode: "direct" });
  unwrap(await thread.turn());
  expect(rt.model.requests).toHaveLength(2);
  expect(problemCode(await thread.turn())).toBe("gate_open");
});
