// Applies a settled receipt to the state: proofs, changes, failed writes, repeats, taint.
import type { Manifest } from "../../schema/manifest.ts";
import type { SettledReceipt } from "../../schema/receipt.ts";
import {
  CHANGES_MAX,
  type Change,
  PROOF_KINDS,
  type Proof,
  type ProofKind,
  type ThreadState,
} from "../../schema/thread.ts";
import { oneLine } from "./receipts.ts";

const PROOF_CHARS = 80;

/** A failed or rejected write is remembered in the state: after it, an observation alone no longer proves the step. */
export function withReceipt(state: ThreadState, receipt: SettledReceipt, manifest: Manifest | null): ThreadState {
  const proves = receipt.source === "user_reply" || manifest?.proves !== false;
  const succeeded = receipt.success === true;
  const shows = succeeded || receipt.observed === true;
  const isWrite = receipt.source === "write_receipt";
  const failedWrite = isWrite && receipt.success === false && !receipt.asked;
  return {
    ...state,
    proofs: proves && shows ? proofsOf(receipt).reduce(withProof, state.proofs) : state.proofs,
    changes: isWrite && succeeded ? withChange(state.changes, receipt) : state.changes,
    failed_writes: failedWrite ? [...new Set([...state.failed_writes, receipt.step_index])] : state.failed_writes,
    last_digest: receipt.arguments_digest,
    idle: 0,
    taint: state.taint ?? (receipt.output_trust === "untrusted" ? receipt.id : null),
  };
}

/** The output of a command is also an observation, whatever the command may have changed. */
const proofsOf = (receipt: SettledReceipt): Proof[] => {
  const kinds = new Set<ProofKind>([
    PROOF_KINDS[receipt.source],
    ...(receipt.access ? (["observation"] as const) : []),
  ]);
  return [...kinds].map((kind) => ({
    step: receipt.step_index,
    kind,
    receipt_id: receipt.id,
    summary: oneLine(`${receipt.name}: ${receipt.summary}`, PROOF_CHARS),
  }));
};

/** Only the newest proof of each kind per step is kept, so the list stays short in long runs. */
const withProof = (proofs: Proof[], proof: Proof): Proof[] => [
  ...proofs.filter((existing) => existing.step !== proof.step || existing.kind !== proof.kind),
  proof,
];

const CHANGE_CHARS = 80;

function withChange(
  changes: readonly Change[],
  { id, run, turn, name, summary, output_trust }: SettledReceipt,
): Change[] {
  const shown = output_trust === "trusted" ? oneLine(summary, CHANGE_CHARS) : "";
  return [...changes, { run, turn, tool: name, receipt_id: id, summary: shown }].slice(-CHANGES_MAX);
}
