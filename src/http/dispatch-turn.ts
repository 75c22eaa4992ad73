// Advances a thread for one request. JSON, event streams and sockets differ only in how they present the result.
import { type IfBusy, sendOrAdvance } from "../jobs/inbox/double-texting.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { ok, type Problem, type Result } from "../schema/problem.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import type { TurnRequest } from "../turn/runtime.ts";
import { advanceUntil, type MultiTurnResult } from "../turn/until.ts";
import { turnView } from "../turn/view.ts";
import type { AppOptions } from "./env.ts";
import { hydrateOutcome, hydrateProblem } from "./hydrate-gate.ts";

export type AdvanceMode = {
  /** The maximum number of turns before the run is paused. If null, exactly one turn is run. */
  readonly max_turns: number | null;
  /** What happens to a message while a run is in progress. */
  readonly if_busy: IfBusy;
};

/** The gates in the response contain their complete arguments. */
export type AdvanceResponse =
  | { readonly kind: "queued"; readonly position: number }
  | {
      readonly kind: "turn";
      readonly outcome: TurnResult;
      readonly replayed: boolean;
      /** The fork that received the message because the run was rolled back, or null. */
      readonly forked: ThreadRef | null;
    }
  | {
      readonly kind: "turns";
      readonly outcome: TurnResult;
      readonly replayed: boolean;
      readonly result: MultiTurnResult;
    };

/** A failed result means that nothing was committed, or that the store does not respond and the committed outcome cannot be completed. */
export async function dispatchTurn(
  { rt, stopping }: Pick<AppOptions, "rt" | "stopping">,
  request: TurnRequest,
  { max_turns, if_busy }: AdvanceMode,
): Promise<Result<AdvanceResponse>> {
  const advanced: Result<AdvanceResponse> =
    max_turns === null
      ? toResponse(await sendOrAdvance(rt, request, if_busy))
      : toMultiTurnResponse(await advanceUntil(rt, request, max_turns, stopping));
  if (!advanced.ok) return { ok: false, problem: await hydrateProblem(rt, request.at, advanced.problem) };
  if (advanced.value.kind === "queued") return advanced;
  const outcome = await hydrateOutcome(rt, request.at.tenant, advanced.value.outcome);
  if (!outcome.ok) return outcome;
  return outcome.value === advanced.value.outcome ? advanced : ok({ ...advanced.value, outcome: outcome.value });
}

function toResponse(sent: Awaited<ReturnType<typeof sendOrAdvance>>): Result<AdvanceResponse> {
  if (!sent.ok) return sent;
  if (sent.value.kind === "queued") return ok({ kind: "queued", position: sent.value.position });
  const { outcome, replayed } = sent.value.advanced;
  return ok({ kind: "turn", outcome, replayed, forked: sent.value.kind === "forked" ? sent.value.at : null });
}

const toMultiTurnResponse = (ran: Result<MultiTurnResult>): Result<AdvanceResponse> =>
  ran.ok ? ok({ kind: "turns", outcome: ran.value.outcome, replayed: ran.value.replayed, result: ran.value }) : ran;

export const outcomeBody = ({ thread, turn, next }: TurnResult) => ({ thread, turn, next });

export function multiTurnBody({ outcome, turns, stopped, problem }: Omit<MultiTurnResult, "replayed">) {
  const views = turns.map((records) => turnView(records));
  return { ...outcomeBody(outcome), turns: views, stopped, ...(problem ? { problem } : {}) };
}

export function responseBody(response: AdvanceResponse): object {
  switch (response.kind) {
    case "queued":
      return { queued: true, position: response.position };
    case "turn":
      return outcomeBody(response.outcome);
    case "turns":
      return multiTurnBody({ ...response.result, outcome: response.outcome });
  }
}

/** Null if an earlier turn of the request succeeded: the failure is then only a field of the response body. */
export function committedFailure(response: AdvanceResponse): Problem | null {
  if (response.kind === "queued" || response.outcome.kind !== "failed") return null;
  if (response.kind === "turn") return response.outcome.problem;
  return response.result.turns.length === 1 ? response.result.problem : null;
}
