// A process that competes for the turns of one thread in a shared file, and prints what it sent and received. Its
// arguments are the data file, the thread, a name and the number of rounds.
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import type { Model } from "../../src/ports/model.ts";
import { LOCAL_TENANT, ThreadId } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import { succeeded } from "../../src/testing/expect.ts";
import type { ListOperation } from "../../src/testing/linearizable.ts";
import { createRaceProcess, createRaceRuntime, raceTools } from "../../src/testing/race-suite/store-target.ts";

const CALLERS = 4;
const [path = "", id = "", name = "", rounds = "1"] = process.argv.slice(2);
const thread = ThreadId.parse(id);
const store = succeeded(await createSqliteStore({ path })).threads;
let asked = 0;
const model: Model = {
  name: "quick",
  window: 32_768,
  max_output_tokens: 512,
  prices: null,
  async reply() {
    const line = `${name} ${asked++}`;
    // Gives the other process a chance between reading and writing.
    await new Promise((resolve) => setTimeout(resolve, 1));
    const text = JSON.stringify({ action: "continue", speak: "x", tool_call: { name: "look", arguments: { line } } });
    return ok({ text, model: "quick", usage: { input_tokens: 1, output_tokens: 1 } });
  },
};
const racingProcess = createRaceProcess(createRaceRuntime(store, model, raceTools({ effects: 0 })));
const operations: ListOperation[] = [];
/** Returns the time of a clock that all processes of a machine share. A number is precise enough for months. */
const now = (): number => Number(process.hrtime.bigint() / 1000n);

async function send(text: string): Promise<void> {
  const invoked = now();
  const answer = await racingProcess.turn({ thread, input: { type: "message", text } });
  if (!answer.ok && answer.problem.code !== "thread_moved") throw new Error(answer.problem.message);
  const outcome = answer.ok ? "ok" : "failed";
  operations.push({ id: text, invoked, done: now(), kind: "append", values: [text], outcome });
}

async function read(n: number): Promise<void> {
  const invoked = now();
  const rows = succeeded(await store.records({ tenant: LOCAL_TENANT, thread }, { after: -1, limit: 100_000 }));
  const done = now();
  const seen = rows.flatMap((row) => {
    const { input } = JSON.parse(row.entry) as { input: { type: string; text: string } | null };
    return input?.type === "message" ? [input.text] : [];
  });
  operations.push({
    id: `${name} read ${n}`,
    invoked,
    done,
    kind: "read",
    count: seen.length,
    last: seen.at(-1) ?? null,
  });
}

for (let round = 0; round < Number(rounds); round += 1) {
  await Promise.all(Array.from({ length: CALLERS }, (_, n) => send(`${name} ${round}.${n}`)));
  await read(round);
}
await store.close();
process.stdout.write(JSON.stringify(operations));
