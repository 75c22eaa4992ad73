// Advances a thread for one response of another protocol, turn after turn until a gate, the end of the run or a
// problem. Text is streamed while the model writes it. All other events come from committed records.
import type { Caller } from "../../http/edge/caller.ts";
import type { AppOptions, Ctx } from "../../http/env.ts";
import { logBug } from "../../http/log-bug.ts";
import { createTurnRequest, type TurnRequestInput } from "../../http/turn-request.ts";
import { sendOrAdvance } from "../../jobs/inbox/double-texting.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Problem, problem as problemOf, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import type { Advanced } from "../../turn/advance.ts";
import { endsRequest } from "../../turn/commit/commit.ts";
import { needsWorker } from "../../turn/commit/wake-up.ts";
import { loadThread, readRecords } from "../../turn/load.ts";
import type { Runtime, TurnRequest } from "../../turn/runtime.ts";

export type RunEvent =
  /** A preview of the text of a decision that may still be refused. */
  | { readonly type: "delta"; readonly turn: number; readonly text: string }
  | { readonly type: "discarded"; readonly turn: number }
  | { readonly type: "record"; readonly record: ThreadRecord }
  /** If it occurs, it is the last event of the run. */
  | { readonly type: "problem"; readonly problem: Problem };

export type RunStart = Pick<TurnRequestInput, "input" | "key" | "options"> & {
  /** The newest version that the client knows. All later records are events of this run. */
  readonly version: number;
  /** Records of an earlier attempt of this request. They are sent first. */
  readonly past?: readonly ThreadRecord[];
  /** The run ends when it waits only for sub-agents with open gates. By default it waits as long as its reader does. */
  readonly ends_at_sub_agents?: boolean;
};

export type ProtocolRun = {
  readonly options: AppOptions;
  readonly caller: Caller;
  readonly at: ThreadRef;
  readonly request_id: string;
  readonly isAbandoned: () => boolean;
};

export const createProtocolRun = (c: Ctx, at: ThreadRef): ProtocolRun => ({
  options: c.get("options"),
  caller: c.get("caller"),
  at,
  request_id: c.get("request_id"),
  isAbandoned: () => c.req.raw.signal.aborted,
});

/** Yields stored records, then the events of a run that still advances. */
export async function* recordEvents(
  records: readonly ThreadRecord[],
  rest: AsyncIterable<RunEvent> | null = null,
): AsyncGenerator<RunEvent> {
  for (const record of records) yield { type: "record", record };
  if (rest) yield* rest;
}

/** For protocols that cannot retract text: drops the previews of text that may still be refused. */
export async function* committedEvents(events: AsyncIterable<RunEvent>): AsyncGenerator<CommittedEvent> {
  for await (const event of events) if (event.type === "record" || event.type === "problem") yield event;
}
export type CommittedEvent = Extract<RunEvent, { type: "record" | "problem" }>;

/** The run continues even if the reader stops reading. If a problem comes before any record, nothing was stored. */
export function runThread(run: ProtocolRun, start: RunStart): AsyncIterable<RunEvent> {
  const queue = createQueue<RunEvent>();
  const finish = (event: RunEvent | null): void => {
    if (event) queue.push(event);
    queue.close();
  };
  drive(run, start, queue.push).then(finish, (error) => {
    logBug(run.options, run.request_id, error);
    finish({ type: "problem", problem: problemOf("internal", "Internal error. The request may be retried.") });
  });
  return queue;
}

const PAGE = 100;
const WAIT_MS_MAX = 1_000;
/** With these codes, another process or client may have advanced the thread. Its records are part of this run too. */
const MOVED = new Set(["thread_moved", "turn_running", "gate_open", "nothing_to_do", "gate_closed"]);

async function drive(run: ProtocolRun, start: RunStart, push: (event: RunEvent) => void): Promise<RunEvent | null> {
  const { options, at } = run;
  const { rt, stopping } = options;
  const { past = [] } = start;
  let { version } = start;
  let ended = false;
  const send = (records: readonly ThreadRecord[]): void => {
    for (const record of records) {
      push({ type: "record", record });
      version = record.version;
      ended = endsRequest(record.state, record.entry);
    }
  };
  send(past);
  if (ended) return null;
  for (let first = true; ; first = false) {
    if ((!first || start.input === null) && (await isAdvancedByWorker(rt, at))) {
      const since = await readRecords(rt, at, version + 1, version + PAGE);
      if (!since.ok) return { type: "problem", problem: since.problem };
      send(since.value);
      if (ended || run.isAbandoned()) return null;
      if (stopping.aborted) return STOPPING;
      if (since.value.length === 0) await (rt.in_flight?.nextEnd(at) ?? rt.clock.sleep(FOLLOW_MS));
      continue;
    }
    const request = turnOf(run, start, first, push);
    const advanced = await advanceOrWait(rt, request);
    if (advanced?.ok) {
      const all = advanced.value.records;
      // The result of the first request contains all its records, including those of an earlier attempt with the same
      // key.
      send(first && past.length === 0 ? all : all.filter((record) => record.version > version));
    } else {
      const problem = advanced?.problem;
      if (problem && (!MOVED.has(problem.code) || (first && start.input !== null))) return { type: "problem", problem };
      if (problem && waitsForPeople(problem) && (start.ends_at_sub_agents || run.isAbandoned()))
        return { type: "problem", problem };
      const since = await readRecords(rt, at, version + 1, version + PAGE);
      if (!since.ok) return { type: "problem", problem: since.problem };
      send(since.value);
      if (problem && since.value.length === 0 && problem.code !== "thread_moved" && problem.code !== "turn_running")
        return first ? { type: "problem", problem } : null;
      if (problem && !ended) await rt.clock.sleep(waitMs(problem));
    }
    if (ended) return null;
    if (stopping.aborted) return STOPPING;
  }
}

const STOPPING: RunEvent = {
  type: "problem",
  problem: problemOf("stopping", "The server is shutting down.", { retry_after_s: 1 }),
};

/** How often the log is read while a worker of another process advances the run. */
const FOLLOW_MS = 250;

/**
 * A reader then takes no turns, because a second turn at the same time would pay for another model call. It takes them
 * again if the run was paused or its worker has given up.
 */
async function isAdvancedByWorker(rt: Runtime, at: ThreadRef): Promise<boolean> {
  if (!rt.worker?.running) return false;
  const thread = await loadThread(rt, at);
  return thread.ok && needsWorker(thread.value.state);
}

/** Open gates of sub-agents are answered in their own threads, possibly after days. */
const waitsForPeople = ({ code, details }: Problem): boolean =>
  code === "turn_running" && details?.threads !== undefined;

const waitMs = ({ details }: Problem): number =>
  Math.min(WAIT_MS_MAX, typeof details?.retry_after_s === "number" ? details.retry_after_s * 1000 : 50);

/**
 * Waits for a turn that another request of this process runs, because a second turn would pay for another model call.
 */
async function advanceOrWait(rt: Runtime, request: TurnRequest): Promise<Result<Advanced> | null> {
  const other = request.input === null ? rt.in_flight?.nextEnd(request.at) : null;
  if (!other) return advanceWith(rt, request);
  await other;
  return null;
}

/**
 * As usual in a chat, a message supersedes a turn in progress, which its sender cannot know about. A request that
 * cannot supersede the turn waits for its end: a repeated request, or a message while a call runs.
 */
export async function advanceWith(rt: Runtime, request: TurnRequest): Promise<Result<Advanced>> {
  for (let count = 1; ; count += 1) {
    const sent = await sendOrAdvance(rt, request, "interrupt");
    if (sent.ok)
      return sent.value.kind === "queued" ? fail("internal", "A message was queued.") : ok(sent.value.advanced);
    const { code } = sent.problem;
    // An answer names its gate, so it is safe to send again: either it is still valid, or it is refused because the
    // gate has been answered.
    if (code === "thread_moved" && isAnswer(request.input) && count < ANSWERS_MAX) continue;
    const other = code === "turn_running" ? rt.in_flight?.nextEnd(request.at) : null;
    if (!other) return sent;
    await other;
  }
}

const ANSWERS_MAX = 3;
const isAnswer = (input: TurnInput | null): boolean => input !== null && input.type !== "message";

function turnOf(
  { options, caller, at, isAbandoned }: ProtocolRun,
  start: RunStart,
  first: boolean,
  push: (event: RunEvent) => void,
) {
  const { input, key = null, options: more = {} } = start;
  const fields = first ? { input, options: { ...more, isAbandoned } } : { input: null };
  const request = createTurnRequest(options, caller, at, {
    ...fields,
    key,
    listener: (event) => {
      if (event.type === "speak.delta") push({ type: "delta", turn: event.turn, text: event.text });
      if (event.type === "speak.discarded") push({ type: "discarded", turn: event.turn });
    },
  });
  return { ...request, last_turn: false };
}

/** One side pushes values, and the other side reads them in order as they arrive. */
type Queue<T> = AsyncIterable<T> & { readonly push: (value: T) => void; readonly close: () => void };

function createQueue<T>(): Queue<T> {
  const values: T[] = [];
  let closed = false;
  let wake = Promise.withResolvers<void>();
  const notify = (): void => {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };
  return {
    push(value) {
      values.push(value);
      notify();
    },
    close() {
      closed = true;
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const waiting = wake.promise;
        while (values.length > 0) yield values.shift() as T;
        if (closed) return;
        await waiting;
      }
    },
  };
}
