// Creates the runtime of the benchmarks: SQLite FULL, a 2 KB observation, a write that needs approval, and a model
// without latency.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createIds } from "../../src/adapters/ids-random.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { noCompanions } from "../../src/ports/companions.ts";
import type { FaultPoint } from "../../src/ports/faults.ts";
import type { Model } from "../../src/ports/model.ts";
import { LOCAL_TENANT, type ThreadRef } from "../../src/schema/ids.ts";
import type { CreateInput, TurnInput } from "../../src/schema/input.ts";
import { ok, type Result } from "../../src/schema/problem.ts";
import { createThread } from "../../src/threads/create.ts";
import { defineTool, type Tool } from "../../src/tools/define-tool.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { type Advanced, advance } from "../../src/turn/advance.ts";
import { DEFAULT_CONFIG, type Runtime, type TurnRequest } from "../../src/turn/runtime.ts";
import { createRuntimeCache } from "../../src/turn/runtime-cache.ts";
import { advanceUntil, type MultiTurnResult } from "../../src/turn/until.ts";

const OBSERVATION = "An observation of two kilobytes. ".repeat(64).slice(0, 2048);
const look = defineTool(
  { name: "look", description: "Looks at a place.", input: z.object({ at: z.int() }), output: z.string() },
  ({ at }) => `${at} ${OBSERVATION}`.slice(0, 2048),
);
const write = defineTool(
  {
    name: "write",
    description: "Writes.",
    permission: "WRITE",
    effect: "keyed",
    input: z.object({ at: z.int() }),
    output: z.string(),
  },
  ({ at }) => `wrote ${at}`,
);

export const tools: readonly Tool[] = [look, write];

/** Returns a model that never finishes and stores nothing, so that only the runtime uses memory. */
function endlessModel(tool: "look" | "write"): Model {
  let at = 0;
  return {
    name: "endless",
    window: 32_768,
    max_output_tokens: 1024,
    prices: null,
    reply: async () => {
      const decision = { action: "continue", speak: "Going on.", tool_call: { name: tool, arguments: { at: at++ } } };
      return ok({ text: JSON.stringify(decision), model: "endless", usage: { input_tokens: 2000, output_tokens: 30 } });
    },
  };
}

export type BenchRuntime = { readonly rt: Runtime; readonly close: () => Promise<void> };

export const openRuntime = (
  folder: string,
  tool: "look" | "write" = "look",
  passed?: (point: FaultPoint) => void,
): Promise<BenchRuntime> =>
  openBenchRuntime(folder, {
    model: endlessModel(tool),
    tools,
    ...(passed ? { onFaultPoint: passed } : {}),
  });

export type RuntimeParts = {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly onFaultPoint?: (point: FaultPoint) => void;
};

/** Opens the file in the folder, which several processes may share. */
export async function openBenchRuntime(
  folder: string,
  { model, tools, onFaultPoint }: RuntimeParts,
): Promise<BenchRuntime> {
  const store = await createSqliteStore({ path: databasePath(folder) });
  if (!store.ok) throw new Error(store.problem.message);
  const rt: Runtime = {
    store: store.value.threads,
    settings: store.value.settings,
    companions: noCompanions,
    pickModel: () => model,
    toolbox: createToolbox(tools),
    hooks: [],
    clock: systemClock,
    ids: createIds(systemClock),
    hash: nodeHash,
    faults: { at: onFaultPoint ?? (() => undefined) },
    config: { ...DEFAULT_CONFIG, budget: { turns: 1_000_000, tokens: null, usd: null, seconds: null } },
    running: new Set(),
    cache: createRuntimeCache(),
  };
  return { rt, close: store.value.close };
}

export const databasePath = (folder: string): string => join(folder, "bench.db");

/** Runs the work in a temporary folder and deletes it afterwards. */
export async function withTempFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const DEFAULT_INPUT: CreateInput = { goal: "Look around", mode: "direct" };

export async function newThread(rt: Runtime, input: CreateInput = DEFAULT_INPUT): Promise<ThreadRef> {
  const created = await createThread(rt, { tenant: LOCAL_TENANT, actor: "bench", input, key: null });
  if (!created.ok) throw new Error(created.problem.message);
  return { tenant: LOCAL_TENANT, thread: created.value.outcome.thread.id };
}

const turnRequest = (at: ThreadRef, input: TurnInput | null): TurnRequest => ({
  at,
  actor: "bench",
  input,
  budget: null,
  if_match: null,
  key: null,
  last_turn: true,
  deadline: Date.now() + 60_000,
  emit: () => undefined,
});

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
}

export const takeTurn = async (rt: Runtime, at: ThreadRef, input: TurnInput | null = null): Promise<Advanced> =>
  unwrap(await advance(rt, turnRequest(at, input)));

/** Takes all turns until a gate or the end, as one request does. */
export const takeTurns = async (rt: Runtime, at: ThreadRef, input: TurnInput): Promise<MultiTurnResult> =>
  unwrap(await advanceUntil(rt, turnRequest(at, input), 10));

export async function timeTurn(rt: Runtime, at: ThreadRef): Promise<number> {
  const started = performance.now();
  const { outcome } = await takeTurn(rt, at);
  if (outcome.kind !== "advanced") throw new Error(JSON.stringify(outcome).slice(0, 300));
  return performance.now() - started;
}

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
export const median = (values: readonly number[]): number => percentile(values, 0.5);
