// Advances a thread for one response of another protocol: turn after turn until a gate, the end or a problem. Text comes while
// the model writes it; everything else is read from committed records.
import type { Caller } from "../../http/edge/caller.ts";
import type { AppOptions } from "../../http/env.ts";
import { logBug } from "../../http/log-bug.ts";
import { createTurnRequest, type TurnRequestInput } from "../../http/turn-request.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { type Problem, problem, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { type Advanced, advance } from "../../turn/advance.ts";
import { endsRequest } from "../../turn/commit/commit.ts";
import { readRecords } from "../../turn/load.ts";
import { createQueue } from "./queue.ts";

export type RunEvent =
  /** A preview of the text: the decision may still be refused. */
  | { readonly type: "delta"; readonly turn: number; readonly text: string }
  | { readonly type: "discarded"; readonly turn: number }
  | { readonly type: "record"; readonly record: ThreadRecord }
  /** The last event. */
  | { readonly type: "problem"; readonly problem: Problem };

export type RunStart = Pick<TurnRequestInput, "input" | "key" | "if_match" | "options" | "budget"> & {
  /** The newest version that the client knows; later records are events of this run. */
  readonly version: number;
  /** Records of an earlier attempt of this request, which come before the text that is written now. */
  readonly past?: readonly ThreadRecord[];
};

export type SurfaceRun = {
  readonly options: AppOptions;
  readonly caller: Caller;
  readonly at: ThreadRef;
  readonly request_id: string;
};

/** The run goes on if the reader stops reading. A problem before the first record means that nothing was stored. */
export function runThread(run: SurfaceRun, start: RunStart): AsyncIterable<RunEvent> {
  const queue = createQueue<RunEvent>();
  const finish = (event: RunEvent | null): void => {
    if (event) queue.push(event);
    queue.close();
  };
  drive(run, start, queue.push).then(finish, (error) => {
    logBug(run.options, run.request_id, error);
    finish({ type: "problem", problem: problem("internal", "Internal error. The request may be retried.") });
  });
  return queue;
}

const PAGE = 100;
const WAIT_MS_MAX = 1_000;
/** Another process or another client advances the thread: its records are part of the run. */
const MOVED = new Set(["thread_moved", "turn_running", "gate_open", "nothing_to_do", "gate_closed"]);

async function drive(
  { options, caller, at }: SurfaceRun,
  start: RunStart,
  push: (event: RunEvent) => void,
): Promise<RunEvent | null> {
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
    const advanced: Result<Advanced> = await advance(rt, turnOf({ options, caller, at }, start, first, push));
    if (advanced.ok) {
      const all = advanced.value.records;
      // The first result has all records of the request, also of an earlier attempt under the same key.
      send(first && past.length === 0 ? all : all.filter((record) => record.version > version));
    } else {
      const { code, details } = advanced.problem;
      if (!MOVED.has(code) || (first && start.input !== null)) return { type: "problem", problem: advanced.problem };
      const since = await readRecords(rt, at, version + 1, version + PAGE);
      if (!since.ok) return { type: "problem", problem: since.problem };
      send(since.value);
      if (since.value.length === 0 && code !== "thread_moved" && code !== "turn_running")
        return first ? { type: "problem", problem: advanced.problem } : null;
      const wait_ms = typeof details?.retry_after_s === "number" ? details.retry_after_s * 1000 : 50;
      if (!ended) await rt.clock.sleep(Math.min(WAIT_MS_MAX, wait_ms));
    }
    if (ended) return null;
    if (stopping.aborted)
      return { type: "problem", problem: problem("stopping", "The server is shutting down.", { retry_after_s: 1 }) };
  }
}

function turnOf(
  { options, caller, at }: Pick<SurfaceRun, "options" | "caller" | "at">,
  start: RunStart,
  first: boolean,
  push: (event: RunEvent) => void,
) {
  const { input, if_match = null, budget = null, key = null, options: more = {} } = start;
  const fields = first ? { input, if_match, budget, options: more } : { input: null };
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
