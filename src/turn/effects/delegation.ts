// Runs a call that waits for child threads: advances those that no worker advances, and settles when all of them have ended their runs.
import { isTransient, retryConflict } from "../../ports/retry.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread } from "../../schema/record.ts";
import type { ActiveCall, Budget, ThreadState } from "../../schema/thread.ts";
import type { Delegation } from "../../schema/workflow/child.ts";
import { projectTools } from "../../tools/resolve.ts";
import { truncateBytes } from "../../tools/truncate-text.ts";
import { callResult } from "../act/receipts.ts";
import { finish, type TurnRecords } from "../commit/commit.ts";
import { amend, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { loadThread } from "../load.ts";
import { resolveThreadTools } from "../resolve-thread-tools.ts";
import { nextAction } from "../view.ts";
import { settlementDraft } from "./settle.ts";

/** The number of seconds after which a parent checks its children again, unless an event wakes it earlier. */
const CHILD_POLL_S = 5;
const SUMMARY_BYTES = 2_048;

/** A child from the point of view of its parent. `thread` is null if the thread was removed or is not a child of this parent. */
type Child = { readonly at: ThreadRef; readonly run: number; readonly thread: Thread | null };
export type DriveChild = (at: ThreadRef, cancel: boolean) => Promise<Result<unknown>>;

/** The handler of the call has created the children. The call itself still counts as running. */
export const delegationDraft = (draft: Draft, acting: ActiveCall, delegation: Delegation): Draft =>
  amend(draft, {
    state: { acting: { ...acting, delegation } },
    entry: { call: acting.call },
    signals: [{ type: "call.delegated" }],
  });

export async function continueDelegation(
  ctx: TurnContext,
  draft: Draft,
  acting: ActiveCall,
  drive: DriveChild,
): Promise<TurnRecords> {
  const children = await loadChildren(ctx, acting);
  if (!children.ok) return children;
  const working = children.value.filter((child) => !hasEnded(child));
  if (working.length === 0) return finish(ctx, await withResults(ctx, draft, acting, children.value));
  const waiting = `${working.length} of ${children.value.length} sub-agents are still working.`;
  const next = working.find(({ thread }) => thread && nextAction(thread.state) === "advance");
  if (!next) {
    const threads = working.map(({ at }) => at.thread);
    const message = `${waiting} They wait for a person: ${threads.join(", ")}.`;
    return fail("turn_running", message, { retry_after_s: CHILD_POLL_S, threads });
  }
  if (acting.delegation?.by_worker) return fail("turn_running", waiting, { retry_after_s: CHILD_POLL_S });
  const driven = await drive(next.at, false);
  if (!driven.ok) return driven;
  return finish(ctx, amend(draft, { entry: { call: acting.call }, signals: [{ type: "call.delegated" }] }));
}

/** Cancels the children first. If the process stops in between, the parent still waits for them and sees that they were cancelled. */
export async function cancelDelegation(
  ctx: TurnContext,
  draft: Draft,
  acting: ActiveCall,
  drive: DriveChild,
): Promise<TurnRecords> {
  const before = await loadChildren(ctx, acting);
  if (!before.ok) return before;
  for (const child of before.value) {
    const cancelled = hasEnded(child) ? ok(undefined) : await cancelChild(child, drive);
    if (!cancelled.ok) return cancelled;
  }
  const after = await loadChildren(ctx, acting);
  if (!after.ok) return after;
  const cancelling = amend(draft, { state: { acting: { ...acting, cancel_requested: true } } });
  return finish(ctx, await withResults(ctx, cancelling, acting, after.value));
}

/** Cancels one child. Tries again if a turn of the child commits first: that turn may open a gate, and nobody would cancel the child later. */
async function cancelChild({ at }: Child, drive: DriveChild): Promise<Result<unknown>> {
  const cancelled = await retryConflict("thread_moved", () => drive(at, true));
  if (cancelled.ok || !isTransient(cancelled.problem)) return ok(undefined);
  // The child has recorded the cancel request. Its running call ends the run when it settles.
  return cancelled.problem.code === "turn_running" ? ok(undefined) : cancelled;
}

async function loadChildren(
  { rt, request }: TurnContext,
  { delegation }: ActiveCall,
): Promise<Result<readonly Child[]>> {
  const children: Child[] = [];
  for (const { thread: id, run } of delegation?.children ?? []) {
    const at = { tenant: request.at.tenant, thread: id };
    const thread = await loadThread(rt, at);
    if (!thread.ok && thread.problem.code !== "thread_not_found") return thread;
    // Checks the parent, because an imported file can name any thread as a child.
    const own = thread.ok && thread.value.state.child?.parent === request.at.thread;
    children.push({ at, run, thread: own ? thread.value : null });
  }
  return ok(children);
}

function hasEnded({ thread, run }: Child): boolean {
  if (!thread) return true;
  const { machine, background, run: current } = thread.state;
  if (machine.state === "failed" || background?.status === "dead") return true;
  return machine.state === "rest" && current >= run;
}

function report({ at, thread }: Child) {
  if (!thread) return { thread: at.thread, outcome: "removed", evidence: null, summary: "", usage: null };
  const { machine, evidence, child, budget, background } = thread.state;
  const text = child?.escalated ?? thread.entries.findLast(({ entry }) => entry.speak)?.entry.speak ?? "";
  return {
    thread: at.thread,
    outcome: outcomeOf(thread.state),
    evidence,
    summary: truncateBytes(background?.status === "dead" ? (background.reason ?? "") : text, SUMMARY_BYTES),
    usage: budget.used,
    ...(machine.state === "rest" || machine.state === "failed" ? {} : { state: machine.state }),
  };
}

/** The routes are stored in the parent's record, because they may change later. */
async function routesOf({ rt, request }: TurnContext, { thread }: Child): Promise<Readonly<Record<string, string>>> {
  const tools = thread ? await resolveThreadTools(rt, request.at.tenant, thread.state) : null;
  return tools?.ok ? projectTools(tools.value).routes : {};
}

function outcomeOf({ machine, child }: ThreadState): string {
  if (child?.escalated) return "escalated";
  return machine.state === "rest" ? (machine.outcome ?? "cancelled") : "failed";
}

/** Untrusted text in a child makes the result untrusted, and what the children spent counts as spent by the parent. */
async function withResults(
  ctx: TurnContext,
  draft: Draft,
  acting: ActiveCall,
  children: readonly Child[],
): Promise<Draft> {
  const { rt } = ctx;
  const reports = await Promise.all(
    children.map(async (child) => ({ ...report(child), routes: await routesOf(ctx, child) })),
  );
  const output = { children: reports };
  // If the whole text is too long, the model reads this shorter one, which lists every child but not the routes.
  const brief = JSON.stringify({ children: reports.map(({ routes: _, ...rest }) => rest) }, null, 1);
  const tainted = children.some(({ thread }) => thread !== null && thread.state.taint !== null);
  const success = reports.some(({ outcome }) => outcome === "completed");
  const result = { ...callResult(rt, success, JSON.stringify(output, null, 1)), brief };
  const run = { ...result.run, raw: output, output_trust: tainted ? ("untrusted" as const) : null };
  const settled = settlementDraft(rt, draft, acting, { ...result, run, broken: false });
  return amend(settled, { state: { budget: withSpending(settled.state.budget, children) } });
}

function withSpending(budget: Budget, children: readonly Child[]): Budget {
  const spent = children.flatMap(({ thread }) => (thread ? [thread.state.budget.used] : []));
  const sum = (pick: (used: Budget["used"]) => number): number => spent.reduce((total, used) => total + pick(used), 0);
  const { used } = budget;
  return {
    ...budget,
    used: {
      turns: used.turns + sum(({ turns }) => turns),
      tokens: used.tokens + sum(({ tokens }) => tokens),
      usd: used.usd + sum(({ usd }) => usd),
      // The time of children that work in parallel is not added up: only the longest counts for the parent.
      seconds: used.seconds + Math.max(0, ...spent.map(({ seconds }) => seconds)),
    },
  };
}
