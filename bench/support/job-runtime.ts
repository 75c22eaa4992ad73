// Creates the runtime of the jobs benchmark: a file, a model that replies immediately, a pure tool and one that needs
// approval. If it is run as a program, it is a worker process on the given folder until it is stopped.
import { z } from "zod";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { startHostWorker, withPollOnWrite } from "../../src/hosts/shared/host-worker.ts";
import type { Worker } from "../../src/jobs/worker.ts";
import type { Model } from "../../src/ports/model.ts";
import { Config } from "../../src/schema/config.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { type BenchRuntime, openBenchRuntime } from "./bench-runtime.ts";

const look = defineTool(
  { name: "look", description: "Looks.", input: z.object({ at: z.number() }), output: z.string() },
  ({ at }) => `place-${at}-is-seen`,
);
const write = defineTool(
  {
    name: "write",
    description: "Writes.",
    permission: "WRITE",
    effect: "keyed",
    input: z.object({ line: z.number() }),
    output: z.string(),
  },
  ({ line }) => `line-${line}-is-written`,
);

export const READ_CALLS = 3;

/** Returns a model that calls `look` three times, or `write` if the goal says so, and then finishes. */
const createModel = (latency_ms: number): Model => ({
  name: "bench",
  window: 64_000,
  max_output_tokens: 1_000,
  prices: null,
  async reply({ purpose, messages }) {
    if (latency_ms > 0) await systemClock.sleep(latency_ms);
    const promptText = messages.map(({ content }) => content).join("\n");
    const seen = new Set(promptText.match(/place-\d+-is-seen/g)).size;
    const name = promptText.includes("write it") ? "write" : "look";
    const isFinished = name === "write" ? promptText.includes("-is-written") : seen >= READ_CALLS;
    const args = name === "write" ? { line: 1 } : { at: seen };
    const decision = isFinished
      ? { action: "done", goal_check: "all seen" }
      : { action: "continue", tool_call: { name, arguments: args } };
    const text = purpose === "deliver" ? "Done." : JSON.stringify(decision);
    return { ok: true, value: { text, model: "bench", usage: null } };
  },
});

export const openJobRuntime = (folder: string, model_ms = 0): Promise<BenchRuntime> =>
  openBenchRuntime(folder, { model: createModel(model_ms), tools: [look, write] });

const SILENT_LOG = { info: () => undefined, warn: () => undefined, error: console.error };

/** Starts a worker as a host does, with the default configuration. The returned runtime notifies it of commits. */
export function startBenchWorker(base: Runtime): { readonly rt: Runtime; readonly worker: Worker } {
  let worker: Worker | null = null;
  const rt = { ...base, store: withPollOnWrite(base.store, () => worker?.pollNow()) };
  worker = startHostWorker(rt, {
    owner: `worker-${process.pid}`,
    jobs: Config.parse({}).jobs,
    emit: () => undefined,
    sendWebhook: async () => ({ kind: "not_acquired" }),
    log: SILENT_LOG,
  });
  return { rt, worker };
}

if (process.argv[1] === import.meta.filename) {
  const { rt, close } = await openJobRuntime(process.argv[2] ?? "", Number(process.argv[3] ?? 0));
  let worker: Worker | null = null;
  process.on("SIGTERM", async () => {
    await worker?.drain();
    await close();
    process.exit(0);
  });
  process.on("message", (message) => {
    if (message === "go") worker = startBenchWorker(rt).worker;
    if (message === "memory") process.send?.(process.memoryUsage.rss());
  });
  process.send?.("ready");
}
