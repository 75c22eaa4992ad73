// Decides what input a sub-agent accepts. It works only while its parent waits for it, and otherwise refuses input that would start work.
import type { ThreadRef } from "../../schema/ids.ts";
import type { TurnInput } from "../../schema/input.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { ChildState } from "../../schema/workflow/child.ts";
import { raisesLimits } from "../judge/budget.ts";
import { loadThread } from "../load.ts";
import type { Runtime, TurnRequest } from "../runtime.ts";

const hasStopped = ({ machine }: ThreadState): boolean => machine.state === "rest" || machine.state === "failed";

/** Returns "maybe" if the parent's call has no children yet and may be about to wait for this one. A removed parent waits for no child. */
async function parentWaits(
  rt: Runtime,
  { tenant, thread }: ThreadRef,
  { parent: id, effect_id }: ChildState,
): Promise<Result<"yes" | "maybe" | "no">> {
  const parent = await loadThread(rt, { tenant, thread: id });
  if (!parent.ok) return parent.problem.code === "thread_not_found" ? ok("no") : parent;
  const { acting } = parent.value.state;
  if (!acting) return ok("no");
  if (acting.delegation) return ok(acting.delegation.children.some((child) => child.thread === thread) ? "yes" : "no");
  return ok(acting.intended.effect_id === effect_id ? "yes" : "maybe");
}

/** True if the parent no longer waits for the child because it was cancelled or removed, or because another call is running. */
export async function isOrphan(rt: Runtime, at: ThreadRef, state: ThreadState): Promise<boolean> {
  if (!state.child || hasStopped(state)) return false;
  const waits = await parentWaits(rt, at, state.child);
  return waits.ok && waits.value === "no";
}

/** True if the parent has yet to read what the child delivers and how much it spent. */
export async function isAwaited(rt: Runtime, at: ThreadRef, state: ThreadState): Promise<Result<boolean>> {
  if (!state.child) return ok(false);
  const waits = await parentWaits(rt, at, state.child);
  return waits.ok ? ok(waits.value === "yes" || (waits.value === "maybe" && !hasStopped(state))) : waits;
}

/** Returns the input to use: a turn without input cancels an orphan. Input that would start work that the parent does not wait for is refused. */
export async function admitChild(
  rt: Runtime,
  { at, input, budget, options }: TurnRequest,
  state: ThreadState,
): Promise<Result<TurnInput | null>> {
  if (!state.child || options?.from_parent || isEnding(state, input)) return ok(input);
  if (budget && raisesLimits(budget, state.budget)) return refuseBudget(state.child);
  if (hasStopped(state)) {
    const startsWork = input !== null || budget !== null;
    const awaited = startsWork ? await isAwaited(rt, at, state) : ok(true);
    if (awaited.ok && !awaited.value) return parentNotWaiting(state.child);
    return input?.type === "message" ? refuseNewRun(state.child) : ok(input);
  }
  if (!(await isOrphan(rt, at, state))) return ok(input);
  return input === null ? ok({ type: "cancel" }) : parentNotWaiting(state.child);
}

/** A running call that was asked to cancel still settles. */
const isEnding = ({ machine, acting }: ThreadState, input: TurnInput | null): boolean =>
  input?.type === "cancel" || (machine.at === "acting" && acting?.cancel_requested === true);

const refuseBudget = ({ parent }: ChildState): Failed =>
  fail("sub_agent_refused", `The budget of a sub-agent is reserved from that of ${parent} and cannot be raised.`, {
    parent,
  });

/** Another run would have the whole budget again, but the parent would count only the spending of the last run. */
const refuseNewRun = ({ parent }: ChildState): Failed =>
  fail("sub_agent_refused", `This sub-agent has ended its run; only ${parent} can start another one.`, { parent });

export const parentNotWaiting = ({ parent }: ChildState): Failed =>
  fail("sub_agent_refused", `${parent} no longer waits for this sub-agent. Nothing was changed.`, { parent });
