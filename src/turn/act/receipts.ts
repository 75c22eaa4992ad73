// Creates receipts and the observations that the model sees of them. No other module creates receipts.
import { isoTime } from "../../ports/clock.ts";
import type { DocumentSave } from "../../ports/documents.ts";
import type { StoredBlob } from "../../ports/thread-store.ts";
import { cutLines, topicOfState } from "../../prompt/cut-lines.ts";
import { byteLength } from "../../schema/byte-length.ts";
import type { StoredCall } from "../../schema/gate.ts";
import type { ApprovalId, EffectId, GateId, ReceiptId } from "../../schema/ids.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { Needs } from "../../schema/plan.ts";
import type { IntendedReceipt, OutputTrust, ReceiptSource, SettledReceipt } from "../../schema/receipt.ts";
import { type CallProgress, OBSERVATION_INLINE_BYTES, type Observation } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { ContinuedWith } from "../../tools/define-tool.ts";
import type { CallQuestion } from "../../tools/outcome.ts";
import { truncateChars, truncateMiddle } from "../../tools/truncate-text.ts";
import type { Runtime } from "../runtime.ts";

export const SUMMARY_CHARS = 120;

/** Names who authorized a call. Both fields are null for a call that needs no confirmation. */
export type Authorization = {
  readonly gate_id: GateId | null;
  readonly actor: string | null;
  /** Id of the remembered approval that the person gave at that gate. */
  readonly approval_id?: ApprovalId;
};
export const NO_AUTHORIZATION: Authorization = { gate_id: null, actor: null };

export type AuthorizedCall = {
  readonly stored: StoredCall;
  readonly args: Record<string, unknown>;
  readonly authorization: Authorization;
  /** The answer to the question that the call asked in an earlier attempt, if any. */
  readonly continued?: ContinuedWith;
};

export type ReceiptCall = {
  readonly stored: StoredCall;
  readonly manifest: Manifest | null;
  readonly authorization: Authorization;
};

/**
 * Classifies the receipt of a call. A command that only reads is an observation. A command with an unknown effect is a write only if a person
 * approved it and the step does not need an observation: approving a test run does not make it a write.
 */
export function sourceOf(call: StoredCall, authorization: Authorization, needs?: Needs): ReceiptSource {
  if (call.effect === "pure" || call.access === "read" || call.access === "nothing") return "tool_observation";
  const isWrite = call.access !== "unknown" || (isApproved(authorization) && needs !== "observation");
  return isWrite ? "write_receipt" : "tool_observation";
}

const isApproved = ({ gate_id, actor }: Authorization): boolean => gate_id !== null && actor !== null;

const receiptHead = (rt: Runtime, state: ThreadState, { stored, manifest, authorization }: ReceiptCall) => ({
  id: rt.ids.make("rcp") as ReceiptId,
  run: state.run,
  turn: state.turn,
  step_index: state.machine.step,
  source: sourceOf(stored, authorization, state.plan?.[state.machine.step]?.needs),
  name: stored.name,
  manifest_version: stored.manifest_version,
  arguments_digest: stored.arguments_digest,
  proposed_digest: stored.proposed_digest,
  gate_id: authorization.gate_id,
  actor: authorization.actor,
  ...(authorization.approval_id && { approval_id: authorization.approval_id }),
  output_trust: manifest?.output_trust ?? ("untrusted" as const),
  ...(stored.access ? { access: stored.access } : {}),
});

export function mintIntended(
  rt: Runtime,
  state: ThreadState,
  call: ReceiptCall & { readonly manifest: Manifest },
  effect_id: EffectId,
): IntendedReceipt {
  const now = rt.clock.now();
  return {
    ...receiptHead(rt, state, call),
    kind: "intended",
    effect_id,
    started_at: isoTime(now),
    settle_by: isoTime(now + call.manifest.timeout_ms + rt.config.settle_grace_ms),
    success: null,
    summary: `${call.stored.name} is about to run`,
  };
}

export type RunDetails = {
  readonly operation: CallProgress | null;
  readonly raw: unknown;
  /** Null if the value from the manifest applies. */
  readonly output_trust: OutputTrust | null;
  /** Changes to the thread's state that are committed with the receipt. */
  readonly state: Partial<ThreadState>;
  readonly blobs: readonly StoredBlob[];
  /** Documents that are saved in the commit of the receipt. */
  readonly documents: readonly DocumentSave[];
};
/** Text about a call that did not run comes from the runtime or from a person, not from the tool, so it is trusted. */
export const NOT_RUN: RunDetails = {
  operation: null,
  raw: null,
  output_trust: "trusted",
  state: {},
  blobs: [],
  documents: [],
};

export type CallResult = {
  readonly success: boolean | null;
  /** True if a person rejected the call, or nobody confirmed it in time. */
  readonly rejected?: true;
  /** True if the call failed but its output still counts as an observation. */
  readonly observed?: true;
  /** Set if the call asks a question and runs again with the answer. */
  readonly question?: CallQuestion;
  readonly text: string;
  /** Shown to the model if `text` is too long. Without it, the model sees the relevant lines of a list, or the beginning and end of any other text. */
  readonly brief?: string;
  readonly size: number;
  readonly sha256: string | null;
  readonly run: RunDetails;
};

/** Builds the result of a call that did not run here. */
export const callResult = (rt: Pick<Runtime, "hash">, success: boolean | null, text: string): CallResult => ({
  success,
  text,
  size: byteLength(text),
  sha256: rt.hash.sha256(text),
  run: NOT_RUN,
});

/** Creates the receipt of a pure call or of a call that never ran. Neither has an intended receipt. */
export const mintSettled = (
  rt: Runtime,
  state: ThreadState,
  call: ReceiptCall,
  result: CallResult & { readonly started: number },
): SettledReceipt => ({
  ...receiptHead(rt, state, call),
  kind: "settled",
  effect_id: null,
  started_at: isoTime(result.started),
  ...settledFields(rt, result),
  ...observedSource(result),
});

/** A failed call with usable output, such as a failing test run, counts as an observation, not as a failed write. */
const observedSource = ({ observed }: CallResult): { readonly source?: ReceiptSource } =>
  observed ? { source: "tool_observation" } : {};

/** Settles an intended receipt: same effect, new receipt id. */
export function settleIntended(rt: Runtime, intended: IntendedReceipt, result: CallResult): SettledReceipt {
  const { settle_by: _, kind: __, success: ___, summary: ____, ...head } = intended;
  const id = rt.ids.make("rcp") as ReceiptId;
  return { ...head, id, kind: "settled", ...settledFields(rt, result), ...observedSource(result) };
}

const settledFields = (rt: Runtime, result: CallResult) => ({
  success: result.success,
  ...(result.rejected && { rejected: result.rejected }),
  ...(result.observed && { observed: result.observed }),
  ...(result.question && { asked: true as const }),
  summary: summaryLine(result.text, SUMMARY_CHARS),
  finished_at: isoTime(rt.clock.now()),
  size: result.size,
  sha256: result.sha256,
  ...(result.run.output_trust ? { output_trust: result.run.output_trust } : {}),
});

export function mintReply(
  rt: Runtime,
  state: ThreadState,
  { gate_id, actor, text }: { readonly gate_id: GateId; readonly actor: string; readonly text: string },
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
    summary: summaryLine(text, SUMMARY_CHARS),
    started_at: now,
    finished_at: now,
    size: text.length,
    sha256: rt.hash.sha256(text),
  };
}

export function summaryLine(text: string, max: number): string {
  // A prefix is enough unless it is mostly whitespace, and a summary should not require a pass over a long output.
  const prefix = collapseWhitespace(text.slice(0, max * 4)).trimStart();
  return truncateChars(prefix.length > max ? prefix : collapseWhitespace(text).trim(), max);
}

/** Matches whitespace to be replaced by one space, but not a single space, so that most strings stay unchanged. */
const WHITESPACE_RUN = /(?:[^\S ]|\p{Cc}| (?=[\s\p{Cc}]))[\s\p{Cc}]*/gu;
const collapseWhitespace = (text: string): string => text.replace(WHITESPACE_RUN, " ");

/** The number of characters kept in the record if an observation is too long for it. The full text goes into a blob, which `recall` reads. */
const INLINE_CHARS = 8_192;
const RAW_BYTES = 8_192;
/** Longer lists are cut to their beginning and end, because searching them for relevant lines would take too long. */
const LIST_CHARS_MAX = 524_288;

/** The current step and goal of `about` decide which lines of a long list are kept. */
export function buildObservation(
  rt: Pick<Runtime, "hash">,
  receipt_id: ReceiptId | null,
  { text, run, brief, about }: Pick<CallResult, "text" | "run" | "brief"> & { readonly about?: ThreadState },
  manifest: Manifest | null,
): { observation: Observation; blobs: readonly StoredBlob[] } {
  const size = byteLength(text);
  const raw = byteLength(JSON.stringify(run.raw ?? null)) <= RAW_BYTES ? (run.raw ?? null) : null;
  const limit = manifest?.max_output_chars ?? OBSERVATION_INLINE_BYTES;
  const fits = (one: string): boolean => byteLength(one) <= OBSERVATION_INLINE_BYTES && one.length <= limit;
  if (fits(text)) return { observation: { receipt_id, text, size, blob: null, raw }, blobs: [] };
  const hash = rt.hash.sha256(text);
  const shown = brief ?? linesAbout(text, about);
  const kept = shown !== null && fits(shown) ? shown : truncateMiddle(text, Math.min(INLINE_CHARS, limit));
  return { observation: { receipt_id, text: kept, size, blob: hash, raw }, blobs: [{ hash, text }] };
}

const linesAbout = (text: string, about: ThreadState | undefined): string | null =>
  about && text.length <= LIST_CHARS_MAX ? (cutLines(text, topicOfState(about), INLINE_CHARS)?.text ?? null) : null;
