// Rebuilds the exact messages of an earlier turn from the records before it and the stored message [0].
import { alternateRoles, type ModelMessage, type Purpose } from "../ports/model.ts";
import { buildPrompt } from "../prompt/build-prompt.ts";
import { toSystemPrompt } from "../prompt/system-prompt.ts";
import { isDescribed } from "../prompt/tool-table.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { type Entry, LOADED_ENTRIES, type Thread, type ThreadRecord } from "../schema/record.ts";
import type { ThreadState } from "../schema/thread.ts";
import { withReceipt } from "../turn/act/with-receipt.ts";
import { withNewRun, withReplan, withResumedRun } from "../turn/admit/run-transitions.ts";
import { amend, type Draft, emptyEntry } from "../turn/commit/draft.ts";
import { moveAll } from "../turn/commit/signal.ts";
import { readRecords } from "../turn/load.ts";
import { loadKnownTools } from "../turn/resolve-thread-tools.ts";
import type { Runtime } from "../turn/runtime.ts";
import { isSamePrompt } from "../turn/think/prompt-hash.ts";
import { findTurn } from "./find-turn.ts";

export type ShownPrompt = {
  readonly turn: number;
  readonly model: string;
  readonly purpose: Purpose;
  readonly messages: readonly ModelMessage[];
  /** `alternating` means that the messages were merged for a provider that requires alternating roles. */
  readonly roles: "as_shown" | "alternating";
  /** True if these are the bytes that were sent. Null if the record is older than this comparison. */
  readonly exact: boolean | null;
};

export async function showPrompt(rt: Runtime, at: ThreadRef, turn: number): Promise<Result<ShownPrompt>> {
  const records = await findTurn(rt, at, turn);
  if (!records.ok) return records;
  const record = records.value.find(({ entry }) => entry.prompt_hash !== null);
  if (!record?.entry.prompt_hash || !record.entry.model)
    return fail("prompt_not_found", `Turn ${turn} called no model.`);
  const system = await rt.store.getBlob(at, record.entry.prompt_hash);
  if (!system.ok) return system;
  const before = await threadBefore(rt, at, record);
  if (!before.ok) return before;
  // A delivery prompt is built from the stored thread, and any other prompt from the thread after its input.
  const delivers = before.value.state.machine.state === "deliver";
  const promptThread = delivers ? before.value : rebuildPromptState(before.value, record);
  const purpose = delivers ? "deliver" : purposeOf(promptThread.state);
  const known = await loadKnownTools(rt, at, promptThread.state);
  if (!known.ok) return known;
  // Message [0] shows which tools were offered. Settings may have changed since then.
  const offered = known.value.filter((tool) => isDescribed(system.value, tool));
  const { window, max_output_tokens } = rt.pickModel(promptThread.state.agent, purpose);
  const budget = { window, max_output_tokens, factor: record.entry.estimate_factor ?? 1 };
  // The last correction may not have been sent because the budget was used up.
  const corrections = record.entry.corrections.slice(0, (record.entry.usage?.model_calls ?? 1) - 1);
  const sent = record.entry.prompt;
  const facts = {
    purpose,
    system: toSystemPrompt(system.value),
    known: known.value,
    corrections,
    now: sent?.now ?? null,
  };
  const prompt = buildPrompt(promptThread, offered, budget, facts);
  if (!prompt.ok) return prompt;
  const { messages } = prompt.value;
  return ok({
    turn,
    model: record.entry.model,
    purpose,
    messages: sent?.roles === "alternating" ? alternateRoles(messages) : messages,
    roles: sent?.roles ?? "as_shown",
    exact: sent ? isSamePrompt(rt.hash, sent.hash, record.entry.prompt_hash, prompt.value) : null,
  });
}

const purposeOf = (state: ThreadState): Purpose => (state.machine.state === "plan" ? "plan" : "execute");

async function threadBefore(rt: Runtime, at: ThreadRef, record: ThreadRecord): Promise<Result<Thread>> {
  const first = Math.max(0, record.version - LOADED_ENTRIES);
  const before = await readRecords(rt, at, first, record.version - 1);
  if (!before.ok) return before;
  const head = before.value.at(-1);
  if (!head) return fail("prompt_not_found", "The record before this turn no longer exists.");
  return ok({
    version: head.version,
    state: head.state,
    entries: before.value.map(({ version, entry }) => ({ version, entry })),
  });
}

/**
 * Returns the thread as the model saw it in an earlier turn: the record before the turn, with the changes that the
 * turn's input made.
 */
function rebuildPromptState(before: Thread, record: ThreadRecord): Thread {
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
