// Continues a workflow on a person's request: resumes a suspended role or an ended thread, or repeats the newest step.
import type { Signal } from "../../../machines/thread.signals.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { WorkflowState } from "../../schema/workflow/state.ts";
import { SUSPEND, type Workflow } from "../../workflow/definition.ts";
import { type RouteResult, route } from "../../workflow/route.ts";
import type { Admitted } from "../admit/admit.ts";
import { finish, type TurnRecords } from "../commit/commit.ts";
import { amend, closedGateEntry, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { freshBudget } from "../judge/budget.ts";
import type { VisitRequest } from "./begin-visit.ts";
import { loadThreadWorkflow, type ReadNode, readStep, stateNodeReader } from "./nodes-of-thread.ts";
import { withVisit } from "./visit-draft.ts";

const finishDraft = async (ctx: TurnContext, made: Result<Draft>): Promise<TurnRecords> =>
  made.ok ? finish(ctx, made.value) : made;

/** Runs the same role again, with the reason for the stop and the person's answer. */
export async function resumeRole(
  ctx: TurnContext,
  draft: Draft,
  { gate, supplement }: Admitted<"resume_role">,
): Promise<TurnRecords> {
  const instruction = [gate?.text ?? "", supplement].filter((text) => text.trim() !== "").join("\n\n");
  const visit = await repeatedVisit(ctx, draft, gate?.role ?? draft.state.workflow?.role ?? "", instruction);
  if (!visit.ok) return visit;
  const closed = gate ? amend(draft, { entry: closedGateEntry(gate, "resumed") }) : draft;
  return finishDraft(ctx, await withVisit(ctx, closed, visit.value, continuation(draft)));
}

const continuation = ({ state: { machine } }: Draft): Signal => ({
  type: machine.state === "rest" ? "run.resumed" : "role.resumed",
});

/** Continues an ended workflow along the `resume` edge of its start, and keeps its steps. */
export async function restartWorkflow(
  ctx: TurnContext,
  draft: Draft,
  { supplement }: Admitted<"restart_workflow">,
): Promise<TurnRecords> {
  const workflow = await workflowOf(ctx, draft);
  if (!workflow.ok) return workflow;
  const next = route(workflow.value, "resume");
  if (!next.ok) return next;
  if (next.value.kind === "end") return fail("not_resumable", "The workflow would end immediately if it were resumed.");
  const instruction = [next.value.prompt, supplement].filter((text) => text.trim() !== "").join("\n\n");
  const visit = await visitRequest(ctx, draft, { ...next.value, instruction });
  if (!visit.ok) return visit;
  const fresh = amend(draft, { state: { budget: freshBudget(draft.state.budget.limit) } });
  return finishDraft(ctx, await withVisit(ctx, fresh, visit.value, { type: "run.started", mode: "direct" }));
}

/** Repeats the newest step. The new step replaces it; until then, the old one stays the head. */
export async function pokeHead(ctx: TurnContext, draft: Draft, { text }: Admitted<"poke">): Promise<TurnRecords> {
  const state = draft.state.workflow;
  if (!state) throw new Error("only a workflow thread is poked");
  const head = await readStep(stateNodeReader(ctx.rt, ctx.request.at), state.head_blob);
  if (!head.ok) return head;
  const { n, role, prev } = head.value;
  const { gate } = draft.state;
  const replacing = amend(draft, {
    // Failed attempts belong to the role that would have run next. If this is another role, they are dropped.
    state: {
      workflow: {
        ...state,
        role,
        attempts: role === state.role ? state.attempts : [],
        replaces: { n, prev_blob: prev },
      },
    },
    entry: gate ? closedGateEntry(gate, "poked") : {},
  });
  const visit = await repeatedVisit(ctx, replacing, role, text);
  if (!visit.ok) return visit;
  return finishDraft(ctx, await withVisit(ctx, replacing, visit.value, continuation(draft)));
}

const workflowOf = ({ rt, request }: TurnContext, { state }: Draft) =>
  loadThreadWorkflow(stateNodeReader(rt, request.at), (state.workflow as WorkflowState).workflow_blob);

/** Begins a visit with the first instruction and the folder of the one that it repeats, because a role does not remember its earlier visits. */
async function repeatedVisit(ctx: TurnContext, draft: Draft, role: string, instruction: string) {
  const visit = await visitRequest(ctx, draft, { role, instruction, location: null });
  if (!visit.ok) return visit;
  const { read, workflow } = visit.value;
  const entered = await enteredBy(read, workflow, { ...(draft.state.workflow as WorkflowState), role });
  return ok({ ...visit.value, ...entered });
}

async function visitRequest(
  ctx: TurnContext,
  draft: Draft,
  fields: Pick<VisitRequest, "role" | "instruction" | "location">,
): Promise<Result<VisitRequest>> {
  const workflow = await workflowOf(ctx, draft);
  if (!workflow.ok) return workflow;
  const { at } = ctx.request;
  return ok({ ...fields, at, workflow: workflow.value, read: stateNodeReader(ctx.rt, at) });
}

type EnteredBy = { readonly earlier: string; readonly location: string | null };

const UNKNOWN: EnteredBy = { earlier: "", location: null };

/** `state` describes the visit to repeat. The moderator is pure, so it returns the same edge again for the stored step. */
async function enteredBy(read: ReadNode, workflow: Workflow, state: WorkflowState): Promise<EnteredBy> {
  let hash = state.replaces ? state.replaces.prev_blob : state.head_blob;
  while (hash !== null && hash !== state.start_blob) {
    const step = await readStep(read, hash);
    if (!step.ok) return UNKNOWN;
    const { role, status, prev, fields, body } = step.value;
    if (status !== SUSPEND) {
      const next = route(workflow, { role, output: fields, body });
      // If the step ended the workflow, the role was then entered by the `resume` edge.
      return edgeTo(state.role, next.ok && next.value.kind === "end" ? route(workflow, "resume") : next);
    }
    hash = prev;
  }
  return edgeTo(state.role, route(workflow, "new"));
}

const edgeTo = (role: string | null, next: { ok: true; value: RouteResult } | { ok: false }): EnteredBy =>
  next.ok && next.value.kind === "role" && next.value.role === role
    ? { earlier: next.value.prompt, location: next.value.location }
    : UNKNOWN;
