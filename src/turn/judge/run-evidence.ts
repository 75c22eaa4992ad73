// Determines the strength of the evidence for the result of a run. It is never stronger than the receipts of the run.
import type { Evidence, EvidenceKind, ProofKind, ThreadState } from "../../schema/thread.ts";
import { asksForLookup } from "./asks-lookup.ts";
import { isAboutOtherFiles, writesOtherFiles } from "./named-files.ts";
import { ordersChange } from "./orders-change.ts";

export type RunEvidence = { readonly evidence: Evidence; readonly evidence_kind: EvidenceKind };

export const runEvidence = (state: ThreadState): RunEvidence => ({
  evidence: isRunProven(state) ? "proven" : "none",
  evidence_kind: evidenceKind(state),
});

/** Steps that need no receipt prove nothing by themselves. */
function isRunProven(state: ThreadState): boolean {
  if (lacksChange(state)) return false;
  // In a run without a plan, a failed write means that an intended change is missing.
  if (!state.plan) return state.proofs.length > 0 && !hasOpenFailure(state);
  const needing = state.plan.flatMap(({ needs, needs_open }, step) => (needs === "none" && !needs_open ? [] : [step]));
  return needing.length > 0 && needing.every((step) => isProven(state, step));
}

/** Replies may report changes made by the client's own tools, so if all receipts are replies, only a clear order to change something counts. */
function lacksChange(state: ThreadState): boolean {
  const { goal } = state;
  if (missesFiles(state, goal)) return true;
  const kind = evidenceKind(state);
  return kind === "observed" ? !asksForLookup(goal) : kind === "replied" && ordersChange(goal);
}

/** The goal of a run that did not complete is not proven, whatever the run did before. */
export const unprovenEnd = (state: ThreadState): RunEvidence => ({
  evidence: "none",
  evidence_kind: evidenceKind(state),
});

/** The judge has already let the step pass; this checks only its receipts. */
export function isProven(state: ThreadState, step: number): boolean {
  const { content = "", done_when = null, needs, needs_open } = state.plan?.[step] ?? { needs: "any" };
  const kinds = state.proofs.filter((proof) => proof.step === step).map(({ kind }) => kind);
  // An attempted write shows that the step was meant to change something, whatever its text says.
  const tried = needs !== "reply" && state.failed_writes.includes(step);
  if (needs !== "reply" && missesFiles(state, content, done_when)) return false;
  if (needs_open || tried) return kinds.includes("write");
  if (needs === "observation" && !isProvenByObservation(state, step, content)) return false;
  return needs === "any" ? kinds.length > 0 : kinds.some((kind) => kind === needs);
}

/** True if the text names files and the calls were about others. False after a rejection, because the person may have wanted another file. */
const missesFiles = ({ proofs, rejections }: ThreadState, text: string, also: string | null = null): boolean =>
  Object.keys(rejections ?? {}).length === 0 &&
  (isAboutOtherFiles(`${text}\n${also ?? ""}`, proofs) || writesOtherFiles(text, proofs));

/** True if observations can prove the step: it or the goal of the run asks for a lookup, or this step or a later one has made a change. */
const isProvenByObservation = ({ goal, proofs }: ThreadState, at: number, content: string): boolean =>
  proofs.some(({ kind, step }) => kind === "write" && step >= at) || asksForLookup(content) || asksForLookup(goal);

const STRONGEST_FIRST: readonly (readonly [ProofKind, EvidenceKind])[] = [
  ["write", "written"],
  ["observation", "observed"],
  ["reply", "replied"],
];

const evidenceKind = ({ proofs }: ThreadState): EvidenceKind =>
  STRONGEST_FIRST.find(([kind]) => proofs.some((proof) => proof.kind === kind))?.[1] ?? "none";

/** True if a write failed or was rejected, and no write of the same step succeeded. */
export const hasOpenFailure = ({ failed_writes, proofs }: ThreadState): boolean =>
  failed_writes.some((step) => !proofs.some((proof) => proof.step === step && proof.kind === "write"));
