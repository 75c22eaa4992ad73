import { describe, expect, test } from "vitest";
import { buildPrompt, type Prompt, type PromptBudget } from "../../src/prompt/build-prompt.ts";
import { estimateTokens, MESSAGE_TOKENS } from "../../src/prompt/estimate.ts";
import { buildSystemPrompt } from "../../src/prompt/system-prompt.ts";
import { Entry, LOADED_ENTRIES, type Thread } from "../../src/schema/record.ts";
import { foldEvicted } from "../support/fold-evicted.ts";
import { aCallEntry, anEntry, aThread, idOf } from "../support/thread.ts";
import { SAMPLE_TOOLS } from "./sample-tools.ts";

const RECORDS = 1000;
const ROOMY: PromptBudget = { window: 64_000, max_output_tokens: 4_000, factor: 1 };
const TIGHT: PromptBudget = { window: 8_000, max_output_tokens: 1_000, factor: 1 };
const system = buildSystemPrompt(SAMPLE_TOOLS, "direct", null);

/**
 * Sizes from a few bytes to 24 KB. The pattern repeats every 20 records, so that records 20 and 1000 have the same
 * newest ones.
 */
const SIZES = [
  40, 900, 12_000, 300, 4_000, 24_000, 80, 1_500, 2_200, 700, 9_000, 20, 3_100, 500, 16_000, 60, 1_000, 5_000, 250,
  2_000,
];
const WORDS = ["free: 3-12; Algebra (fixed)\n", "星期三上午空闲,", "caf\u00e9 \u00fcber "];

function entryOf(turn: number): Entry {
  const at = turn % SIZES.length;
  const word = WORDS[at % WORDS.length] ?? "";
  const size = SIZES[at] ?? 0;
  const input = at === 7 ? { type: "message", text: "Please look at the next week as well." } : null;
  const name = at % 4 === 3 ? "list_tasks" : "query_range";
  // Every fifth call repeats an earlier one of the same round.
  const args = { day: at % 5 === 4 ? turn - 2 : turn };
  const text = word.repeat(Math.ceil(size / word.length));
  const call = { turn, name, arguments: args, text, thought: "One more day to look at.", speak: "I look." };
  const entry = JSON.stringify(aCallEntry(call, { input }));
  return Entry.parse(JSON.parse(entry.replaceAll(idOf("rcp", turn), receiptId(turn))));
}

/** Returns a receipt id like those of the runtime. Half of its characters are digits, which cost more than letters. */
const receiptId = (turn: number): string => `rcp_01kjprzb00000bza9by7y${String(turn).padStart(5, "q")}`;

/** Yields the thread after each of its records, as stores would load it. */
function* grow(records: number): Generator<Thread> {
  let thread = aThread({ entries: [anEntry({ turn: 0, create: { goal: "Find me a free morning" } })] });
  for (let turn = 1; turn < records; turn++) {
    const entries = [...thread.entries, { version: turn, entry: entryOf(turn) }].slice(-LOADED_ENTRIES);
    thread = { version: turn, state: { ...thread.state, turn, ...foldEvicted(thread) }, entries };
    yield thread;
  }
}

function prompted(thread: Thread, budget: PromptBudget): Prompt {
  const prompt = buildPrompt(thread, SAMPLE_TOOLS, budget, { purpose: "execute", system });
  if (!prompt.ok) throw new Error(prompt.problem.message);
  return prompt.value;
}

const threads = [...grow(RECORDS + 1)];
const sizeAt = (record: number, budget: PromptBudget): number =>
  prompted(threads[record - 1] ?? aThread(), budget).raw_estimate;

describe("a thread of 1000 records of mixed sizes", () => {
  test.each([
    ["a roomy budget", ROOMY, 1],
    ["a tight budget", TIGHT, 1],
    ["a budget of little more than the rules", { window: system.tokens + 1_000, max_output_tokens: 500, factor: 1 }, 9],
    ["what a model leaves that counts more tokens", { window: 16_000, max_output_tokens: 2_000, factor: 1.63 }, 9],
  ])(
    "stays within %s at every length",
    (_name, budget, every) => {
      const limit = budget.window - budget.max_output_tokens;
      const over = threads.filter((thread, i) => i % every === 0 && prompted(thread, budget).estimate > limit);
      expect(over.map(({ version }) => version)).toEqual([]);
    },
    30_000,
  );

  test("has the estimate of its messages, corrected by the measured usage", () => {
    for (const thread of threads.filter((_, i) => i % 50 === 0)) {
      const { messages, raw_estimate, estimate } = prompted(thread, { ...ROOMY, factor: 1.63 });
      const counted = messages.reduce((sum, { content }) => sum + estimateTokens(content) + MESSAGE_TOKENS, 0);
      expect(raw_estimate).toBe(counted);
      expect(estimate).toBe(Math.ceil(raw_estimate * 1.63));
    }
  });

  test.each([
    ["a roomy budget", ROOMY],
    ["a tight one", TIGHT],
  ])("has the same size at record 1000 as at record 20, in %s", (_name, budget) => {
    const young = sizeAt(20, budget);
    const old = sizeAt(1000, budget);
    expect(Math.abs(old - young) / young).toBeLessThan(0.05);
  });

  test("does not grow any more once all lines are used", () => {
    expect(sizeAt(1000, ROOMY)).toBeLessThanOrEqual(sizeAt(100, ROOMY) * 1.01);
  });

  test("shows the newest observation of every call among the last 8 whole while the budget allows it", () => {
    for (const thread of threads.slice(0, 60)) {
      const { messages } = prompted(thread, { window: 200_000, max_output_tokens: 4_000, factor: 1 });
      const newest = new Map<string, Entry>();
      for (const { entry } of thread.entries.slice(-8)) {
        const { name = "", arguments_digest } = entry.call ?? {};
        if (entry.observation) newest.set(name === "list_tasks" ? name : `${name} ${arguments_digest}`, entry);
      }
      for (const entry of newest.values())
        expect(messages[2].content).toContain(`\n${entry.observation?.text}\n</observation>`);
    }
  });

  test("names every older loaded entry in one line by its receipt id", () => {
    const thread = threads[499];
    if (!thread) throw new Error("the thread is too short");
    const lines = prompted(thread, ROOMY).messages[2].content.split("\n");
    for (const { entry } of thread.entries.slice(0, -8)) {
      const naming = lines.filter((line) => line.includes(receiptId(entry.turn)));
      expect(naming).toHaveLength(1);
      expect(naming[0]).toMatch(/^- turn \d+: /);
    }
    for (const line of thread.state.folded.lines) expect(lines).toContain(`- ${line}`);
  });

  test("keeps message [0] byte for byte", () => {
    const texts = [1, 2, 20, 500, 1000].map((record) => {
      const thread = threads[record - 1] ?? aThread();
      const prompt = buildPrompt(thread, [...SAMPLE_TOOLS].reverse(), ROOMY, { purpose: "execute" });
      return prompt.ok ? prompt.value.messages[0].content : "";
    });
    expect(new Set(texts)).toEqual(new Set([system.text]));
  });
});
