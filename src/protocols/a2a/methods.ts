// Implements the methods of A2A. A message runs a thread until it needs input, ends or fails. Streams report the same
// run step by step.
import { requireScope } from "../../http/edge/caller.ts";
import { requireWorker } from "../../http/edge/worker.ts";
import type { Ctx } from "../../http/env.ts";
import { createTurnRequest } from "../../http/turn-request.ts";
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { advance } from "../../turn/advance.ts";
import { findKey } from "../../turn/commit/idempotency-keys.ts";
import { nextAction } from "../../turn/view.ts";
import { backgroundEvents } from "../shared/background-events.ts";
import { createPartReader } from "../shared/parts.ts";
import { type FoundThread, findThread, prepareRun } from "../shared/prepare-run.ts";
import { invalidField } from "../shared/problems.ts";
import { requestKey } from "../shared/request-key.ts";
import { peek } from "../shared/respond.ts";
import { committedEvents, createProtocolRun, type RunEvent, recordEvents, runThread } from "../shared/run-thread.ts";
import { inputOf, type SendParams } from "./request.ts";
import { artifactsOf, findTask, statusOf, type Task, taskBody, taskIds, taskNotFound, workingStatus } from "./task.ts";

type Started = { readonly found: FoundThread; readonly events: AsyncIterable<RunEvent>; readonly id: string };

/** A failed result means that nothing was stored. */
async function start(c: Ctx, params: SendParams): Promise<Result<Started>> {
  const scope = requireScope(c.get("caller"), "advance");
  if (!scope.ok) return scope;
  const { rt } = c.get("options");
  const { message, configuration, metadata } = params;
  const found = await contextOf(c, params);
  if (!found.ok) return found;
  const { at, thread } = found.value;
  const key = requestKey(rt.hash, `a2a:${at.thread}:${message.messageId}`, message.parts);
  const repeated = thread ? findKey(thread.state.key_ring, key.hash) : null;
  // A message that was answered before has no events. Its answer is read from the log.
  if (thread && repeated && nextAction(thread.state) !== "advance")
    return withTaskId(c, found.value, repeated.first, recordEvents([]));
  const input = repeated ? ok(null) : inputOf(c, params, found.value);
  if (!input.ok) return input;
  const background = configuration?.returnImmediately ?? false;
  const worker = background ? requireWorker(rt) : ok(undefined);
  if (!worker.ok) return worker;
  const prepared = await prepareRun(c, "a2a", found.value, {
    input: input.value,
    key,
    agent: metadata?.agent,
    background,
  });
  if (!prepared.ok) return prepared;
  const run = createProtocolRun(c, at);
  const events = background ? backgroundEvents(run, prepared.value, false) : runThread(run, prepared.value.start);
  const { first, all } = await peek(committedEvents(events));
  if (first?.type === "problem") return { ok: false, problem: first.problem };
  if (!first) return fail("nothing_to_do", "There is nothing to do.");
  return withTaskId(c, found.value, first.record.version, all);
}

/** Adds the id of the task to which the record with this version belongs. */
async function withTaskId(
  c: Ctx,
  found: FoundThread,
  version: number,
  events: AsyncIterable<RunEvent>,
): Promise<Result<Started>> {
  const ids = await taskIds(c, found.at, version);
  if (!ids.ok) return ids;
  const id = ids.value.at(-1);
  return id ? ok({ found, events, id }) : taskNotFound("");
}

async function contextOf(c: Ctx, { message }: SendParams): Promise<Result<FoundThread>> {
  const { taskId, contextId } = message;
  if (!taskId) return findThread(c, "a2a", contextId || c.get("options").rt.ids.make("req"));
  const task = await findTask(c, taskId);
  if (!task.ok) return task;
  const { at, thread, closed } = task.value;
  if (contextId && contextId !== at.thread) return invalidField("message.contextId", "is not the context of the task.");
  if (closed || nextAction(thread.state) === "none")
    return fail("gate_closed", `Task ${taskId} has ended; send the message without a task.`);
  return findThread(c, "a2a", at.thread);
}

export async function sendMessage(c: Ctx, params: SendParams): Promise<Result<object>> {
  const started = await start(c, params);
  if (!started.ok) return started;
  let failure: Problem | null = null;
  for await (const event of started.value.events) if (event.type === "problem") failure = event.problem;
  const task = await findTask(c, started.value.id);
  return task.ok ? ok({ task: await taskBody(c, task.value, failure) }) : task;
}

export async function streamMessage(c: Ctx, params: SendParams): Promise<Result<AsyncIterable<object>>> {
  const started = await start(c, params);
  if (!started.ok) return started;
  const { id, events, found } = started.value;
  const task = await findTask(c, id);
  if (!task.ok) return task;
  // The records that the task had when the message arrived. Later ones are reported as updates.
  const known = task.value.records.filter(({ version }) => version <= (found.thread?.version ?? 0));
  return ok(updates(c, task.value, known, events));
}

/** Yields the task with its `known` records, or only with its first one, and then an update for each later record. */
async function* updates(
  c: Ctx,
  task: Task,
  known: readonly ThreadRecord[],
  events: AsyncIterable<RunEvent>,
): AsyncGenerator<object> {
  const { at, first } = task;
  const isNew = known.length === 0;
  const whole = await taskBody(c, { ...task, records: isNew ? task.records.slice(0, 1) : known });
  const body = isNew ? { ...whole, artifacts: [], history: whole.history.slice(0, 1) } : whole;
  const place = { taskId: body.id, contextId: at.thread };
  yield { task: { ...body, status: { state: "TASK_STATE_WORKING", timestamp: body.status.timestamp } } };
  const read = createPartReader(c.get("options").rt, at, null);
  const all: ThreadRecord[] = [];
  for (const record of known) {
    all.push(record);
    await read(record);
  }
  let failure: Problem | null = null;
  for await (const event of events) {
    if (event.type === "problem") failure = event.problem;
    if (event.type !== "record" || event.record.version < first.version) continue;
    const isKnown = all.some(({ version }) => version === event.record.version);
    if (isKnown) continue;
    all.push(event.record);
    for (const artifact of artifactsOf(await read(event.record)))
      yield { artifactUpdate: { ...place, artifact, append: false, lastChunk: true } };
    yield { statusUpdate: { ...place, status: workingStatus(event.record, event.record.entry.speak) } };
  }
  yield { statusUpdate: { ...place, status: await statusOf(c, { ...task, records: all }, failure) } };
}

/** Begins with the current state of the task, and advances its run if no other request does. */
export async function subscribe(c: Ctx, id: string): Promise<Result<AsyncIterable<object>>> {
  const task = await findTask(c, id);
  if (!task.ok) return task;
  const { at, thread, closed } = task.value;
  if (closed || nextAction(thread.state) === "none") return fail("gate_closed", `Task ${id} has ended.`);
  if (nextAction(thread.state) !== "advance") return ok(once({ task: await taskBody(c, task.value) }));
  const allowed = requireScope(c.get("caller"), "advance");
  if (!allowed.ok) return allowed;
  const run = createProtocolRun(c, at);
  return ok(updates(c, task.value, task.value.records, runThread(run, { input: null, version: thread.version })));
}

async function* once(value: object): AsyncGenerator<object> {
  yield value;
}

export async function cancelTask(c: Ctx, id: string): Promise<Result<object>> {
  const scope = requireScope(c.get("caller"), "advance");
  if (!scope.ok) return scope;
  const options = c.get("options");
  const task = await findTask(c, id);
  if (!task.ok) return task;
  if (task.value.closed) return fail("nothing_to_do", `Task ${id} has ended.`);
  const request = createTurnRequest(options, c.get("caller"), task.value.at, { input: { type: "cancel" } });
  const cancelled = await advance(options.rt, request);
  if (!cancelled.ok) return cancelled;
  const after = await findTask(c, id);
  return after.ok ? ok(await taskBody(c, after.value)) : after;
}
