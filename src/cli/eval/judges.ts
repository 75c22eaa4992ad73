// Judges of an eval run: built-in ones look at the thread, programs print their score. A judge that fails scores null.
import { spawnSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import type { Receipt } from "../../schema/receipt.ts";
import type { ThreadView, TurnView } from "../../schema/turn-result.ts";
import type { EvalJudge } from "./task.ts";

export type Evidence = { readonly thread: ThreadView; readonly turns: readonly TurnView[]; readonly seconds: number };
export type Verdict = {
  readonly name: string;
  readonly weight: number;
  /** 0 to 1; null: the judge itself failed. */
  readonly score: number | null;
  readonly data: unknown;
};

const receiptsOf = ({ turns }: Evidence): readonly Receipt[] => turns.flatMap(({ receipts }) => receipts);
const share = (good: number, all: number): number => (all === 0 ? 0 : good / all);

const BUILTIN: Readonly<Record<string, (run: Evidence, judge: EvalJudge) => { score: number; data: unknown }>> = {
  /** Of the deliverables that a workflow asked for: how many needed no correction. */
  "frontmatter-compliance": ({ turns }) => {
    const deliveries = turns.filter(({ decision, model }) => model !== null && decision === null);
    const clean = deliveries.filter(({ corrections }) => corrections.length === 0);
    return { score: share(clean.length, deliveries.length), data: { valid: clean.length, total: deliveries.length } };
  },
  /** Of the calls: how many succeeded. */
  evidence: (run) => {
    const settled = receiptsOf(run).filter(({ kind }) => kind === "settled");
    const good = settled.filter(({ success }) => success === true);
    return { score: share(good.length, settled.length), data: { succeeded: good.length, total: settled.length } };
  },
  "token-stats": ({ turns, thread, seconds }) => {
    const { tokens, usd } = thread.budget.used;
    return { score: 1, data: { turns: turns.length, tokens, usd, seconds } };
  },
  "expected-state": (run, { expect = {} }) => {
    const names = new Set(receiptsOf(run).map(({ name }) => name));
    const checks = [
      ...(expect.outcome === undefined
        ? []
        : [{ what: `outcome ${expect.outcome}`, ok: run.thread.outcome === expect.outcome }]),
      ...(expect.receipts ?? []).map((name) => ({ what: `receipt of ${name}`, ok: names.has(name) })),
    ];
    return { score: share(checks.filter(({ ok }) => ok).length, checks.length), data: { checks } };
  },
};

export function judgeRun(judge: EvalJudge, run: Evidence, taskPath: string): Verdict {
  const { name, weight, entry } = judge;
  if (entry) return { name, weight, ...runProgram(resolve(dirname(taskPath), entry), run) };
  const builtin = Object.hasOwn(BUILTIN, name) ? BUILTIN[name] : undefined;
  if (builtin) return { name, weight, ...builtin(run, judge) };
  return { name, weight, score: null, data: { error: `no such judge; known: ${Object.keys(BUILTIN).join(", ")}` } };
}

/** The program gets the run as JSON on its standard input. */
function runProgram(path: string, run: Evidence): { score: number | null; data: unknown } {
  const ran = spawnSync(process.execPath, [path, run.thread.id], {
    input: JSON.stringify(run),
    encoding: "utf8",
    timeout: 60_000,
    cwd: dirname(path),
  });
  const last = (ran.stdout ?? "").trimEnd().split("\n").at(-1) ?? "";
  try {
    const { score, data = null } = JSON.parse(last) as { score?: unknown; data?: unknown };
    if (ran.status === 0 && typeof score === "number" && score >= 0 && score <= 1) return { score, data };
  } catch {
    // Reported below.
  }
  return {
    score: null,
    data: { error: "the last line was not a score from 0 to 1", status: ran.status, last: last.slice(0, 200) },
  };
}

/** The weighted mean; a judge that failed counts as 0. Without weights: 0. */
export function overallScore(verdicts: readonly Verdict[]): number {
  const total = verdicts.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 0 : verdicts.reduce((sum, { weight, score }) => sum + weight * (score ?? 0), 0) / total;
}
