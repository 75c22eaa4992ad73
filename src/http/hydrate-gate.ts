// Completes the arguments of gates. Large arguments are stored in a blob and are loaded here for the approver.
import { retryUnavailable } from "../ports/retry.ts";
import type { Gate } from "../schema/gate.ts";
import type { TenantId, ThreadRef } from "../schema/ids.ts";
import { ok, type Problem, type Result } from "../schema/problem.ts";
import type { ThreadState } from "../schema/thread.ts";
import type { ThreadView, TurnResult } from "../schema/turn-result.ts";
import { formatAllArguments, isFullyShown } from "../tools/redaction/escape-hidden.ts";
import { loadArguments } from "../turn/act/stored-call.ts";
import type { Runtime } from "../turn/runtime.ts";
import { findWorkflowCorruption } from "../turn/workflow/nodes-of-thread.ts";

type StoreAccess = Pick<Runtime, "store">;

const isTruncated = (gate: Gate | null): gate is Extract<Gate, { call: unknown }> =>
  gate !== null && "call" in gate && (gate.call.arguments === null || !isFullyShown(shownText(gate)));

const shownText = (gate: Gate): string => ("shown" in gate ? gate.shown : "");

/** If the blob is missing, the gate stays truncated, and its digest still identifies the call. */
async function hydrateOrFail<G extends Gate | null>(rt: StoreAccess, at: ThreadRef, gate: G): Promise<Result<G>> {
  if (!isTruncated(gate)) return ok(gate);
  const args = await retryUnavailable(() => loadArguments(rt, at, gate.call));
  if (!args.ok) return args.problem.code === "store_unavailable" ? args : ok(gate);
  const shown = gate.kind === "confirmation" ? { shown: formatAllArguments(args.value) } : {};
  return ok({ ...gate, ...shown, call: { ...gate.call, arguments: args.value } } as G);
}

/** If the store does not respond, the gate stays truncated, and a later request may complete it. */
export async function hydrateGate<G extends Gate | null>(rt: StoreAccess, at: ThreadRef, gate: G): Promise<G> {
  const hydrated = await hydrateOrFail(rt, at, gate);
  return hydrated.ok ? hydrated.value : gate;
}

export async function hydrateThread(rt: StoreAccess, tenant: TenantId, thread: ThreadView): Promise<ThreadView> {
  if (!isTruncated(thread.gate)) return thread;
  return { ...thread, gate: await hydrateGate(rt, { tenant, thread: thread.id }, thread.gate) };
}

/** Responses to turns are built from the records of the turn alone, so they do not call this. */
export async function withDamage(
  rt: StoreAccess,
  at: ThreadRef,
  view: ThreadView,
  { workflow }: ThreadState,
): Promise<ThreadView> {
  const error = workflow ? await findWorkflowCorruption(rt, at, workflow) : null;
  return error === null || !view.workflow
    ? view
    : { ...view, workflow: { ...view.workflow, status: "corrupt", error } };
}

/** A repeated request must get the same response, so if the store does not respond, its problem replaces a truncated gate. */
export async function hydrateOutcome(
  rt: StoreAccess,
  tenant: TenantId,
  outcome: TurnResult,
): Promise<Result<TurnResult>> {
  if (!isTruncated(outcome.thread.gate)) return ok(outcome);
  const gate = await hydrateOrFail(rt, { tenant, thread: outcome.thread.id }, outcome.thread.gate);
  if (!gate.ok) return gate;
  const thread = gate.value === outcome.thread.gate ? outcome.thread : { ...outcome.thread, gate: gate.value };
  return ok(
    outcome.kind === "waiting" && thread.gate ? { ...outcome, thread, gate: thread.gate } : { ...outcome, thread },
  );
}

export async function hydrateProblem(rt: StoreAccess, at: ThreadRef, problem: Problem): Promise<Problem> {
  const gate = problem.details?.gate as Gate | null | undefined;
  if (problem.code !== "gate_open" || !gate || !isTruncated(gate)) return problem;
  return { ...problem, details: { ...problem.details, gate: await hydrateGate(rt, at, gate) } };
}
