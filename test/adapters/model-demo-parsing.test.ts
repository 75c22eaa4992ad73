import { describe, expect, test } from "vitest";
import { intentOf } from "../../src/adapters/model-demo/parse-request.ts";
import {
  NO_CONSTRAINT,
  parseConstraint,
  parseDuration,
  parseNumber,
  refine,
} from "../../src/adapters/model-demo/place-constraint.ts";
import { matchTask, resolveTask, tasksIn } from "../../src/adapters/model-demo/tasks.ts";
import { sampleSemester } from "../../src/toolkits/timetable/sample.ts";
import { readToolSpecs } from "../../src/toolkits/timetable/tool-specs.ts";

describe("intents", () => {
  test.each([
    ["Move the essay outline to Thursday", "move"],
    ["please reschedule sheet 2", "move"],
    ["Find a free morning and move the reading there", "move"],
    ["put off the error analysis", "move"],
    ["把论文提纲挪到周五", "move"],
    ["Schedule the lab report on day 4", "place"],
    ["Find a place for the lab report", "place"],
    ["帮我安排实验报告", "place"],
    ["swap A and B", "swap"],
    ["对调这两个", "swap"],
    ["even out my week", "spread"],
    ["让第1周均衡一点", "spread"],
    ["clear Monday", "clear"],
    ["Take the essay outline off the calendar", "clear"],
    ["清空周一", "clear"],
    ["undo that move", "undo"],
    ["撤销移动", "undo"],
    ["When do I have free time?", "find"],
    ["周三有空吗", "find"],
    ["What is my schedule for Monday?", "show"],
    ["show my schedule", "show"],
    ["周三有什么安排", "show"],
    ["list my tasks", "show_tasks"],
    ["where is sheet 2", "show_task"],
    ["Is my schedule good enough?", "evaluate"],
    ["有冲突吗", "evaluate"],
    ["What can you do?", "help"],
    ["Good morning", "greet"],
    ["谢谢", "thanks"],
    ["Thank you", "thanks"],
    ["Who are you?", "help"],
    ["你是谁", "help"],
    ["How busy am I?", "evaluate"],
    ["Is my schedule good?", "evaluate"],
    ["我的日程怎么样", "evaluate"],
    ["Cancel the lab report", "clear"],
    ["取消论文提纲", "clear"],
    ["never mind", "stop"],
    ["算了", "stop"],
    ["What's the weather?", "unknown"],
    ["Write me a poem", "unknown"],
    ["book a flight", "unknown"],
  ])("%s", (text, intent) => expect(intentOf(text)).toBe(intent));
});

describe("constraints and durations", () => {
  test.each([
    ["Thursday of week 2", { weekday: 4, week: 2 }],
    ["the second week on tue", { weekday: 2, week: 2 }],
    ["day 4 slots 9-10", { day: 4, slot: 9 }],
    ["day twelve", { day: 12 }],
    ["a free morning", { part: "morning", anywhere: true }],
    ["as soon as possible", { earliest: true, anywhere: true }],
    ["第二周周四", { weekday: 4, week: 2 }],
    ["第11天(第2周 周四) 第1-2节", { day: 11, week: 2, weekday: 4, slot: 1 }],
    ["星期天下午", { weekday: 7, part: "afternoon" }],
    ["第十二天", { day: 12 }],
    ["the essay outline", {}],
  ])("%s", (text, found) => expect(parseConstraint(text)).toEqual({ ...NO_CONSTRAINT, ...found }));

  test.each([
    ["find two slots", 2],
    ["3 free slots on Thursday", 3],
    ["a free slot", 1],
    ["找两节连续的时间", 2],
    ["第3节", null],
    ["slot 3", null],
    ["slots 3-4", null],
  ])("%s takes %s slots", (text, slots) => expect(parseDuration(text)).toBe(slots));

  test.each([
    ["7", 7],
    ["seven", 7],
    ["third", 3],
    ["七", 7],
    ["两", 2],
    ["十", 10],
    ["十二", 12],
    ["二十", 20],
    ["x", null],
  ])("%s is the number %s", (text, number) => expect(parseNumber(text)).toBe(number));

  test("a new day replaces the old one, a new weekday keeps the week, a new time keeps the day", () => {
    const before = parseConstraint("Thursday of week 2 slot 3");
    expect(refine(before, parseConstraint("day 12"))).toEqual(parseConstraint("day 12"));
    expect(refine(before, parseConstraint("Friday"))).toEqual(parseConstraint("Friday of week 2"));
    expect(refine(before, parseConstraint("in the morning"))).toEqual(
      parseConstraint("Thursday of week 2 in the morning"),
    );
    expect(refine(before, parseConstraint("thanks"))).toEqual(before);
  });
});

describe("matching tasks", () => {
  const listed = readToolSpecs.find(({ name }) => name === "list_tasks")?.execute(sampleSemester(), {});
  const tasks = tasksIn(listed?.ok ? listed.value.text : "");
  const named = (text: string) => {
    const match = matchTask(text, tasks);
    return match.kind === "one" ? match.task.id : match.kind === "several" ? match.tasks.map(({ id }) => id) : null;
  };

  test("every line of the list is parsed: number, name, status, positions, length", () => {
    expect(tasks).toHaveLength(23);
    expect(tasks.find(({ id }) => id === 11)).toEqual({
      id: 11,
      name: "Proof exercises, sheet 1",
      status: "suggested",
      fixed: false,
      places: [{ day: 1, week: 1, weekday: 1, slot: 5, end: 6 }],
      duration: 2,
    });
    expect(tasks.find(({ id }) => id === 21)).toMatchObject({ status: "pending", duration: 3, places: [] });
  });

  test.each([
    ["the essay outline", 13],
    ["Essay outlines", 13],
    ["essay outlin", 13],
    ["proof exercises", [11, 15]],
    ["sheet 2", 15],
    ["[15] Proof exercises, sheet 2", 15],
    ["task 16", 16],
    ["#16", 16],
    ["误差分析", 12],
    ["2", null],
    ["the mountain", null],
  ])("%s", (text, found) => expect(named(text)).toEqual(found));

  test("an applicable task is preferred to one that is not, but not over a better match", () => {
    const pending = (text: string) => resolveTask([text], tasks, ({ status }) => status === "pending");
    expect(pending("algebra")).toMatchObject({ task: { id: 21 } });
    expect(pending("linear algebra")).toMatchObject({ task: { id: 1 } });
  });

  test("an answer takes precedence over the request", () => {
    const meant = resolveTask(["the proof exercises", "sheet 1, of course"], tasks, () => true);
    expect(meant).toMatchObject({ kind: "one", task: { id: 11 } });
  });
});
