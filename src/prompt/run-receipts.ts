// Renders the receipts of the current run, one line each, and the changes of earlier runs. Shows the text of a tool only if it is trusted.
import { LOCAL_NAME } from "../schema/ids.ts";
import type { Manifest } from "../schema/manifest.ts";
import type { SettledReceipt } from "../schema/receipt.ts";
import type { Entry, Thread } from "../schema/record.ts";
import { PROOF_KINDS, type Proof, type ThreadState } from "../schema/thread.ts";
import { oncePerTools } from "../tools/declared/once-per-tools.ts";
import { oneLine } from "./cut.ts";
import { type CountedText, countText } from "./estimate.ts";
import type { Row } from "./window.ts";
import { partsOf, type ReceiptLine, type ReceiptLines, receiptResult } from "./window-entry.ts";

const RECEIPTS_SHOWN = 16;
const SUMMARY_CHARS = 100;
/** Repeating a shorter result costs no more than referring to it. */
const REPEATED_CHARS_MIN = 80;

/** The newest receipts, oldest first. If there is room, proofs whose receipts are no longer loaded come before them. */
export function runReceipts(thread: Thread, tools: readonly Manifest[]): readonly ReceiptLine[] {
  const { state } = thread;
  const notes = notesOf(tools);
  const recent: ReceiptLines[] = [];
  for (const { entry } of thread.entries) if (entry.run === state.run) recent.push(...linesOf(entry, notes));
  const isRecent = (proof: Proof): boolean => recent.some(({ full }) => full.id === proof.receipt_id);
  const older = recent.length < RECEIPTS_SHOWN ? state.proofs.filter((proof) => !isRecent(proof)) : [];
  const shown = [...older.map((proof) => proofLines(proof, state)), ...recent].slice(-RECEIPTS_SHOWN);
  if (state.results.length === 0) return shown.map(({ full }) => full);
  const quoted = quotedReceipts(state);
  return shown.map(({ short, full }) => (quoted.has(short.id) ? short : full));
}

/** The receipts of tool outputs that a finished step quotes or the record shows, so that the list of receipts does not repeat them. */
const quotedReceipts = ({ results }: ThreadState): ReadonlySet<string | null> =>
  new Set(results.flatMap(({ tool, receipt_id }) => (tool ? [receipt_id] : [])));

/** The tools that prove nothing. */
const notesOf = oncePerTools(
  (tools): ReadonlySet<string> => new Set(tools.filter((tool) => tool.proves === false).map(({ name }) => name)),
);

function linesOf(entry: Entry, notes: ReadonlySet<string>): readonly ReceiptLines[] {
  const parts = partsOf(entry);
  const cached = parts.receipts;
  if (cached?.notes === notes) return cached.lines;
  const settled = entry.receipts.filter((receipt) => receipt.kind === "settled");
  const key = notes.size === 0 ? "" : settled.map(({ name }) => Number(notes.has(name))).join("");
  if (cached?.key === key) {
    cached.notes = notes;
    return cached.lines;
  }
  const lines = settled.map((receipt) => receiptLines(receipt, entry, notes.has(receipt.name)));
  parts.receipts = { notes, key, lines };
  return lines;
}

/** Without API keys, everyone who uses a server is its local user. */
export const approverName = (actor: string): string => (actor === LOCAL_NAME ? "the user" : actor);

function receiptLines(receipt: SettledReceipt, entry: Entry, isNote: boolean): ReceiptLines {
  const { id, source, name, turn, step_index, output_trust, actor, gate_id } = receipt;
  const result = receiptResult(receipt, entry);
  // The model does not learn that a policy allowed a call.
  const by =
    gate_id !== null &&
    actor !== null &&
    (source === "tool_observation" || source === "write_receipt") &&
    result === "ok"
      ? [`approved by ${approverName(actor)}`]
      : [];
  const facts = [
    `by ${name}`,
    result,
    ...(receipt.observed ? ["its output counts as an observation that succeeded"] : []),
    `turn ${turn}`,
    ...by,
    ...(isNote || receipt.access === "nothing" ? ["no proof of its own"] : []),
  ];
  // A rejected write wrote nothing, so it is shown as a call.
  const kind = result === "rejected" ? "call" : PROOF_KINDS[source];
  const summary = output_trust === "trusted" ? receipt.summary : null;
  return toLines(id, step_index, `- ${kind} ${id} ${facts.join(", ")}`, summary);
}

/** In a tainted thread the summary of a proof is omitted, because it may quote untrusted text. */
const proofLines = ({ kind, receipt_id, step, summary }: Proof, { taint }: ThreadState): ReceiptLines =>
  toLines(receipt_id, step, `- ${kind} ${receipt_id} ok`, taint === null ? summary : null);

/** `summary` is the text of the tool, or null if it is not shown. */
function toLines(id: string, step: number, text: string, summary: string | null): ReceiptLines {
  const short = { id, step, ...countText(text) };
  if (summary === null) return { short, full: short };
  return { short, full: { id, step, ...countText(`${text}: ${JSON.stringify(oneLine(summary, SUMMARY_CHARS))}`) } };
}

export function receiptsByStep(receipts: readonly ReceiptLine[], step: number): (CountedText | string)[] {
  const ofStep = receipts.filter((receipt) => receipt.step === step);
  const others = receipts.filter((receipt) => receipt.step !== step);
  return [
    ...(ofStep.length > 0 ? ["Receipts of this step:", ...ofStep] : []),
    ...(others.length > 0 ? ["Receipts of other steps:", ...others] : []),
  ];
}

/** The changes of the current run are among its receipts. */
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

export const fullReceipts = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(
    rows.flatMap((row) =>
      row.form === "whole" && !row.cut && !row.observed.partial && row.observed.receipt !== null
        ? [row.observed.receipt]
        : [],
    ),
  );

export function shownResults({ state }: Thread, rows: readonly Row[]): readonly string[] {
  if (state.results.length === 0) return [];
  const whole = fullReceipts(rows);
  return state.results.flatMap(({ tool, text, receipt_id }) =>
    tool !== undefined && text.length >= REPEATED_CHARS_MIN && receipt_id !== null && whole.has(receipt_id)
      ? [receipt_id]
      : [],
  );
}

/** The record shows the output of these receipts, so it is not repeated. */
export const withoutResults = (thread: Thread, shown: readonly string[]): Thread => ({
  ...thread,
  state: {
    ...thread.state,
    results: thread.state.results.map((result) =>
      result.tool !== undefined && result.receipt_id !== null && shown.includes(result.receipt_id)
        ? { ...result, text: "" }
        : result,
    ),
  },
});
