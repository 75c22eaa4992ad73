// Creates child threads for a call. Their ids are hashes of the call, so that a call that is sent again finds the same children.
import { closest } from "fastest-levenshtein";
import type { ChildTask, Crew, CrewCall, CrewParent } from "../../ports/crew/crew.ts";
import { retryConflict } from "../../ports/retry.ts";
import { type EffectId, ThreadId, type ThreadRef } from "../../schema/ids.ts";
import type { BudgetInput, CreateInput } from "../../schema/input.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread } from "../../schema/record.ts";
import type { Budget, ThreadState } from "../../schema/thread.ts";
import { CHILD_DEPTH_MAX, CHILDREN_MAX, type Delegation } from "../../schema/workflow/child.ts";
import { createThread, validateInput } from "../../threads/create.ts";
import { isPartial } from "../../tools/confine-to-roots.ts";
import { advance } from "../../turn/advance.ts";
import { bodyHash, findKey, keyHash } from "../../turn/commit/idempotency-keys.ts";
import { loadThread } from "../../turn/load.ts";
import { resolveThreadTools } from "../../turn/resolve-thread-tools.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { createWorkerRequest } from "../worker-request.ts";
import { atMost, childBudgets } from "./child-budget.ts";
import { childRoots } from "./child-roots.ts";

/** A runtime without `worker` belongs to a host that runs workers itself. */
const hasWorker = ({ worker }: Runtime): boolean => worker === undefined || worker.running;

export const createCrew = (rt: Runtime): Crew => ({
  checkDelegate: (parent, tasks) => prepareTasks(rt, parent, tasks),
  checkBroadcast: (parent, to) => prepareMessage(rt, parent, to),
  delegate: (call, tasks) => delegate(rt, call, tasks),
  broadcast: (call, message, to) => broadcast(rt, call, message, to),
});

type PreparedTasks = {
  readonly parent: Thread;
  /** The tools that a child may have. */
  readonly names: readonly string[];
  readonly children: readonly { readonly task: ChildTask; readonly input: CreateInput }[];
};

/** Checks everything that can refuse the call, before the first child is created. */
async function prepareTasks(
  rt: Runtime,
  { tenant, thread }: CrewParent,
  tasks: readonly ChildTask[],
): Promise<Result<PreparedTasks>> {
  const parent = await loadThread(rt, { tenant, thread });
  if (!parent.ok) return parent;
  const tools = await resolveThreadTools(rt, tenant, parent.value.state, { thread });
  if (!tools.ok) return tools;
  // If the escalation rules forbid a call, a child with another agent must not make it either.
  const left = new Set(tools.value.escalation?.flatMap((rule) => rule.tools));
  const names = tools.value.tools.map(({ name }) => name).filter((name) => !left.has(name));
  const refused = refusal(rt, parent.value, tasks, names);
  if (refused) return refused;
  const budgets = childBudgets(parent.value.state.budget, tasks);
  if (!budgets.ok) return budgets;
  const { state } = parent.value;
  const children = tasks.map((task, i) => ({ task, input: childInput(rt, state, task, budgets.value[i] ?? {}) }));
  const invalid = children.map(({ input }) => validateInput(rt, input)).find((one) => one !== null);
  return invalid ? refuse(invalid.problem.message) : ok({ parent: parent.value, names, children });
}

const refuse = (why: string): Failed => fail("tool_refused", `${why} Nothing was started.`);

function childInput(rt: Runtime, parent: ThreadState, task: ChildTask, budget: BudgetInput): CreateInput {
  return {
    goal: task.context ? `${task.task}\n\n${task.context}` : task.task,
    agent: task.agent ?? parent.agent,
    mode: "direct",
    plan_approval: "auto",
    budget,
    toolkits: parent.toolkits ?? [],
    metadata: parent.metadata ?? {},
    ...(hasWorker(rt) ? { run: "background" } : {}),
  };
}

async function delegate(rt: Runtime, call: CrewCall, tasks: readonly ChildTask[]): Promise<Result<Delegation>> {
  const prepared = await prepareTasks(rt, call, tasks);
  if (!prepared.ok) return prepared;
  const { parent, names } = prepared.value;
  const children: Delegation["children"] = [];
  for (const [i, child] of prepared.value.children.entries()) {
    const created = await createChild(rt, call, parent, { ...child, i, names });
    if (!created.ok) return unfinished(created, children);
    children.push({ thread: created.value, run: 1 });
  }
  return ok({ children, by_worker: hasWorker(rt) });
}

function refusal(rt: Runtime, { state }: Thread, tasks: readonly ChildTask[], names: readonly string[]): Failed | null {
  if (tasks.length > CHILDREN_MAX) return refuse(`At most ${CHILDREN_MAX} sub-agents at a time, not ${tasks.length}.`);
  if ((state.child?.depth ?? 0) + 1 > CHILD_DEPTH_MAX)
    return refuse(`Sub-agents are at most ${CHILD_DEPTH_MAX} levels deep.`);
  const agents = Object.keys(rt.config.agents);
  for (const { agent, tools = [], roots = [], shell = false } of tasks) {
    if (agent !== undefined && !agents.includes(agent))
      return refuse(`There is no agent ${JSON.stringify(agent)}; the nearest is ${closest(agent, agents)}.`);
    const unknown = tools.find((name) => !names.includes(name));
    if (unknown !== undefined)
      return refuse(
        `You have no tool ${JSON.stringify(unknown)}${names.length > 0 ? `; the nearest is ${closest(unknown, [...names])}` : ""}.`,
      );
    const folders = childRoots(roots, state.child);
    if (!folders.ok) return refuse(folders.problem.message);
    if (shell && folders.value.length > 0 && isPartial(folders.value))
      return refuse('Commands cannot be confined to folders: shell needs roots ["."].');
  }
  return null;
}

/** If the call simply failed, nothing would wait for the children that were reached. It is therefore sent again until it reaches all of them. */
const unfinished = (failed: Failed, reached: Delegation["children"]): Failed =>
  reached.length === 0 ? failed : fail("outcome_unknown", failed.problem.message);

type ChildRequest = {
  readonly task: ChildTask;
  readonly i: number;
  readonly input: CreateInput;
  readonly names: readonly string[];
};

async function createChild(
  rt: Runtime,
  call: CrewCall,
  { state }: Thread,
  { task, i, input, names }: ChildRequest,
): Promise<Result<ThreadId>> {
  const name = `crew:${call.thread}:${call.effect_id}:${i}`;
  const limits = state.child;
  const roots = childRoots(task.roots ?? [], limits);
  if (!roots.ok) return roots;
  const created = await createThread(rt, {
    tenant: call.tenant,
    actor: state.created_by,
    input,
    // Two attempts may differ in whether a worker runs, so the comparison ignores it.
    key: {
      name,
      hash: keyHash(rt.hash, name),
      body: bodyHash(rt.hash, { route: "crew", query: {}, body: { goal: input.goal } }),
    },
    untrusted: state.taint !== null,
    already_validated: true,
    child: {
      parent: call.thread,
      effect_id: call.effect_id,
      depth: (limits?.depth ?? 0) + 1,
      allowed: [...(task.tools ?? names)],
      roots: [...roots.value],
      shell: (task.shell ?? false) && (limits?.shell ?? true),
      readonly: (task.readonly ?? false) || (limits?.readonly ?? false),
      escalated: null,
    },
  });
  return created.ok ? ok(created.value.outcome.thread.id) : created;
}

type Receiver = { readonly at: ThreadRef; readonly budget: BudgetInput };
type PreparedMessage = { readonly parent: Thread; readonly receivers: readonly Receiver[] };

async function prepareMessage(
  rt: Runtime,
  { tenant, thread, effect_id }: CrewParent & Partial<CrewCall>,
  to: readonly string[],
): Promise<Result<PreparedMessage>> {
  if (new Set(to).size !== to.length) return fail("tool_refused", "to: names a sub-agent twice. Nothing was sent.");
  const parent = await loadThread(rt, { tenant, thread });
  if (!parent.ok) return parent;
  const children: { readonly at: ThreadRef; readonly limit: Budget["limit"] }[] = [];
  for (const id of to) {
    const at = { tenant, thread: id as ThreadId };
    const child = ThreadId.safeParse(id).success ? await loadThread(rt, at) : null;
    if (!child?.ok || child.value.state.child?.parent !== thread)
      return fail("tool_refused", `${id} is not a sub-agent of this thread. Nothing was sent.`);
    const { machine, key_ring } = child.value.state;
    // If the call is sent again, the children may already be working on its message.
    const hasMessage = effect_id !== undefined && findKey(key_ring, messageKey(rt, effect_id, at)) !== null;
    if (machine.state !== "rest" && !hasMessage)
      return fail(
        "tool_refused",
        `${id} ${machine.state === "failed" ? "has failed" : "still works"}. Nothing was sent.`,
      );
    children.push({ at, limit: child.value.state.budget.limit });
  }
  // The next run gets a whole new budget, so the budget has to be reserved again.
  const budgets = childBudgets(
    parent.value.state.budget,
    children.map(() => ({ task: "" })),
  );
  if (!budgets.ok) return budgets;
  const receivers = children.map(({ at, limit }, i) => ({ at, budget: atMost(budgets.value[i] ?? {}, limit) }));
  return ok({ parent: parent.value, receivers });
}

/** A message that is sent again with the same key counts once. */
const messageKey = (rt: Runtime, effect_id: EffectId, { thread }: ThreadRef): string =>
  keyHash(rt.hash, `crew:${effect_id}:${thread}`);

async function broadcast(
  rt: Runtime,
  call: CrewCall,
  message: string,
  to: readonly string[],
): Promise<Result<Delegation>> {
  const prepared = await prepareMessage(rt, call, to);
  if (!prepared.ok) return prepared;
  const { parent, receivers } = prepared.value;
  const untrusted = parent.state.taint !== null;
  const by_worker = hasWorker(rt);
  const children: Delegation["children"] = [];
  for (const { at, budget } of receivers) {
    const hash = messageKey(rt, call.effect_id, at);
    const body = bodyHash(rt.hash, { route: "crew", query: {}, body: { message } });
    const request = {
      ...createWorkerRequest(rt, at, { owner: "crew", emit: () => undefined }),
      input: { type: "message" as const, text: message },
      key: { hash, body },
      budget,
      options: { in_background: by_worker, untrusted, from_parent: true },
    };
    const sent = await retryConflict("thread_moved", () => advance(rt, request));
    if (!sent.ok) return unfinished(sent, children);
    children.push({ thread: at.thread, run: sent.value.outcome.thread.run });
  }
  return ok({ children, by_worker });
}
