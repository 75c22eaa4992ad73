// The receipts of the current run, one line each, and the changes of earlier runs. Text of a tool only if it is trusted.
import type { Manifest } from "../schema/manifest.ts";
import type { SettledReceipt } from "../schema/receipt.ts";
import type { Entry, Thread } from "../schema/record.ts";
import { PROOF_KINDS, type Proof, type ThreadState } from "../schema/thread.ts";
import { oneLine } from "./cut.ts";
import { receiptResult } from "./window-entry.ts";

const RECEIPTS_SHOWN = 16;
const SUMMARY_CHARS = 100;

type ReceiptLine = {
  readonly id: string;
  readonly step: number;
  readonly text: string;
  /** What the tool says; empty if that is not shown. */
  readonly summary: string;
};

/** Oldest first. A long run shows its newest receipts, and the proofs of all its steps. */
export function runReceipts(thread: Thread, tools: readonly Manifest[]): readonly ReceiptLine[] {
  const { state } = thread;
  const notes = notesOf(tools);
  const recent = thread.entries.flatMap(({ entry }) => (entry.run === state.run ? linesOf(entry, notes) : []));
  const known = new Set(recent.map(({ id }) => id));
  const older = state.proofs.filter((proof) => !known.has(proof.receipt_id)).map((proof) => proofLine(proof, state));
  const quoted = quotedReceipts(state);
  return [...older, ...recent]
    .slice(-RECEIPTS_SHOWN)
    .map((line) => (quoted.has(line.id) ? line : { ...line, text: `${line.text}${line.summary}` }));
}

/** The output of a call that finished its step is quoted with the step, so the list of receipts does not repeat it. */
const quotedReceipts = ({ results }: ThreadState): ReadonlySet<string | null> =>
  new Set(results.flatMap(({ tool, text, receipt_id }) => (tool && text ? [receipt_id] : [])));

const notesCache = new WeakMap<readonly Manifest[], ReadonlySet<string>>();

/** The names of the tools that prove nothing. Resolved tools stay the same from turn to turn, and are frozen then. */
function notesOf(tools: readonly Manifest[]): ReadonlySet<string> {
  const cached = notesCache.get(tools);
  if (cached) return cached;
  const notes = new Set(tools.filter((tool) => tool.proves === false).map(({ name }) => name));
  if (Object.isFrozen(tools)) notesCache.set(tools, notes);
  return notes;
}

type CachedLines = { notes: ReadonlySet<string>; readonly key: string; readonly lines: readonly ReceiptLine[] };
// A committed entry has the same lines in every turn in which the same of its tools prove nothing, so they are cached while it is
// loaded.
const lineCache = new WeakMap<Entry, CachedLines>();

function linesOf(entry: Entry, notes: ReadonlySet<string>): readonly ReceiptLine[] {
  const cached = lineCache.get(entry);
  if (cached?.notes === notes) return cached.lines;
  const settled = entry.receipts.filter((receipt) => receipt.kind === "settled");
  const key = notes.size === 0 ? "" : settled.map(({ name }) => Number(notes.has(name))).join("");
  if (cached?.key === key) {
    cached.notes = notes;
    return cached.lines;
  }
  const lines = settled.map((receipt) => receiptLine(receipt, entry, notes.has(receipt.name)));
  if (Object.isFrozen(entry)) lineCache.set(entry, { notes, key, lines });
  return lines;
}

function receiptLine(receipt: SettledReceipt, entry: Entry, isNote: boolean): ReceiptLine {
  const { id, source, name, turn, step_index, output_trust, actor, gate_id } = receipt;
  const result = receiptResult(receipt, entry);
  // Who lifted a gate by policy is not for the model to know.
  const by =
    gate_id !== null &&
    actor !== null &&
    (source === "tool_observation" || source === "write_receipt") &&
    result === "ok"
      ? [`approved by ${actor}`]
      : [];
  const facts = [
    `by ${name}`,
    result,
    ...(receipt.observed ? ["its output is an observation"] : []),
    `turn ${turn}`,
    ...by,
    ...(isNote ? ["no proof of its own"] : []),
  ];
  const summary = output_trust === "trusted" ? `: ${JSON.stringify(oneLine(receipt.summary, SUMMARY_CHARS))}` : "";
  return { id, step: step_index, text: `- ${PROOF_KINDS[source]} ${id} ${facts.join(", ")}`, summary };
}

/** A proof that is no longer loaded. In a tainted thread its summary may quote untrusted text. */
function proofLine({ kind, receipt_id, step, summary }: Proof, state: ThreadState): ReceiptLine {
  const quoted = state.taint === null ? `: ${JSON.stringify(oneLine(summary, SUMMARY_CHARS))}` : "";
  return { id: receipt_id, step, text: `- ${kind} ${receipt_id} ok`, summary: quoted };
}

/** The receipts of the current step, then those of the other steps. */
export function renderRunReceipts(thread: Thread, tools: readonly Manifest[]): string[] {
  const { step } = thread.state.machine;
  const receipts = runReceipts(thread, tools);
  const ofStep = receipts.filter((receipt) => receipt.step === step);
  const others = receipts.filter((receipt) => receipt.step !== step);
  return [
    ...(ofStep.length > 0 ? ["Receipts of this step:", ...ofStep.map(({ text }) => text)] : []),
    ...(others.length > 0 ? ["Receipts of other steps:", ...others.map(({ text }) => text)] : []),
  ];
}

/** What earlier runs changed; the current run's changes are among its receipts. */
export function renderChanges({ state }: Thread): string[] {
  const earlier = state.changes.filter(({ run }) => run !== state.run);
  if (earlier.length === 0) return [];
  return [
    "Changes made in earlier runs of this thread:",
    ...earlier.map(({ run, turn, tool, receipt_id, summary }) => {
      const quoted = summary === "" ? "" : `: ${JSON.stringify(summary)}`;
      return `- run ${run}, turn ${turn}: ${tool} ${receipt_id}${quoted}`;
    }),
  ];
}
