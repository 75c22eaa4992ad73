// Represents runs as tasks. A task begins with a message and ends before the next one. Its id contains the thread and
// the version at which the task began, so tasks are not stored separately.
import type { Ctx } from "../../http/env.ts";
import { hydrateGate } from "../../http/hydrate-gate.ts";
import type { Gate } from "../../schema/gate.ts";
import { ThreadId, type ThreadRef } from "../../schema/ids.ts";
import { PLAN_TOOL } from "../../schema/manifest.ts";
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { loadThread, readRecords } from "../../turn/load.ts";
import { nextAction } from "../../turn/view.ts";
import { DOUBT_OUTCOMES, decisionDetails } from "../shared/answer-gate.ts";
import { consoleAddress } from "../shared/console-address.ts";
import { endProblem, errorText } from "../shared/ended.ts";
import { createPartReader, type Part } from "../shared/parts.ts";

/**
 * Reports whether a task begins with this record. A thread that another protocol created may begin with a goal or a
 * workflow instead of a message.
 */
const begins = ({ entry, version, state }: ThreadRecord): boolean =>
  entry.input?.type === "message" || (version === 0 && Boolean(state.goal));

const taskId = (thread: string, version: number): string => `task_${thread.slice("thr_".length)}_${version}`;

export function parseTaskId(id: string): { readonly thread: ThreadId; readonly version: number } | null {
  const [, suffix, version] = /^task_([^_]+)_(\d{1,9})$/.exec(id) ?? [];
  const thread = ThreadId.safeParse(`thr_${suffix}`).data;
  return thread ? { thread, version: Number(version) } : null;
}

export const taskNotFound = (id: string) =>
  fail("thread_not_found", `There is no task ${JSON.stringify(id.slice(0, 80))}.`);

export type Task = {
  readonly at: ThreadRef;
  readonly thread: Thread;
  readonly begin: number;
  readonly records: readonly ThreadRecord[];
  /** True if a later message has begun another task. */
  readonly closed: boolean;
};

export async function findTask(c: Ctx, id: string): Promise<Result<Task>> {
  const { rt } = c.get("options");
  const ref = parseTaskId(id);
  if (!ref) return taskNotFound(id);
  const at = { tenant: c.get("caller").tenant, thread: ref.thread };
  const thread = await loadThread(rt, at);
  if (!thread.ok) return thread;
  const read = await readRecords(rt, at, ref.version, thread.value.version);
  if (!read.ok) return read;
  const [first, ...later] = read.value;
  if (!first || !begins(first)) return taskNotFound(id);
  const next = later.findIndex(begins);
  const records = [first, ...(next < 0 ? later : later.slice(0, next))];
  return ok({ at, thread: thread.value, begin: ref.version, records, closed: next >= 0 });
}

/** Returns the ids of all tasks of a thread, oldest first. */
export async function taskIds(c: Ctx, at: ThreadRef, version: number): Promise<Result<readonly string[]>> {
  const read = await readRecords(c.get("options").rt, at, 0, version);
  return read.ok ? ok(read.value.filter(begins).map((record) => taskId(at.thread, record.version))) : read;
}

const agentMessage = (id: string, parts: readonly object[]) => ({ messageId: id, role: "ROLE_AGENT", parts });

export const workingStatus = (record: ThreadRecord, text: string | null) => ({
  state: "TASK_STATE_WORKING",
  timestamp: record.entry.at,
  ...(text && { message: agentMessage(`msg_${record.version}`, [{ text }]) }),
});

/** Returns the status of a task. `failure` is the problem because of which the run could not continue. */
export async function statusOf(
  c: Ctx,
  { at, records, closed }: Omit<Task, "thread" | "begin">,
  failure: Problem | null = null,
) {
  const head = records.at(-1);
  if (!head) throw new Error("A task has no record.");
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

/**
 * Returns the parts that describe an open gate. They contain the URL of the console, which asks for a key. The reader
 * may be a model, so they contain no link that grants a right by itself.
 */
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
  const { at, begin, records } = task;
  const read = createPartReader(c.get("options").rt, at, null);
  const artifacts: object[] = [];
  const history: object[] = [];
  for (const record of records) {
    const { input } = record.entry;
    const text = input?.type === "message" || input?.type === "answer" ? input.text : undefined;
    if (text) history.push({ messageId: `in_${record.version}`, role: "ROLE_USER", parts: [{ text }] });
    const parts = await read(record);
    artifacts.push(...artifactsOf(parts));
    for (const part of parts) if (part.kind === "text") history.push(agentMessage(part.id, [{ text: part.text }]));
  }
  const head = records.at(-1);
  return {
    id: taskId(at.thread, begin),
    contextId: at.thread,
    status: await statusOf(c, task, failure),
    artifacts,
    history: typeof historyLength === "number" ? history.slice(Math.max(0, history.length - historyLength)) : history,
    metadata: { version: head?.version ?? begin, outcome: head?.state.machine.outcome ?? null },
  };
}
