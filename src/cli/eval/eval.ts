// Implements `pawl eval run|report|diff|list`, which runs tasks over HTTP, judges them, and compares runs. Each result
// is a line of JSON in a file.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Client } from "../../client/client.ts";
import type { Result } from "../../schema/problem.ts";
import { VERSION } from "../../version.ts";
import { withConnection } from "../connect.ts";
import {
  EXIT_OK,
  EXIT_PROBLEM,
  type ExitCode,
  escapeControl,
  messageOf,
  printError,
  printJson,
  printLine,
  reportError,
  reportProblem,
} from "../output.ts";
import { runSuite } from "./dialogues/run-suite.ts";
import { readSuite, type Suite } from "./dialogues/suite.ts";
import { type EvalOptions, type EvalRun, readRun } from "./eval-run.ts";
import { type Evidence, judgeRun, overallScore, type Verdict } from "./judges.ts";
import { playTask } from "./play-task.ts";
import { type EvalTask, readTask } from "./task.ts";

/** Fails if the score of a task or suite is below its threshold. */
export async function runEvals(paths: readonly string[], options: EvalOptions): Promise<ExitCode> {
  const tasks: { readonly path: string; readonly suite: Suite | null; readonly task: EvalTask | null }[] = [];
  try {
    for (const path of paths) {
      const suite = readSuite(path);
      tasks.push({ path, suite, task: suite ? null : readTask(path) });
    }
  } catch (error) {
    return reportError(messageOf(error));
  }
  return withConnection(options, async (to) => {
    const codes: ExitCode[] = [];
    for (const { path, suite, task } of tasks) {
      if (suite) codes.push(await runSuite(to, suite, options));
      if (task) codes.push(await runTask(to.client, path, task, options));
    }
    return codes.find((code) => code !== EXIT_OK) ?? EXIT_OK;
  });
}

export async function evaluateTask(client: Client, path: string, task: EvalTask): Promise<Result<EvalRun>> {
  const evidence = await playTask(client, task);
  if (!evidence.ok) return evidence;
  const context = { client, taskPath: path, task: task.prompt };
  const verdicts = await Promise.all(task.judges.map((judge) => judgeRun(judge, evidence.value, context)));
  return { ok: true, value: toRun(task, evidence.value, verdicts) };
}

async function runTask(client: Client, path: string, task: EvalTask, options: EvalOptions): Promise<ExitCode> {
  const evaluated = await evaluateTask(client, path, task);
  if (!evaluated.ok) return reportProblem(evaluated.problem);
  const run = evaluated.value;
  appendFileSync(options.results, `${JSON.stringify(run)}\n`);
  if (options.json) printJson(run);
  else printRun(run);
  return run.overall >= task.threshold ? EXIT_OK : EXIT_PROBLEM;
}

function toRun(task: EvalTask, { thread, turns }: Evidence, judges: readonly Verdict[]): EvalRun {
  const model = turns.findLast((turn) => turn.model !== null)?.model ?? null;
  return {
    id: `${task.name}-${thread.id.slice(-8)}`,
    task: task.name,
    at: thread.updated_at,
    config: { agent: thread.agent, model, version: VERSION },
    thread: thread.id,
    outcome: thread.outcome,
    judges,
    overall: Math.round(overallScore(judges) * 1e4) / 1e4,
  };
}

const BAR_CHARS = 20;
const bar = (score: number | null): string => {
  const filled = Math.round((score ?? 0) * BAR_CHARS);
  return `${"█".repeat(filled)}${"░".repeat(BAR_CHARS - filled)}`;
};
const shown = (score: number | null): string => (score === null ? "failed" : score.toFixed(2));

function printRun({ id, outcome, judges, overall, thread }: EvalRun): void {
  printLine(escapeControl(`${id}  ${thread}  ${outcome ?? "not ended"}`));
  for (const { name, weight, score, data } of judges) {
    const why = score === null ? failureOf(data) : "";
    printLine(`  ${bar(score)} ${shown(score).padStart(6)}  ${escapeControl(`${name} (weight ${weight})${why}`)}`);
  }
  printLine(`  ${bar(overall)} ${shown(overall).padStart(6)}  overall`);
}

/** The reason that a judge failed, and what it printed instead of a score. */
function failureOf(data: unknown): string {
  const { error = "", last = "" } = (data ?? {}) as { readonly error?: unknown; readonly last?: unknown };
  if (typeof error !== "string" || error === "") return "";
  return `: ${error}${typeof last === "string" && last !== "" ? `, but ${JSON.stringify(last)}` : ""}`;
}

function readRuns(path: string): readonly EvalRun[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line, i) => {
    if (line.trim() === "") return [];
    const run = readRun(line);
    // A line that was only partly written, because its run was interrupted, must not make the other runs unreadable.
    if (!run) printError(`${path}: line ${i + 1} is not a run, or its scores do not fit together; it is left out.`);
    return run ? [run] : [];
  });
}

/** Accepts the id of a run, or the name of a task, which means its newest run. */
const findRun = (runs: readonly EvalRun[], name: string): EvalRun | undefined =>
  runs.findLast(({ id }) => id === name) ?? runs.findLast(({ task }) => task === name);

export async function listEvals({ json, results }: EvalOptions): Promise<ExitCode> {
  const runs = readRuns(results);
  if (json) printJson({ runs });
  else for (const { id, at, overall } of runs) printLine(escapeControl(`${at}  ${shown(overall)}  ${id}`));
  return EXIT_OK;
}

export async function reportEval(name: string, { json, results }: EvalOptions): Promise<ExitCode> {
  const run = findRun(readRuns(results), name);
  if (!run) return missing(name, results);
  if (json) printJson(run);
  else printRun(run);
  return EXIT_OK;
}

/** Fails if the second run is worse than the first. */
export async function diffEvals(before: string, after: string, { json, results }: EvalOptions): Promise<ExitCode> {
  const runs = readRuns(results);
  const [a, b] = [findRun(runs, before), findRun(runs, after)];
  if (!a || !b) return missing(a ? after : before, results);
  const names = [...new Set([...a.judges, ...b.judges].map(({ name }) => name))];
  const scoreIn = (run: EvalRun, name: string) => run.judges.find((judge) => judge.name === name)?.score ?? null;
  const rows = names.map((name) => ({ name, before: scoreIn(a, name), after: scoreIn(b, name) }));
  const all = [...rows, { name: "overall", before: a.overall, after: b.overall }];
  if (json) printJson({ before: a.id, after: b.id, judges: rows, overall: { before: a.overall, after: b.overall } });
  else
    for (const row of all) {
      const change = (row.after ?? 0) - (row.before ?? 0);
      printLine(
        `${bar(row.before)} ${shown(row.before)} → ${bar(row.after)} ${shown(row.after)}  ${change >= 0 ? "+" : ""}${change.toFixed(2)}  ${escapeControl(row.name)}`,
      );
    }
  return b.overall >= a.overall ? EXIT_OK : EXIT_PROBLEM;
}

const missing = (name: string, results: string): ExitCode =>
  reportError(`${results} has no run named ${escapeControl(name)}.`);
