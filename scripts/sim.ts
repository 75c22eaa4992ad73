// npm run sim -- [--histories 20000] [--from 1] [--jobs 2] [--seconds 3600]   many histories, each from its seed
// npm run sim -- --kind jobs …                 one kind only: turns, turns_web, jobs, jobs_web, changes, crew, toolkits
// npm run sim -- --store dynamodb …           on this store: memory, sqlite, dynamodb or durable_object
// npm run sim -- --seed 4711 [--trace]         replays one history exactly
// npm run sim -- --seed 4711 --shrink          the same, reduced to the smallest plan that still fails
// npm run sim -- --seed 4711 --keep "reason"   reduced, and added to the regression seeds
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { HISTORY_KINDS, type HistoryKind } from "../test/sim/history-kinds.ts";
import { runPool, summarize } from "../test/sim/pool.ts";
import type { Failure } from "../test/sim/pool-thread.ts";
import { STORE_KINDS, type StoreKind } from "../test/sim/stores/stores.ts";
import type { HistoryPlan } from "../test/sim/world.ts";
import type { DynamoServer } from "../test/support/dynamodb.ts";

const SEEDS_FILE = new URL("../test/fixtures/seeds.json", import.meta.url);

const { values } = parseArgs({
  options: {
    histories: { type: "string", default: "20000" },
    from: { type: "string", default: "1" },
    jobs: { type: "string", default: "2" },
    seconds: { type: "string", default: "3600" },
    seed: { type: "string" },
    trace: { type: "boolean", default: false },
    shrink: { type: "boolean", default: false },
    keep: { type: "string" },
    kind: { type: "string" },
    store: { type: "string" },
  },
});

function parseCount(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  console.error(`--${name} must be a whole number, not ${text}`);
  process.exit(2);
}

function parseChoice<T extends string>(name: "kind" | "store", choices: readonly T[]): T | undefined {
  const text = values[name];
  const choice = choices.find((known) => known === text);
  if (choice !== undefined || text === undefined) return choice;
  console.error(`--${name} must be one of ${choices.join(", ")}, not ${text}`);
  process.exit(2);
}
const kind: HistoryKind | undefined = parseChoice("kind", HISTORY_KINDS);
const kindOption = kind ? { kind } : {};
const store: StoreKind | undefined = parseChoice("store", STORE_KINDS);
const storeOption = store ? { store } : {};

async function runOne(seed: number): Promise<number> {
  // The modules are loaded only here. When many histories run, every worker thread loads its own.
  const { runHistory } = await import("../test/sim/history.ts");
  const { shrink } = await import("../test/sim/shrink.ts");
  const small = values.shrink || values.keep !== undefined;
  const fullPlan = { seed, ...kindOption };
  const plan = small ? await shrink(fullPlan) : fullPlan;
  const {
    kind: ran,
    violations,
    hash,
    steps,
    turns,
    fired,
    lines,
  } = await runHistory(plan, {
    keepTrace: values.trace,
    ...storeOption,
  });
  for (const line of lines) console.log(line);
  if (small) console.log(JSON.stringify(plan));
  if (values.keep !== undefined && violations.length > 0) saveSeed({ ...plan, kind: ran, showed: values.keep });
  console.log(`seed ${seed} (${ran}): ${steps} steps, ${turns} records, ${fired.length} faults, trace ${hash}`);
  for (const violation of violations) console.log(violation);
  return violations.length;
}

function saveSeed(plan: HistoryPlan & { showed: string }): void {
  const kept = JSON.parse(readFileSync(SEEDS_FILE, "utf8")) as unknown[];
  const lines = [...kept, plan].map((one) => `  ${JSON.stringify(one)}`);
  writeFileSync(SEEDS_FILE, `[\n${lines.join(",\n")}\n]\n`);
}

function reportProgress(completed: number, failures: readonly Failure[]): void {
  for (const { seed, kind, violations } of failures) console.log(`--seed ${seed} (${kind}): ${violations[0]}`);
  if (completed % 500 === 0) console.error(`${completed} …`);
}

async function runMany(): Promise<number> {
  const result = await runPool({
    from: parseCount("from", values.from),
    histories: parseCount("histories", values.histories),
    jobs: Math.max(1, parseCount("jobs", values.jobs)),
    seconds: parseCount("seconds", values.seconds),
    onProgress: reportProgress,
    ...kindOption,
    ...storeOption,
  });
  console.log(summarize(result));
  return result.failures.length;
}

/** Starts one server for all threads. Each history has its own table. */
async function startServerFor(kind: StoreKind | undefined): Promise<DynamoServer | null> {
  if (kind !== "dynamodb") return null;
  const { startDynamoServer } = await import("../test/support/dynamodb.ts");
  const server = await startDynamoServer();
  Object.assign(process.env, server.env);
  return server;
}

const server = await startServerFor(store);
const failureCount = values.seed === undefined ? await runMany() : await runOne(parseCount("seed", values.seed));
await server?.stop();
process.exit(failureCount > 0 ? 1 : 0);
