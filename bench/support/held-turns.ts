// Runs as a separate process that measures the heap of a turn while it waits for its model. The value in KB is reported
// in the field for milliseconds.
import { ok } from "../../src/schema/problem.ts";
import { newThread, openBenchRuntime, takeTurn, tools, withTempFolder } from "./bench-runtime.ts";
import { collectGarbage } from "./garbage.ts";

const TURNS = 1_000;
const heapAfterGc = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

await withTempFolder(async (folder) => {
  const released = Promise.withResolvers<void>();
  const text = JSON.stringify({
    action: "continue",
    speak: "Going on.",
    tool_call: { name: "look", arguments: { at: 1 } },
  });
  let waiting = 0;
  const model = {
    name: "held",
    window: 32_768,
    max_output_tokens: 1024,
    prices: null,
    reply: async () => {
      waiting += 1;
      await released.promise;
      return ok({ text, model: "held", usage: null });
    },
  };
  const { rt, close } = await openBenchRuntime(folder, { model, tools });
  const threads = [];
  for (let n = 0; n < TURNS; n += 1) threads.push(await newThread(rt));
  const before = heapAfterGc();
  const turns = threads.map((at) => takeTurn(rt, at));
  while (waiting < TURNS) await new Promise((resolve) => setTimeout(resolve, 10));
  const bytes = (heapAfterGc() - before) / TURNS;
  released.resolve();
  await Promise.all(turns);
  await close();
  console.log(`\n${JSON.stringify({ ms: bytes / 1000, cpu_ms: null })}`);
});
