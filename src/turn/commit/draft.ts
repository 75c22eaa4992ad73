// A record in the making: the state before the machine moves, the parts of the entry, the signals to take.
import type { Signal } from "../../../machines/thread.signals.ts";
import { isoTime } from "../../ports/clock.ts";
import type { CommitId, ReceiptId } from "../../schema/ids.ts";
import type { Entry, Thread } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { storedInput } from "../act/stored-call.ts";
import type { Runtime, TurnCall } from "../runtime.ts";

export type Blob = { readonly hash: string; readonly text: string };

export type Draft = {
  readonly state: ThreadState;
  readonly entry: Entry;
  readonly signals: readonly Signal[];
  readonly blobs: readonly Blob[];
  /** Written before its tool runs: more records of this turn follow. */
  readonly intends: boolean;
};

export type Amendment = {
  readonly state?: Partial<ThreadState>;
  readonly entry?: Partial<Entry>;
  readonly signals?: readonly Signal[];
  readonly blobs?: readonly Blob[];
};

export function amend(draft: Draft, change: Amendment): Draft {
  return {
    state: change.state ? { ...draft.state, ...change.state } : draft.state,
    entry: change.entry ? { ...draft.entry, ...change.entry } : draft.entry,
    signals: change.signals ? [...draft.signals, ...change.signals] : draft.signals,
    blobs: change.blobs ? [...draft.blobs, ...change.blobs] : draft.blobs,
    intends: draft.intends,
  };
}

/** The first record of a new turn on this thread. */
export const draftTurn = (rt: Runtime, call: TurnCall, thread: Thread): Draft =>
  draftRecord(
    rt,
    call,
    {
      ...thread.state,
      turn: thread.state.turn + 1,
      taint: thread.state.taint ?? outsideTaint(rt, call.untrusted),
      background: call.in_background ? { status: "on", reason: null } : thread.state.background,
    },
    storedInput(call.input),
  );

/** Words of somebody outside came as an input: no receipt brought them, so this name only says since when. */
export const outsideTaint = (rt: Pick<Runtime, "ids">, untrusted: boolean | undefined): ThreadState["taint"] =>
  untrusted ? (rt.ids.make("rcp") as ReceiptId) : null;

/** A further record: the same turn goes on, or an owner settles on top of somebody else's record. */
export const draftSettling = (rt: Runtime, call: TurnCall, thread: Thread): Draft =>
  draftRecord(rt, call, thread.state, null);

function draftRecord(rt: Runtime, call: TurnCall, state: ThreadState, input: Entry["input"]): Draft {
  return {
    state,
    entry: emptyEntry(rt.ids.make("cmt") as CommitId, isoTime(rt.clock.now()), call.actor, state, input),
    signals: [],
    blobs: [],
    intends: false,
  };
}

export function emptyEntry(
  commit_id: CommitId,
  at: string,
  actor: string,
  state: Pick<ThreadState, "run" | "turn">,
  input: Entry["input"],
): Entry {
  return {
    schema: 1,
    commit_id,
    at,
    actor,
    run: state.run,
    turn: state.turn,
    create: null,
    input,
    prompt_hash: null,
    model: null,
    estimate_factor: null,
    corrections: [],
    decision: null,
    judgement: null,
    speak: null,
    thought: null,
    call: null,
    receipts: [],
    observation: null,
    operation: null,
    signals: [],
    closed_gate: null,
    problem: null,
    usage: null,
    key: null,
    events: { first: 0, count: 0 },
  };
}
