// npm run sim -- [--histories 20000] [--from 1] [--jobs 2] [--seconds 3600]   many histories, each from its seed
// npm run sim -- --kind jobs …                                                only of one kind: turns, turns_web, jobs, jobs_web, changes
// npm run sim -- --seed 4711 [--trace]                                        one history again, bit for bit
// npm run sim -- --seed 4711 --shrink                                         the same, made as small as it still fails
// npm run sim -- --seed 4711 --keep "what it showed"                          small, and into the seeds that are replayed for ever
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { inWords, runPool } from "../test/sim/pool.ts";
import type { Failure } from "../test/sim/worker.ts";
import { HISTORY_KINDS, type HistoryKind, type HistoryPlan } from "../test/sim/world.ts";

const KEPT = new URL("../test/fixtures/seeds.json", import.meta.url);

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
  },
});

function whole(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  console.error(`--${name}: a whole number, not ${text}`);
  process.exit(2);
}

function kindFrom(text: string | undefined): { readonly kind?: HistoryKind } {
  if (text === undefined) return {};
  const kind = HISTORY_KINDS.find((known) => known === text);
  if (kind) return { kind };
  console.error(`--kind: one of ${HISTORY_KINDS.join(", ")}, not ${text}`);
  process.exit(2);
}
const ofKind = kindFrom(values.kind);

async function one(seed: number): Promise<number> {
  // Only here: of many histories every thread loads its own.
  const { runHistory } = await import("../test/sim/history.ts");
  const { shrink } = await import("../test/sim/shrink.ts");
  const small = values.shrink || values.keep !== undefined;
  const whole = { seed, ...ofKind };
  const plan = small ? await shrink(whole) : whole;
  const { kind, violations, hash, steps, turns, fired, lines } = await runHistory(plan, { keepTrace: values.trace });
  for (const line of lines) console.log(line);
  if (small) console.log(JSON.stringify(plan));
  if (values.keep !== undefined && violations.length > 0) keep({ ...plan, kind, showed: values.keep });
  console.log(`seed ${seed} (${kind}): ${steps} steps, ${turns} records, ${fired.length} faults, trace ${hash}`);
  for (const violation of violations) console.log(violation);
  return violations.length;
}

function keep(plan: HistoryPlan & { showed: string }): void {
  const kept = JSON.parse(readFileSync(KEPT, "utf8")) as unknown[];
  const lines = [...kept, plan].map((one) => `  ${JSON.stringify(one)}`);
  writeFileSync(KEPT, `[\n${lines.join(",\n")}\n]\n`);
}

function tell(so_far: number, failures: readonly Failure[]): void {
  for (const { seed, kind, violations } of failures) console.log(`--seed ${seed} (${kind}): ${violations[0]}`);
  if (so_far % 500 === 0) console.error(`${so_far} …`);
}

async function many(): Promise<number> {
  const result = await runPool({
    from: whole("from", values.from),
    histories: whole("histories", values.histories),
    jobs: Math.max(1, whole("jobs", values.jobs)),
    seconds: whole("seconds", values.seconds),
    at_least: 0,
    tell,
    ...ofKind,
  });
  console.log(inWords(result));
  return result.failures.length;
}

const found = values.seed === undefined ? await many() : await one(whole("seed", values.seed));
process.exit(found > 0 ? 1 : 0);
