// Shrinks a state that is too large, removing first what can be read elsewhere. This is only a fallback: most states are small.
import type { Hash } from "../../ports/hash.ts";
import type { StoredBlob } from "../../ports/thread-store.ts";
import { countFolded, toolOfLine } from "../../prompt/fold.ts";
import { byteLength, exceedsBytes } from "../../schema/byte-length.ts";
import type { Gate, StoredCall } from "../../schema/gate.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { STATE_BYTES_MAX, type ThreadState } from "../../schema/thread.ts";
import { truncateBytes, truncateWords } from "../../tools/truncate-text.ts";

type Fitted = { readonly state: ThreadState; readonly blobs: readonly StoredBlob[] };
/** A state that fits. `text` is the state as it will be stored. */
export type FittedState = Fitted & { readonly text: string };
/** Removes one item. Returns null if no item of its kind is left to remove. */
type Shrink = (fitted: Fitted, hash: Hash) => Fitted | null;

const jsonBytes = (value: unknown): number => byteLength(JSON.stringify(value));
const fits = (text: string): boolean => !exceedsBytes(text, STATE_BYTES_MAX);

/** Shrinks the state until it fits, because a record whose state is too large cannot be stored, and its receipt would be lost. */
export function fitState(hash: Hash, state: ThreadState): Result<FittedState> {
  let fitted: Fitted = { state, blobs: [] };
  let text = JSON.stringify(state);
  while (!fits(text)) {
    const smaller = shrink(fitted, hash);
    if (!smaller) return fail("record_too_large", "The thread's state does not fit into 16 KB.");
    fitted = smaller;
    text = JSON.stringify(fitted.state);
  }
  return ok({ ...fitted, text });
}

function shrink(fitted: Fitted, hash: Hash): Fitted | null {
  for (const shrinkStep of SHRINK_STEPS) {
    const smaller = shrinkStep(fitted, hash);
    if (smaller) return smaller;
  }
  return null;
}

const withState = ({ state, blobs }: Fitted, change: Partial<ThreadState>): Fitted => ({
  state: { ...state, ...change },
  blobs,
});

/** Removes the metadata. The first record has a copy. */
const dropMetadata: Shrink = (fitted) => (fitted.state.metadata ? withState(fitted, { metadata: null }) : null);

const dropFoldedLine: Shrink = (fitted) => {
  const [oldest, ...lines] = fitted.state.folded.lines;
  if (oldest === undefined) return null;
  const counts = countFolded(fitted.state.folded.counts, toolOfLine(oldest));
  return withState(fitted, { folded: { lines, counts } });
};

/** Smaller arguments stay inline, because the name of a blob would be just as long. */
const ARGUMENTS_KEPT_BYTES = 256;

/** Moves the arguments of the waiting or running call to a blob. Arguments that are too long are moved there from the start. */
const moveArgumentsToBlob: Shrink = ({ state, blobs }, hash) => {
  const { gate, acting } = state;
  const calls = [gate && "call" in gate ? gate.call : null, acting?.call ?? null];
  const large = calls.find((call) => call?.arguments && jsonBytes(call.arguments) > ARGUMENTS_KEPT_BYTES);
  if (!large) return null;
  const text = JSON.stringify(large.arguments);
  const blobHash = hash.sha256(text);
  const withBlob = (call: StoredCall): StoredCall =>
    call.arguments_digest === large.arguments_digest ? { ...call, arguments: null, arguments_blob: blobHash } : call;
  return {
    state: {
      ...state,
      gate: gate && "call" in gate ? { ...gate, call: withBlob(gate.call) } : gate,
      acting: acting && { ...acting, call: withBlob(acting.call) },
    },
    blobs: [...blobs, { hash: blobHash, text }],
  };
};

/** Removes the oldest line of the dialogue other than the first, which is removed last, as in folding. */
const dropDialogueLine: Shrink = (fitted) => {
  const { lines, dropped } = fitted.state.dialogue;
  if (lines.length === 0) return null;
  return withState(fitted, { dialogue: { lines: lines.toSpliced(lines.length > 1 ? 1 : 0, 1), dropped: dropped + 1 } });
};

/** Removes a proof that is not needed. A completed step keeps its proof of the required kind or, if there is none, its newest proof. */
const dropSpareProof: Shrink = (fitted) => {
  const { proofs, machine, plan } = fitted.state;
  const spare = proofs.findIndex(
    ({ step, kind }, i) =>
      step < machine.step &&
      plan?.[step]?.needs !== kind &&
      proofs.some((other, j) => other.step === step && (j > i || other.kind === plan?.[step]?.needs)),
  );
  return spare < 0 ? null : withState(fitted, { proofs: proofs.filter((_, i) => i !== spare) });
};

const PROOF_BYTES = 24;

const shortenProofs: Shrink = (fitted) => {
  const short = fitted.state.proofs.map((proof) => ({ ...proof, summary: truncateBytes(proof.summary, PROOF_BYTES) }));
  return jsonBytes(short) < jsonBytes(fitted.state.proofs) ? withState(fitted, { proofs: short }) : null;
};

/** Removes the oldest change. Changes in the state only inform the model; the records contain all of them. */
const dropChange: Shrink = (fitted) =>
  fitted.state.changes.length > 1 ? withState(fitted, { changes: fitted.state.changes.slice(1) }) : null;

const MARK_BYTES = byteLength("…");
const wordsWithin = (text: string, bytes: number): string =>
  exceedsBytes(text, bytes) ? truncateWords(text, truncateBytes(text, bytes - MARK_BYTES).length + 1) : text;

const shortenResult =
  (bytes: number): Shrink =>
  (fitted) => {
    const { results } = fitted.state;
    const long = results.find(({ text }) => exceedsBytes(text, bytes));
    if (!long) return null;
    const short = { ...long, text: wordsWithin(long.text, bytes) };
    return withState(fitted, { results: results.map((result) => (result === long ? short : result)) });
  };

const RESULT_BYTES = 200;
const RESULT_BYTES_MIN = 48;

const GATE_TEXT_BYTES = 512;
const SHOWN_BYTES = 1_024;
const NOT_SHOWN = "\n… the rest is not shown here …";
export const shortenShown = (shown: string): string => `${truncateBytes(shown, SHOWN_BYTES)}${NOT_SHOWN}`;

/** Shortens the text of a gate. The record that opened the gate has all of it, and the arguments are read from their blob. */
const shortenGateText: Shrink = (fitted) => {
  const { gate } = fitted.state;
  if (!gate) return null;
  const short: Gate = { ...gate, text: truncateBytes(gate.text, GATE_TEXT_BYTES) };
  if (short.kind === "confirmation" && jsonBytes(short.shown) > 2 * SHOWN_BYTES)
    short.shown = shortenShown(short.shown);
  return jsonBytes(short) < jsonBytes(gate) ? withState(fitted, { gate: short }) : null;
};

/** Removes the oldest approval. The calls that it covered need confirmation again. */
const dropOldestApproval: Shrink = (fitted) => {
  const { approvals } = fitted.state;
  return approvals && approvals.length > 0 ? withState(fitted, { approvals: approvals.slice(1) }) : null;
};

const SHRINK_STEPS: readonly Shrink[] = [
  dropMetadata,
  dropSpareProof,
  shortenResult(RESULT_BYTES),
  dropFoldedLine,
  moveArgumentsToBlob,
  dropChange,
  dropOldestApproval,
  dropDialogueLine,
  shortenProofs,
  shortenResult(RESULT_BYTES_MIN),
  shortenGateText,
];
