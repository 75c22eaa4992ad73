// How strong the evidence for the result of a run is. Never stronger than the receipts that are there.
import type { Evidence, EvidenceKind, ProofKind, ThreadState } from "../../schema/thread.ts";
import { isAboutOtherFiles } from "./named-files.ts";
import { ordersChange } from "./orders-change.ts";

export type RunEvidence = { readonly evidence: Evidence; readonly evidence_kind: EvidenceKind };

export const runEvidence = (state: ThreadState): RunEvidence => ({
  evidence: isRunProven(state) ? "proven" : "none",
  evidence_kind: evidenceKind(state),
});

/** Every step holds the receipt that it needs. Steps that need none prove nothing by themselves. */
function isRunProven(state: ThreadState): boolean {
  if (lacksChange(state)) return false;
  // A change that was not made is part of what a run without a plan was for.
  if (!state.plan) return state.proofs.length > 0 && !hasOpenFailure(state);
  const needing = state.plan.flatMap(({ needs, needs_open }, step) => (needs === "none" && !needs_open ? [] : [step]));
  return needing.length > 0 && needing.every((step) => isProven(state, step));
}

/** Nothing was written, and the goal orders a change, or names a file that no call was about. */
const lacksChange = ({ goal, proofs }: ThreadState): boolean =>
  !proofs.some(({ kind }) => kind === "write") && (ordersChange(goal) || isAboutOtherFiles(goal, proofs));

/** The end of a run that did not complete: its goal is not proven, whatever was done on the way. */
export const unprovenEnd = (state: ThreadState): RunEvidence => ({
  evidence: "none",
  evidence_kind: evidenceKind(state),
});

/** The judge let the run pass each step; this only asks what the receipts of a step show. */
export function isProven(state: ThreadState, step: number): boolean {
  const { content = "", done_when = null, needs, needs_open } = state.plan?.[step] ?? { needs: "any" };
  const kinds = state.proofs.filter((proof) => proof.step === step).map(({ kind }) => kind);
  // A write that was tried shows that the step was to change something, whatever its words are.
  const tried = needs !== "reply" && state.failed_writes.includes(step);
  if (needs_open || tried) return kinds.includes("write");
  if (needs === "observation" && isAboutOtherFiles(`${content}\n${done_when ?? ""}`, state.proofs)) return false;
  return needs === "any" ? kinds.length > 0 : kinds.some((kind) => kind === needs);
}

const STRONGEST_FIRST: readonly (readonly [ProofKind, EvidenceKind])[] = [
  ["write", "written"],
  ["observation", "observed"],
  ["reply", "replied"],
];

const evidenceKind = ({ proofs }: ThreadState): EvidenceKind =>
  STRONGEST_FIRST.find(([kind]) => proofs.some((proof) => proof.kind === kind))?.[1] ?? "none";

/** A write failed or was rejected, and none of its step succeeded. */
export const hasOpenFailure = ({ failed_writes, proofs }: ThreadState): boolean =>
  failed_writes.some((step) => !proofs.some((proof) => proof.step === step && proof.kind === "write"));
