// Runs a whole host with its worker, as with npm start, on a clock that may be ahead, with a tool that leaves traces.
// If it is run as a program, it is a separate process with its folder in JOB_FOLDER and its clock ahead by
// JOB_AHEAD_MS.
import { appendFileSync } from "node:fs";
import { z } from "zod";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { createHostJobs } from "../../src/hosts/node/host-jobs.ts";
import { createLog } from "../../src/hosts/node/log.ts";
import { createNodeRuntime } from "../../src/hosts/node/node-runtime.ts";
import { serveNode } from "../../src/hosts/node/serve-node.ts";
import { loadConfig } from "../../src/hosts/shared/config.ts";
import { createApp } from "../../src/http/app.ts";
import { createHub } from "../../src/http/live/hub.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Model } from "../../src/ports/model.ts";
import { defineTool, type Tool } from "../../src/tools/define-tool.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { unwrap } from "./runtime.ts";
import { testSettings } from "./server.ts";

export type JobHostOptions = {
  readonly folder: string;
  readonly ahead_ms?: number;
  /** The file that the tool `leave_trace` writes to. It also selects a model that only calls this tool. */
  readonly ledger?: string;
  /** The latency of that model. */
  readonly model_ms?: number;
};

export type JobHost = { readonly rt: Runtime; readonly url: string; readonly stop: () => Promise<void> };

const offsetClock = (ahead_ms: number): Clock => ({ ...systemClock, now: () => systemClock.now() + ahead_ms });

export async function startJobHost({ folder, ahead_ms = 0, ledger, model_ms = 0 }: JobHostOptions): Promise<JobHost> {
  const config = unwrap(await loadConfig(folder, {}));
  const model = tracingModel(model_ms);
  const embedded = unwrap(
    await createNodeRuntime(
      config,
      {},
      { clock: offsetClock(ahead_ms), ...(ledger ? { pickModel: () => model } : {}) },
    ),
  );
  const { rt } = embedded;
  if (ledger) unwrap(rt.toolbox.register(leaveTrace(ledger)));
  const log = createLog("silent");
  const jobs = createHostJobs(embedded, config, log);
  const hub = createHub();
  const stopping = new AbortController();
  const settings = { ...testSettings(rt), hub, stopping: stopping.signal };
  const app = createApp(settings, jobs.routes, embedded.routes);
  const serving = unwrap(
    await serveNode(app, { host: "127.0.0.1", port: 0, request_timeout_ms: 15_000, log, stopping }),
  );
  const url = `http://127.0.0.1:${serving.port}`;
  const worker = jobs.start(url, hub.publish);
  const stop = async (): Promise<void> => {
    await Promise.all([serving.stop(20_000), worker.drain()]);
    await embedded.close();
  };
  return { rt, url, stop };
}

/** A tool that must not run twice, and that cannot tell afterwards whether it ran. */
const leaveTrace = (ledger: string): Tool =>
  defineTool(
    {
      name: "leave_trace",
      description: "Leaves a trace.",
      permission: "WRITE",
      effect: "unkeyed",
      requires_confirmation: false,
      timeout_ms: 1_000,
      input: z.object({ n: z.number() }),
      output: z.string(),
    },
    async (_input, { thread }) => {
      appendFileSync(ledger, `${thread}\n`);
      // The pause is long enough for the process to be killed during it.
      await systemClock.sleep(20);
      return "a trace was left";
    },
  );

/**
 * A model that leaves one trace and then finishes. It decides from the prompt alone, so every process decides the same.
 */
const tracingModel = (latency_ms: number): Model => ({
  name: "tracing",
  window: 64_000,
  max_output_tokens: 1_000,
  prices: null,
  async reply({ purpose, messages }) {
    if (latency_ms > 0) await systemClock.sleep(latency_ms);
    const traceLeft = messages.some(({ role, content }) => role === "user" && content.includes("a trace was left"));
    const happened = messages.some(({ content }) => content.includes("says that it happened"));
    const call = {
      action: "continue",
      speak: "Now.",
      tool_call: { name: "leave_trace", arguments: { n: countMentions(messages) } },
    };
    const decision = traceLeft || happened ? { action: "done", goal_check: "the trace is there" } : call;
    const text = purpose === "deliver" ? "The trace is there." : JSON.stringify(decision);
    return { ok: true, value: { text, model: "tracing", usage: null } };
  },
});

/** Counts mentions to vary the arguments, because repeating the same call would be refused. */
const countMentions = (messages: readonly { readonly content: string }[]): number =>
  messages.map(({ content }) => content.split("leave_trace").length).reduce((sum, n) => sum + n, 0);

if (process.argv[1] === import.meta.filename) {
  const { JOB_FOLDER = "", JOB_AHEAD_MS = "0", JOB_MODEL_MS = "0", JOB_LEDGER } = process.env;
  const ledger = JOB_LEDGER ? { ledger: JOB_LEDGER, model_ms: Number(JOB_MODEL_MS) } : {};
  const host = await startJobHost({ folder: JOB_FOLDER, ahead_ms: Number(JOB_AHEAD_MS), ...ledger });
  process.on("SIGTERM", () => void host.stop().then(() => process.exit(0)));
  console.log(`Pawl listens on ${host.url}`);
}
