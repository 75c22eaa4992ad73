// Applies a settled receipt to the state: proofs, failed writes, repeats, taint.
import type { Manifest } from "../../schema/manifest.ts";
import type { ReceiptSource, SettledReceipt } from "../../schema/receipt.ts";
import type { Proof, ProofKind, ThreadState } from "../../schema/thread.ts";
import { oneLine } from "./receipts.ts";

const PROOF_CHARS = 80;

/** A failed or rejected write is remembered in the state: after it, an observation alone no longer proves the step. */
export function withReceipt(state: ThreadState, receipt: SettledReceipt, manifest: Manifest | null): ThreadState {
  const proves = receipt.source === "user_reply" || manifest?.proves !== false;
  const failedWrite = receipt.source === "write_receipt" && receipt.success === false;
  return {
    ...state,
    proofs: proves && receipt.success === true ? withProof(state.proofs, proofOf(receipt)) : state.proofs,
    failed_writes: failedWrite ? [...new Set([...state.failed_writes, receipt.step_index])] : state.failed_writes,
    last_digest: receipt.arguments_digest,
    idle: 0,
    taint: state.taint ?? (receipt.output_trust === "untrusted" ? receipt.id : null),
  };
}

const KIND_OF: Record<ReceiptSource, ProofKind> = {
  tool_observation: "observation",
  write_receipt: "write",
  user_reply: "reply",
  // What a client reports about its own tool is a statement of the client, even if it says that something was written.
  client_reply: "reply",
};

const proofOf = (receipt: SettledReceipt): Proof => ({
  step: receipt.step_index,
  kind: KIND_OF[receipt.source],
  receipt_id: receipt.id,
  summary: oneLine(`${receipt.name}: ${receipt.summary}`, PROOF_CHARS),
});

/** Only the newest proof of each kind per step is kept, so the list stays short in long runs. */
const withProof = (proofs: readonly Proof[], proof: Proof): Proof[] => [
  ...proofs.filter((existing) => existing.step !== proof.step || existing.kind !== proof.kind),
  proof,
];
