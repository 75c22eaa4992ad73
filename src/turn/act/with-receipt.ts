// Applies a settled receipt to the state: updates proofs, changes, failed writes, repeats and taint.
import type { StoredCall } from "../../schema/gate.ts";
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
import { singleLine, truncateWords } from "../../tools/truncate-text.ts";
import { filesOfCall } from "../judge/named-files.ts";
import { summaryLine } from "./receipts.ts";

const PROOF_CHARS = 80;

export type PerformedCall = { readonly stored: StoredCall; readonly text: string };

/** `performed` is null for a reply. After a failed or rejected write, an observation alone no longer proves the step. */
export function withReceipt(
  state: ThreadState,
  receipt: SettledReceipt,
  manifest: Manifest | null,
  performed: PerformedCall | null = null,
): ThreadState {
  const proves = receipt.source === "user_reply" || (manifest?.proves !== false && receipt.access !== "nothing");
  const succeeded = receipt.success === true;
  const shows = succeeded || receipt.observed === true;
  const isWrite = receipt.source === "write_receipt";
  const failedWrite = isWrite && receipt.success === false && !receipt.asked;
  return {
    ...state,
    proofs:
      proves && shows
        ? proofsOf(receipt, filesOf(state, performed), performed).reduce(withProof, state.proofs)
        : state.proofs,
    changes: isWrite && succeeded ? withChange(state.changes, receipt, performed) : state.changes,
    failed_writes: failedWrite ? [...new Set([...state.failed_writes, receipt.step_index])] : state.failed_writes,
    last_digest: receipt.arguments_digest,
    idle: 0,
    taint: state.taint ?? (receipt.output_trust === "untrusted" ? receipt.id : null),
  };
}

/** The output of a command is also an observation, whatever the command may have changed. */
const proofsOf = (receipt: SettledReceipt, files: string[] | null, performed: PerformedCall | null): Proof[] => {
  // The files that a command wrote are unknown unless its tool reports them.
  const isBlind = receipt.access !== undefined && !performed?.stored.changes;
  const kinds = new Set<ProofKind>([
    PROOF_KINDS[receipt.source],
    ...(receipt.access ? (["observation"] as const) : []),
  ]);
  return [...kinds].map((kind) => ({
    step: receipt.step_index,
    kind,
    receipt_id: receipt.id,
    summary: summaryLine(`${receipt.name}: ${receipt.summary}`, PROOF_CHARS),
    ...(files && !(isBlind && kind === "write") && { files }),
  }));
};

/** Searches the output only of a command: a file listing that contains a name does not count as reading the file. */
function filesOf(state: ThreadState, performed: PerformedCall | null): string[] | null {
  const { stored, text = "" } = performed ?? {};
  return filesOfCall(state, () => JSON.stringify([stored?.arguments, stored?.changes, stored?.access ? text : ""]));
}

/** Keeps only the newest proof of each kind per step, so that the list stays short. It takes over the file names of the one that it replaces. */
function withProof(proofs: Proof[], proof: Proof): Proof[] {
  const isOlder = ({ step, kind }: Proof): boolean => step === proof.step && kind === proof.kind;
  const older = proofs.find(isOlder)?.files ?? [];
  const files = proof.files && [...new Set([...older, ...proof.files])];
  return [...proofs.filter((existing) => !isOlder(existing)), { ...proof, ...(files && { files }) }];
}

const CHANGE_CHARS = 160;
/** Matches a path, an id or a time. It is short and has no spaces, so it cannot contain an instruction to the model. */
const IDENTIFIER = /^[\w@:./+-]{1,80}$/;

function withChange(
  changes: readonly Change[],
  { id, run, turn, name, summary, output_trust }: SettledReceipt,
  performed: PerformedCall | null,
): Change[] {
  const whole = performed?.text.slice(0, 4 * CHANGE_CHARS) ?? summary;
  const text = output_trust === "trusted" ? whole : namedIn(performed?.stored.arguments ?? null);
  const shown = truncateWords(singleLine(text), CHANGE_CHARS);
  return [...changes, { run, turn, tool: name, receipt_id: id, summary: shown }].slice(-CHANGES_MAX);
}

/** The identifiers in the arguments of a call with untrusted output. Longer values may be copied from untrusted text. */
const namedIn = (args: Readonly<Record<string, unknown>> | null): string =>
  Object.entries(args ?? {})
    .filter(([, value]) => typeof value === "number" || (typeof value === "string" && IDENTIFIER.test(value)))
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
