// Builds a record before it is committed: the state before the machine moves, the parts of the entry, and the signals to apply.
import type { Signal } from "../../../machines/thread.signals.ts";
import { isoTime } from "../../ports/clock.ts";
import type { DocumentSave } from "../../ports/documents.ts";
import type { StoredBlob } from "../../ports/thread-store.ts";
import type { Gate } from "../../schema/gate.ts";
import type { CommitId, ReceiptId } from "../../schema/ids.ts";
import { ENTRY_SCHEMA, type Entry } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { storedDeclarations } from "../client-tools.ts";
import type { TurnContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";
import { nextTrace } from "../trace-parent.ts";
import { storedInput } from "./stored-input.ts";

export type Draft = {
  readonly state: ThreadState;
  readonly entry: Entry;
  readonly signals: readonly Signal[];
  readonly blobs: readonly StoredBlob[];
  readonly documents: readonly DocumentSave[];
  /** True if the record is stored before its tool runs, so that more records of this turn follow. */
  readonly is_intent: boolean;
};

export type Amendment = {
  readonly state?: Partial<ThreadState>;
  readonly entry?: Partial<Entry>;
  readonly signals?: readonly Signal[];
  readonly blobs?: readonly StoredBlob[];
  readonly documents?: readonly DocumentSave[];
};

export function amend(draft: Draft, change: Amendment): Draft {
  return {
    state: change.state ? { ...draft.state, ...change.state } : draft.state,
    entry: change.entry ? { ...draft.entry, ...change.entry } : draft.entry,
    signals: change.signals ? [...draft.signals, ...change.signals] : draft.signals,
    blobs: change.blobs ? [...draft.blobs, ...change.blobs] : draft.blobs,
    documents: change.documents ? [...draft.documents, ...change.documents] : draft.documents,
    is_intent: draft.is_intent,
  };
}

export function draftTurn(ctx: TurnContext): Draft {
  const { rt, request, thread } = ctx;
  const { untrusted, in_background } = request.options ?? {};
  const state = {
    ...thread.state,
    turn: thread.state.turn + 1,
    taint: thread.state.taint ?? untrustedInputTaint(rt, untrusted),
    background: in_background ? ({ status: "on", reason: null } as const) : thread.state.background,
    ...nextTrace(thread.state, request),
  };
  const declared = storedDeclarations(rt, request.options?.client_tools);
  return amend(draftRecord(ctx, state, storedInput(request.input)), declared);
}

/** Marks the thread as tainted by an input. No receipt produced the untrusted text, so the id only marks where the taint started. */
export const untrustedInputTaint = (rt: Pick<Runtime, "ids">, untrusted: boolean | undefined): ThreadState["taint"] =>
  untrusted ? (rt.ids.make("rcp") as ReceiptId) : null;

/** Starts a record that does not begin a turn: the same turn continues, or a call is settled on top of another process's record. */
export const draftFollowUp = (ctx: TurnContext): Draft => draftRecord(ctx, ctx.thread.state, null);

function draftRecord({ rt, request }: TurnContext, state: ThreadState, input: Entry["input"]): Draft {
  const head = { commit_id: rt.ids.make("cmt") as CommitId, at: isoTime(rt.clock.now()), actor: request.actor };
  return { state, entry: emptyEntry(head, state, input), signals: [], blobs: [], documents: [], is_intent: false };
}

export function emptyEntry(
  { commit_id, at, actor }: Pick<Entry, "commit_id" | "at" | "actor">,
  state: Pick<ThreadState, "run" | "turn">,
  input: Entry["input"],
): Entry {
  return {
    schema: ENTRY_SCHEMA,
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

export const closedGateEntry = (
  gate: Gate | null,
  how: string,
  text: string | null = null,
): Pick<Entry, "closed_gate"> => ({ closed_gate: gate && { id: gate.id, kind: gate.kind, how, text } });
