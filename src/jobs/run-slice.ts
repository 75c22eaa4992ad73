// Drives one background thread for a slice: claim its wake-up, advance turn by turn, park it, hand it on, or give it up.
// Two workers may drive by mistake and nothing breaks: the log takes one record n+1, whoever writes it.
import type { Delivery } from "../ports/thread-store.ts";
import type { LiveEvent } from "../schema/event.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { ok, type Problem, problem, type Result } from "../schema/problem.ts";
import type { ThreadRecord } from "../schema/record.ts";
import type { ThreadState } from "../schema/thread.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import { setBackground } from "../threads/background.ts";
import { type Advanced, advance } from "../turn/advance.ts";
import { needsWorker, WAKE_ID, wakeUpAt } from "../turn/commit/wake-up.ts";
import { loadThread } from "../turn/load.ts";
import type { Runtime, TurnRequest } from "../turn/runtime.ts";
import { backoffMs } from "./backoff.ts";
import { acceptsMessage, loadInbox, type QueuedMessage } from "./inbox/inbox.ts";
import { leaseDelivery } from "./lease.ts";
import { createWorkerRequest } from "./worker-request.ts";

export type SliceOptions = {
  readonly owner: string;
  /** How long a worker may be silent before another one takes over. Longer than a turn. */
  readonly lease_ms: number;
  /** Turns before the thread goes to the end of the line. */
  readonly slice_turns: number;
  /** After this time no further turn is begun: the invocation ends. */
  readonly until: number;
  readonly attempts_max: number;
  readonly emit: (at: ThreadRef, event: LiveEvent) => void;
  readonly stopping: () => boolean;
};

export type SliceResult =
  | { readonly kind: "taken" }
  | { readonly kind: "parked" | "handed_on"; readonly turns: number }
  | { readonly kind: "retry"; readonly problem: Problem; readonly due_at: number }
  | { readonly kind: "dead"; readonly problem: Problem };

export async function runSlice(rt: Runtime, due: Delivery, options: SliceOptions): Promise<SliceResult> {
  let leased = leaseWakeUp(rt, due, options);
  const acquired = await rt.store.settleDelivery(due, leased);
  if (!acquired.ok || !acquired.value) return { kind: "taken" };
  const at = { tenant: due.tenant, thread: due.thread };
  // Workers that took it and were never heard of again count like failures: a job that kills its worker must end.
  if (leased.attempts > options.attempts_max) return deadLetterRun(rt, at, leased, WORKER_LOST, options);
  for (let turns = 0; ; turns++) {
    if (turns >= options.slice_turns || options.stopping() || !hasTimeForTurn(rt, options))
      return requeue(rt, leased, turns);
    const step = await runTurn(rt, at, options);
    if (step.kind === "park") return park(rt, leased, step.due_at, turns);
    if (step.kind === "problem") return retryOrDeadLetter(rt, at, leased, step.problem, options);
    if (step.kind === "last") return park(rt, leased, step.due_at, turns + 1);
    const renewed = await renewLease(rt, leased, options);
    if (!renewed) {
      // Somebody answered or paused meanwhile and left a wake-up of its own: that one goes on.
      await ensureWakeUp(rt, at);
      return { kind: "parked", turns: turns + 1 };
    }
    leased = renewed;
  }
}

/** The claim, renewed where it wears out; null when it is somebody else's now. */
async function renewLease(rt: Runtime, leased: Delivery, options: SliceOptions): Promise<Delivery | null> {
  if (!needsRenewal(rt, leased)) {
    const [row] = await loadWakeUp(rt, leased);
    const stillLeased = row?.due_at === leased.due_at && row.attempts === leased.attempts && row.body === leased.body;
    return stillLeased ? leased : null;
  }
  const renewed = { ...leaseWakeUp(rt, leased, options), attempts: 1 };
  const settled = await rt.store.settleDelivery(leased, renewed);
  return settled.ok && settled.value ? renewed : null;
}

async function loadWakeUp(rt: Runtime, at: ThreadRef): Promise<readonly Delivery[]> {
  const rows = await rt.store.deliveries(at, 1, WAKE_ID);
  return rows.ok ? rows.value : [];
}

/** A turn more would not fit into the claim, or earlier tries still count against it. Renewing costs as much as a commit. */
const needsRenewal = (rt: Runtime, leased: Delivery): boolean =>
  leased.attempts > 1 || leased.due_at - rt.clock.now() < rt.config.turn_deadline_ms + LEASE_MARGIN_MS;

/** For the commit after a turn that took all its time. */
const LEASE_MARGIN_MS = 2_000;

const leaseWakeUp = (rt: Runtime, due: Delivery, options: SliceOptions): Delivery =>
  leaseDelivery(rt, due, options.lease_ms, { kind: "wake", owner: options.owner });

/** A turn that could not end before the invocation does is left for the next one. */
const hasTimeForTurn = (rt: Runtime, options: SliceOptions): boolean =>
  rt.clock.now() + rt.config.turn_deadline_ms <= options.until;

type SliceStep =
  | { readonly kind: "on" }
  | { readonly kind: "last" | "park"; readonly due_at: number | null }
  | { readonly kind: "problem"; readonly problem: Problem };

async function runTurn(rt: Runtime, at: ThreadRef, options: SliceOptions): Promise<SliceStep> {
  const thread = await loadThread(rt, at);
  if (!thread.ok) return afterLoadProblem(thread.problem, rt.clock.now());
  const { state } = thread.value;
  if (state.background?.status !== "on") return { kind: "park", due_at: null };
  const inbox = await loadInbox(rt, at);
  if (!inbox.ok) return { kind: "problem", problem: inbox.problem };
  const message = acceptsMessage(state, rt.clock.now()) ? inbox.value[0] : undefined;
  const advanced = await advance(rt, sliceRequest(rt, at, options, message ? requestFieldsFrom(message) : {}));
  if (message && wasAlreadyHandled(advanced)) return dropMessage(rt, message);
  if (!advanced.ok) return afterAdvanceProblem(advanced.problem, rt.clock.now());
  const { outcome } = advanced.value;
  if (outcome.kind === "failed" && outcome.thread.state !== "failed")
    return { kind: "problem", problem: outcome.problem };
  if (outcome.next === "advance") return { kind: "on" };
  // Asked again after the commit: a message that came meanwhile either is seen here or brings a wake-up of its own.
  const waiting = await loadInbox(rt, at);
  // Whoever has not seen that nobody waits may not go away.
  if (!waiting.ok) return { kind: "problem", problem: waiting.problem };
  const hasNextMessage = waiting.value.length > 0 && acceptsMessage(lastState(advanced.value.records), rt.clock.now());
  return hasNextMessage ? { kind: "on" } : { kind: "last", due_at: gateExpiryOfOutcome(outcome) };
}

const requestFieldsFrom = ({ input, actor, key, untrusted, row }: QueuedMessage): Partial<TurnRequest> => ({
  input,
  actor,
  key,
  options: { driven: true, untrusted, taken: [row.id] },
});

/** It was heard before, and its sender put it again just then; or another call has used its key. */
const wasAlreadyHandled = (advanced: Result<Advanced>): boolean =>
  advanced.ok ? advanced.value.replayed : advanced.problem.code === "idempotency_mismatch";

async function dropMessage(rt: Runtime, { row }: QueuedMessage): Promise<SliceStep> {
  await rt.store.settleDelivery(row, null);
  return { kind: "on" };
}

function lastState(records: readonly ThreadRecord[]): ThreadState {
  const head = records.at(-1);
  if (!head) throw new Error("a turn makes at least one record");
  return head.state;
}

const sliceRequest = (
  rt: Runtime,
  at: ThreadRef,
  options: SliceOptions,
  overrides: Partial<TurnRequest>,
): TurnRequest => ({
  ...createWorkerRequest(rt, at, options),
  options: { driven: true },
  ...overrides,
});

const gateExpiryOfOutcome = (outcome: TurnResult): number | null =>
  outcome.thread.gate?.expires_at ? Date.parse(outcome.thread.gate.expires_at) : null;

const afterLoadProblem = (problem: Problem, now: number): SliceStep => {
  if (problem.code === "newer_version") return { kind: "park", due_at: now + NEWER_VERSION_DELAY_MS };
  return problem.code === "thread_not_found" ? { kind: "park", due_at: null } : { kind: "problem", problem };
};

/**
 * While one release takes the place of another, an older worker may find what a newer one wrote. It can neither go on
 * with it nor say why it stops: the wake-up is left to the newer ones, and no try is counted.
 */
const NEWER_VERSION_DELAY_MS = 5_000;

/** Some problems only say that there is nothing to drive now. */
function afterAdvanceProblem(problem: Problem, now: number): SliceStep {
  switch (problem.code) {
    case "thread_moved":
      return { kind: "on" };
    case "gate_open":
    case "nothing_to_do":
    case "thread_failed":
    case "thread_not_found":
      return { kind: "park", due_at: gateExpiryOfProblem(problem) };
    case "newer_version":
      return { kind: "park", due_at: now + NEWER_VERSION_DELAY_MS };
    case "turn_running": {
      const wait = problem.details?.retry_after_s;
      return { kind: "park", due_at: now + (typeof wait === "number" ? wait : 1) * 1000 };
    }
    default:
      return { kind: "problem", problem };
  }
}

function gateExpiryOfProblem(problem: Problem): number | null {
  const gate = problem.details?.gate as { expires_at?: string | null } | undefined;
  return gate?.expires_at ? Date.parse(gate.expires_at) : null;
}

/** Nothing to do before that time, or until somebody comes. A wake-up that was put meanwhile stays. */
async function park(rt: Runtime, leased: Delivery, due_at: number | null, turns: number): Promise<SliceResult> {
  const settled = await rt.store.settleDelivery(leased, due_at === null ? null : { ...leased, due_at, attempts: 0 });
  if (due_at === null || !settled.ok || !settled.value) await ensureWakeUp(rt, leased);
  return { kind: "parked", turns };
}

/**
 * Of two who drive by mistake one may park at a gate that the other closes with a result that came late. Then neither
 * has a wake-up, and the run would stop without a word.
 */
async function ensureWakeUp(rt: Runtime, { tenant, thread: id }: ThreadRef): Promise<void> {
  const at = { tenant, thread: id };
  if ((await loadWakeUp(rt, at)).length > 0) return;
  const thread = await loadThread(rt, at);
  if (!thread.ok || thread.value.state.background?.status !== "on") return;
  const { state } = thread.value;
  const inbox = acceptsMessage(state, rt.clock.now()) ? await loadInbox(rt, at) : ok([]);
  // One wake-up too many finds nothing to do.
  const hasMessages = !inbox.ok || inbox.value.length > 0;
  if (hasMessages || needsWorker(state)) await rt.store.putDelivery(wakeUpAt(at, rt.clock.now()));
}

/** To the end of the line, so that one long run does not hold up the others. */
async function requeue(rt: Runtime, leased: Delivery, turns: number): Promise<SliceResult> {
  const settled = await rt.store.settleDelivery(leased, { ...leased, due_at: rt.clock.now(), attempts: 0 });
  if (!settled.ok || !settled.value) await ensureWakeUp(rt, leased);
  return { kind: "handed_on", turns };
}

async function retryOrDeadLetter(
  rt: Runtime,
  at: ThreadRef,
  leased: Delivery,
  problem: Problem,
  options: SliceOptions,
): Promise<SliceResult> {
  if (leased.attempts >= options.attempts_max) return deadLetterRun(rt, at, leased, problem, options);
  const due_at = rt.clock.now() + backoffMs(leased.attempts, problem);
  await rt.store.settleDelivery(leased, { ...leased, due_at });
  return { kind: "retry", problem, due_at };
}

const WORKER_LOST = problem("internal", "Every worker that drove this thread ended before it could say what happened.");

/** A dead letter: the thread says why, and starting the run again revives it. */
async function deadLetterRun(
  rt: Runtime,
  at: ThreadRef,
  leased: Delivery,
  cause: Problem,
  options: SliceOptions,
): Promise<SliceResult> {
  const reason = `${cause.code}: ${cause.message}`.slice(0, 300);
  const recorded = await setBackground(rt, sliceRequest(rt, at, options, {}), { status: "dead", reason });
  if (!recorded.ok && recorded.problem.code === "newer_version")
    return park(rt, leased, rt.clock.now() + NEWER_VERSION_DELAY_MS, 0);
  // Nobody would ever know why it stopped: the wake-up stays, and whoever claims it next gives up instead.
  if (!recorded.ok && isTransient(recorded.problem))
    return { kind: "retry", problem: recorded.problem, due_at: leased.due_at };
  await rt.store.settleDelivery(leased, null);
  return { kind: "dead", problem: cause };
}

const isTransient = ({ retry }: Problem): boolean => retry !== "never" && retry !== "after-fix";
