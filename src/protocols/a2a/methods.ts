// Implements the methods of A2A. A message runs a thread until it needs input, ends or fails. Streams report the same
// run step by step.
import { requireScope } from "../../http/edge/caller.ts";
import { requireWorker } from "../../http/edge/worker.ts";
import type { Ctx } from "../../http/env.ts";
import { checkInput, createTurnRequest } from "../../http/turn-request.ts";
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { advance } from "../../turn/advance.ts";
import { findKey } from "../../turn/commit/idempotency-keys.ts";
import { nextAction } from "../../turn/view.ts";
import { backgroundEvents } from "../shared/background-events.ts";
import { consoleAddress } from "../shared/console-address.ts";
import { createPartReader } from "../shared/parts.ts";
import { requestKey } from "../shared/request-key.ts";
import { peek } from "../shared/respond.ts";
import { createProtocolRun, type RunEvent, runThread } from "../shared/run-thread.ts";
import { checkStart, newThreadInput, surfaceConfig } from "../shared/start.ts";
import { ensureThread, type FoundThread, findThread } from "../shared/thread-of.ts";
import { inputOf, type SendParams } from "./request.ts";
import { artifactsOf, findTask, statusOf, type Task, taskBody, taskIds, taskNotFound, workingStatus } from "./task.ts";

type Started = { readonly found: FoundThread; readonly events: AsyncIterable<RunEvent>; readonly id: string };

/** Starts the turns for a message. A failed result means that nothing was stored. */
async function start(c: Ctx, params: SendParams): Promise<Result<Started>> {
  const scope = requireScope(c.get("caller"), "advance");
  if (!scope.ok) return scope;
  const options = c.get("options");
  const { rt } = options;
  const config = surfaceConfig(c, "a2a");
  const { message, configuration, metadata } = params;
  const found = await contextOf(c, params);
  if (!found.ok) return found;
  const { at, thread } = found.value;
  const key = requestKey(rt.hash, `a2a:${at.thread}:${message.messageId}`, message.parts);
  const repeated = thread ? findKey(thread.state.key_ring, key.hash) : null;
  if (thread && repeated && nextAction(thread.state) !== "advance")
    return withTaskId(c, found.value, repeated.first, noEvents());
  const right = { caller: c.get("caller"), approve: config.approve, address: consoleAddress(c, at.thread) };
  const input = repeated ? ok(null) : inputOf(params, thread?.state.gate ?? null, right);
  if (!input.ok) return input;
  const allowed = checkInput(c.get("caller"), input.value);
  if (!allowed.ok) return allowed;
  const background = configuration?.returnImmediately ?? false;
  const worker = background ? requireWorker(rt) : ok(undefined);
  if (!worker.ok) return worker;
  const create = newThreadInput(config, metadata?.agent);
  const checked = checkStart(c, found.value, create, undefined);
  if (!checked.ok) return checked;
  const ready = await ensureThread(c, found.value, create);
  if (!ready.ok) return ready;
  const run = createProtocolRun(c, at);
  const from = { input: input.value, key, version: ready.value.version, options: { channel: "a2a" } };
  const { first, all } = await peek(records(background ? backgroundEvents(run, from, false) : runThread(run, from)));
  if (first?.type === "problem") return first;
  if (first?.type !== "record") return fail("nothing_to_do", "There is nothing to do.");
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

/** Yields no events, for a message that was answered before. Its answer is read from the log. */
async function* noEvents(): AsyncGenerator<RunEvent> {}

/** Yields only committed records, because A2A cannot retract text that was sent. The last event may be a problem. */
async function* records(
  events: AsyncIterable<RunEvent>,
): AsyncGenerator<Failure | Extract<RunEvent, { type: "record" }>> {
  for await (const event of events) {
    if (event.type === "record") yield event;
    if (event.type === "problem") yield { type: "problem", ok: false, problem: event.problem };
  }
}
type Failure = { readonly type: "problem"; readonly ok: false; readonly problem: Problem };

async function contextOf(c: Ctx, { message }: SendParams): Promise<Result<FoundThread>> {
  const { taskId, contextId } = message;
  if (!taskId) return findThread(c, "a2a", contextId || c.get("options").rt.ids.make("req"));
  const task = await findTask(c, taskId);
  if (!task.ok) return task;
  const { at, thread, closed } = task.value;
  if (contextId && contextId !== at.thread)
    return fail("request_invalid", "message.contextId: is not the context of the task.", {
      field: "message.contextId",
    });
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

/**
 * Yields the task first, with the records in `known` or, if there are none, with only its first record. Then yields an
 * update for each later record.
 */
async function* updates(
  c: Ctx,
  task: Task,
  known: readonly ThreadRecord[],
  events: AsyncIterable<RunEvent>,
): AsyncGenerator<object> {
  const { at, begin } = task;
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
    if (event.type !== "record" || event.record.version < begin) continue;
    const isKnown = all.some(({ version }) => version === event.record.version);
    if (isKnown) continue;
    all.push(event.record);
    for (const artifact of artifactsOf(await read(event.record)))
      yield { artifactUpdate: { ...place, artifact, append: false, lastChunk: true } };
    yield { statusUpdate: { ...place, status: workingStatus(event.record, event.record.entry.speak) } };
  }
  yield { statusUpdate: { ...place, status: await statusOf(c, { at, records: all, closed: task.closed }, failure) } };
}

/** Streams a task beginning with its current state, and advances its run if no other request does. */
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
