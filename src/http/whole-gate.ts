// Gates as a person must see them: large arguments, which the log keeps in a blob, put back into their place.

import { retryUnavailable } from "../ports/retry.ts";
import type { Gate } from "../schema/gate.ts";
import type { TenantId, ThreadAt } from "../schema/ids.ts";
import type { ThreadView, TurnOutcome } from "../schema/outcome.ts";
import { ok, type Problem, type Result } from "../schema/problem.ts";
import { isShownWhole, showAllArguments } from "../tools/redaction/show-hidden.ts";
import { loadArguments } from "../turn/act/stored-call.ts";
import type { Runtime } from "../turn/runtime.ts";

type Log = Pick<Runtime, "store">;

const isCut = (gate: Gate | null): gate is Extract<Gate, { call: unknown }> =>
  gate !== null && "call" in gate && (gate.call.arguments === null || !isShownWhole(shownIn(gate)));

const shownIn = (gate: Gate): string => ("shown" in gate ? gate.shown : "");

/** A blob that is gone leaves the gate as it is: its digest still names what it asks about. */
async function readWhole<G extends Gate | null>(rt: Log, at: ThreadAt, gate: G): Promise<Result<G>> {
  if (!isCut(gate)) return ok(gate);
  const args = await retryUnavailable(() => loadArguments(rt, at, gate.call));
  if (!args.ok) return args.problem.code === "store_unavailable" ? args : ok(gate);
  const shown = gate.kind === "confirmation" ? { shown: showAllArguments(args.value) } : {};
  return ok({ ...gate, ...shown, call: { ...gate.call, arguments: args.value } } as G);
}

/** Cut where the store does not answer: looking again shows more. */
export async function wholeGate<G extends Gate | null>(rt: Log, at: ThreadAt, gate: G): Promise<G> {
  const whole = await readWhole(rt, at, gate);
  return whole.ok ? whole.value : gate;
}

export async function wholeThread(rt: Log, tenant: TenantId, thread: ThreadView): Promise<ThreadView> {
  if (!isCut(thread.gate)) return thread;
  return { ...thread, gate: await wholeGate(rt, { tenant, thread: thread.id }, thread.gate) };
}

/**
 * Of the same records the same answer, first and repeated alike: a blob is named by its content, and a store that does
 * not answer is a problem and not a shorter answer.
 */
export async function wholeOutcome(rt: Log, tenant: TenantId, outcome: TurnOutcome): Promise<Result<TurnOutcome>> {
  const gate = await readWhole(rt, { tenant, thread: outcome.thread.id }, outcome.thread.gate);
  if (!gate.ok) return gate;
  const thread = gate.value === outcome.thread.gate ? outcome.thread : { ...outcome.thread, gate: gate.value };
  return ok(
    outcome.kind === "waiting" && thread.gate ? { ...outcome, thread, gate: thread.gate } : { ...outcome, thread },
  );
}

/** `gate_open` shows the gate that is in the way. */
export async function wholeProblem(rt: Log, at: ThreadAt, problem: Problem): Promise<Problem> {
  const gate = problem.details?.gate as Gate | null | undefined;
  if (problem.code !== "gate_open" || !gate || !isCut(gate)) return problem;
  return { ...problem, details: { ...problem.details, gate: await wholeGate(rt, at, gate) } };
}
