// Defines the toolkit for sub-agents. A call creates child threads, and their deliveries are its result.
import * as z from "zod";
import type { ChildTask, Crew, CrewCall, CrewParent } from "../../ports/crew/crew.ts";
import { EffectId, TenantId, ThreadId } from "../../schema/ids.ts";
import { BudgetInput } from "../../schema/input.ts";
import type { Failed, Result } from "../../schema/problem.ts";
import { CHILDREN_MAX, type Delegation } from "../../schema/workflow/child.ts";
import { defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import { type Outcome, outcome } from "../../tools/outcome.ts";
import { defineToolkit } from "../../tools/toolkit.ts";

const Task = z.object({
  task: z.string().min(1).max(8_000).describe("what the sub-agent has to do, complete in itself"),
  context: z.string().max(4_000).optional().describe("what it must know besides the task"),
  agent: z.string().max(64).optional().describe("name of the agent; your own by default"),
  tools: z.array(z.string()).max(64).optional().describe("names of your tools that it may use; all by default"),
  roots: z
    .array(z.string())
    .max(8)
    .optional()
    .describe('folders of the workspace it may use, ["."] for all of it; none by default'),
  readonly: z.boolean().optional().describe("it may only read"),
  shell: z.boolean().optional().describe("it may run commands"),
  budget: BudgetInput.optional(),
});
const Team = Task.omit({ agent: true }).extend({ agent: z.string().min(1).max(64).describe("name of the agent") });

const common = {
  toolset: "crew",
  category: "agents",
  permission: "EXTERNAL",
  scope: "LOCAL_STATE",
  effect: "keyed",
  // Writes of a child need their own approval.
  requires_confirmation: false,
  route: "worker-local",
  timeout_ms: 120_000,
  output: z.string(),
} as const;

const parentOf = ({ tenant, thread }: ToolContext): CrewParent => {
  return { tenant: TenantId.parse(tenant), thread: ThreadId.parse(thread) };
};

const callOf = (context: ToolContext): CrewCall => {
  return { ...parentOf(context), effect_id: EffectId.parse(context.idempotency_key) };
};

/** The reason that the call is bound to fail, if the port can tell. */
async function refusalOf(checked: Promise<Result<unknown>> | undefined): Promise<Failed | null> {
  const result = await checked;
  return result && !result.ok ? result : null;
}

/** The result of the call will be the deliveries of the children. */
function waitFor(delegation: Result<Delegation>): Outcome<string> | Failed {
  if (!delegation.ok) return delegation;
  return outcome(`${delegation.value.children.length} started.`, { delegation: delegation.value });
}

/** Changes only the type. The task itself is passed on unchanged. */
const asTask = (task: z.infer<typeof Task>): ChildTask => task;

const delegateTask = (crew: Crew): Tool =>
  defineTool(
    {
      ...common,
      name: "delegate_task",
      description: "Let a sub-agent do one task in a thread of its own and report its result.",
      prompt_hint:
        "Delegate work that is complete in itself. The sub-agent knows only the task and the context you give it.",
      input: Task,
      check: (input, context) => refusalOf(crew.checkDelegate?.(parentOf(context), [asTask(input)])),
      examples: [
        {
          arguments: { task: "Summarize docs/start.md in three sentences.", readonly: true, roots: ["."] },
          result: null,
        },
      ],
    },
    async (input, context) => waitFor(await crew.delegate(callOf(context), [asTask(input)])),
  );

const delegateParallel = (crew: Crew): Tool =>
  defineTool(
    {
      ...common,
      name: "delegate_parallel",
      description: `Let up to ${CHILDREN_MAX} sub-agents work at the same time and report their results.`,
      input: z.object({ tasks: z.array(Task).min(1) }),
      check: ({ tasks }, context) => refusalOf(crew.checkDelegate?.(parentOf(context), tasks.map(asTask))),
      examples: [
        { arguments: { tasks: [{ task: "Name three risks." }, { task: "Name three chances." }] }, result: null },
      ],
    },
    async ({ tasks }, context) => waitFor(await crew.delegate(callOf(context), tasks.map(asTask))),
  );

const teamAgent = (crew: Crew): Tool =>
  defineTool(
    {
      ...common,
      name: "team_agent",
      description: "Let another agent of the configuration, by its name, do one task and report its result.",
      input: Team,
      check: (input, context) => refusalOf(crew.checkDelegate?.(parentOf(context), [asTask(input)])),
      examples: [{ arguments: { agent: "reviewer", task: "Review the plan." }, result: null }],
    },
    async (input, context) => waitFor(await crew.delegate(callOf(context), [asTask(input)])),
  );

const taskBroadcast = (crew: Crew): Tool =>
  defineTool(
    {
      ...common,
      permission: "WRITE",
      name: "task_broadcast",
      description: "Send one message to sub-agents that reported before, and wait for their next results.",
      input: z.object({
        message: z.string().min(1).max(8_000),
        to: z.array(z.string()).min(1).max(CHILDREN_MAX).describe("thread ids of sub-agents"),
      }),
      check: ({ to }, context) => refusalOf(crew.checkBroadcast?.(parentOf(context), to)),
      examples: [{ arguments: { message: "Shorten your result to one line.", to: ["thr_…"] }, result: null }],
    },
    async ({ message, to }, context) => waitFor(await crew.broadcast(callOf(context), message, to)),
  );

export const crew = defineToolkit({
  name: "crew",
  parts: ["crew"],
  offered: "on request",
  tools: ({ crew: port }) => [delegateTask(port), delegateParallel(port), teamAgent(port), taskBroadcast(port)],
});
