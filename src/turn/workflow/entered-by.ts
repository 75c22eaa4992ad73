// Finds the edge by which the current role was entered. A repeated visit keeps its folder and gets its first instruction again.
import type { WorkflowState } from "../../schema/workflow/state.ts";
import { SUSPEND, type Workflow } from "../../workflow/definition.ts";
import { type RouteResult, route } from "../../workflow/route.ts";
import { type ReadNode, readStep } from "./nodes-of-thread.ts";

export type EnteredBy = { readonly earlier: string; readonly location: string | null };

const UNKNOWN: EnteredBy = { earlier: "", location: null };

/** `state` describes the visit to repeat. The moderator is pure, so it returns the same edge again for the stored step. */
export async function enteredBy(read: ReadNode, workflow: Workflow, state: WorkflowState): Promise<EnteredBy> {
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
