// Drives one background thread for a slice: claim its wake-up, advance turn by turn, park it, hand it on, or give it up.
// Two workers may drive by mistake and nothing breaks: the log takes one record n+1, whoever writes it.
import type { Delivery } from "../ports/thread-store.ts";
import type { LiveEvent } from "../schema/event.ts";
import type { ThreadAt } from "../schema/ids.ts";
import type { TurnOutcome } from "../schema/outcome.ts";
import { ok, type Problem, problem, type Result } from "../schema/problem.ts";
import type { ThreadRecord } from "../schema/record.ts";
import type { ThreadState } from "../schema/thread.ts";
import { setBackground } from "../threads/background.ts";
import { type Advanced, advance } from "../turn/advance.ts";
import { isDriven, WAKE_ID, wakeAt } from "../turn/commit/wake.ts";
import { loadThread } from "../turn/load.ts";
import type { Runtime, TurnRequest } from "../turn/runtime.ts";
import { claim } from "./claim.ts";
import { inboxOf, takesMessage, type WaitingMessage } from "./inbox/inbox.ts";
import { workerCall } from "./worker-call.ts";

export type DriveOptions = {
  readonly owner: string;
  /** How long a worker may be silent before another one takes over. Longer than a turn. */
  readonly lease_ms: number;
  /** Turns before the thread goes to the end of the line. */
  readonly slice_turns: number;
  /** After this time no further turn is begun: the invocation ends. */
  readonly until: number;
  readonly attempts_max: number;
  readonly emit: (at: ThreadAt, event: LiveEvent) => void;
  readonly stopping: () => boolean;
};

export type Driven =
  | { readonly kind: "taken" }
  | { readonly kind: "parked" | "handed_on"; readonly turns: number }
  | { readonly kind: "retry"; readonly problem: Problem; readonly due_at: number }
  | { readonly kind: "dead"; readonly problem: Problem };

export async function drive(rt: Runtime, due: Delivery, options: DriveOptions): Promise<Driven> {
  let held = claimOf(rt, due, options);
  const claimed = await rt.store.settleDelivery(due, held);
  if (!claimed.ok || !claimed.value) return { kind: "taken" };
  const at = { tenant: due.tenant, thread: due.thread };
  // Workers that took it and were never heard of again count like failures: a job that kills its worker must end.
  if (held.attempts > options.attempts_max) return giveUp(rt, at, held, DIED, options);
  for (let turns = 0; ; turns++) {
    if (turns >= options.slice_turns || options.stopping() || !fits(rt, options)) return handOn(rt, held, turns);
    const step = await oneTurn(rt, at, options);
    if (step.kind === "park") return park(rt, held, step.due_at, turns);
    if (step.kind === "problem") return retryOrGiveUp(rt, at, held, step.problem, options);
    if (step.kind === "last") return park(rt, held, step.due_at, turns + 1);
    const kept = await keep(rt, held, options);
    if (!kept) {
      // Somebody answered or paused meanwhile and left a wake-up of its own: that one goes on.
      await leaveWakeUp(rt, at);
      return { kind: "parked", turns: turns + 1 };
    }
    held = kept;
  }
}

/** The claim, renewed where it wears out; null when it is somebody else's now. */
async function keep(rt: Runtime, held: Delivery, options: DriveOptions): Promise<Delivery | null> {
  if (!wearsOut(rt, held)) {
    const [row] = await wakeUpOf(rt, held);
    const mine = row?.due_at === held.due_at && row.attempts === held.attempts && row.body === held.body;
    return mine ? held : null;
  }
  const renewed = { ...claimOf(rt, held, options), attempts: 1 };
  const settled = await rt.store.settleDelivery(held, renewed);
  return settled.ok && settled.value ? renewed : null;
}

async function wakeUpOf(rt: Runtime, at: ThreadAt): Promise<readonly Delivery[]> {
  const rows = await rt.store.deliveries(at, 1, WAKE_ID);
  return rows.ok ? rows.value : [];
}

/** A turn more would not fit into the claim, or earlier tries still count against it. Renewing costs as much as a commit. */
const wearsOut = (rt: Runtime, held: Delivery): boolean =>
  held.attempts > 1 || held.due_at - rt.clock.now() < rt.config.turn_deadline_ms + CLAIM_MARGIN_MS;

/** For the commit after a turn that took all its time. */
const CLAIM_MARGIN_MS = 2_000;

const claimOf = (rt: Runtime, due: Delivery, options: DriveOptions): Delivery =>
  claim(rt, due, options.lease_ms, { kind: "wake", owner: options.owner });

/** A turn that could not end before the invocation does is left for the next one. */
const fits = (rt: Runtime, options: DriveOptions): boolean =>
  rt.clock.now() + rt.config.turn_deadline_ms <= options.until;

type Step =
  | { readonly kind: "on" }
  | { readonly kind: "last" | "park"; readonly due_at: number | null }
  | { readonly kind: "problem"; readonly problem: Problem };

async function oneTurn(rt: Runtime, at: ThreadAt, options: DriveOptions): Promise<Step> {
  const thread = await loadThread(rt, at);
  if (!thread.ok) return goneOr(thread.problem, rt.clock.now());
  const { state } = thread.value;
  if (state.background?.status !== "on") return { kind: "park", due_at: null };
  const inbox = await inboxOf(rt, at);
  if (!inbox.ok) return { kind: "problem", problem: inbox.problem };
  const message = takesMessage(state, rt.clock.now()) ? inbox.value[0] : undefined;
  const advanced = await advance(rt, turnCall(rt, at, options, message ? brings(message) : {}));
  if (message && isOld(advanced)) return forget(rt, message);
  if (!advanced.ok) return afterProblem(advanced.problem, rt.clock.now());
  const { outcome } = advanced.value;
  if (outcome.kind === "failed" && outcome.thread.state !== "failed")
    return { kind: "problem", problem: outcome.problem };
  if (outcome.next === "advance") return { kind: "on" };
  // Asked again after the commit: a message that came meanwhile either is seen here or brings a wake-up of its own.
  const waiting = await inboxOf(rt, at);
  // Whoever has not seen that nobody waits may not go away.
  if (!waiting.ok) return { kind: "problem", problem: waiting.problem };
  const heard = waiting.value.length > 0 && takesMessage(headOf(advanced.value.records), rt.clock.now());
  return heard ? { kind: "on" } : { kind: "last", due_at: expiryOf(outcome) };
}

const brings = ({ input, actor, key, untrusted, row }: WaitingMessage): Partial<TurnRequest> => ({
  input,
  actor,
  key,
  options: { driven: true, untrusted, taken: [row.id] },
});

/** It was heard before, and its sender put it again just then; or another call has used its key. */
const isOld = (advanced: Result<Advanced>): boolean =>
  advanced.ok ? advanced.value.replayed : advanced.problem.code === "idempotency_mismatch";

async function forget(rt: Runtime, { row }: WaitingMessage): Promise<Step> {
  await rt.store.settleDelivery(row, null);
  return { kind: "on" };
}

function headOf(records: readonly ThreadRecord[]): ThreadState {
  const head = records.at(-1);
  if (!head) throw new Error("a turn makes at least one record");
  return head.state;
}

const turnCall = (rt: Runtime, at: ThreadAt, options: DriveOptions, brought: Partial<TurnRequest>): TurnRequest => ({
  ...workerCall(rt, at, options),
  options: { driven: true },
  ...brought,
});

const expiryOf = (outcome: TurnOutcome): number | null =>
  outcome.thread.gate?.expires_at ? Date.parse(outcome.thread.gate.expires_at) : null;

const goneOr = (problem: Problem, now: number): Step => {
  if (problem.code === "newer_version") return { kind: "park", due_at: now + NEWER_MS };
  return problem.code === "thread_not_found" ? { kind: "park", due_at: null } : { kind: "problem", problem };
};

/**
 * While one release takes the place of another, an older worker may find what a newer one wrote. It can neither go on
 * with it nor say why it stops: the wake-up is left to the newer ones, and no try is counted.
 */
const NEWER_MS = 5_000;

/** Some problems only say that there is nothing to drive now. */
function afterProblem(problem: Problem, now: number): Step {
  switch (problem.code) {
    case "thread_moved":
      return { kind: "on" };
    case "gate_open":
    case "nothing_to_do":
    case "thread_failed":
    case "thread_not_found":
      return { kind: "park", due_at: gateExpiry(problem) };
    case "newer_version":
      return { kind: "park", due_at: now + NEWER_MS };
    case "turn_running": {
      const wait = problem.details?.retry_after_s;
      return { kind: "park", due_at: now + (typeof wait === "number" ? wait : 1) * 1000 };
    }
    default:
      return { kind: "problem", problem };
  }
}

function gateExpiry(problem: Problem): number | null {
  const gate = problem.details?.gate as { expires_at?: string | null } | undefined;
  return gate?.expires_at ? Date.parse(gate.expires_at) : null;
}

/** Nothing to do before that time, or until somebody comes. A wake-up that was put meanwhile stays. */
async function park(rt: Runtime, held: Delivery, due_at: number | null, turns: number): Promise<Driven> {
  const settled = await rt.store.settleDelivery(held, due_at === null ? null : { ...held, due_at, attempts: 0 });
  if (due_at === null || !settled.ok || !settled.value) await leaveWakeUp(rt, held);
  return { kind: "parked", turns };
}

/**
 * Of two who drive by mistake one may park at a gate that the other closes with a result that came late. Then neither
 * has a wake-up, and the run would stop without a word.
 */
async function leaveWakeUp(rt: Runtime, { tenant, thread: id }: ThreadAt): Promise<void> {
  const at = { tenant, thread: id };
  if ((await wakeUpOf(rt, at)).length > 0) return;
  const thread = await loadThread(rt, at);
  if (!thread.ok || thread.value.state.background?.status !== "on") return;
  const { state } = thread.value;
  const inbox = takesMessage(state, rt.clock.now()) ? await inboxOf(rt, at) : ok([]);
  // One wake-up too many finds nothing to do.
  const unheard = !inbox.ok || inbox.value.length > 0;
  if (unheard || isDriven(state)) await rt.store.putDelivery(wakeAt(at, rt.clock.now()));
}

/** To the end of the line, so that one long run does not hold up the others. */
async function handOn(rt: Runtime, held: Delivery, turns: number): Promise<Driven> {
  const settled = await rt.store.settleDelivery(held, { ...held, due_at: rt.clock.now(), attempts: 0 });
  if (!settled.ok || !settled.value) await leaveWakeUp(rt, held);
  return { kind: "handed_on", turns };
}

const BACKOFF_MS = 1000;
const BACKOFF_MAX_MS = 15 * 60_000;

async function retryOrGiveUp(
  rt: Runtime,
  at: ThreadAt,
  held: Delivery,
  problem: Problem,
  options: DriveOptions,
): Promise<Driven> {
  if (held.attempts >= options.attempts_max) return giveUp(rt, at, held, problem, options);
  const told = problem.details?.retry_after_s;
  const wait = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** (held.attempts - 1));
  const due_at = rt.clock.now() + Math.max(wait, typeof told === "number" ? told * 1000 : 0);
  await rt.store.settleDelivery(held, { ...held, due_at });
  return { kind: "retry", problem, due_at };
}

const DIED = problem("internal", "Every worker that drove this thread ended before it could say what happened.");

/** A dead letter: the thread says why, and starting the run again revives it. */
async function giveUp(rt: Runtime, at: ThreadAt, held: Delivery, why: Problem, options: DriveOptions): Promise<Driven> {
  const reason = `${why.code}: ${why.message}`.slice(0, 300);
  const said = await setBackground(rt, turnCall(rt, at, options, {}), { status: "dead", reason });
  if (!said.ok && said.problem.code === "newer_version") return park(rt, held, rt.clock.now() + NEWER_MS, 0);
  // Nobody would ever know why it stopped: the wake-up stays, and whoever claims it next gives up instead.
  if (!said.ok && mayPass(said.problem)) return { kind: "retry", problem: said.problem, due_at: held.due_at };
  await rt.store.settleDelivery(held, null);
  return { kind: "dead", problem: why };
}

const mayPass = ({ retry }: Problem): boolean => retry !== "never" && retry !== "after-fix";
