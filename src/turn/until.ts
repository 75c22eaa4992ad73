// One call, several turns: advance until a gate, the end, a problem, the count or the time. Each turn is committed.

import type { TurnOutcome } from "../schema/outcome.ts";
import type { Problem } from "../schema/problem.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { ThreadRecord } from "../schema/record.ts";
import { replay } from "./admit/replay.ts";
import { advance } from "./advance.ts";
import { endsCall } from "./commit/commit.ts";
import { loadThread } from "./load.ts";
import type { Runtime, TurnCall } from "./runtime.ts";
import { outcomeOf } from "./view.ts";

export const MAX_TURNS = 20;
export const UNTIL_MS = 25_000;

export type Stopped = "gate" | "rest" | "failed" | "problem" | "max_turns" | "time";
export type Ran = {
  /** One list of records per turn, in order. */
  readonly turns: readonly (readonly ThreadRecord[])[];
  readonly outcome: TurnOutcome;
  readonly stopped: Stopped;
  /** What ended the call after at least one turn was committed. */
  readonly problem: Problem | null;
  readonly replayed: boolean;
};

/** `stopping`: the host was told to stop; the turn at work is finished, the rest is left to the next call. */
export async function advanceUntil(
  rt: Runtime,
  call: Omit<TurnCall, "last_turn">,
  max: number,
  stopping?: AbortSignal,
): Promise<Result<Ran>> {
  // Between two turns the call is still at work: the same key again must not slip in there.
  const running = call.key ? `${call.at.tenant}/${call.at.thread}/${call.key.hash}/until` : null;
  if (running && rt.running.has(running)) {
    return fail("turn_running", "The same call is being worked on.", { retry_after_s: 1 });
  }
  if (running) rt.running.add(running);
  try {
    return await advanceTurns(rt, call, max, stopping);
  } finally {
    if (running) rt.running.delete(running);
  }
}

async function advanceTurns(
  rt: Runtime,
  call: Omit<TurnCall, "last_turn">,
  max: number,
  stopping: AbortSignal | undefined,
): Promise<Result<Ran>> {
  const started = rt.clock.now();
  const before = await recordsSoFar(rt, call);
  if (!before.ok) return before;
  let records = before.value.records;
  if (before.value.answered) return ok(ran(call, records, stoppedBy(records, max), null, true));
  for (let input = records.length > 0 ? null : call.input; ; input = null) {
    const last_turn = byTurn(records).length + 1 >= max;
    const one = await advance(rt, { ...call, input, last_turn, if_match: records.length > 0 ? null : call.if_match });
    if (!one.ok) return records.length === 0 ? one : ok(ran(call, records, "problem", one.problem, false));
    if (one.value.replayed) return ok(ran(call, one.value.records, stoppedBy(one.value.records, max), null, true));
    // Under a key the answer brings the whole call, also what a second sender of it did in between.
    records = call.key ? one.value.records : [...records, ...one.value.records];
    const head = one.value.records.at(-1);
    if (!head || endsCall(head.state, head.entry) || last_turn)
      return ok(ran(call, records, stoppedBy(records, max), null, false));
    if (stopping?.aborted || rt.clock.now() - started >= UNTIL_MS) return ok(ran(call, records, "time", null, false));
  }
}

/** A call that broke off goes on under its key, and its turns count from its first record. */
async function recordsSoFar(
  rt: Runtime,
  call: Omit<TurnCall, "last_turn">,
): Promise<Result<{ records: readonly ThreadRecord[]; answered: boolean }>> {
  if (!call.key) return ok({ records: [], answered: false });
  const thread = await loadThread(rt, call.at);
  if (!thread.ok) return thread;
  const held = await replay(rt, call, thread.value);
  if (!held.ok) return held;
  if (held.value.kind === "new") return ok({ records: [], answered: false });
  return ok({ records: held.value.records, answered: held.value.kind === "answered" });
}

export function byTurn(records: readonly ThreadRecord[]): readonly (readonly ThreadRecord[])[] {
  const turns: ThreadRecord[][] = [];
  for (const record of records) {
    const turn = turns.at(-1);
    if (turn?.[0]?.entry.turn === record.entry.turn) turn.push(record);
    else turns.push([record]);
  }
  return turns;
}

function stoppedBy(records: readonly ThreadRecord[], max: number): Stopped {
  const head = records.at(-1);
  if (!head) return "problem";
  if (head.entry.problem) return head.state.machine.state === "failed" ? "failed" : "problem";
  if (head.state.gate) return "gate";
  if (head.state.machine.state === "rest") return "rest";
  if (head.state.machine.state === "failed") return "failed";
  return byTurn(records).length >= max ? "max_turns" : "time";
}

function ran(
  call: Pick<TurnCall, "at">,
  records: readonly ThreadRecord[],
  stopped: Stopped,
  problem: Problem | null,
  replayed: boolean,
): Ran {
  const turns = byTurn(records);
  const last = turns.at(-1) ?? [];
  return {
    turns,
    outcome: outcomeOf(call.at.thread, last),
    stopped,
    problem: problem ?? last.at(-1)?.entry.problem ?? null,
    replayed,
  };
}
