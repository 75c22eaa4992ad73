// Measures sub-agents on a SQLite file. Reports the time of a delegation with one child, without the child's turns, as
// a multiple of a plain turn, and the time of 100 parents with 8 children each. --quick measures a tenth of them.
import { createSqliteStore } from "../src/adapters/store-sqlite/create-store.ts";
import { createCrew } from "../src/jobs/crew/create-crew.ts";
import type { ModelRequest } from "../src/ports/model.ts";
import type { Result } from "../src/schema/problem.ts";
import { crew } from "../src/toolkits/crew/toolkit.ts";
import { DEFAULT_CONFIG } from "../src/turn/runtime.ts";
import { createTestRuntime, createTestThread, type TestThread } from "../test/support/runtime.ts";
import { databasePath, median, withTempFolder } from "./support/bench-runtime.ts";

const DONE = { action: "done", goal_check: "done", speak: "Done." };

/** Returns a model reply: the parent delegates `count` tasks once; plain threads and children finish immediately. */
function replyFor(count: number) {
  return ({ purpose, messages }: ModelRequest) => {
    if (purpose === "deliver") return "Delivered.";
    const delegates =
      messages[1]?.content.includes("Goal of this run: Parent") && !messages[2]?.content.includes("<observation ");
    if (!delegates) return DONE;
    const tasks = Array.from({ length: count }, (_, i) => ({ task: `Task ${i}`, budget: { turns: 4 } }));
    return { action: "continue", speak: "Delegating.", tool_call: { name: "delegate_parallel", arguments: { tasks } } };
  };
}

async function openRuntime(folder: string, count: number) {
  const { threads: store } = unwrap(await createSqliteStore({ path: databasePath(folder) }));
  const reply = replyFor(count);
  const script = (function* () {
    for (;;) yield { reply };
  })();
  const config = { ...DEFAULT_CONFIG, parts: ["crew"], budget: { ...DEFAULT_CONFIG.budget, turns: 200 } };
  const rt = createTestRuntime(script, [], { store, config, worker: { running: false } });
  const tools = crew.tools({ clock: rt.clock, crew: createCrew(rt) } as never);
  unwrap(rt.toolbox.plug({ name: "crew", offered: "always", tools }));
  return { rt, store };
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

async function runToEnd(thread: TestThread): Promise<{ readonly ms: number; readonly turns: number }> {
  const started = performance.now();
  for (let turns = 1; ; turns++)
    if (unwrap(await thread.turn()).outcome.next === "none") return { ms: performance.now() - started, turns };
}

export async function run(args: readonly string[] = []): Promise<void> {
  const scale = args.includes("--quick") ? 10 : 1;
  const { plain, one } = await withTempFolder(async (folder) => {
    const { rt, store } = await openRuntime(folder, 1);
    const times = { plain: [] as number[], one: [] as number[] };
    for (let i = 0; i < 200 / scale; i++) {
      const single = await runToEnd(await createTestThread(rt, { goal: "Plain", mode: "direct" }));
      times.plain.push(single.ms / single.turns);
      times.one.push((await runToEnd(await createTestThread(rt, { goal: "Parent", mode: "direct" }))).ms);
    }
    await store.close();
    return { plain: median(times.plain), one: median(times.one) };
  });
  // Subtracts the turns that every delegation needs: two of the child, and `done` and the delivery of the parent.
  const delegation = one - 4 * plain;
  console.log(`a plain turn: ${plain.toFixed(2)} ms`);
  console.log(
    `a delegation with one child: ${delegation.toFixed(2)} ms, ${(delegation / plain).toFixed(1)} plain turns`,
  );
  const parents = 100 / scale;
  const seconds = await withTempFolder(async (folder) => {
    const { rt, store } = await openRuntime(folder, 8);
    const threads = [];
    for (let i = 0; i < parents; i++) threads.push(await createTestThread(rt, { goal: "Parent", mode: "direct" }));
    const started = performance.now();
    await Promise.all(threads.map(runToEnd));
    await store.close();
    return (performance.now() - started) / 1000;
  });
  console.log(
    `${parents} parents with 8 children each: ${seconds.toFixed(1)} s, ${((parents * 9) / seconds).toFixed(0)} threads/s`,
  );
}
