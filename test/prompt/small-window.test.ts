// Tests the documented setup for a local model with a window of 8192 tokens. The subject of a question must stay in the
// prompt.
import { describe, expect, test } from "vitest";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { buildPrompt } from "../../src/prompt/build-prompt.ts";
import { fitWindow } from "../../src/prompt/compress.ts";
import { cutLines, lineNumbers, topicOf } from "../../src/prompt/cut-lines.ts";
import { countQuarters } from "../../src/prompt/estimate.ts";
import { buildWindow } from "../../src/prompt/window.ts";
import type { ReceiptId } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import { toolkitManifests } from "../../src/toolkits/all.ts";
import { recall } from "../../src/toolkits/basics/recall.ts";
import { getOverview } from "../../src/toolkits/timetable/queries/overview.ts";
import { sampleSemester } from "../../src/toolkits/timetable/sample.ts";
import { truncateMiddle } from "../../src/tools/truncate-text.ts";
import { buildObservation, NOT_RUN } from "../../src/turn/act/receipts.ts";
import { runBuiltin } from "../support/run-builtin.ts";
import { unwrap } from "../support/runtime.ts";
import { aCallEntry, anEntry, aThread, idOf } from "../support/thread.ts";
import { aContext, emptyOwnThread } from "../support/tool-context.ts";

const BUDGET = { window: 8192, max_output_tokens: 1024, factor: 1 };
const tools = toolkitManifests().filter(({ toolkit }) => toolkit === "basics" || toolkit === "timetable");
const overview = unwrap(getOverview(sampleSemester()));
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
    for (const factor of [1, 1.4]) {
      const { messages, folded } = promptFor(goal, [other, overview.text, other, other], factor);
      expect(folded.cut).toBeGreaterThan(0);
      expect(messages[2].content).toContain(line);
    }
  });
});

describe("a list that is too long to be stored whole", () => {
  const lines = Array.from(
    { length: 900 },
    (_, i) => `12:00 INFO request ${10_000 + i} of user-${i % 211} served /home`,
  );
  const log = [
    ...lines.slice(0, 517),
    "12:00 ERROR payment 88213 of user-137 failed: card declined",
    ...lines.slice(517),
  ];
  const state = aThread({
    state: { goal: "server.log has one failed payment. Whose was it?", machine: { mode: "direct" } },
  }).state;
  const store = (text: string) =>
    buildObservation({ hash: nodeHash }, idOf("rcp", 1) as ReceiptId, { text, run: NOT_RUN, about: state }, null);

  test("keeps the lines that the turn is about, and names the line from which more can be read", () => {
    const { observation, blobs } = store(log.join("\n"));
    expect(blobs).toHaveLength(1);
    expect(observation.text).toContain("request 10516");
    expect(observation.text).toContain("payment 88213");
    expect(observation.text.length).toBeLessThan(10_000);
    const entry = aCallEntry({ turn: 1, name: "bash", arguments: {}, text: "" });
    const thread = aThread({
      entries: [{ ...entry, observation }],
      state: { goal: state.goal, machine: { mode: "direct" } },
    });
    const prompt = buildPrompt(thread, toolkitManifests(), { ...BUDGET, window: 32_768 }, { purpose: "execute" });
    const shown = prompt.ok ? prompt.value.messages[2].content : "";
    const [, missing = ""] = /\n\[… lines (\d+)–\d+ left out …\]/.exec(observation.text) ?? [];
    expect(shown).toContain(`recall {"receipt_id":"${idOf("rcp", 1)}","from_line":${missing}} shows it)`);
    const delivery = buildPrompt(thread, toolkitManifests(), BUDGET, { purpose: "deliver" });
    expect(delivery.ok && delivery.value.messages[2].content).not.toContain("; recall");
    // After it is cut again for a small window, its lines keep their numbers.
    const numbers = lineNumbers(observation.text);
    const at = observation.text.split("\n").findIndex((line) => line.includes("payment 88213"));
    expect(numbers[at]).toBe(518);
  });

  test("without lines about the turn keeps its beginning and its end", () => {
    const plain = Array.from({ length: 900 }, () => "the same text in every line, again and again").join("\n");
    expect(store(plain).observation.text).toMatch(/^the same.*\n… characters \d+–\d+ of \d+ left out/s);
  });

  test("is read for that only up to a size", () => {
    const long = Array.from({ length: 20 }, () => log.join("\n")).join("\n");
    expect(store(long).observation.text).toMatch(/\n… characters \d+–\d+ of \d+ left out/);
  });
});

describe("the newest observation in a window of 8192 tokens", () => {
  const lines = Array.from({ length: 500 }, (_, i) => `line ${i + 1} of the log: 处理了第${i + 1}个请求`);
  const log = lines.join("\n");

  async function recalled(input: Record<string, unknown>): Promise<string> {
    const held = { name: "bash", turn: 1, text: log, output_trust: "trusted" as const };
    const own = { ...emptyOwnThread(), recall: async () => ok(held) };
    return (await runBuiltin(recall, { receipt_id: idOf("rcp", 1), ...input }, aContext({ own }))).text;
  }

  const afterRecall = (page: string, more: Partial<typeof BUDGET> = {}) => {
    const entries = [
      anEntry({ turn: 0, create: { goal: "Which request failed?" } }),
      ...[1, 2, 3, 4, 5, 6].map((turn) => aCallEntry({ turn, name: "get_overview", arguments: { turn }, text: log })),
      aCallEntry({ turn: 7, name: "recall", arguments: { receipt_id: idOf("rcp", 1) }, text: page }),
    ];
    const thread = aThread({ entries, state: { goal: "Which request failed?", machine: { mode: "direct" } } });
    const prompt = buildPrompt(thread, tools, { ...BUDGET, ...more }, { purpose: "execute" });
    if (!prompt.ok) throw new Error(prompt.problem.message);
    return prompt.value.messages[2].content;
  };

  test("is shown whole if it is a page of recall, at the cost of older ones", async () => {
    const page = await recalled({ from_line: 100 });
    expect(page).toMatch(/^bash in turn 1, lines 100–\d+ of 500, page 1 of \d+; go on with page 2\nline 100 /);
    expect(afterRecall(page)).toContain(page);
  });

  test("names the lines that are missing as recall counts them, so that recall shows them", async () => {
    const page = await recalled({ from_line: 100 });
    const shown = afterRecall(page, { window: 5_000 });
    const newest = shown.slice(shown.lastIndexOf("<observation"));
    const [, from = "", to = ""] = /lines (\d+)–(\d+) left out/.exec(newest) ?? [];
    expect(newest).toContain(`recall {"receipt_id":"${idOf("rcp", 1)}","from_line":${from}} shows it`);
    expect(Number(from)).toBeGreaterThan(100);
    expect(newest).not.toContain(lines[Number(from)]);
    const rest = await recalled({ from_line: Number(from) });
    expect(rest.split("\n").slice(1, 3)).toEqual(lines.slice(Number(from) - 1, Number(from) + 1));
    expect(rest).toContain(lines[Number(to) - 1]);
  });

  test("has the right numbers after the middle that the record does not contain", () => {
    const text = truncateMiddle(log, 4_000);
    const numbers = lineNumbers(text);
    for (const [i, line] of text.split("\n").entries())
      if (line.startsWith("line ")) expect(lines[(numbers[i] ?? 0) - 1]).toBe(line);
    expect(text).toMatch(/\n… characters \d+–\d+ of \d+ left out \(lines \d+–\d+\) …\nline \d+ of/);
    expect(truncateMiddle("x".repeat(9_000), 4_000)).toContain("left out (line 1, the last in part) …");
  });
});

describe("a list that is cut", () => {
  const text = list.with(120, "- item 121: the lost umbrella").join("\n");

  test.each([240, 400, 800])("to %i quarters keeps the line about the topic, its beginning and its end", (quarters) => {
    const cut = cutLines(text, topicOf(["Where is my umbrella?"]), quarters)?.text ?? "";
    expect(countQuarters(cut)).toBeLessThanOrEqual(quarters);
    expect(cut).toContain("- item 121: the lost umbrella");
    expect(cut).toMatch(/^- item 1: /);
    // The lines next to it are kept if there is room.
    expect(cut).toMatch(
      quarters > 240
        ? /\[… lines \d+–119 left out …\]\n- item 120: .*\n- item 121: .*\n- item 122/
        : /\[… lines \d+–120 left out …\]\n- item 121/,
    );
    // The shown lines and those named in the notes add up to all lines, each exactly once.
    const named = cut.split("\n").flatMap((line) => {
      const [, from, to] = /^\[… lines? (\d+)(?:–(\d+))? left out …\]$/.exec(line) ?? [];
      if (from === undefined) return [Number(/item (\d+)/.exec(line)?.[1])];
      return Array.from({ length: Number(to ?? from) - Number(from) + 1 }, (_, i) => Number(from) + i);
    });
    expect(named).toEqual(list.map((_, i) => i + 1));
  });

  test("finds whole numbers, beginnings of words and Chinese words", () => {
    const mixed = list.map((line, i) => `${line} ${["to me", "to you", "at all"][i % 3]}`);
    const lines = [...mixed.slice(0, 50), "- 看牙医", "- Fri 14th", "- 1400", ...mixed.slice(60)];
    const found = (topic: string): string => cutLines(lines.join("\n"), topicOf([topic]), 380)?.text ?? "";
    expect(found("预约牙医")).toContain("看牙医");
    expect(found("on Friday?")).toContain("Fri 14th");
    expect(found("14")).toContain("Fri 14th");
    expect(found("14")).not.toContain("1400");
  });

  test("keeps a line that differs from all others, although the question does not name it", () => {
    const cut = cutLines(text, topicOf(["What went wrong?"]), 400)?.text ?? "";
    expect(cut).toContain("- item 121: the lost umbrella");
    expect(countQuarters(cut)).toBeLessThanOrEqual(400);
  });

  test("in one line, as JSON is, keeps the item about the topic and names the characters that are missing", () => {
    const items = list.map((name, i) => ({ id: i + 1, name })).with(120, { id: 121, name: "the lost umbrella" });
    const json = JSON.stringify({ items });
    const cut = cutLines(json, topicOf(["Where is my umbrella?"]), 600)?.text ?? "";
    expect(countQuarters(cut)).toBeLessThanOrEqual(600);
    const whole = cut.replace(/\[… characters (\d+)–(\d+) left out …\]/g, (_, from, to) => json.slice(from - 1, to));
    expect(cut).toContain('{"id":121,"name":"the lost umbrella"}');
    expect(whole).toBe(json);
  });

  test("is cut by characters if no line is about the topic or differs from the others, or if it is no list", () => {
    expect(cutLines(list.join("\n"), topicOf(["bicycle"]), 400)).toBeNull();
    expect(cutLines("one long line about an umbrella", topicOf(["umbrella"]), 10)).toBeNull();
  });
});

describe("a record that is cut until it fits", () => {
  const requests = Array.from({ length: 800 }, (_, i) => `req=${1000 + i} ms=${(i * 37) % 480} ok`);
  const log = requests.with(232, "req=1232 ERROR disk full on node-7").join("\n");
  const goal = "Which request failed, and which came before it?";
  const held = idOf("rcp", 1);

  const recordOf = (room: number, calls: readonly Parameters<typeof aCallEntry>[0][]): string => {
    const entries = [anEntry({ turn: 0, create: { goal } }), ...calls.map((call) => aCallEntry(call))];
    return fitWindow(buildWindow(aThread({ entries }), tools), room, () => topicOf([goal])).text;
  };

  test("names each missing line once, with its number in the whole text, and shows what stands before the error", () => {
    const shown = recordOf(1_200, [{ turn: 1, name: "bash", arguments: {}, text: log }]);
    const gaps = [...shown.matchAll(/\[… lines (\d+)–(\d+) left out …\]/g)].flatMap(([, from, to]) => [
      Number(from),
      Number(to),
    ]);
    expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
    expect(gaps.at(-1)).toBeLessThan(800);
    expect(shown.match(/bytes in all/g)).toHaveLength(1);
    expect(shown).toContain("req=1231 ms=387 ok\nreq=1232 ERROR");
  });

  test("shows a page of recall from its beginning without a gap, and keeps the lines of the calls before it", () => {
    const page = `bash in turn 1, lines 200–500 of 800, page 1 of 3; go on with page 2\n${requests.slice(199, 500).join("\n")}`;
    const earlier = [1, 2, 3].map((turn) => ({
      turn,
      name: "bash",
      arguments: { n: turn },
      text: log,
      thought: `found ${turn}`,
    }));
    const recalled = { turn: 4, name: "recall", arguments: { receipt_id: held, from_line: 200 }, text: page };
    const shown = recordOf(1_200, [...earlier, recalled]);
    const numbers = [...shown.matchAll(/^req=(\d+)/gm)].map(([, n]) => Number(n));
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers).toEqual(numbers.map((_, i) => 1199 + i));
    expect(shown).toContain(`"from_line":${200 + numbers.length}} shows it`);
    for (const turn of [1, 2, 3]) expect(shown).toContain(`- turn ${turn}:`);
    expect(shown).not.toContain("only counted");
  });
});
