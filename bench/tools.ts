// Measures the cost of the tool system per call (resolving, hooks, running, redacting) and compares it with the bare
// handler.
import { z } from "zod";
import { systemClock } from "../src/adapters/clock-system.ts";
import { nodeHash } from "../src/adapters/hash-node.ts";
import { NO_SETTINGS } from "../src/schema/settings.ts";
import { toolkitManifests } from "../src/toolkits/all.ts";
import { sensitivePaths } from "../src/toolkits/files/sensitive-path.ts";
import { commandRisk } from "../src/toolkits/shell/risk-hooks.ts";
import { callLogHooks } from "../src/tools/call-log.ts";
import { defineTool } from "../src/tools/define-tool.ts";
import { type Hook, type HookCall, pieceFilter, runPostHooks, runPreHooks } from "../src/tools/hooks.ts";
import { createRedactor, redactionHooks } from "../src/tools/redaction/redact.ts";
import { projectTools, resolveTools } from "../src/tools/resolve.ts";
import { runTool } from "../src/tools/run-tool.ts";
import { aManifest } from "../test/support/thread.ts";
import { aContext } from "../test/support/tool-context.ts";
import { median } from "./support/rates.ts";
import { runToolkits } from "./toolkits.ts";

const ROUNDS = 11;
const ROUND_MS = 60;
const TEXT = "An observation of two kilobytes, as most are. ".repeat(45).slice(0, 2048);

const look = defineTool(
  { name: "look", description: "Looks.", input: z.object({ at: z.string() }), output: z.string() },
  () => TEXT,
);
const call: HookCall = {
  tenant: "local",
  thread: "thr",
  tool_name: "look",
  manifest: look.manifest,
  arguments: { at: "desk", command: "git status && ls -la src | head -20", path: "src/app.ts" },
  arguments_digest: "d",
  proposed_digest: null,
};
const allow: Hook = { name: "allow", hook_type: "PRE_TOOL_USE", handler: () => ({ action: "ALLOW" }) };
const slow: Hook = { name: "awaits", hook_type: "PRE_TOOL_USE", handler: async () => ({ action: "ALLOW" }) };
const redact = redactionHooks(
  createRedactor(["sk-one-secret-of-the-host", "another-secret-of-the-host", "postgres://u:p4ss@db/x"]),
);
const log = callLogHooks(() => undefined);

const manifests = [...toolkitManifests(), ...Array.from({ length: 50 }, (_, n) => aManifest({ name: `tool_${n}` }))];
const query = {
  manifests,
  settings: NO_SETTINGS,
  agent: "default",
  agent_tools: null,
  overrides: {},
  parts: ["files", "fetch"],
  channel: "http",
};
const postCall = {
  ...call,
  phase: "POST" as const,
  operation_id: "opr",
  result: TEXT,
  raw: null,
  success: true,
  duration_ms: 1,
};
const ports = { clock: systemClock, hash: nodeHash, filter: pieceFilter([], "look"), onPiece: () => undefined };
const context = aContext();

const CASES: Readonly<Record<string, () => unknown>> = {
  "resolve 65 tools": () => resolveTools(query),
  "project them": () => projectTools(resolveTools(query)),
  "no hook before": () => runPreHooks([], call, systemClock),
  "one hook before": () => runPreHooks([allow], call, systemClock),
  "ten hooks before": () =>
    runPreHooks(
      Array.from({ length: 10 }, () => allow),
      call,
      systemClock,
    ),
  "one that awaits": () => runPreHooks([slow], call, systemClock),
  "command risk": () => runPreHooks([commandRisk(["look"])], call, systemClock),
  "sensitive path": () => runPreHooks([sensitivePaths(["look"])], call, systemClock),
  "log and secrets after, 2 KB": () => runPostHooks([...log, ...redact], postCall, systemClock),
  "bare handler": async () => await look.run({ at: "desk" }, context),
  "the same under limits": () => runTool(look, { at: "desk" }, context, ports),
};

/** Cases alternate, so that a slow moment of the machine affects all. Returns medians in microseconds per call. */
async function measure(cases: Readonly<Record<string, () => unknown>>): Promise<ReadonlyMap<string, number>> {
  const found = new Map(Object.keys(cases).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(cases)) {
      const us = await microseconds(run);
      // The first round is a warm-up.
      if (round > 0) found.get(name)?.push(us);
    }
  }
  return new Map([...found].map(([name, all]) => [name, median(all)]));
}

async function microseconds(run: () => unknown): Promise<number> {
  const began = performance.now();
  let calls = 0;
  do {
    for (let i = 0; i < 20; i += 1) await run();
    calls += 20;
  } while (performance.now() - began < ROUND_MS);
  return ((performance.now() - began) * 1000) / calls;
}

export async function run(): Promise<void> {
  const found = await measure(CASES);
  console.log("Tools: microseconds per call");
  for (const [name, us] of found) console.log(`    ${name.padEnd(30)}${us.toFixed(2).padStart(10)}`);
  const timeOf = (name: string): number => found.get(name) ?? Number.NaN;
  console.log(`    a hook adds ${((timeOf("ten hooks before") - timeOf("no hook before")) / 10).toFixed(2)} µs`);
  const all =
    timeOf("resolve 65 tools") +
    timeOf("one hook before") +
    timeOf("log and secrets after, 2 KB") +
    timeOf("the same under limits");
  console.log(`    resolve, hooks and limits together add ${(all - timeOf("bare handler")).toFixed(1)} µs to a call`);
  await runToolkits();
}
