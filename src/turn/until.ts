// Runs several turns in one request, until a gate, the end of the run, a problem, the turn limit or the time limit. Each turn commits.
import { ok, type Problem, type Result } from "../schema/problem.ts";
import type { ThreadRecord } from "../schema/record.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import { replay, whileRunning } from "./admit/replay.ts";
import { advance } from "./advance.ts";
import { endsAtStep, endsRequest } from "./commit/commit.ts";
import { loadThread } from "./load.ts";
import type { Runtime, TurnRequest } from "./runtime.ts";
import { turnResultOf } from "./view.ts";

export const UNTIL_LIMIT_MS = 25_000;

/** A request for several turns. Which turn is the last one is decided while running. */
export type UntilRequest = Omit<TurnRequest, "last_turn">;

export type StopReason = "gate" | "rest" | "failed" | "problem" | "max_turns" | "time" | "step";
export type MultiTurnResult = {
  /** One list of records per turn, in order. */
  readonly turns: readonly (readonly ThreadRecord[])[];
  readonly outcome: TurnResult;
  readonly stopped: StopReason;
  /** The problem that ended the request after at least one turn was committed. */
  readonly problem: Problem | null;
  readonly replayed: boolean;
};

/** `stopping` means that the host is shutting down: the current turn ends, and the next request does the rest. */
export async function advanceUntil(
  rt: Runtime,
  request: UntilRequest,
  max: number,
  stopping?: AbortSignal,
): Promise<Result<MultiTurnResult>> {
  // The key stays reserved between two turns, because the request is still in progress.
  return whileRunning(rt, request, "/until", () => advanceTurns(rt, request, max, stopping));
}

async function advanceTurns(
  rt: Runtime,
  request: UntilRequest,
  max: number,
  stopping: AbortSignal | undefined,
): Promise<Result<MultiTurnResult>> {
  const started = rt.clock.now();
  const earlier = await recordsSoFar(rt, request);
  if (!earlier.ok) return earlier;
  let records = earlier.value.records;
  const result = (stopped: StopReason, { problem = null, replayed = false }: Ending = {}): Result<MultiTurnResult> =>
    ok(resultOf(request, records, { stopped, problem, replayed }));
  if (earlier.value.answered) return result(stopReason(records, max), { replayed: true });
  for (let input = records.length > 0 ? null : request.input; ; input = null) {
    const last_turn = groupByTurn(records).length + 1 >= max;
    const if_match = records.length > 0 ? null : request.if_match;
    const advanced = await advance(rt, { ...request, input, last_turn, if_match });
    if (!advanced.ok && records.length === 0)
      return (await responseIfSuspended(rt, request, advanced.problem)) ?? advanced;
    if (!advanced.ok) return result("problem", { problem: advanced.problem });
    // With a key, `records` are all records of the request, including those that a duplicate of the request wrote in between.
    records = request.key || advanced.value.replayed ? advanced.value.records : [...records, ...advanced.value.records];
    if (advanced.value.replayed) return result(stopReason(records, max), { replayed: true });
    const head = advanced.value.records.at(-1);
    if (!head || endsRequest(head.state, head.entry) || endsAtStep(request, head.entry) || last_turn)
      return result(stopReason(records, max));
    if (stopping?.aborted || rt.clock.now() - started >= UNTIL_LIMIT_MS) return result("time");
  }
}

/** A request for one step of a suspended workflow runs no turn and returns the open gate, not a problem. */
async function responseIfSuspended(
  rt: Runtime,
  request: UntilRequest,
  { code }: Problem,
): Promise<Result<MultiTurnResult> | null> {
  if (code !== "gate_open" || request.input || !request.options?.until_step) return null;
  const thread = await loadThread(rt, request.at);
  if (!thread.ok || thread.value.state.gate?.kind !== "suspend") return null;
  const { version, state, entries } = thread.value;
  const last = entries.at(-1);
  if (last?.version !== version) return null;
  const ended = resultOf(request, [{ ...last, state }], { stopped: "gate", problem: null, replayed: false });
  return ok({ ...ended, turns: [] });
}

type Ending = { readonly problem?: Problem | null; readonly replayed?: boolean };

/** Reads the records of an interrupted request, which continues under its key. Its turns are counted from its first record. */
async function recordsSoFar(
  rt: Runtime,
  request: UntilRequest,
): Promise<Result<{ records: readonly ThreadRecord[]; answered: boolean }>> {
  if (!request.key) return ok({ records: [], answered: false });
  const thread = await loadThread(rt, request.at);
  if (!thread.ok) return thread;
  const replayed = await replay(rt, request, thread.value);
  if (!replayed.ok) return replayed;
  if (replayed.value.kind === "new") return ok({ records: [], answered: false });
  return ok({ records: replayed.value.records, answered: replayed.value.kind === "answered" });
}

export function groupByTurn(records: readonly ThreadRecord[]): readonly (readonly ThreadRecord[])[] {
  const turns: ThreadRecord[][] = [];
  for (const record of records) {
    const turn = turns.at(-1);
    if (turn?.[0]?.entry.turn === record.entry.turn) turn.push(record);
    else turns.push([record]);
  }
  return turns;
}

function stopReason(records: readonly ThreadRecord[], max: number): StopReason {
  const head = records.at(-1);
  if (!head) return "problem";
  if (head.entry.problem) return head.state.machine.state === "failed" ? "failed" : "problem";
  if (head.state.gate) return "gate";
  if (head.state.machine.state === "rest") return "rest";
  if (head.state.machine.state === "failed") return "failed";
  if (head.entry.signals.includes("role.routed") && (head.entry.key?.last ?? true)) return "step";
  return groupByTurn(records).length >= max ? "max_turns" : "time";
}

function resultOf(
  request: Pick<TurnRequest, "at">,
  records: readonly ThreadRecord[],
  { stopped, problem, replayed }: Pick<MultiTurnResult, "stopped" | "problem" | "replayed">,
): MultiTurnResult {
  const turns = groupByTurn(records);
  const last = turns.at(-1) ?? [];
  return {
    turns,
    outcome: turnResultOf(request.at.thread, last),
    stopped,
    problem: problem ?? last.at(-1)?.entry.problem ?? null,
    replayed,
  };
}
