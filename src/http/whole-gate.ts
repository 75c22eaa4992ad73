// Gates as a person must see them: large arguments, which the log keeps in a blob, put back into their place.
import type { Gate } from "../schema/gate.ts";
import type { TenantId, ThreadAt } from "../schema/ids.ts";
import type { ThreadView, TurnOutcome } from "../schema/outcome.ts";
import type { Problem } from "../schema/problem.ts";
import { isShownWhole, showAllArguments } from "../tools/show-hidden.ts";
import type { Runtime } from "../turn/runtime.ts";
import { loadArguments } from "../turn/stored-call.ts";

type Log = Pick<Runtime, "store">;

const isCut = (gate: Gate | null): gate is Extract<Gate, { call: unknown }> =>
  gate !== null && "call" in gate && (gate.call.arguments === null || !isShownWhole(shownIn(gate)));

const shownIn = (gate: Gate): string => ("shown" in gate ? gate.shown : "");

/** A blob that is gone leaves the gate as it is: its digest still names what it asks about. */
export async function wholeGate<G extends Gate | null>(rt: Log, at: ThreadAt, gate: G): Promise<G> {
  if (!isCut(gate)) return gate;
  const args = await loadArguments(rt, at, gate.call);
  if (!args.ok) return gate;
  const shown = gate.kind === "confirmation" ? { shown: showAllArguments(args.value) } : {};
  return { ...gate, ...shown, call: { ...gate.call, arguments: args.value } } as G;
}

export async function wholeThread(rt: Log, tenant: TenantId, thread: ThreadView): Promise<ThreadView> {
  if (!isCut(thread.gate)) return thread;
  return { ...thread, gate: await wholeGate(rt, { tenant, thread: thread.id }, thread.gate) };
}

/** Of the same records the same answer, first and repeated alike: a blob is named by its content. */
export async function wholeOutcome(rt: Log, tenant: TenantId, outcome: TurnOutcome): Promise<TurnOutcome> {
  if (!isCut(outcome.thread.gate)) return outcome;
  const thread = await wholeThread(rt, tenant, outcome.thread);
  return outcome.kind === "waiting" && thread.gate ? { ...outcome, thread, gate: thread.gate } : { ...outcome, thread };
}

/** `gate_open` shows the gate that is in the way. */
export async function wholeProblem(rt: Log, at: ThreadAt, problem: Problem): Promise<Problem> {
  const gate = problem.details?.gate as Gate | null | undefined;
  if (problem.code !== "gate_open" || !gate || !isCut(gate)) return problem;
  return { ...problem, details: { ...problem.details, gate: await wholeGate(rt, at, gate) } };
}
