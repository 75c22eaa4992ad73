// Represents runs as tasks. A task begins with a message and ends before the next one.
import type { Ctx } from "../../http/env.ts";
import { hydrateGate } from "../../http/hydrate-gate.ts";
import type { Gate } from "../../schema/gate.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { PLAN_TOOL } from "../../schema/manifest.ts";
import { type Failed, fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { readRecords } from "../../turn/load.ts";
import { nextAction } from "../../turn/view.ts";
import { DOUBT_OUTCOMES, decisionDetails } from "../shared/answer-gate.ts";
import { consoleAddress } from "../shared/console-address.ts";
import { createPartReader, type Part } from "../shared/parts.ts";
import { endProblem, errorText } from "../shared/problems.ts";
import { findRun, parseRunId, runId, type StoredRun } from "../shared/stored-run.ts";

/** A thread that another protocol created may begin with a goal or a workflow instead of a message. */
const startsTask = ({ entry, version, state }: ThreadRecord): boolean =>
  entry.input?.type === "message" || (version === 0 && Boolean(state.goal));

export const parseTaskId = (id: string) => parseRunId("task", id);

export const taskNotFound = (id: string): Failed =>
  fail("thread_not_found", `There is no task ${JSON.stringify(id.slice(0, 80))}.`);

export type Task = StoredRun;

export async function findTask(c: Ctx, id: string): Promise<Result<Task>> {
  const ref = parseTaskId(id);
  const run = ref ? await findRun(c, ref, startsTask) : ok(null);
  if (!run.ok) return run;
  return run.value ? ok(run.value) : taskNotFound(id);
}

/** Returns the ids of all tasks, oldest first. */
export async function taskIds(c: Ctx, at: ThreadRef, version: number): Promise<Result<readonly string[]>> {
  const read = await readRecords(c.get("options").rt, at, 0, version);
  return read.ok ? ok(read.value.filter(startsTask).map((record) => runId("task", at.thread, record.version))) : read;
}

const agentMessage = (id: string, parts: readonly object[]) => ({ messageId: id, role: "ROLE_AGENT", parts });

export const workingStatus = (record: ThreadRecord, text: string | null) => ({
  state: "TASK_STATE_WORKING",
  timestamp: record.entry.at,
  ...(text && { message: agentMessage(`msg_${record.version}`, [{ text }]) }),
});

/** `failure` is the problem because of which the run could not continue. */
export async function statusOf(c: Ctx, { at, first, records, closed }: Task, failure: Problem | null = null) {
  const head = records.at(-1) ?? first;
  const { state, entry } = head;
  const problem = failure ?? endProblem(head);
  const said = records.findLast((record) => record.entry.speak)?.entry.speak ?? "";
  const gate = closed ? null : await hydrateGate(c.get("options").rt, at, state.gate);
  const texts = problem ? [{ text: errorText(problem) }] : said && !gate ? [{ text: said }] : [];
  const parts = gate ? gateParts(gate, said, consoleAddress(c, at.thread)) : texts;
  return {
    state: stateOf(head, problem, gate, closed),
    timestamp: entry.at,
    ...(parts.length > 0 && { message: agentMessage(`msg_${head.version}_end`, parts) }),
  };
}

function stateOf({ state }: ThreadRecord, problem: Problem | null, gate: Gate | null, closed: boolean): string {
  if (problem) return "TASK_STATE_FAILED";
  if (state.machine.outcome === "cancelled") return "TASK_STATE_CANCELED";
  // The agent has decided that it cannot or will not do the task.
  if (state.machine.outcome === "aborted") return "TASK_STATE_REJECTED";
  // Plans and calls need the decision of a person. Any other gate asks for information.
  if (gate)
    return gate.kind === "plan" || gate.kind === "confirmation"
      ? "TASK_STATE_AUTH_REQUIRED"
      : "TASK_STATE_INPUT_REQUIRED";
  return !closed && nextAction(state) === "advance" ? "TASK_STATE_WORKING" : "TASK_STATE_COMPLETED";
}

/** The reader may be a model, so the parts contain no link that grants a right by itself. */
function gateParts(gate: Gate, said: string, console: string): readonly object[] {
  const questions = gate.kind === "question" && gate.questions ? { questions: gate.questions } : {};
  const outcomes = gate.kind === "doubt" ? { outcomes: DOUBT_OUTCOMES } : {};
  const data = { gate_id: gate.id, kind: gate.kind, console, ...decisionDetails(gate), ...questions, ...outcomes };
  const text = said && !gate.text.includes(said) ? `${said}\n\n${gate.text}` : gate.text;
  return [{ text }, { data }];
}

export const artifactsOf = (parts: readonly Part[]): readonly object[] =>
  parts.flatMap((part) =>
    part.kind === "result" && part.name !== PLAN_TOOL
      ? [
          {
            artifactId: part.id,
            name: part.name,
            parts: [{ text: part.text }],
            metadata: { arguments: part.arguments, status: part.status },
          },
        ]
      : [],
  );

export async function taskBody(c: Ctx, task: Task, failure: Problem | null = null, historyLength?: number | null) {
  const { at, first, records } = task;
  const read = createPartReader(c.get("options").rt, at, null);
  const artifacts: object[] = [];
  const history: object[] = [];
  for (const record of records) {
    const { input, create } = record.entry;
    const text = input?.type === "message" || input?.type === "answer" ? input.text : create?.goal;
    if (text) history.push({ messageId: `in_${record.version}`, role: "ROLE_USER", parts: [{ text }] });
    const parts = await read(record);
    artifacts.push(...artifactsOf(parts));
    for (const part of parts) if (part.kind === "text") history.push(agentMessage(part.id, [{ text: part.text }]));
  }
  const { version, state } = records.at(-1) ?? first;
  return {
    id: runId("task", at.thread, first.version),
    contextId: at.thread,
    status: await statusOf(c, task, failure),
    artifacts,
    history: typeof historyLength === "number" ? history.slice(Math.max(0, history.length - historyLength)) : history,
    metadata: { version, outcome: state.machine.outcome ?? null },
  };
}
