// The documented set-up for a local model: a window of 8192 tokens. What a question is about stays in the prompt.
import { describe, expect, test } from "vitest";
import { buildPrompt } from "../../src/prompt/build-prompt.ts";
import { cutLines, topicOf } from "../../src/prompt/cut-lines.ts";
import { countQuarters } from "../../src/prompt/estimate.ts";
import { toolkitManifests } from "../../src/toolkits/all.ts";
import { getOverview } from "../../src/toolkits/timetable/queries/overview.ts";
import { sampleSemester } from "../../src/toolkits/timetable/sample.ts";
import { aCallEntry, anEntry, aThread } from "../support/thread.ts";

const BUDGET = { window: 8192, max_output_tokens: 1024, factor: 1 };
const tools = toolkitManifests().filter(({ toolkit }) => toolkit === "basics" || toolkit === "timetable");
const overview = getOverview(sampleSemester());
const list = Array.from({ length: 200 }, (_, i) => `- item ${i + 1}: something of no interest`);

function promptFor(goal: string, observations: readonly string[], factor = 1) {
  const entries = [
    anEntry({ turn: 0, create: { goal } }),
    ...observations.map((text, i) => aCallEntry({ turn: i + 1, name: "get_overview", arguments: { n: i }, text })),
  ];
  const thread = aThread({ entries, state: { goal, machine: { mode: "direct" } } });
  const prompt = buildPrompt(thread, tools, { ...BUDGET, factor }, { purpose: "execute" });
  if (!prompt.ok) throw new Error(prompt.problem.message);
  expect(prompt.value.estimate).toBeLessThanOrEqual(BUDGET.window - BUDGET.max_output_tokens);
  return prompt.value;
}

describe("a window of 8192 tokens", () => {
  test("shows an overview of a semester whole", () => {
    const { messages, folded } = promptFor("What is on Friday of week 4?", [overview.text]);
    expect(folded.cut).toBe(0);
    expect(messages[2].content).toContain(overview.text);
  });

  test.each([
    ["What is on Friday of week 4?", "- Day 26 (week 4, Fri)"],
    ["Where is the dentist appointment?", "[8] Dentist appointment"],
    ["第4周的周五有什么安排？Day 26", "- Day 26 (week 4, Fri)"],
  ])("keeps the line that “%s” is about, among long observations", (goal, line) => {
    const other = list.join("\n");
    for (const factor of [1, 1.5]) {
      const { messages, folded } = promptFor(goal, [other, overview.text, other, other], factor);
      expect(folded.cut).toBeGreaterThan(0);
      expect(messages[2].content).toContain(line);
    }
  });
});

describe("a list that is cut", () => {
  const text = list.with(120, "- item 121: the lost umbrella").join("\n");

  test.each([200, 400, 800])("to %i quarters keeps the line about the topic, its beginning and its end", (quarters) => {
    const cut = cutLines(text, topicOf(["Where is my umbrella?"]), quarters) ?? "";
    expect(countQuarters(cut)).toBeLessThanOrEqual(quarters);
    expect(cut).toContain("- item 121: the lost umbrella");
    expect(cut).toMatch(/^- item 1: /);
    expect(cut).toMatch(/\[… \d+ lines left out …\]\n- item 121/);
    const counted = [...cut.matchAll(/\[… (\d+) lines? left out/g)].reduce((sum, [, n]) => sum + Number(n), 0);
    expect(counted + cut.split("\n").filter((line) => line.startsWith("- ")).length).toBe(list.length);
  });

  test("finds whole numbers, beginnings of words and Chinese words", () => {
    const mixed = list.map((line, i) => `${line} ${["to me", "to you", "at all"][i % 3]}`);
    const lines = [...mixed.slice(0, 50), "- 看牙医", "- Fri 14th", "- 1400", ...mixed.slice(60)];
    const found = (topic: string): string => cutLines(lines.join("\n"), topicOf([topic]), 300) ?? "";
    expect(found("预约牙医")).toContain("看牙医");
    expect(found("on Friday?")).toContain("Fri 14th");
    expect(found("14")).toContain("Fri 14th");
    expect(found("14")).not.toContain("1400");
  });

  test("keeps a line that differs from all others, although the question does not name it", () => {
    const cut = cutLines(text, topicOf(["What went wrong?"]), 400) ?? "";
    expect(cut).toContain("- item 121: the lost umbrella");
    expect(countQuarters(cut)).toBeLessThanOrEqual(400);
  });

  test("is cut by characters if no line is about the topic or differs from the others, or if it is no list", () => {
    expect(cutLines(list.join("\n"), topicOf(["bicycle"]), 400)).toBeNull();
    expect(cutLines("one long line about an umbrella", topicOf(["umbrella"]), 10)).toBeNull();
  });
});
