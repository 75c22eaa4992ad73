// Starts the visit of a role: builds its prompt and the parts of the state that a visit begins with.
import type { StoredBlob } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { WorkflowState } from "../../schema/workflow/state.ts";
import { ownValue, type Workflow } from "../../workflow/definition.ts";
import { nodeOf } from "../../workflow/nodes.ts";
import { HISTORY_CHARS_MAX, rolePrompt } from "../../workflow/role-prompt.ts";
import { freshRun } from "../admit/run-transitions.ts";
import type { Runtime } from "../runtime.ts";
import { type LoadedStep, type ReadNode, readSteps } from "./nodes-of-thread.ts";

/** The maximum number of steps that a prompt lists. Earlier ones are only counted. */
const STEPS_LISTED_MAX = 40;

export type VisitRequest = {
  readonly at: ThreadRef;
  readonly workflow: Workflow;
  readonly role: string;
  readonly instruction: string;
  /** If the visit repeats an earlier one: the instruction of that visit. */
  readonly earlier?: string;
  readonly location: string | null;
  readonly read: ReadNode;
};

/** Renders the prompt of the role as a node. `state` is that of the thread with its newest step. */
export async function visitPrompt(
  rt: Pick<Runtime, "hash">,
  state: WorkflowState,
  visit: VisitRequest,
): Promise<Result<{ readonly prompt_blob: string; readonly blobs: readonly StoredBlob[] }>> {
  const role = visit.workflow.roles[visit.role];
  if (!role) return fail("route_unknown_role", `The workflow has no role ${JSON.stringify(visit.role)}.`);
  const task = await readTask(visit.read, state);
  if (!task.ok) return task;
  const before = state.visits[visit.role];
  const earlier = await readSteps(visit.read, state, (steps) => isEnough(steps, before?.last ?? 0));
  if (!earlier.ok) return earlier;
  const since = earlier.value.filter(({ n }) => n > (before?.last ?? 0));
  const text = rolePrompt(visit.role, role, {
    thread: visit.at.thread,
    n: state.replaces?.n ?? state.count + 1,
    visits: before?.times ?? 0,
    task: task.value,
    since: since.map(({ n, role: name, fields, body }) => ({ n, role: name, output: fields, body })),
    more: Math.max(0, state.count - (before?.last ?? 0) - since.length),
    earlier: visit.earlier ?? "",
    instruction: visit.instruction,
    location: visit.location,
  });
  const node = nodeOf(rt.hash.sha256, "text", text);
  return ok({ prompt_blob: node.hash, blobs: [node] });
}

function isEnough(steps: readonly LoadedStep[], last: number): boolean {
  const oldest = steps.at(-1);
  const chars = steps.reduce((sum, { body }) => sum + body.length, 0);
  return (
    steps.length >= STEPS_LISTED_MAX || chars > HISTORY_CHARS_MAX || (oldest !== undefined && oldest.n <= last + 1)
  );
}

async function readTask(read: ReadNode, { start_blob }: WorkflowState): Promise<Result<string>> {
  const start = await read(start_blob);
  if (!start.ok) return start;
  const task = await read((start.value as { prompt: string }).prompt);
  return task.ok ? ok(String(task.value)) : task;
}

/** The agent that the creator chose, the one from the configuration, or the default. */
export const roleAgent = (
  { config }: Pick<Runtime, "config">,
  { name, agent }: Pick<WorkflowState, "name" | "agent">,
  role: string,
): string => {
  const overrides = ownValue(config.agent_overrides ?? {}, name);
  return agent ?? (overrides && ownValue(overrides, role)) ?? config.default_agent;
};

/** A visit is a separate run: it proves only its own work. The budget is that of the workflow. */
export const freshVisit = (state: ThreadState): Partial<ThreadState> => ({
  run: state.run + 1,
  folded: { lines: [], counts: {} },
  dialogue: { lines: [], dropped: 0 },
  ...freshRun(state),
});
