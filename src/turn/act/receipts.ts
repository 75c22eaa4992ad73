// Minting receipts, and what each one does to the state: proofs, failed writes, repeats, taint. Nobody else mints.

import { isoTime } from "../../ports/clock.ts";
import type { StoredCall } from "../../schema/gate.ts";
import type { EffectId, GateId, ReceiptId } from "../../schema/ids.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { IntendedReceipt, OutputTrust, ReceiptSource, SettledReceipt } from "../../schema/receipt.ts";
import { OBSERVATION_INLINE_BYTES, type Observation, type Operation } from "../../schema/record.ts";
import type { Proof, ProofKind, ThreadState } from "../../schema/thread.ts";
import { cutStart, cutText } from "../../tools/cut-text.ts";
import type { Blob } from "../commit/draft.ts";
import type { Runtime } from "../runtime.ts";

export const SUMMARY_CHARS = 120;
const PROOF_CHARS = 80;

/** Who let a call happen. Nobody had to, for a call that needs no confirmation. */
export type Leave = { readonly gate_id: GateId | null; readonly actor: string | null };
export const NO_LEAVE: Leave = { gate_id: null, actor: null };

export const sourceOf = (call: StoredCall): ReceiptSource =>
  call.effect === "pure" ? "tool_observation" : "write_receipt";

const headOf = (rt: Runtime, state: ThreadState, call: StoredCall, manifest: Manifest | null, leave: Leave) => ({
  id: rt.ids.make("rcp") as ReceiptId,
  run: state.run,
  turn: state.turn,
  step_index: state.machine.step,
  source: sourceOf(call),
  name: call.name,
  manifest_version: call.manifest_version,
  arguments_digest: call.arguments_digest,
  proposed_digest: call.proposed_digest,
  gate_id: leave.gate_id,
  actor: leave.actor,
  output_trust: manifest?.output_trust ?? ("untrusted" as const),
});

export function mintIntended(
  rt: Runtime,
  state: ThreadState,
  call: StoredCall,
  manifest: Manifest,
  leave: Leave,
  effect: EffectId,
): IntendedReceipt {
  const now = rt.clock.now();
  return {
    ...headOf(rt, state, call, manifest, leave),
    kind: "intended",
    effect_id: effect,
    started_at: isoTime(now),
    settle_by: isoTime(now + manifest.timeout_ms + rt.config.settle_grace_ms),
    success: null,
    summary: `${call.name} is to be carried out`,
  };
}

/** What a run brings along besides its words. */
export type RunFacts = {
  readonly operation: Operation | null;
  readonly raw: unknown;
  /** null: what the manifest says. */
  readonly output_trust: OutputTrust | null;
  /** What changes in the thread with the receipt. */
  readonly state: Partial<ThreadState>;
  readonly blobs: readonly Blob[];
};
/** Nothing of the tool is in words about a call that did not run: they are ours, or those of a person. */
export const NOT_RUN: RunFacts = { operation: null, raw: null, output_trust: "trusted", state: {}, blobs: [] };

export type Finding = {
  readonly success: boolean | null;
  readonly text: string;
  readonly size: number;
  readonly sha256: string | null;
  readonly run: RunFacts;
};

/** Words about a call that did not run here. */
export const finding = (rt: Pick<Runtime, "hash">, success: boolean | null, text: string): Finding => ({
  success,
  text,
  size: byteLength(text),
  sha256: rt.hash.sha256(text),
  run: NOT_RUN,
});

/** A pure call, or one that never ran: there was no intended receipt. */
export function mintSettled(
  rt: Runtime,
  state: ThreadState,
  call: StoredCall,
  manifest: Manifest | null,
  leave: Leave,
  found: Finding,
  started: number,
): SettledReceipt {
  return {
    ...headOf(rt, state, call, manifest, leave),
    kind: "settled",
    effect_id: null,
    started_at: isoTime(started),
    ...ending(rt, found),
  };
}

/** The second half of an intended receipt: the same effect, a receipt of its own. */
export function settleIntended(rt: Runtime, intended: IntendedReceipt, found: Finding): SettledReceipt {
  const { settle_by: _, kind: __, success: ___, summary: ____, ...head } = intended;
  return { ...head, id: rt.ids.make("rcp") as ReceiptId, kind: "settled", ...ending(rt, found) };
}

const ending = (rt: Runtime, found: Finding) => ({
  success: found.success,
  summary: oneLine(found.text, SUMMARY_CHARS),
  finished_at: isoTime(rt.clock.now()),
  size: found.size,
  sha256: found.sha256,
  ...(found.run.output_trust ? { output_trust: found.run.output_trust } : {}),
});

export function mintReply(
  rt: Runtime,
  state: ThreadState,
  gate_id: GateId,
  actor: string,
  text: string,
): SettledReceipt {
  const now = isoTime(rt.clock.now());
  return {
    id: rt.ids.make("rcp") as ReceiptId,
    kind: "settled",
    run: state.run,
    turn: state.turn,
    step_index: state.machine.step,
    source: "user_reply",
    name: "ask_user",
    manifest_version: null,
    arguments_digest: null,
    proposed_digest: null,
    gate_id,
    actor,
    effect_id: null,
    output_trust: "trusted",
    success: true,
    summary: oneLine(text, SUMMARY_CHARS),
    started_at: now,
    finished_at: now,
    size: text.length,
    sha256: rt.hash.sha256(text),
  };
}

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;

export function oneLine(text: string, max: number): string {
  // The beginning is enough, unless it is mostly space: a summary must not cost a pass over a long output.
  const ahead = spaced(text.slice(0, max * 4)).trimStart();
  return cutStart(ahead.length > max ? ahead : spaced(text).trim(), max);
}

const spaced = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ");

/** The state after a settled receipt. A failed or rejected write is remembered: it makes looking insufficient. */
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
};

const proofOf = (receipt: SettledReceipt): Proof => ({
  step: receipt.step_index,
  kind: KIND_OF[receipt.source],
  receipt_id: receipt.id,
  summary: oneLine(`${receipt.name}: ${receipt.summary}`, PROOF_CHARS),
});

/** The newest of each kind per step is enough, so the list stays short however long the run. */
const withProof = (proofs: readonly Proof[], proof: Proof): Proof[] => [
  ...proofs.filter((held) => held.step !== proof.step || held.kind !== proof.kind),
  proof,
];

/** Of a longer observation the record keeps this much; the rest is a blob, which `recall` reads. */
const SHOWN_CHARS = 8_192;
const RAW_BYTES = 8_192;

export function observe(
  rt: Pick<Runtime, "hash">,
  receipt_id: ReceiptId | null,
  { text, run }: Pick<Finding, "text" | "run">,
  manifest: Manifest | null,
): { observation: Observation; blobs: readonly Blob[] } {
  const size = byteLength(text);
  const raw = byteLength(JSON.stringify(run.raw ?? null)) <= RAW_BYTES ? (run.raw ?? null) : null;
  const most = manifest?.max_output_chars ?? OBSERVATION_INLINE_BYTES;
  if (size <= OBSERVATION_INLINE_BYTES && text.length <= most)
    return { observation: { receipt_id, text, size, blob: null, raw }, blobs: [] };
  const hash = rt.hash.sha256(text);
  const shown = cutText(text, Math.min(SHOWN_CHARS, most));
  return { observation: { receipt_id, text: shown, size, blob: hash, raw }, blobs: [{ hash, text }] };
}
