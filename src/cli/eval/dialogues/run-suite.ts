// Runs the dialogues of a suite one after another, and prints whether each ended as expected.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../../client/client.ts";
import type { Result } from "../../../schema/problem.ts";
import { VERSION } from "../../../version.ts";
import {
  colorize,
  EXIT_OK,
  EXIT_PROBLEM,
  type ExitCode,
  printJson,
  printLine,
  reportProblem,
  terminalLine,
} from "../../output.ts";
import type { EvalOptions, EvalRun } from "../eval-run.ts";
import { differences } from "./compare.ts";
import { dateIn } from "./days.ts";
import { playDialogue, type Target } from "./play.ts";
import type { Dialogue, Suite } from "./suite.ts";

/** The score is 1 if everything is as expected, otherwise 0. */
export async function runDialogue(
  to: Target,
  suite: Suite,
  dialogue: Dialogue,
  now = Date.now(),
): Promise<Result<EvalRun>> {
  const today = dateIn(suite.calendar.time_zone, now);
  const played = await playDialogue(to, suite, dialogue, today);
  if (!played.ok) return played;
  const { thread, turns, text } = played.value;
  const differs = differences(dialogue.expect, played.value, today);
  const score = differs.length === 0 ? 1 : 0;
  const task = `${suite.name}/${dialogue.name}`;
  const said = text.slice(0, 400);
  const value: EvalRun = {
    id: `${task}-${thread.id.slice(-8)}`,
    task,
    at: thread.updated_at,
    config: {
      agent: thread.agent,
      model: turns.findLast(({ model }) => model !== null)?.model ?? null,
      version: VERSION,
    },
    thread: thread.id,
    outcome: thread.outcome,
    judges: [{ name: "dialogue", weight: 1, score, data: { says: dialogue.say, differs, text: said } }],
    overall: score,
  };
  return { ok: true, value };
}

/** Obeys the server's rate limit, because a suite sends requests faster than a user would. */
const fetchWithRetry: typeof fetch = async (input, init) => {
  for (;;) {
    const response = await fetch(input, init);
    if (response.status !== 429) return response;
    await sleep(1000 * (Number(response.headers.get("retry-after")) || 1));
  }
};

export async function runSuite({ url, key }: Target, suite: Suite, options: EvalOptions): Promise<ExitCode> {
  const to = { client: createClient(url, key, fetchWithRetry), url, key, fetch: fetchWithRetry };
  const runs: EvalRun[] = [];
  for (const dialogue of suite.dialogues) {
    const run = await runDialogue(to, suite, dialogue);
    if (!run.ok) return reportProblem(run.problem);
    appendFileSync(options.results, `${JSON.stringify(run.value)}\n`);
    runs.push(run.value);
    if (!options.json) printDialogue(run.value);
  }
  const passed = runs.filter(({ overall }) => overall === 1).length;
  const score = passed / runs.length;
  if (options.json) printJson({ suite: suite.name, score, runs });
  else printLine(`${suite.name}: ${passed} of ${runs.length} dialogues as expected (${score.toFixed(2)})`);
  return score >= suite.threshold ? EXIT_OK : EXIT_PROBLEM;
}

function printDialogue({ task, overall, judges }: EvalRun): void {
  const data = judges.map((judge) => judge.data as { says: string[]; differs: string[]; text: string });
  const { says, differs, text } = data[0] ?? { says: [], differs: [], text: "" };
  const mark = overall === 1 ? colorize("green", "pass") : colorize("red", "FAIL");
  printLine(`${mark}  ${task}: ${terminalLine(says.join(" / "), 90)}`);
  for (const line of differs.slice(0, 4)) printLine(`        ${terminalLine(line, 120)}`);
  if (overall < 1) printLine(`        it said: ${terminalLine(text, 160)}`);
}
