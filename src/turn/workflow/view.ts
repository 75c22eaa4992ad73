// Converts the workflow of a thread to what callers see.
import type { ThreadId } from "../../schema/ids.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { WorkflowView } from "../../schema/turn-result.ts";
import type { WorkflowState } from "../../schema/workflow/state.ts";

export function workflowView(thread: ThreadId, state: ThreadState, workflow: WorkflowState): WorkflowView {
  const suspended = state.gate?.kind === "suspend" ? state.gate : null;
  const status = workflowStatus(state, workflow);
  return {
    name: workflow.name,
    thread,
    workflow: workflow.workflow_blob,
    head: workflow.head_blob,
    status,
    current_role: workflow.role,
    suspended_role: suspended?.role ?? null,
    suspend_message: suspended?.text ?? null,
    done: status === "end",
    error: suspended?.failed ? suspended.text : null,
    attempts: workflow.attempts.map(({ step_blob }) => step_blob),
    count: workflow.count,
    steps: workflow.steps.map(({ step_blob, ...digest }) => ({ ...digest, step: step_blob })),
  };
}

/** `idle` means that the next role is known and has not begun. */
export function workflowStatus(state: ThreadState, workflow: WorkflowState): WorkflowView["status"] {
  const { machine, gate, background } = state;
  if (gate?.kind === "suspend") return "suspended";
  if (machine.state === "failed") return "failed";
  if (machine.state === "rest") return restStatus(machine.outcome);
  return state.turn === workflow.since.turn && background?.status !== "on" ? "idle" : "running";
}

function restStatus(outcome: ThreadState["machine"]["outcome"]): WorkflowView["status"] {
  if (outcome === "completed") return "end";
  // A role that has used up its budget counts as suspended, because raising the budget resumes it.
  if (outcome === "exhausted") return "suspended";
  return outcome === "cancelled" ? "cancelled" : "failed";
}
