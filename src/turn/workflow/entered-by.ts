// The edge by which the current role was entered. A visit that is repeated keeps its folder, and gets its first instruction again.
import type { WorkflowState } from "../../schema/workflow/state.ts";
import { SUSPEND, type Workflow } from "../../workflow/definition.ts";
import { type RouteResult, route } from "../../workflow/route.ts";
import { type ReadNode, readStep } from "./nodes-of-thread.ts";

export type EnteredBy = { readonly earlier: string; readonly location: string | null };

const UNKNOWN: EnteredBy = { earlier: "", location: null };

/** `state` is that of the visit to repeat. The moderator is pure, so asking it again about the stored step gives the same edge. */
export async function enteredBy(read: ReadNode, workflow: Workflow, state: WorkflowState): Promise<EnteredBy> {
  let hash = state.replaces ? state.replaces.prev_blob : state.head_blob;
  while (hash !== null && hash !== state.start_blob) {
    const step = await readStep(read, hash);
    if (!step.ok) return UNKNOWN;
    const { role, status, prev, fields, body } = step.value;
    if (status !== SUSPEND) {
      const next = route(workflow, { role, output: fields, body });
      // After the end, the role was entered by the edge resume.
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
