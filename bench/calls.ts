// Counts the model calls and tokens of whole runs with the demo model, and compares them with the same runs before
// 0.2.0.
import { createDemoModel } from "../src/adapters/model-demo/model-demo.ts";
import type { CreateInput } from "../src/schema/input.ts";
import { ok } from "../src/schema/problem.ts";
import { basics } from "../src/toolkits/basics/toolkit.ts";
import { createTimetable } from "../test/support/calendars.ts";
import { runToEnd } from "../test/support/run-to-end.ts";
import { createTestRuntime, createTestThread } from "../test/support/runtime.ts";

type Cost = { readonly calls: number; readonly tokens: number };
type Scenario = { readonly goal: string; readonly create?: CreateInput; readonly before?: Cost };

/** The goals of the runs. `before` was measured with 0.1.0, whose agent had the same toolkits. */
const SCENARIOS: readonly Scenario[] = [
  { goal: "What is on Friday of week 4?", before: { calls: 6, tokens: 49_739 } },
  { goal: "Move the essay outline to Thursday of week 2", before: { calls: 8, tokens: 51_135 } },
  { goal: "Move the essay outline to Thursday of week 2", create: { mode: "direct" } },
  { goal: "Show my week" },
  { goal: "把论文提纲移到第二周周四" },
];

/** The largest allowed share of the calls and tokens before 0.2.0. */
const TARGET = { calls: 1 / 2, tokens: 1 / 3 };

export async function run(): Promise<void> {
  console.log("calls: model calls and tokens of a run with the demo model\n");
  console.log(`${"goal".padEnd(48)}${"mode".padEnd(8)}  calls  before   tokens   before`);
  for (const scenario of SCENARIOS) {
    const cost = await play(scenario);
    const { goal, create, before } = scenario;
    const cells = [cost.calls, before?.calls ?? "", cost.tokens, before?.tokens ?? ""];
    const [calls, callsBefore, tokens, tokensBefore] = cells.map((cell) => String(cell));
    console.log(
      `${goal.padEnd(48)}${(create?.mode ?? "plan").padEnd(8)}${calls?.padStart(7)}${callsBefore?.padStart(8)}${tokens?.padStart(9)}${tokensBefore?.padStart(9)}`,
    );
    if (before && !reaches(cost, before)) process.exitCode = 1;
  }
  console.log("\nTarget: at most half of the calls, and a third of the tokens.");
}

const reaches = (now: Cost, before: Cost): boolean =>
  now.calls <= before.calls * TARGET.calls && now.tokens <= before.tokens * TARGET.tokens;

async function play({ goal, create }: Scenario): Promise<Cost> {
  const model = createDemoModel();
  const { tools, companions } = createTimetable();
  const all = [...basics.tools({} as Parameters<typeof basics.tools>[0]), ...tools];
  const rt = createTestRuntime([], all, { pickModel: () => model, companions });
  const thread = await createTestThread(rt, { goal, ...create });
  const turns = await runToEnd(async (input) => {
    const made = await thread.turn(input);
    return made.ok ? ok(made.value.outcome) : made;
  });
  const end = turns.at(-1)?.thread;
  if (end?.outcome !== "completed") throw new Error(`${goal}: ended as ${end?.outcome}`);
  const usages = turns.flatMap(({ turn }) => (turn?.usage ? [turn.usage] : []));
  return {
    calls: usages.reduce((sum, { model_calls }) => sum + model_calls, 0),
    tokens: usages.reduce((sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens, 0),
  };
}

if (import.meta.main) await run();
