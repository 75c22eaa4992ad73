// Measures the pure part of a turn: parsing decisions, judging and building prompts. Also compares old and new threads.

import { buildPrompt, type PromptBudget } from "../src/prompt/build-prompt.ts";
import { buildSystemPrompt } from "../src/prompt/system-prompt.ts";
import type { ExecuteDecision } from "../src/schema/decision/decision.ts";
import { parseDecision } from "../src/schema/decision/parse-decision.ts";
import { LOADED_ENTRIES, type Thread } from "../src/schema/record.ts";
import { judge } from "../src/turn/judge/judge.ts";
import { foldEvicted } from "../test/support/fold-evicted.ts";
import { aCall, look, write } from "../test/support/prepared-calls.ts";
import { aCallEntry, aManifest, anEntry, aState, aThread, idOf } from "../test/support/thread.ts";
import { measureRates, perSecond } from "./support/rates.ts";

const call = {
  action: "continue",
  speak: "Looking.",
  tool_call: { name: "query_range", arguments: { day: 4, to: 9 } },
};
const REPLIES = [
  JSON.stringify(call),
  `\`\`\`json\n${JSON.stringify(call, null, 2)}\n\`\`\``,
  `<think>Day 4 seems free, { or not }.</think>\n${JSON.stringify(call)}`,
  'Sure! {"action":"done","goal_check":{"evidence":"the task is on day 4"}} Hope this helps.',
  JSON.stringify({ ...call, tool_call: { name: "write_file", arguments: { text: "line of text\n".repeat(300) } } }),
  '{"action":"continue","tool_call":[{"name":"a"},{"name":"b"}]}',
];

const proof = { step: 1, kind: "write", receipt_id: idOf("rcp", 1), summary: "placed" };
const step = { content: "Place the task", done_when: null, needs: "write" };
const state = aState({ plan: [step, step], machine: { mode: "plan", step: 1, steps: 2 }, proofs: [proof] });
const continueDecision: ExecuteDecision = { action: "continue", tool_call: { name: "place", arguments: { day: 4 } } };
const DECISIONS: readonly (readonly [ExecuteDecision, ReturnType<typeof aCall> | null])[] = [
  [continueDecision, aCall(look)],
  [continueDecision, aCall(write)],
  [{ action: "done", goal_check: "the task is on day 4" }, null],
  [{ action: "next_plan", goal_check: "the task is on day 4" }, null],
];

const TOOLS = Array.from({ length: 20 }, (_, n) => aManifest({ name: `tool_${n}` }));
const BUDGET: PromptBudget = { window: 64_000, max_output_tokens: 4_000, factor: 1 };
const system = buildSystemPrompt(TOOLS, "direct", null);

/** Observations are 2 KB, and older records are folded at each commit, as in a store. */
function threadWithRecords(records: number): Thread {
  let thread = aThread({ entries: [anEntry({ turn: 0, create: { goal: "Find me a free morning" } })] });
  for (let turn = 1; turn < records; turn += 1) {
    const entry = aCallEntry({ turn, name: `tool_${turn % 20}`, text: "free: 3-12; Algebra\n".repeat(100) });
    const entries = [...thread.entries, { version: turn, entry }].slice(-LOADED_ENTRIES);
    thread = { version: turn, state: { ...thread.state, turn, ...foldEvicted(thread) }, entries };
  }
  return thread;
}

const roundRobin = <T>(values: readonly T[], use: (value: T) => unknown): (() => unknown) => {
  let next = 0;
  return () => {
    const value = values[next++ % values.length];
    return value === undefined ? null : use(value);
  };
};

/** Builds prompts as for a running thread, where message [0] is cached while the tools do not change. */
const promptBuilder = (thread: Thread) => (): unknown =>
  buildPrompt(thread, TOOLS, BUDGET, { purpose: "execute", system });

function promptTokens(thread: Thread): number {
  const prompt = buildPrompt(thread, TOOLS, BUDGET, { purpose: "execute", system });
  return prompt.ok ? prompt.value.estimate : Number.NaN;
}

export function run(): void {
  const [young, old] = [threadWithRecords(20), threadWithRecords(1000)];
  const rates = measureRates({
    parsed: roundRobin(REPLIES, parseDecision),
    judged: roundRobin(DECISIONS, ([decision, context]) => judge(decision, state, context)),
    young: promptBuilder(young),
    old: promptBuilder(old),
  });
  console.log(`decisions parsed          ${perSecond(rates.parsed)}`);
  console.log(`judgements                ${perSecond(rates.judged)}`);
  console.log(`prompts at 20 records     ${perSecond(rates.young)}`);
  console.log(`prompts at 1000 records   ${perSecond(rates.old)}`);
  console.log(`time of a prompt at 1000 records, compared with 20: ${(rates.young / rates.old).toFixed(2)}×`);
  console.log(
    `size of a prompt at 1000 records, compared with 20: ${(promptTokens(old) / promptTokens(young)).toFixed(2)}×`,
  );
}
