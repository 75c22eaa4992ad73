// Builds the workflow part of a new thread: its nodes, and the first role.
import type { StoredBlob } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { WorkflowState } from "../../schema/workflow/state.ts";
import type { Workflow } from "../../workflow/definition.ts";
import { nodeOf, workflowNodes } from "../../workflow/nodes.ts";
import { route } from "../../workflow/route.ts";
import type { Runtime } from "../runtime.ts";
import { roleAgent, visitPrompt } from "./begin-visit.ts";
import { nodeReader } from "./nodes-of-thread.ts";

export type StartedWorkflow = {
  readonly state: WorkflowState;
  readonly agent: string;
  readonly blobs: readonly StoredBlob[];
};

export async function startWorkflow(
  rt: Runtime,
  at: ThreadRef,
  workflow: Workflow,
  { prompt, agent }: { readonly prompt: string; readonly agent: string | null },
): Promise<Result<StartedWorkflow>> {
  const first = route(workflow, "new");
  if (!first.ok) return first;
  if (first.value.kind === "end") return fail("route_unknown_role", "The workflow ends before any role runs.");
  const { sha256 } = rt.hash;
  const definition = workflowNodes(sha256, workflow);
  const task = nodeOf(sha256, "text", prompt.toWellFormed());
  const start = nodeOf(sha256, "start", { workflow: definition.workflow.hash, prompt: task.hash });
  const nodes = [definition.workflow, ...definition.schemas, task, start];
  const { role, prompt: instruction, location } = first.value;
  const state: WorkflowState = {
    name: workflow.name,
    workflow_blob: definition.workflow.hash,
    role,
    agent,
    start_blob: start.hash,
    head_blob: start.hash,
    count: 0,
    visits: {},
    steps: [],
    prompt_blob: null,
    since: { version: 0, turn: 0 },
    attempts: [],
    replaces: null,
  };
  const visit = { at, workflow, role, instruction, location, read: nodeReader(rt, at, nodes) };
  const prompted = await visitPrompt(rt, state, visit);
  if (!prompted.ok) return prompted;
  return ok({
    state: { ...state, prompt_blob: prompted.value.prompt_blob },
    agent: roleAgent(rt, state, role),
    blobs: [...nodes, ...prompted.value.blobs],
  });
}
