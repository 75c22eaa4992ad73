// Lists the turns of a workflow thread, grouped by the visit of the role that they belong to.
import { ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { WorkflowState } from "../../schema/workflow/state.ts";
import { type LoadedStep, type ReadNode, readStep, readSteps } from "./nodes-of-thread.ts";

/** One visit of a role. `status` is null while the role works, and `error` after a failed attempt. */
export type RoleVisit = {
  readonly n: number;
  readonly role: string;
  readonly status: string | null;
  readonly in_flight: boolean;
  /** Hash of the step or of the failed attempt; null while the role works. */
  readonly step: string | null;
  /** Turns of the visit. `index` is the position among all listed turns, starting at 0. */
  readonly turns: readonly { readonly index: number; readonly turn: number }[];
};
export type VisitQuery = { readonly role: string | null; readonly offset: number; readonly limit: number };
export type VisitList = { readonly visits: readonly RoleVisit[]; readonly total: number };

type VisitTurns = Omit<RoleVisit, "turns"> & { readonly turns: readonly number[] };

/** Oldest first. The role is filtered before `offset` and `limit` are applied. */
export async function listVisits(
  read: ReadNode,
  state: ThreadState & { readonly workflow: WorkflowState },
  { role, offset, limit }: VisitQuery,
): Promise<Result<VisitList>> {
  const { workflow } = state;
  const steps = await readSteps(read, workflow, () => false);
  if (!steps.ok) return steps;
  const visits: VisitTurns[] = [];
  for (const step of steps.value.toReversed()) {
    const attempts = await readAttempts(read, step.attempts);
    if (!attempts.ok) return attempts;
    visits.push(...attempts.value, visitOf(step));
  }
  const failed = await readAttempts(
    read,
    workflow.attempts.map(({ step_blob }) => step_blob),
  );
  if (!failed.ok) return failed;
  visits.push(...failed.value, ...inFlight(state, workflow));
  const chosen = visits.filter((visit) => role === null || visit.role === role);
  return ok(pageOf(chosen, offset, limit));
}

const turnsFrom = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);

function visitOf({ hash, n, role, status, details }: LoadedStep): VisitTurns {
  const first = typeof details.first_turn === "number" ? details.first_turn : details.turn;
  return { n, role, status, in_flight: false, step: hash, turns: turnsFrom(first, details.turn) };
}

async function readAttempts(read: ReadNode, hashes: readonly string[]): Promise<Result<readonly VisitTurns[]>> {
  const attempts: VisitTurns[] = [];
  for (const hash of hashes) {
    const step = await readStep(read, hash);
    if (!step.ok) return step;
    attempts.push(visitOf(step.value));
  }
  return ok(attempts);
}

function inFlight({ turn, gate }: ThreadState, { role, since, count, replaces }: WorkflowState): VisitTurns[] {
  const turns = turnsFrom(since.turn + 1, turn);
  if (role === null || gate?.kind === "suspend" || turns.length === 0) return [];
  return [{ n: replaces?.n ?? count + 1, role, status: null, in_flight: true, step: null, turns }];
}

function pageOf(visits: readonly VisitTurns[], offset: number, limit: number): VisitList {
  let total = 0;
  const numbered = visits.map((visit) => ({
    ...visit,
    turns: visit.turns
      .map((turn) => ({ index: total++, turn }))
      .filter(({ index }) => index >= offset && index < offset + limit),
  }));
  return { visits: numbered.filter(({ turns }) => turns.length > 0), total };
}
