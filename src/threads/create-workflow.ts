// Implements the additional steps of creating a thread that runs a workflow.
import { byteLength } from "../schema/byte-length.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { type CreateInput, INPUT_BYTES_MAX } from "../schema/input.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";
import { GOAL_BYTES_MAX, type ThreadState } from "../schema/thread.ts";
import { truncateBytes } from "../tools/truncate-text.ts";
import type { Runtime } from "../turn/runtime.ts";
import type { StartedWorkflow } from "../turn/workflow/start.ts";
import { loadWorkflow } from "./workflows.ts";

/** Null if the thread runs no workflow. */
export async function startRequestedWorkflow(
  rt: Runtime,
  at: ThreadRef,
  { workflow: name, prompt, agent }: CreateInput,
): Promise<Result<StartedWorkflow | null>> {
  if (name === undefined || prompt === undefined) return ok(null);
  const workflow = await loadWorkflow(rt, at.tenant, name);
  if (!workflow.ok) return workflow;
  const { startWorkflow } = await import("../turn/workflow/start.ts");
  return startWorkflow(rt, at, workflow.value, { prompt, agent: agent ?? null });
}

/** A workflow has a task instead of a goal, and its roles need no plan. */
export function validateWorkflow({ workflow, prompt, goal, mode }: CreateInput): Failed | null {
  const refuse = (field: string, why: string) => fail("request_invalid", `${field}: ${why}.`, { field });
  if (workflow === undefined) return prompt === undefined ? null : refuse("prompt", "only a workflow has one");
  if (prompt === undefined || prompt.trim() === "") return refuse("prompt", "a workflow needs a task");
  if (byteLength(prompt) > INPUT_BYTES_MAX)
    return fail("input_too_large", "prompt: longer than 16 KB.", { field: "prompt" });
  if (goal !== undefined) return refuse("goal", "a workflow has a prompt instead");
  return mode === "plan" ? refuse("mode", "a workflow has no plan") : null;
}

export const withWorkflow = (
  state: ThreadState,
  { prompt = "" }: CreateInput,
  { agent, state: workflow }: StartedWorkflow,
): ThreadState => ({
  ...state,
  agent,
  run: 1,
  machine: { ...state.machine, mode: "direct" },
  goal: truncateBytes(prompt, GOAL_BYTES_MAX),
  workflow,
});
