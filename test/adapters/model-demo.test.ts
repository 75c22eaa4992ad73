import { describe, expect, test } from "vitest";
import { createDemoModel } from "../../src/adapters/model-demo/model-demo.ts";
import type { CreateInput, TurnInput } from "../../src/schema/input.ts";
import { ok } from "../../src/schema/problem.ts";
import type { TurnResult } from "../../src/schema/turn-result.ts";
import { clarify } from "../../src/toolkits/basics/clarify.ts";
import { time } from "../../src/toolkits/basics/time.ts";
import { sampleSemester } from "../../src/toolkits/timetable/sample.ts";
import type { Calendar } from "../../src/toolkits/timetable/schema/calendar.ts";
import { schedulingTools } from "../../src/toolkits/timetable/tools.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { createMemoryCalendarStore } from "../support/calendars.ts";
import { runToEnd, type UserScript } from "../support/run-to-end.ts";
import { createTestRuntime, createTestThread } from "../support/runtime.ts";

/** Creates a thread with the sample semester and the demo model. Each goal is one run on it. */
async function aDemo(create: CreateInput = {}) {
  const demo = createDemoModel();
  const tools = [clarify, ...schedulingTools(createMemoryCalendarStore(), { output_trust: "trusted" })];
  const rt = createTestRuntime([], tools, { pickModel: () => demo });
  const thread = await createTestThread(rt, create);
  const run = (goal: string, person: UserScript = {}): Promise<readonly TurnResult[]> =>
    runToEnd(
      async (input) => {
        const made = await thread.turn(input);
        return made.ok ? ok(made.value.outcome) : made;
      },
      person,
      { type: "message", text: goal },
    );
  return { run, thread };
}

const callsOf = (outcomes: readonly TurnResult[]) =>
  outcomes.flatMap(({ turn }) => {
    const decision = turn?.decision;
    return decision && "tool_call" in decision && decision.tool_call ? [decision.tool_call] : [];
  });
/** Returns the tools that ran. The first call of a plan runs only if the plan is approved. */
const toolsRun = (outcomes: readonly TurnResult[]) =>
  outcomes.flatMap(({ turn }) => (turn?.receipts ?? []).map(({ name }) => name));
const writesOf = (outcomes: readonly TurnResult[]) =>
  outcomes.flatMap(({ turn }) =>
    (turn?.receipts ?? []).filter((one) => one.kind === "settled" && one.source === "write_receipt" && one.success),
  );
const finalMessage = (outcomes: readonly TurnResult[]) => outcomes.at(-1)?.turn?.speak ?? "";
const endOf = (outcomes: readonly TurnResult[]) => {
  const { outcome, evidence } = outcomes.at(-1)?.thread ?? {};
  return { outcome, evidence };
};
const PROVEN = { outcome: "completed", evidence: "proven" };
const GIVEN_UP = { outcome: "aborted", evidence: "none" };

describe("model calls", () => {
  test.each([
    ["What is on Friday of week 4?", {}, 3],
    ["Show my week", {}, 2],
    ["Move the essay outline to Thursday of week 2", {}, 4],
    ["Move the essay outline to Thursday of week 2", { mode: "direct" }, 4],
    ["Hello", { mode: "direct" }, 1],
  ] as const)("%s %j takes %i", async (goal, create, calls) => {
    const { run } = await aDemo(create);
    const used = (await run(goal)).map(({ turn }) => turn?.usage?.model_calls ?? 0);
    expect(used.reduce((sum, n) => sum + n, 0)).toBe(calls);
  });
});

describe("capabilities", () => {
  test.each([
    ["Move the essay outline to Thursday of week 2", "move", { task_id: 13, new_day: 11, new_slot_start: 1 }],
    ["Please move error analysis to day 4 slot 9", "move", { task_id: 12, new_day: 4, new_slot_start: 9 }],
    ["把论文提纲移到第二周周四", "move", { task_id: 13, new_day: 11, new_slot_start: 1 }],
    ["Place the lab report on a free morning in week 2", "place", { task_id: 23, day: 8, slot_start: 3 }],
    ["把实验报告安排到第9天", "place", { task_id: 23, day: 9, slot_start: 3 }],
    ["Swap the essay outline and error analysis", "swap", { task_a: 13, task_b: 12 }],
    ["交换误差分析和论文提纲", "swap", { task_a: 12, task_b: 13 }],
    ["Take the vocabulary review off the calendar", "unplace", { task_id: 16 }],
    ["把词汇复习从日历上拿掉", "unplace", { task_id: 16 }],
    ["Spread out week 1", "spread_even", { task_ids: [10, 11, 12, 13, 14, 15, 16, 18], day_scope: "workday", week: 1 }],
    [
      "把第1周的任务均匀分散",
      "spread_even",
      { task_ids: [10, 11, 12, 13, 14, 15, 16, 18], day_scope: "workday", week: 1 },
    ],
  ])("%s", async (goal, tool, args) => {
    const { run } = await aDemo();
    const outcomes = await run(goal);
    expect(callsOf(outcomes).at(-1)).toEqual({ name: tool, arguments: args });
    expect(writesOf(outcomes)).toHaveLength(1);
    expect(endOf(outcomes)).toEqual(PROVEN);
    expect(finalMessage(outcomes)).toMatch(/^(?:Done|完成): /);
    expect(finalMessage(outcomes)).not.toContain("rcp_");
  });

  test.each([
    ["Show my calendar", "get_overview", "35 days of 12 slots"],
    ["看看第2周", "get_overview", "第8天(第2周 周一)"],
    ["Show day 3", "query_range", "[16] Vocabulary review"],
    ["What is on Monday of week 2?", "query_range", "Day 8 (week 2, Mon)"],
    ["Which tasks are pending?", "list_tasks", "[23] Lab report draft"],
    ["还有哪些任务没安排", "list_tasks", "[23] Lab report draft"],
    ["Where is the error analysis?", "get_task_info", "day 1 (week 1, Mon) slots 7-8"],
    ["Find 3 free slots on Thursday", "query_available_slots", "day 4 (week 1, Thu) slots 9-11"],
    ["找两节空闲时间", "query_available_slots", "第8天(第2周 周一) 第3-4节"],
    ["Is my schedule good enough?", "evaluate", "Good enough to stop: no"],
  ])("%s", async (goal, tool, expected) => {
    const { run } = await aDemo();
    const outcomes = await run(goal);
    expect(callsOf(outcomes).at(-1)?.name).toBe(tool);
    expect(writesOf(outcomes)).toEqual([]);
    expect(endOf(outcomes)).toEqual(PROVEN);
    expect(finalMessage(outcomes)).toContain(expected);
  });

  test("a move is planned as two observations and a write, and each step states its proof", async () => {
    const { run } = await aDemo();
    const [planned] = await run("Move the essay outline to Thursday of week 2");
    const gate = planned?.thread.gate;
    expect(gate?.kind === "plan" && gate.steps.map((step) => step.needs)).toEqual([
      "observation",
      "observation",
      "write",
    ]);
  });

  test("the next run undoes the previous one, and 'it' is the task of the last write", async () => {
    const { run } = await aDemo();
    await run("Move the essay outline to day 4");
    const again = await run("Now move it to day 5");
    expect(callsOf(again).at(-1)?.arguments).toMatchObject({ task_id: 13, new_day: 5 });
    const undone = await run("undo that");
    expect(finalMessage(undone)).toContain("Undid the last change: Essay outline from day 5 (week 1, Fri)");
  });

  test("a day is cleared task by task, and a rejection is reported with its reason", async () => {
    const { run } = await aDemo();
    const outcomes = await run("Clear day 1", { writes: [true, "keep that one", true, true] });
    expect(writesOf(outcomes)).toHaveLength(3);
    expect(finalMessage(outcomes)).toContain('Not done: unplace {"task_id":11}. You said no ("keep that one")');
    expect(endOf(outcomes)).toEqual(PROVEN);
  });

  test.each(["Move the essay outline to day 4", "清空第2天", "Show day 2"])("in a direct run: %s", async (goal) => {
    const { run } = await aDemo({ mode: "direct" });
    const outcomes = await run(goal);
    expect(endOf(outcomes)).toEqual(PROVEN);
    expect(outcomes.every(({ turn }) => turn?.corrections.length === 0)).toBe(true);
  });
});

describe("an ambiguous request", () => {
  test("asks which task is meant, with choices", async () => {
    const { run } = await aDemo();
    const outcomes = await run("Move the proof exercises to day 4", { answers: [2] });
    expect(outcomes.find(({ turn }) => turn?.decision?.action === "ask_user")?.turn?.decision).toEqual({
      action: "ask_user",
      speak: "Which task do you mean?",
      choices: ["[11] Proof exercises, sheet 1", "[15] Proof exercises, sheet 2"],
    });
    expect(callsOf(outcomes).at(-1)?.arguments).toMatchObject({ task_id: 15, new_day: 4 });
  });

  test.each(["2", "the second one", "第二个", "sheet 2", "[15]"])(
    "the answer %s picks the second choice",
    async (text) => {
      const { run } = await aDemo();
      const outcomes = await run("Move the proof exercises to day 4", { answers: [text] });
      expect(callsOf(outcomes).at(-1)?.arguments).toMatchObject({ task_id: 15, new_day: 4 });
    },
  );

  test("asks for the week of a weekday, with real free places", async () => {
    const { run } = await aDemo();
    const outcomes = await run("把误差分析移到周四", { answers: [2] });
    expect(callsOf(outcomes).at(-1)?.arguments).toEqual({ task_id: 12, new_day: 11, new_slot_start: 1 });
  });

  test("offers other places of the day if the place is taken", async () => {
    const { run } = await aDemo();
    const outcomes = await run("Move the essay outline to day 4 slot 3", { answers: ["slots 9-10"] });
    expect(callsOf(outcomes).at(-1)?.arguments).toEqual({ task_id: 13, new_day: 4, new_slot_start: 9 });
  });

  test('"never mind" ends the run without changes', async () => {
    const { run } = await aDemo();
    const outcomes = await run("Move the mountain to day 4", { answers: ["never mind"] });
    expect(endOf(outcomes)).toEqual(GIVEN_UP);
    expect(writesOf(outcomes)).toEqual([]);
  });

  test("the same question is not repeated indefinitely", async () => {
    const { run } = await aDemo();
    const outcomes = await run("Move something", { answers: ["hm", "what?", "eh", "so"] });
    expect(endOf(outcomes)).toEqual(GIVEN_UP);
    expect(outcomes.filter(({ thread }) => thread.gate?.kind === "question")).toHaveLength(2);
  });

  test("without the tool clarify it asks in plain text", async () => {
    const { run } = await aDemo({ tools: { clarify: false } });
    const outcomes = await run("Move the proof exercises to day 4", { answers: ["sheet 1"] });
    expect(callsOf(outcomes).at(-1)?.arguments).toMatchObject({ task_id: 11, new_day: 4 });
  });
});

describe("refusals", () => {
  test.each([
    ["Move Linear Algebra to day 3", "[1] Linear Algebra is a fixed entry"],
    ["把线性代数移到第3天", "[1] Linear Algebra 是固定的"],
    ["Move the dentist appointment to day 3", "[8] Dentist appointment is a fixed entry"],
    ["Move the lab report draft to day 3", "has no place yet"],
    ["Place the essay outline on day 4", "has a place already"],
    ["Swap the essay outline with the vocabulary review", "only tasks of equal length can be swapped"],
    ["Move the essay outline to Monday of week 9", "The calendar refused it"],
    ["Show day 77", "outside this calendar"],
    ["Undo the last change", "There is no change to undo"],
  ])("%s: explains why and changes nothing", async (goal, expected) => {
    const { run } = await aDemo();
    const outcomes = await run(goal);
    expect(endOf(outcomes)).toEqual(GIVEN_UP);
    expect(writesOf(outcomes)).toEqual([]);
    expect(finalMessage(outcomes)).toContain(expected);
  });

  test.each([
    ["Write me a poem", "aborted"],
    ["写首诗", "aborted"],
    ["hello", "completed"],
    ["你好", "completed"],
    ["What can you do?", "completed"],
  ])(
    "%s: answers immediately with its capabilities and how to use a real model, and the run is %s",
    async (goal, outcome) => {
      const { run } = await aDemo();
      const outcomes = await run(goal);
      expect(outcomes).toHaveLength(1);
      expect(finalMessage(outcomes)).toContain("docs/how-to/configure-a-model.md");
      expect(endOf(outcomes)).toEqual({ outcome, evidence: "none" });
    },
  );

  test("a rejected move is not executed, and the delivery reports this", async () => {
    const { run } = await aDemo();
    const outcomes = await run("Move the essay outline to day 4", { writes: ["I need that day"] });
    expect(writesOf(outcomes)).toEqual([]);
    expect(finalMessage(outcomes)).toBe('You said no ("I need that day"), so this was not done.');
    expect(endOf(outcomes)).toEqual(GIVEN_UP);
  });

  test.each([
    ["Move the essay outline to Thursday of week 2", "not Thursday, Friday please"],
    ["把论文提纲移到第二周周四", "不要周四,改到周五"],
  ])("%s, rejected with another day: proposes that day", async (goal, reason) => {
    const { run } = await aDemo();
    const outcomes = await run(goal, { writes: [reason, true] });
    expect(callsOf(outcomes).at(-1)?.arguments).toEqual({ task_id: 13, new_day: 12, new_slot_start: 3 });
    expect(endOf(outcomes)).toEqual(PROVEN);
  });

  test("a plan rejected with a new request is planned again; without one the run ends", async () => {
    const { run } = await aDemo();
    const replanned = await run("Move the essay outline to day 4", { plans: ["make it day 12"] });
    expect(callsOf(replanned).at(-1)?.arguments).toMatchObject({ task_id: 13, new_day: 12 });
    const other = await run("Move the error analysis to day 4", { plans: ["show me day 4 first"] });
    expect(toolsRun(other)).toEqual(["query_range"]);
    expect(callsOf(other).at(-1)).toEqual({ name: "query_range", arguments: { day: 4 } });
    const left = await run("Move the error analysis to day 5", { plans: ["no"] });
    expect(toolsRun(left)).toEqual([]);
  });

  test("a disabled tool is named as missing", async () => {
    const { run } = await aDemo({ tools: { move: false } });
    expect(finalMessage(await run("Move the essay outline to day 4"))).toContain("That requires move");
  });
});

describe("mistakes on request", () => {
  test("garbage: two invalid replies are corrected, the third is used", async () => {
    const { run } = await aDemo();
    const outcomes = await run("Move the essay outline to day 4 /misbehave garbage");
    expect(outcomes[0]?.turn?.corrections.map(({ code }) => code)).toEqual(["decision_invalid", "decision_invalid"]);
    expect(outcomes.slice(1).flatMap(({ turn }) => turn?.corrections ?? [])).toEqual([]);
    expect(endOf(outcomes)).toEqual(PROVEN);
  });

  test("early-done: a claim without a receipt is refused, then the write is proposed", async () => {
    const { run } = await aDemo();
    const outcomes = await run("Move the essay outline to day 4 /misbehave early-done");
    const corrected = outcomes.filter(({ turn }) => (turn?.corrections.length ?? 0) > 0);
    expect(corrected).toHaveLength(1);
    expect(corrected[0]?.turn).toMatchObject({
      decision: { action: "confirm" },
      corrections: [{ code: "decision_refused" }],
    });
    expect(endOf(outcomes)).toEqual(PROVEN);
  });

  test("early-done in a direct run is delivered as unproven and says so", async () => {
    const { run } = await aDemo({ mode: "direct" });
    const outcomes = await run("Move the essay outline to day 4 /misbehave early-done");
    expect(endOf(outcomes)).toEqual({ outcome: "completed", evidence: "none" });
    expect(finalMessage(outcomes)).toContain("nothing was changed");
  });

  test("unconfirmed-write: a write sent without confirmation is gated nevertheless", async () => {
    const { run } = await aDemo();
    const outcomes = await run("Move the essay outline to day 4 /misbehave unconfirmed-write");
    const gated = outcomes.find(({ thread }) => thread.gate?.kind === "confirmation");
    expect(gated?.turn?.decision?.action).toBe("continue");
    expect(gated?.thread.gate).toMatchObject({ reasons: [{ code: "manifest" }] });
  });
});

describe("common first messages", () => {
  test.each([
    ["Thanks!", "You are welcome."],
    ["Who are you?", "demo model"],
    ["你是谁", "演示模型"],
    ["Send an email to Bob", "Try"],
    ["/misbehave garbage", "Add a request after it"],
    ["/misbehave everything", "Add a request after it"],
  ])("%s is answered with guidance", async (goal, expected) => {
    const { run } = await aDemo();
    expect(finalMessage(await run(goal))).toContain(expected);
  });

  test.each([
    ["How busy am I?", "Good enough to stop: no"],
    ["我的日程怎么样", "已经够好:否"],
  ])("%s is answered with a measurement", async (goal, expected) => {
    const { run } = await aDemo();
    const outcomes = await run(goal);
    expect(callsOf(outcomes).map(({ name }) => name)).toEqual(["evaluate"]);
    expect(finalMessage(outcomes)).toContain(expected);
  });

  test('the word "schedule" matches no task', async () => {
    const { run } = await aDemo();
    const outcomes = await run("Schedule the gym every day", { answers: ["never mind"] });
    expect(callsOf(outcomes).map(({ name }) => name)).toEqual(["list_tasks"]);
    expect(outcomes.some(({ turn }) => turn?.speak?.startsWith("I cannot find a task like that."))).toBe(true);
  });

  test("all tasks are removed one by one, and the delivery counts those that are folded", async () => {
    const { run } = await aDemo();
    const outcomes = await run("Delete all my tasks");
    const writes = writesOf(outcomes);
    const delivery = finalMessage(outcomes);
    const earlier = Number(/^Done earlier in this run: (\d+) changes/.exec(delivery)?.[1]);
    expect(writes).toHaveLength(9);
    expect(earlier + (delivery.match(/is pending again/g) ?? []).length).toBe(9);
  });
});

describe("a day counted from today", () => {
  /** The distance to day 3. The test clock starts on a Monday. */
  const WEEKDAY_3 = 2 * 86_400_000;
  const aDay = async (initial: Calendar | null, later_ms = 0, extra: readonly Tool[] = [time]) => {
    const demo = createDemoModel();
    const shelf = { output_trust: "trusted" as const, ...(initial ? { initial } : {}) };
    const tools = [clarify, ...extra, ...schedulingTools(createMemoryCalendarStore(), shelf)];
    const rt = createTestRuntime([], tools, { pickModel: () => demo });
    rt.clock.advance(later_ms);
    return (goal: string, more: CreateInput = {}) => runOn(rt, goal, more);
  };
  const runOn = async (rt: Runtime, goal: string, more: CreateInput) => {
    const thread = await createTestThread(rt, more);
    const advance = async (input: TurnInput | null) => {
      const made = await thread.turn(input);
      return made.ok ? ok(made.value.outcome) : made;
    };
    return runToEnd(advance, {}, { type: "message", text: goal });
  };

  test.each([
    ["What is on today?", 3],
    ["Show me tomorrow", 4],
    ["tomorrow?", 4],
    ["What do I have the day after tomorrow?", 5],
    ["Show yesterday", 2],
    ["今天有什么", 3],
    ["看看明天的日程", 4],
  ])("%s", async (goal, day) => {
    const run = await aDay(null, WEEKDAY_3);
    for (const mode of ["plan", "direct"] as const) {
      const outcomes = await run(goal, { mode });
      expect(callsOf(outcomes).map(({ name }) => name)).toEqual(["get_overview", "time", "query_range"]);
      expect(callsOf(outcomes).at(-1)?.arguments).toEqual({ day });
      expect(endOf(outcomes)).toEqual(PROVEN);
    }
  });

  test("is found by its date, and the answer says so if the calendar does not have it", async () => {
    const run = await aDay({ ...sampleSemester(), starts_on: "2026-02-23" });
    const within = await run("Show today");
    expect(callsOf(within).at(-1)).toEqual({ name: "query_range", arguments: { day: 8 } });
    expect(finalMessage(within)).not.toContain("instead");
    const sample = await aDay(null, WEEKDAY_3);
    expect(finalMessage(await sample("Show today"))).toMatch(
      /^This calendar runs from 2026-09-07 to 2026-10-11; instead,/,
    );
  });

  test("is the weekday of the first week if the calendar has no dates", async () => {
    const run = await aDay({ ...sampleSemester(), starts_on: null }, WEEKDAY_3);
    const outcomes = await run("Show tomorrow");
    expect(callsOf(outcomes).at(-1)).toEqual({ name: "query_range", arguments: { day: 4 } });
    expect(finalMessage(outcomes)).not.toContain("instead");
  });

  test("is not guessed without the time tool", async () => {
    const run = await aDay(null, 0, []);
    expect(finalMessage(await run("Show today"))).toContain("That requires time");
  });
});
