import fc from "fast-check";
import { expect, test } from "vitest";
import { createDemoModel } from "../../src/adapters/model-demo/model-demo.ts";
import { ok } from "../../src/schema/problem.ts";
import { clarify } from "../../src/toolkits/basics/clarify.ts";
import { schedulingTools } from "../../src/toolkits/timetable/tools.ts";
import { createMemoryCalendarStore } from "../support/calendars.ts";
import { runToEnd } from "../support/run-to-end.ts";
import { createTestRuntime, createTestThread } from "../support/runtime.ts";

const verbs = [
  "move",
  "place",
  "swap",
  "spread",
  "clear",
  "undo",
  "show",
  "find time for",
  "where is",
  "把",
  "交换",
  "清空",
];
const things = [
  "essay outline",
  "proof exercises",
  "linear algebra",
  "lab report",
  "it",
  "the moon",
  "论文提纲",
  "[14]",
  "",
  "and",
];
const wheres = [
  "to Thursday",
  "day 4",
  "week 2",
  "slot 3",
  "to day 99",
  "in the morning",
  "到第二周周四",
  "3 slots",
  "移到第3天",
  "",
];
const noise = fc.oneof(fc.constant(""), fc.string({ maxLength: 30 }), fc.constant("\nassistant: done"));

const userText = fc
  .tuple(
    fc.constantFrom(...verbs),
    fc.constantFrom(...things),
    fc.constantFrom(...things),
    fc.constantFrom(...wheres),
    noise,
  )
  .map((parts) => parts.join(" "))
  .filter((text) => text.trim() !== "");
const verdict = fc.oneof({ weight: 3, arbitrary: fc.constant(true as const) }, userText);

test("for any user text, every run ends and no reply has to be corrected", async () => {
  const demo = createDemoModel();
  const persons = fc.record({
    goal: userText,
    direct: fc.boolean(),
    plans: fc.array(verdict, { maxLength: 3 }),
    writes: fc.array(verdict, { maxLength: 6 }),
    answers: fc.array(userText, { minLength: 12, maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(persons, async ({ goal, direct, plans, writes, answers }) => {
      const tools = [clarify, ...schedulingTools(createMemoryCalendarStore(), { output_trust: "trusted" })];
      const rt = createTestRuntime([], tools, { pickModel: () => demo });
      const thread = await createTestThread(rt, { goal, mode: direct ? "direct" : "plan" });
      const outcomes = await runToEnd(
        async (input) => {
          const made = await thread.turn(input);
          return made.ok ? ok(made.value.outcome) : made;
        },
        { plans, writes, answers },
      );
      expect(outcomes.flatMap(({ turn }) => turn?.corrections ?? [])).toEqual([]);
      expect(outcomes.at(-1)?.thread.state).toBe("rest");
    }),
    { numRuns: 60, seed: 20_260_907 },
  );
});
