// Checks what must hold for parents, children and workflows, from the rows of the store.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import type { Entry } from "../../../src/schema/record.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";
import type { WorkflowState } from "../../../src/schema/workflow/state.ts";
import { payloadOf } from "../../../src/workflow/nodes.ts";
import { route } from "../../../src/workflow/route.ts";
import { unwrap } from "../../support/runtime.ts";
import { PAIR } from "../../support/workflow.ts";
import { parseStored } from "../shared-cache.ts";
import type { World } from "../world.ts";
import { TOKENS_PER_REPLY } from "./model.ts";

type ThreadRows = {
  readonly id: string;
  readonly key: string;
  readonly entries: readonly Entry[];
  readonly states: readonly ThreadState[];
};
type Step = { role: string; prev: string | null; output: string; text: string };

export function crewViolations(world: World, data: MemoryData): readonly string[] {
  const threads = [...data.records]
    .filter(([key]) => key.includes("/thr_"))
    .map(([key, rows]): ThreadRows => {
      const id = key.split("/")[1] ?? "";
      const records = rows.map((row) => unwrap(parseStored(world, id, row)));
      return { id, key, entries: records.map(({ entry }) => entry), states: records.map(({ state }) => state) };
    });
  return [
    ...childrenOnce(threads),
    ...noOrphans(threads),
    ...budgetsAreShared(threads),
    ...threads.flatMap(limitsAreKept),
    ...spendingIsCharged(threads),
    ...messagesArriveOnce(threads),
    ...threads.flatMap(repliesAreCharged),
    ...threads.flatMap(({ id, states }) => (isAtRest(states.at(-1)) ? [] : [`C5 ${id} did not come to rest`])),
    ...threads.flatMap((thread) => headsFollowSteps(data, thread)),
  ];
}

const isAtRest = (state: ThreadState | undefined): boolean =>
  state !== undefined && (state.machine.state === "rest" || state.machine.state === "failed");

/** Checks that each task of a parent has only one thread. */
function childrenOnce(threads: readonly ThreadRows[]): readonly string[] {
  const seen = new Set<string>();
  return threads.flatMap(({ id, states }) => {
    const { child, goal } = states[0] ?? {};
    if (!child) return [];
    const task = `${child.parent} ${goal}`;
    if (seen.has(task)) return [`C1 ${id} is a second child for ${task}`];
    seen.add(task);
    return [];
  });
}

/** Checks that the children together use no more than their parent had left when it delegated. */
const budgetsAreShared = (threads: readonly ThreadRows[]): readonly string[] =>
  threads.flatMap(({ id, states }) => {
    const given = threads
      .flatMap(({ states: [first] }) => (first?.child?.parent === id ? first.budget.limit.turns : []))
      .reduce((sum, turns) => sum + turns, 0);
    const least = Math.min(...states.map(({ budget }) => budget.used.turns).filter((used) => used > 0));
    const { limit } = states[0]?.budget ?? {};
    return given > 0 && limit && given > limit.turns - least
      ? [`C6 ${id} gave ${given} turns to its children, and had ${limit.turns - least} left`]
      : [];
  });

/** Checks that what a parent has reserved for a child does not change while the child works. */
const limitsAreKept = ({ id, states }: ThreadRows): readonly string[] =>
  states.flatMap(({ child, run, budget: { limit } }, i) => {
    const before = states[i - 1];
    return child && before?.run === run && limit.turns > before.budget.limit.turns
      ? [`C6 ${id} may use ${limit.turns} turns instead of ${before.budget.limit.turns}`]
      : [];
  });

const childrenOf = (threads: readonly ThreadRows[], parent: string): readonly ThreadRows[] =>
  threads.filter(({ states: [first] }) => first?.child?.parent === parent);

const tokensOf = ({ entries }: ThreadRows): number =>
  entries.reduce((sum, { usage }) => sum + (usage ? usage.input_tokens + usage.output_tokens : 0), 0);

/**
 * Checks that a parent that ended by itself has paid for every reply of its children, and never more than its limit of
 * turns.
 */
const spendingIsCharged = (threads: readonly ThreadRows[]): readonly string[] =>
  threads.flatMap((parent) => {
    const last = parent.states.at(-1);
    const children = childrenOf(threads, parent.id);
    if (!last || children.length === 0 || last.machine.outcome !== "completed") return [];
    const { limit, used } = last.budget;
    const spent = [parent, ...children].reduce((sum, thread) => sum + tokensOf(thread), 0);
    return [
      ...(used.tokens === spent ? [] : [`C8 ${parent.id} is charged ${used.tokens} tokens of ${spent}`]),
      ...(used.turns <= limit.turns ? [] : [`C8 ${parent.id} used ${used.turns} turns of ${limit.turns}`]),
    ];
  });

/** Checks that a child begins one run for its task and one for each message of its parent. */
const messagesArriveOnce = (threads: readonly ThreadRows[]): readonly string[] =>
  threads.flatMap(({ id, entries }) => {
    const sent = entries.flatMap(({ receipts }) => receipts.filter(({ name }) => name === "task_broadcast"));
    const messages = new Set(sent.map(({ effect_id }) => effect_id));
    return childrenOf(threads, id).flatMap((child) => {
      const run = child.states.at(-1)?.run ?? 0;
      return run <= 1 + messages.size ? [] : [`C9 ${child.id} began ${run} runs for ${messages.size} messages`];
    });
  });

/**
 * Checks that every reply costs what the model used for it. The usage of children is added to their parent's when they
 * end.
 */
const repliesAreCharged = ({ id, entries, states }: ThreadRows): readonly string[] =>
  entries.flatMap(({ usage, run }, i) => {
    const [before, after] = [states[i - 1]?.budget.used.tokens ?? 0, states[i]?.budget.used.tokens ?? 0];
    if (!usage || entries[i - 1]?.run !== run) return [];
    const used = usage.model_calls * TOKENS_PER_REPLY;
    return usage.input_tokens + usage.output_tokens === used && after - before === used
      ? []
      : [`C7 record ${i} of ${id} is charged ${after - before} tokens for ${usage.model_calls} replies`];
  });

/** Checks that no child works after its parent has ended or was removed. */
function noOrphans(threads: readonly ThreadRows[]): readonly string[] {
  const byId = new Map(threads.map(({ id, states }) => [id, states]));
  return threads.flatMap(({ id, states }) => {
    const last = states.at(-1);
    if (!last?.child || isAtRest(last)) return [];
    const parent = byId.get(last.child.parent)?.at(-1);
    return parent === undefined || isAtRest(parent) ? [`C2 ${id} works after the end of its parent`] : [];
  });
}

/** Checks that a head moves only with its step, and that the next role is what the graph says about the stored step. */
function headsFollowSteps(data: MemoryData, { id, key, states }: ThreadRows): readonly string[] {
  const read = (hash: string): unknown => {
    const text = data.blobs.get(key)?.get(hash);
    return text === undefined ? undefined : payloadOf(text);
  };
  return states.flatMap((state, i) => {
    const [now, before] = [state.workflow, states[i - 1]?.workflow];
    if (!now || !before) return [];
    const digest = now.steps.at(-1);
    const isNewStep = digest?.turn === state.turn && digest.turn !== states[i - 1]?.turn && now.count > before.count;
    if (now.head_blob === before.head_blob)
      return isNewStep ? [`C3 ${id} stored step ${digest?.n} but kept its head`] : [];
    const step = read(now.head_blob) as Step | undefined;
    if (!step || digest?.step_blob !== now.head_blob) return [`C3 the head of ${id} moved without a step`];
    if ((step.prev ?? now.start_blob) !== before.head_blob) return [`C3 the head of ${id} skipped a step`];
    return chosenRole(id, state, now, step, read);
  });
}

function chosenRole(
  id: string,
  state: ThreadState,
  workflow: WorkflowState,
  step: Step,
  read: (hash: string) => unknown,
): readonly string[] {
  if (state.gate?.kind === "suspend") return [];
  const output = read(step.output) as Record<string, unknown>;
  const next = route(PAIR, { role: step.role, output, body: String(read(step.text)) });
  const expected = next.ok && next.value.kind === "role" ? next.value.role : null;
  return workflow.role === expected ? [] : [`C4 ${id} went to ${workflow.role}, the graph says ${expected}`];
}
