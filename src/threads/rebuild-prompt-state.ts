// Rebuilds the thread as the model saw it in an earlier turn: the record before the turn, plus the changes made by the turn's input.
import type { Entry, Thread, ThreadRecord } from "../schema/record.ts";
import type { ThreadState } from "../schema/thread.ts";
import { withReceipt } from "../turn/act/with-receipt.ts";
import { withNewRun, withReplan, withResumedRun } from "../turn/admit/run-transitions.ts";
import { amend, type Draft, emptyEntry } from "../turn/commit/draft.ts";
import { moveAll } from "../turn/commit/signal.ts";

export function rebuildPromptState(before: Thread, record: ThreadRecord): Thread {
  const { entry } = record;
  const draft = applyInput(before, record);
  const machine = moveAll(before.state.machine, draft.signals);
  if (!machine.ok) throw new Error(machine.problem.message);
  const inputEntry = { ...emptyEntry(entry, draft.state, entry.input), ...draft.entry };
  return {
    version: before.version,
    state: { ...draft.state, machine: machine.value },
    entries: [...before.entries, { version: record.version, entry: inputEntry }],
  };
}

function applyInput(before: Thread, record: ThreadRecord): Draft {
  const { entry } = record;
  const state = {
    ...before.state,
    turn: entry.turn,
    taint: taintAtInput(before, record),
    // The tools that the request declared were offered in this prompt.
    client_tools_blob: record.state.client_tools_blob,
    budget: { ...before.state.budget, limit: record.state.budget.limit },
  };
  const blank = emptyEntry(entry, state, entry.input);
  let draft: Draft = { state, entry: blank, signals: [], blobs: [], documents: [], is_intent: false };
  for (const signal of entry.signals) {
    if (signal === "run.started" && entry.input?.type === "message") draft = withNewRun(draft, entry.input.text);
    else if (signal === "run.resumed") draft = withResumedRun(draft);
    else if (signal === "run.replanned") draft = withReplan(draft);
    else if (signal === "question.closed") draft = withClosedQuestion(draft, entry);
    else return draft;
  }
  return draft;
}

/** A taint that no receipt of the turn caused came with its input, so the prompt mentioned it. */
function taintAtInput(before: Thread, { entry, state }: ThreadRecord): ThreadState["taint"] {
  const fromReceipt = entry.receipts.some((receipt) => receipt.id === state.taint);
  return before.state.taint ?? (fromReceipt ? null : state.taint);
}

function withClosedQuestion(draft: Draft, entry: Entry): Draft {
  const reply = entry.receipts.find((receipt) => receipt.kind === "settled" && receipt.source === "user_reply");
  const state = reply?.kind === "settled" ? withReceipt(draft.state, reply, null) : draft.state;
  return amend(draft, {
    state: { ...state, gate: null },
    entry: { closed_gate: entry.closed_gate, receipts: reply ? [reply] : [] },
    signals: [{ type: "question.closed" }],
  });
}
